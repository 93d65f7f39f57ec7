"""The hit processors that qx brings, one file each."""
