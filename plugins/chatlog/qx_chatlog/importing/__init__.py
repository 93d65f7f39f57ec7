"""Reading chat logs of other programs: each format in a file of its own."""
