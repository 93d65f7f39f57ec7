"""Fetching pages from the open web, safely.  ``web_pages`` is where to start."""
