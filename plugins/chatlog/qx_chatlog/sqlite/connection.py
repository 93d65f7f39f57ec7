"""Connections to a SQLite file, each with a thread of its own; its errors are told as qx's."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from qx.errors import ProviderError, Unavailable, UsageError
from qx.sqlite import NotOurs, opened
from qx_chatlog.sqlite.schema import APPLICATION, MIGRATIONS

T = TypeVar("T")

_CHECKPOINT = 8000
"""Pages after which the write-ahead log is copied."""
_KEPT = 64 * 1024 * 1024
"""Bytes of a write-ahead log that stays after it was copied."""


class Connection:
    """One connection.  What is called waits for what was called before, also where nobody waits any longer.

    Args:
        path: The file.
        wait: Seconds to wait for another's lock.
        cache: KiB of pages kept in memory.
    """

    def __init__(self, path: Path, *, wait: float, cache: int) -> None:
        self.path = path
        self._wait = wait
        self._cache = cache
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qx-chat")
        self._sql: sqlite3.Connection | None = None
        self._closed = False

    async def call(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``function`` with the connection, in its thread.

        Raises:
            Unavailable: the file stayed locked for too long.
            ProviderError: anything else that SQLite says.
        """
        future = self._thread.submit(self._called, function)
        waited = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(waited)
        except asyncio.CancelledError:
            future.cancel()  # where it has not begun
            waited.add_done_callback(_seen)
            raise

    async def close(self) -> None:
        """Close it once what runs has ended; harmless twice."""
        if self._closed:
            return
        self._closed = True
        self._thread.submit(self._disconnect)
        await asyncio.to_thread(self._thread.shutdown)

    def _called(self, function: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self.path, self._wait):
            if self._sql is None:
                self._sql = self._connect()
            try:
                return function(self._sql)
            except BaseException:
                if self._sql.in_transaction:
                    self._sql.execute("ROLLBACK")
                raise

    def _connect(self) -> sqlite3.Connection:
        try:
            sql = opened(self.path, "", wait=self._wait, application=APPLICATION, any_thread=True)
        except NotOurs as error:
            raise UsageError(f"{self.path}: {error}; give chat.store.path another name") from error
        try:
            sql.execute(f"PRAGMA cache_size = -{self._cache}")
            sql.execute(f"PRAGMA journal_size_limit = {_KEPT}")
            sql.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
            sql.execute("PRAGMA secure_delete = FAST")  # what is deleted is overwritten, where that costs no writing
            migrate(sql, self.path)
        except BaseException:
            sql.close()
            raise
        return sql

    def _disconnect(self) -> None:
        if self._sql is not None:
            self._sql.close()
            self._sql = None


def _seen(future: asyncio.Future[Any]) -> None:
    """Look at what went wrong where nobody waits for it any longer."""
    if not future.cancelled():
        future.exception()


def migrate(sql: sqlite3.Connection, path: Path) -> None:
    """Bring the tables to the version that this program knows.

    Raises:
        UsageError: a newer program made them.
    """
    if sql.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS):
        return
    sql.execute("BEGIN IMMEDIATE")  # another process may be doing the same
    done = sql.execute("PRAGMA user_version").fetchone()[0]
    if done > len(MIGRATIONS):
        sql.execute("ROLLBACK")
        raise UsageError(f"{path}: a newer qx-query-chatlog made this file (its tables are version {done}): install it")
    for step in MIGRATIONS[done:]:
        for statement in filter(str.strip, step.split(";")):
            sql.execute(statement)
    sql.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    sql.execute("COMMIT")


@contextmanager
def translated(path: Path, wait: float) -> Generator[None]:
    """Tell what SQLite and the system say in qx's own errors."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Unavailable(
                f"the chat log {path} was locked by others for more than {wait:g} s: try again", plugin="chatlog"
            ) from error
        raise ProviderError(f"the chat log {path}: {error}", plugin="chatlog") from error
