"""The index of a log, whichever database keeps it: words, columns, ranking."""
