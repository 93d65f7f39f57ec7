"""How far each file of a run has come, so that a run that was cut off goes on there."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import cast

from qx.paths import make_private

_MOST = 1000
"""Entries that are kept, the newest."""


class Journal:
    """The last record of each file that is known to be written to one index, kept in one small JSON file.

    An entry counts only while

    * the file is as it was (size and time of change) and goes to the same kind of vectors by the same settings;
    * the run that wrote it was the last one that wrote to this index.  A later run of other files may have put other
      documents in the place of those that the entry counts as written, so it ends all entries, also where it is cut off
      itself: what has to be written again costs time, what is left out costs content.

    Whether what it names is still in the index is for the indexer to ask: an index may have been dropped since.

    Args:
        path: The file.
        settings: What else tells how documents are written: another text, other entries.
    """

    def __init__(self, path: Path, settings: str = "") -> None:
        self._path = path
        self._settings = settings
        self._run = secrets.token_hex(8)
        self._begun = False
        self._known = _read(path)
        self._mine = dict[str, int]()

    def key(self, path: Path, vectors: str) -> str:
        """What tells one state of a file, written with one kind of vectors, from another."""
        about = path.stat()
        told = f"{path.resolve()}:{about.st_size}:{about.st_mtime_ns}:{vectors}:{self._settings}"
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def done(self, path: Path, vectors: str = "") -> int:
        """The number of the last record of ``path`` that was written and that no other run wrote over; 0: none."""
        key = self.key(path, vectors)
        run, last = self._known
        return self._mine.setdefault(key, last.get(key, 0) if run else 0)

    def begin(self) -> None:
        """Say that this run is about to write; what other runs noted ends here, but for what this one goes on with."""
        if not self._begun:
            self._begun = True
            self._keep()

    def note(self, path: Path, number: int, vectors: str = "") -> None:
        """Remember it, whatever happens next; not if another run has begun since, which may write over it."""
        self._mine[self.key(path, vectors)] = number
        self.begin()
        if self._is_last():
            self._keep()

    def clear(self) -> None:
        """The run came to its end: the next one begins anew with what it read."""
        self._mine = {}
        self._known = "", dict[str, int]()
        if not self._begun or self._is_last():
            self._begun = False
            self._path.unlink(missing_ok=True)

    def _is_last(self) -> bool:
        return _read(self._path)[0] == self._run

    def _keep(self) -> None:
        """Write the whole file at once, under a name of its own until it is there."""
        make_private(self._path.parent)
        entries = {key: number for key, number in self._mine.items() if number}
        handle, part = tempfile.mkstemp(prefix=f"{self._path.stem}.", suffix=".part", dir=self._path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"run": self._run, "done": dict(list(entries.items())[-_MOST:])}, file)
            Path(part).replace(self._path)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise


def _read(path: Path) -> tuple[str, dict[str, int]]:
    """The last run and its entries; nothing where the file is damaged: then all is written once more."""
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "", {}
    items = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    run, done = items.get("run"), items.get("done")
    if not isinstance(run, str) or not isinstance(done, dict):
        return "", {}
    entries = cast("dict[str, object]", done)
    return run, {name: number for name, number in entries.items() if isinstance(number, int)}
