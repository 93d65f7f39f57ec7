"""What ``Engine.search`` does around the steps: the raw query at once, a second round where the first brought too little."""

from qx.searching.flow import Searching, no_backend

__all__ = ["Searching", "no_backend"]
