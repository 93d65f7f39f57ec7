"""The domain pack ``academic``: what qx knows of looking for research, as data."""
