"""How far each file of a run has come, so that a run that was cut off goes on there."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import cast

from qx.paths import make_private

_MOST = 1000
"""Entries that are kept, the newest: those of runs that were cut off stay until their files are indexed."""


class Journal:
    """The last record of each file that is known to be written, kept in one small JSON file.

    An entry counts only while the file is as it was (size and time of change) and goes to the same kind of vectors.
    Whether what it names is still in the index is for the indexer to ask: an index may have been dropped since.

    Several runs may write to one index at once: each changes only the entries of the files that it reads.  What two of
    them write in the same moment may be lost, which costs a resumed run some writing and nothing else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done = _read(path)
        self._mine = dict[str, int]()

    @staticmethod
    def key(path: Path, vectors: str) -> str:
        """What tells one state of a file, written with one kind of vectors, from another."""
        about = path.stat()
        told = f"{path.resolve()}:{about.st_size}:{about.st_mtime_ns}:{vectors}"
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def done(self, path: Path, vectors: str = "") -> int:
        """The number of the last record of ``path`` that was written; 0 where none was."""
        key = self.key(path, vectors)
        return self._mine.setdefault(key, self._done.get(key, 0))

    def note(self, path: Path, number: int, vectors: str = "") -> None:
        """Remember it, whatever happens next."""
        key = self.key(path, vectors)
        self._mine[key] = number
        others = _read(self._path)
        others.pop(key, None)
        self._keep({**others, key: number})

    def clear(self) -> None:
        """The run came to its end: the next one begins anew with what it read."""
        others = {key: number for key, number in _read(self._path).items() if key not in self._mine}
        self._done, self._mine = {}, {}
        if others:
            self._keep(others)
        else:
            self._path.unlink(missing_ok=True)

    def _keep(self, entries: dict[str, int]) -> None:
        """Write the whole file at once, under a name of its own until it is there."""
        make_private(self._path.parent)
        handle, part = tempfile.mkstemp(prefix=f"{self._path.stem}.", suffix=".part", dir=self._path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(dict(list(entries.items())[-_MOST:]), file)
            Path(part).replace(self._path)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise


def _read(path: Path) -> dict[str, int]:
    """What the file says; nothing where it is damaged: then documents are only written once more than needed."""
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    items = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    return {name: number for name, number in items.items() if isinstance(number, int)}
