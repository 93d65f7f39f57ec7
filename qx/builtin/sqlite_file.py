"""The SQLite file behind ``SqliteCache``: one table, write-ahead log, a bound on its size, repair by moving aside.

Everything here blocks and runs in one thread.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from qx.cache import CacheStats, Key
from qx.sqlite import NotOurs, opened, private

if TYPE_CHECKING:
    import logging

T = TypeVar("T")

_APPLICATION = 0x71786361  # "qxca": marks the file as ours, so that no other program's database is ever written to
_TOUCH = 60.0
"""Seconds within which a second use of an entry is not written down: reading stays reading."""
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries_1 (
    tenant TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL,
    data BLOB NOT NULL, expires REAL NOT NULL, used REAL NOT NULL,
    PRIMARY KEY (tenant, kind, digest)
);
CREATE INDEX IF NOT EXISTS entries_1_used ON entries_1 (used);
CREATE INDEX IF NOT EXISTS entries_1_expires ON entries_1 (expires);
CREATE TABLE IF NOT EXISTS counters_1 (tenant TEXT PRIMARY KEY, hits INTEGER NOT NULL, misses INTEGER NOT NULL);
"""
_GET = "SELECT data, expires, used FROM entries_1 WHERE tenant = ? AND kind = ? AND digest = ?"
_USE = "UPDATE entries_1 SET used = ? WHERE tenant = ? AND kind = ? AND digest = ?"
_EVICT = """
DELETE FROM entries_1 WHERE rowid IN (
    SELECT rowid FROM entries_1 ORDER BY used LIMIT (SELECT max(1, count(*) / 20) FROM entries_1)
)
"""
_COUNT = """
INSERT INTO counters_1 VALUES (?, ?, ?)
ON CONFLICT (tenant) DO UPDATE SET hits = hits + excluded.hits, misses = misses + excluded.misses
"""


class SqliteFile:
    """A table of entries in one file.  Every method raises ``sqlite3.Error`` or ``OSError`` where the file fails it.

    Args:
        path: The file; made, for its owner alone, on first use.
        max_bytes: When the pages in use exceed this, expired and then least recently used entries go.
        busy: Seconds to wait for another process's lock.
        log: Told of damage.
    """

    def __init__(self, path: Path, *, max_bytes: int, busy: float, log: logging.Logger) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._busy = busy
        self._log = log
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._hits: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()

    def get(self, key: Key, now: float) -> bytes | None:
        """Return the entry if it has not expired at ``now`` (seconds since the epoch)."""
        data = self._with(lambda connection: self._get(connection, key, now))
        (self._misses if data is None else self._hits)[key.tenant] += 1
        return data

    def set(self, key: Key, data: bytes, now: float, expires: float) -> None:
        """Keep ``data`` until ``expires``; too big for the bound: not at all."""
        if len(data) < self._max_bytes // 2:
            self._with(lambda connection: self._set(connection, key, data, now, expires))

    def clear(self, tenant: str | None) -> int:
        """Forget a tenant's entries, or all, and return how many there were."""
        return self._with(lambda connection: self._clear(connection, tenant))

    def stats(self, tenant: str | None, now: float) -> CacheStats:
        """Count what has not expired; hits and misses are those of every process so far."""
        return self._with(lambda connection: self._stats(connection, tenant, now))

    def close(self) -> None:
        """Add the counters to the file's and close it."""
        if self._connection is None:
            return
        try:
            self._with(self._count)
        finally:
            self._disconnect()

    def _with(self, call: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``call``; once more on a fresh file if this one turns out to be damaged."""
        try:
            return call(self._connected())
        except sqlite3.DatabaseError as error:
            code: int = getattr(error, "sqlite_errorcode", 0)  # absent where Python itself raised it
            if code & 0xFF not in _DAMAGED:
                raise
            self._move_aside(error)
            return call(self._connected())

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            private(self.path)
            self._inode = self.path.stat().st_ino  # before it turns out to be damaged
            try:
                connection = opened(self.path, _SCHEMA, wait=self._busy, application=_APPLICATION, any_thread=True)
            except NotOurs as error:
                raise OSError(f"{error}; give cache.path another name") from None
            connection.execute(f"PRAGMA journal_size_limit = {self._max_bytes}")
            self._connection = connection
        return self._connection

    def _get(self, connection: sqlite3.Connection, key: Key, now: float) -> bytes | None:
        where = (key.tenant, key.kind, key.digest)
        row = connection.execute(_GET, where).fetchone()
        if row is None or row[1] <= now:
            return None
        if now - row[2] > _TOUCH:
            with suppress(sqlite3.OperationalError):  # another process is writing: the order of use is not worth a miss
                connection.execute(_USE, (now, *where))
        return bytes(row[0])

    def _set(self, connection: sqlite3.Connection, key: Key, data: bytes, now: float, expires: float) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO entries_1 VALUES (?, ?, ?, ?, ?, ?)",
            (key.tenant, key.kind, key.digest, data, expires, now),
        )
        if self._in_use(connection) > self._max_bytes:
            self._evict(connection, now)

    def _evict(self, connection: sqlite3.Connection, now: float) -> None:
        """Make room: down to nine tenths of the bound, so that not every write evicts."""
        connection.execute("DELETE FROM entries_1 WHERE expires <= ?", (now,))
        while self._in_use(connection) > self._max_bytes * 0.9:
            gone = connection.execute(_EVICT).rowcount
            if gone == 0:
                return

    def _clear(self, connection: sqlite3.Connection, tenant: str | None) -> int:
        connection.execute("BEGIN IMMEDIATE")
        try:
            gone = connection.execute("DELETE FROM entries_1 WHERE ?1 IS NULL OR tenant = ?1", (tenant,)).rowcount
            connection.execute("DELETE FROM counters_1 WHERE ?1 IS NULL OR tenant = ?1", (tenant,))
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        for counter in (self._hits, self._misses):
            if tenant is None:
                counter.clear()
            else:
                counter.pop(tenant, None)
        return gone

    def _stats(self, connection: sqlite3.Connection, tenant: str | None, now: float) -> CacheStats:
        self._count(connection)
        entries, size = connection.execute(
            "SELECT count(*), coalesce(sum(length(data)), 0) FROM entries_1 "
            "WHERE expires > ?2 AND (?1 IS NULL OR tenant = ?1)",
            (tenant, now),
        ).fetchone()
        hits, misses = connection.execute(
            "SELECT coalesce(sum(hits), 0), coalesce(sum(misses), 0) FROM counters_1 WHERE ?1 IS NULL OR tenant = ?1",
            (tenant,),
        ).fetchone()
        return CacheStats(entries=entries, bytes=size, hits=hits, misses=misses)

    def _count(self, connection: sqlite3.Connection) -> None:
        for tenant in {*self._hits, *self._misses}:
            connection.execute(_COUNT, (tenant, self._hits.pop(tenant, 0), self._misses.pop(tenant, 0)))

    def _in_use(self, connection: sqlite3.Connection) -> int:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def _move_aside(self, error: sqlite3.DatabaseError) -> None:
        """Keep the damaged file for whoever wants to look; another process may have moved it already."""
        self._disconnect()
        try:
            if self.path.stat().st_ino != self._inode:
                return
            aside = self.path.with_name(f"{self.path.name}.damaged-{time.time_ns()}")
            os.replace(self.path, aside)
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        except FileNotFoundError:
            return
        self._log.warning("cache %s is damaged (%s): moved to %s, starting afresh", self.path, error, aside.name)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
