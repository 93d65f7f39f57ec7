"""SQLite files of ours that several processes open, read and write at once: the caches, ledgers and answers kept."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

from qx.paths import make_private

_RETRY = 0.02


class NotOurs(OSError):
    """The file is another program's database: it is never written to."""

    def __init__(self) -> None:
        super().__init__("it is another program's database")


def opened(
    path: Path, schema: str, *, wait: float, application: int | None = None, any_thread: bool = False
) -> sqlite3.Connection:
    """Open ``path`` with a write-ahead log; a statement stands alone unless ``BEGIN`` says otherwise.

    Args:
        path: Made, with its folder, for its owner alone, where it is not there.
        schema: Statements that make the tables where they are not there.
        wait: Seconds to wait for another process's lock.
        application: The file's mark (``PRAGMA application_id``); None: it bears none.
        any_thread: Whether threads take turns with the connection.

    Raises:
        NotOurs: it bears another mark, or none and has tables.
        OSError, sqlite3.Error: it cannot be opened or made.
    """
    private(path)
    connection = sqlite3.connect(
        path, timeout=wait, isolation_level=None, check_same_thread=not any_thread, cached_statements=32
    )
    try:
        fresh = application is None or _is_fresh(connection, application)
        write_ahead(connection, wait)
        connection.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing; power cut may lose seconds
        if fresh:
            mark = "" if application is None else f"PRAGMA application_id = {application};"
            connection.executescript(f"BEGIN IMMEDIATE; {schema.rstrip().rstrip(';')}; {mark} COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection


def write_ahead(connection: sqlite3.Connection, wait: float) -> None:
    """Switch to the write-ahead log, for which SQLite does not wait by itself while another process does the same.

    Raises:
        sqlite3.Error: the file cannot be read or written, or is still locked after ``wait`` seconds.
    """
    until = time.monotonic() + wait
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > until:
                raise
            time.sleep(_RETRY)


def private(path: Path) -> None:
    """Make the file, for its owner alone.  One that is there is not opened: closing it would end SQLite's locks on it.

    Raises:
        OSError: it cannot be made.
    """
    make_private(path.parent)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        details = path.stat()
        if hasattr(os, "getuid") and details.st_mode & 0o077 and details.st_uid == os.getuid():
            path.chmod(0o600)


def _is_fresh(connection: sqlite3.Connection, application: int) -> bool:
    """Whether the tables are to be made.  Both are read at once: another process may be making them."""
    connection.execute("BEGIN")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    connection.execute("ROLLBACK")
    if mark != application and (mark or tables):
        raise NotOurs
    return mark != application or tables == 0
