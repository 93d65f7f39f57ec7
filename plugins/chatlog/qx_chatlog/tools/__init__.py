"""The tools by which a log is searched: operations for people, programs and models."""
