"""Messages in PostgreSQL."""
