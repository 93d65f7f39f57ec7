"""Deleting a user's messages, or those of some sessions; what is gone is overwritten in the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from qx_chatlog.index.analysis import VERSION
from qx_chatlog.index.gathering import Owner, count
from qx_chatlog.message import Message
from qx_chatlog.sqlite.schema import SPAN
from qx_chatlog.sqlite.view import MESSAGE, listed, message_of
from qx_chatlog.sqlite.writing import add, new_scope, remove, scope_of, transaction

_AT_ONCE: Final = 1000


def delete(sql: sqlite3.Connection, owner: Owner, sessions: frozenset[str] | None) -> int:
    """Remove all that there is of ``owner``, or what is of these sessions, and return how many messages it was."""
    sql.execute("PRAGMA secure_delete = ON")
    try:
        with transaction(sql):
            scope = scope_of(sql, owner)
            if scope is None:
                return 0
            gone = remove(sql, scope) if sessions is None else _remove_sessions(sql, owner, scope, sessions)
    finally:
        sql.execute("PRAGMA secure_delete = FAST")
    with suppress(sqlite3.OperationalError):  # a reader still needs the log's older pages: the next checkpoint has them
        sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return gone


def renew(sql: sqlite3.Connection) -> int:
    """Make the index of every user anew that another version of ``words`` made, and return of how many."""
    renewed = 0
    while True:
        with transaction(sql):
            found = sql.execute(
                "SELECT scope, tenant, user FROM scopes WHERE analysis <> ? LIMIT 1", (VERSION,)
            ).fetchone()
            if found is None:
                return renewed
            scope, *owner = found
            _rewrite(sql, (owner[0], owner[1]), scope, set())
            remove(sql, scope)
            renewed += 1


def _remove_sessions(sql: sqlite3.Connection, owner: Owner, scope: int, sessions: frozenset[str]) -> int:
    gone = {
        number
        for (number,) in sql.execute(
            "SELECT s.number FROM json_each(?) AS w CROSS JOIN sessions AS s ON s.scope = ? AND s.id = w.value",
            (listed(sessions), scope),
        )
    }
    if not gone:
        return 0
    kept = _rewrite(sql, owner, scope, gone)
    return remove(sql, scope) - kept


def _rewrite(sql: sqlite3.Connection, owner: Owner, scope: int, gone: set[int]) -> int:
    """Write what stays to a scope of its own, numbered anew, and return how many messages that is."""
    sql.execute("UPDATE scopes SET user = ? WHERE scope = ?", (f"\0{owner[1]}", scope))
    kept = 0
    for batch in _batches(sql, owner, scope, gone):
        add(sql, owner, [message for _, message in batch], [count(message) for _, message in batch])
        _move_vectors(sql, owner, [key for key, _ in batch], kept)
        kept += len(batch)
    fresh = scope_of(sql, owner)
    if fresh is None and not gone:
        fresh = new_scope(sql, owner)
    if fresh is not None:
        sql.execute(
            "INSERT INTO notes SELECT ?1, kind, name, number, item, message, time FROM notes WHERE scope = ?2 "
            "AND (message IS NULL OR message IN (SELECT id FROM messages WHERE scope = ?1))",
            (fresh, scope),
        )
    return kept


def _batches(sql: sqlite3.Connection, owner: Owner, scope: int, gone: set[int]) -> Iterator[list[tuple[int, Message]]]:
    last = scope * SPAN - 1
    while True:
        found = sql.execute(
            "SELECT key, session FROM messages WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
            (last, (scope + 1) * SPAN, _AT_ONCE),
        ).fetchall()
        if not found:
            return
        last = found[-1][0]
        numbers = [key - scope * SPAN for key, session in found if session not in gone]
        rows = sql.execute(MESSAGE, (scope * SPAN, scope, listed(numbers))).fetchall()
        if rows:
            yield [(scope * SPAN + row[0], message_of(row, *owner)) for row in sorted(rows)]


def _move_vectors(sql: sqlite3.Connection, owner: Owner, keys: list[int], first: int) -> None:
    fresh = scope_of(sql, owner) or 0
    moved = [(fresh * SPAN + first + place, key) for place, key in enumerate(keys)]
    sql.executemany("INSERT INTO vectors SELECT ?, data FROM vectors WHERE key = ?", moved)
