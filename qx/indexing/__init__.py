"""Bringing documents into a search backend: reading files, writing batches, going on where a run was cut off."""
