"""Reading where nothing can be written: a read-only disk, a folder of somebody else.

tantivy makes a lock file beside its files whenever it reads, SQLite one beside a database with a write-ahead log.  So a
folder of one's own is made under the system's temporary folder: links to tantivy's files, which never change, and copies
of the small ones that do.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

_CHANGING = ("meta.json", ".managed.json")


def can_write(folder: Path) -> bool:
    """Return whether files can be made in ``folder``, as it seems."""
    return os.access(folder, os.W_OK | os.X_OK)


class Mirror:
    """A folder through which a read-only one is read.

    Args:
        words: tantivy's folder.
        documents: The file of documents.

    Raises (every method):
        OSError: the files cannot be read, or the temporary folder cannot be written.
    """

    def __init__(self, words: Path, documents: Path) -> None:
        self._from = words
        self._documents = documents
        self._place = tempfile.TemporaryDirectory(prefix="qx-index-")
        self.words = Path(self._place.name) / words.name
        self.words.mkdir()
        self.refresh()

    def refresh(self) -> None:
        """Take over what was committed since: new files first, then the list of what counts."""
        for path in self._from.iterdir():
            if path.name.startswith(".") or path.name in _CHANGING:
                continue
            if not (self.words / path.name).is_symlink():
                (self.words / path.name).symlink_to(path.resolve())
        for name in _CHANGING:
            if (self._from / name).exists():
                fresh = self.words / f"{name}.new"
                shutil.copyfile(self._from / name, fresh)
                fresh.replace(self.words / name)

    def documents(self) -> tuple[Path, bool]:
        """Return the file of documents to be opened, and whether nobody changes it while it is open.

        What has not gone from the write-ahead log into the file yet is seen in a copy of both.
        """
        log = self._documents.with_name(f"{self._documents.name}-wal")
        if not log.exists() or not log.stat().st_size:
            return self._documents, True
        copy = Path(self._place.name) / self._documents.name
        for path in (self._documents, log):
            shutil.copyfile(path, copy.with_name(path.name))
        return copy, False

    def close(self) -> None:
        """Remove the folder."""
        self._place.cleanup()


__all__ = ["Mirror", "can_write"]
