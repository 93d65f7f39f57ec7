"""Documents as they were given, in one SQLite file beside the index; tantivy holds only what is searched.

Every writing of a document has a key of its own, which is never used again.  Rows are added before tantivy commits the
documents that name them, and leave only long after they were replaced: whoever still reads an older state of the index
finds what it names.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qx.backend import Document
from qx.serial import value
from qx.sqlite import write_ahead

_TABLES = """
CREATE TABLE IF NOT EXISTS documents (key INTEGER PRIMARY KEY, id TEXT NOT NULL, url TEXT, gone REAL);
CREATE INDEX IF NOT EXISTS documents_id ON documents (id) WHERE gone IS NULL;
CREATE INDEX IF NOT EXISTS documents_gone ON documents (gone) WHERE gone IS NOT NULL;
CREATE TABLE IF NOT EXISTS bodies (key INTEGER PRIMARY KEY, body BLOB NOT NULL);
"""
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_CHUNK = 500
_MOST_NAMES = 200_000
KEPT = 600.0
"""Seconds for which a replaced or deleted document stays readable."""


@value
class Body:
    """The parts of a stored document."""

    title: str
    text: str
    metadata: Mapping[str, object]


class Sources:
    """The file of documents.  Every method may be called from any thread.

    Args:
        path: The file; made if need be.
        wait: Seconds to wait for another process that writes.
        fixed: Whether nobody changes the file, which may lie where nothing can be written: it is only read.

    Raises (every method):
        sqlite3.Error: the file cannot be used.
    """

    def __init__(self, path: Path, *, wait: float, fixed: bool = False) -> None:
        self._lock = threading.Lock()
        self._names: dict[int, tuple[str, str | None]] = {}  # a key means one writing for ever
        place = f"{path.resolve().as_uri()}?mode=ro&immutable=1" if fixed else path
        self._link = sqlite3.connect(place, timeout=wait, check_same_thread=False, isolation_level=None, uri=fixed)
        if fixed:
            return
        write_ahead(self._link, wait)
        self._link.execute("PRAGMA synchronous = FULL")
        self._link.executescript(_TABLES)

    def close(self) -> None:
        with self._lock:
            self._link.close()

    def names(self, keys: Sequence[int]) -> list[tuple[str, str | None]]:
        """Return id and url of each key, in order."""
        known = self._names
        missing = [key for key in keys if key not in known]
        if missing:
            if len(known) > _MOST_NAMES:
                known = self._names = {}
                missing = list(keys)
            read = self._chosen("SELECT key, id, url FROM documents", missing)
            known.update((key, (id, url)) for key, id, url in read)
        return [known.get(key, ("", None)) for key in keys]

    def bodies(self, keys: Sequence[int]) -> dict[int, Body]:
        """Return the documents of ``keys`` that are still there."""
        found: dict[int, Body] = {}
        for key, body in self._chosen("SELECT key, body FROM bodies", keys):
            title, text, metadata = json.loads(body.decode("utf-8", "surrogatepass"))
            found[key] = Body(title=title, text=text, metadata=metadata)
        return found

    def current(self, ids: Iterable[str]) -> dict[int, str]:
        """Return key -> id of the documents with these ids that are not gone."""
        return dict(self._chosen("SELECT key, id FROM documents", list(ids), "gone IS NULL AND id"))

    def all_current(self) -> list[tuple[int, str]]:
        """Return (key, id) of every document that is not gone."""
        return self._rows("SELECT key, id FROM documents WHERE gone IS NULL")

    def number(self) -> int:
        """Return how many documents are not gone."""
        return int(self._rows("SELECT count(*) FROM documents WHERE gone IS NULL")[0][0])

    def rows(self) -> int:
        """Return how many documents there are, those that are gone and still readable among them."""
        return int(self._rows("SELECT count(*) FROM documents")[0][0])

    def last(self) -> int:
        """Return the key of the document that was added last; 0: there is none."""
        with self._lock:
            (last,) = self._link.execute("SELECT coalesce(max(key), 0) FROM documents").fetchone()
            return int(last)

    def add(self, documents: Sequence[tuple[Document, Mapping[str, object]]]) -> int:
        """Add documents (with their metadata as plain JSON) under new keys that follow one another; return the first."""
        with self._lock, self._written():
            (last,) = self._link.execute("SELECT coalesce(max(key), 0) FROM documents").fetchone()
            keyed = list(enumerate(documents, last + 1))
            self._link.executemany(
                "INSERT INTO documents (key, id, url) VALUES (?, ?, ?)", ((key, d.id, d.url) for key, (d, _) in keyed)
            )
            self._link.executemany(
                "INSERT INTO bodies (key, body) VALUES (?, ?)",
                ((key, encoded(d.title, d.text, metadata)) for key, (d, metadata) in keyed),
            )
            return int(last) + 1

    def retire(self, keys: Iterable[int], now: float) -> None:
        """Mark documents as gone, and remove those that went long ago."""
        with self._lock, self._written():
            self._link.executemany("UPDATE documents SET gone = ? WHERE key = ?", ((now, key) for key in keys))
            # the last key stays, so that its number is never given again
            old = "SELECT key FROM documents WHERE gone < ? AND key < (SELECT max(key) FROM documents)"
            for table in ("bodies", "documents"):
                self._link.execute(f"DELETE FROM {table} WHERE key IN ({old})", (now - KEPT,))  # noqa: S608 - our names

    def _written(self) -> _Transaction:
        return _Transaction(self._link)

    def _chosen(self, select: str, items: Sequence[Any], column: str = "key") -> list[Any]:
        found: list[Any] = []
        for at in range(0, len(items), _CHUNK):
            part = items[at : at + _CHUNK]
            found += self._rows(f"{select} WHERE {column} IN ({','.join('?' * len(part))})", part)
        return found

    def _rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            return self._link.execute(statement, parameters).fetchall()


class _Transaction:
    def __init__(self, link: sqlite3.Connection) -> None:
        self._link = link

    def __enter__(self) -> None:
        self._link.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._link.execute("COMMIT" if kind is None else "ROLLBACK")


def encoded(title: str, text: str, metadata: Mapping[str, object]) -> bytes:
    """Return a stored document; lone surrogates come back as they were."""
    return _JSON.encode([title, text, metadata]).encode("utf-8", "surrogatepass")
