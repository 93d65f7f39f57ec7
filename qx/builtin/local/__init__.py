"""The built-in backend ``local``: a folder on disk, searched in process by tantivy."""
