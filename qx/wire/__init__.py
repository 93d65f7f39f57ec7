"""The OpenAI wire format, which most servers and libraries speak: for every provider that sends or reads it."""
