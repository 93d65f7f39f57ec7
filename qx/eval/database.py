"""An SQLite file under the folder of evaluations, for its owner's eyes, opened so that several processes may write."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from qx.builtin.own_file import restrict


def opened(path: Path, schema: str, *, wait: float) -> sqlite3.Connection:
    """Open ``path``; every statement is kept at once (write-ahead log).  One thread uses the connection.

    Args:
        path: Made, with its folder, where it is not there.
        schema: A statement that makes the table where it is not there.
        wait: Seconds that a write waits for another process.

    Raises:
        OSError, sqlite3.Error: it is no such file, or cannot be written: the caller says what then.
    """
    restrict(path)
    connection = sqlite3.connect(path, timeout=wait, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(schema)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
