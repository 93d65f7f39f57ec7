"""Ways of merging ranked lists into one, one file each; what they share is in ``merging``."""
