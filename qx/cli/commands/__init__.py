"""The commands, one a file, each with a ``command``; imported when it is called."""
