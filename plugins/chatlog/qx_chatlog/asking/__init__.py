"""Answers from a log: a question read, searched for in rounds, and answered with checked quotations."""
