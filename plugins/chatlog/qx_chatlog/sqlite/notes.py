"""Notes beside the log, in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from qx.serial import to_json
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.index.gathering import Owner
from qx_chatlog.index.logstore import may
from qx_chatlog.sqlite.view import listed
from qx_chatlog.sqlite.writing import changed, new_scope, scope_of, transaction
from qx_chatlog.store import Note


def put_notes(sql: sqlite3.Connection, owner: Owner, sessions: frozenset[str] | None, notes: Sequence[Note]) -> None:
    """Add notes after those that are there; those about messages that are not there, or not allowed, are left out."""
    with transaction(sql):
        scope = scope_of(sql, owner)
        there = {} if scope is None else _sessions_of(sql, scope, [note.message for note in notes])
        kept = [note for note in notes if may(note, there, sessions)]
        if not kept:
            return
        if scope is None:
            scope = new_scope(sql, owner)
        found = sql.execute("SELECT coalesce(max(number) + 1, 0) FROM notes WHERE scope = ?", (scope,)).fetchone()
        sql.executemany(
            "INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    scope,
                    note.kind,
                    note.key,
                    found[0] + place,
                    to_json(note.value),
                    note.message,
                    microseconds(note.time),
                )
                for place, note in enumerate(kept)
            ],
        )
        changed(sql, scope)


def drop_notes(sql: sqlite3.Connection, owner: Owner, kind: str, numbers: Iterable[int]) -> int:
    """Remove notes by number, and return how many there were."""
    with transaction(sql):
        scope = scope_of(sql, owner)
        if scope is None:
            return 0
        gone = sql.executemany(
            "DELETE FROM notes WHERE scope = ? AND kind = ? AND number = ?", [(scope, kind, n) for n in numbers]
        ).rowcount
        if gone > 0:
            changed(sql, scope)
        return max(0, gone)


def _sessions_of(sql: sqlite3.Connection, scope: int, ids: Iterable[str | None]) -> dict[str, str]:
    return dict(
        sql.execute(
            "SELECT m.id, s.id FROM json_each(?1) AS w CROSS JOIN messages AS m ON m.scope = ?2 AND m.id = w.value "
            "JOIN sessions AS s ON s.scope = ?2 AND s.number = m.session",
            (listed(one for one in ids if one is not None), scope),
        )
    )
