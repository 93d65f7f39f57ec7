"""How far each file of a run has come, so that a run that was cut off goes on there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import cast

from qx.paths import make_private


class Journal:
    """The last record of each file that is known to be written, kept in one small JSON file.

    An entry counts only while the file is as it was (size and time of change) and goes to the same kind of vectors.
    Whether what it names is still in the index is for the indexer to ask: an index may have been dropped since.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done = _read(path)

    @staticmethod
    def key(path: Path, vectors: str) -> str:
        """What tells one state of a file, written with one kind of vectors, from another."""
        about = path.stat()
        told = f"{path.resolve()}:{about.st_size}:{about.st_mtime_ns}:{vectors}"
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def done(self, path: Path, vectors: str = "") -> int:
        """The number of the last record of ``path`` that was written; 0 where none was."""
        return self._done.get(self.key(path, vectors), 0)

    def note(self, path: Path, number: int, vectors: str = "") -> None:
        """Remember it, whatever happens next."""
        self._done[self.key(path, vectors)] = number
        make_private(self._path.parent)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(self._done), encoding="utf-8")
        part.replace(self._path)

    def clear(self) -> None:
        """The run came to its end: the next one begins anew."""
        self._done = {}
        self._path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, int]:
    """What the file says; nothing where it is damaged: then documents are only written once more than needed."""
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    items = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    return {name: number for name, number in items.items() if isinstance(number, int)}
