"""Messages in one SQLite file."""
