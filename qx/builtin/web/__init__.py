"""The backend ``web``: any web-search API that answers JSON, described in the profile or by a preset."""
