"""Adding to and deleting from the tables; everything here runs in one write transaction."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from qx_chatlog.index.analysis import VERSION
from qx_chatlog.index.columns import LABELS, Label
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.index.gathering import Numbers, Owner, columns, counted_in, postings, spelled
from qx_chatlog.index.storable import metadata_rows, written
from qx_chatlog.message import Message
from qx_chatlog.sqlite.schema import OF_SCOPE, SPAN
from qx_chatlog.sqlite.view import listed

TOGETHER: Final = 512
"""Messages of a user whose words go to the postings together."""

_ADD_POSTING: Final = """
    INSERT INTO postings VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)
"""
_ADD_COLUMNS: Final = """
    INSERT INTO columns VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET data = CAST(data || excluded.data AS BLOB)
"""


@contextmanager
def transaction(sql: sqlite3.Connection) -> Generator[None]:
    """Hold the write lock, and keep all or nothing."""
    sql.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        sql.execute("ROLLBACK")
        raise
    sql.execute("COMMIT")


def scope_of(sql: sqlite3.Connection, owner: Owner) -> int | None:
    """Return the number of a user; None: there is nothing of that user."""
    found = sql.execute("SELECT scope FROM scopes WHERE tenant = ? AND user = ?", owner).fetchone()
    return None if found is None else found[0]


def new_scope(sql: sqlite3.Connection, owner: Owner) -> int:
    """Make room for a user, and return its number."""
    made = sql.execute(
        "INSERT INTO scopes (tenant, user, messages, mark, changes, analysis) VALUES (?, ?, 0, ?, 0, ?)",
        (*owner, secrets.token_hex(8), VERSION),
    ).lastrowid
    return made or 0


def known_ids(sql: sqlite3.Connection, owner: Owner, ids: Sequence[str]) -> dict[str, int]:
    """Return which ids are there, and the key of each."""
    scope = scope_of(sql, owner)
    if scope is None:
        return {}
    return dict(
        sql.execute(
            "SELECT m.id, m.key FROM json_each(?) AS w CROSS JOIN messages AS m ON m.scope = ? AND m.id = w.value",
            (listed(ids), scope),
        )
    )


def add(sql: sqlite3.Connection, owner: Owner, messages: Sequence[Message], counts: Sequence[Counter[str]]) -> None:
    """Add new messages of one user with their index."""
    scope = scope_of(sql, owner)
    if scope is None:
        scope = new_scope(sql, owner)
    first = sql.execute("SELECT messages FROM scopes WHERE scope = ?", (scope,)).fetchone()[0]
    sessions = _session_numbers(sql, scope, {message.session for message in messages})
    _index(sql, scope, first, messages, counts, sessions)
    sql.executemany(
        "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_row(scope, first + place, sessions, message) for place, message in enumerate(messages)],
    )
    changed(sql, scope, len(messages))


def changed(sql: sqlite3.Connection, scope: int, messages: int = 0) -> None:
    """Note that something of a user's has changed."""
    sql.execute("UPDATE scopes SET messages = messages + ?, changes = changes + 1 WHERE scope = ?", (messages, scope))


def remove(sql: sqlite3.Connection, scope: int) -> int:
    """Remove all that there is of a user, and return how many messages that was."""
    span = (scope * SPAN, (scope + 1) * SPAN)
    sql.execute("DELETE FROM vectors WHERE key >= ? AND key < ?", span)
    sql.execute("DELETE FROM recent WHERE key >= ? AND key < ?", span)
    gone = sql.execute("DELETE FROM messages WHERE key >= ? AND key < ?", span).rowcount
    for table in OF_SCOPE:
        sql.execute(f"DELETE FROM {table} WHERE scope = ?", (scope,))  # noqa: S608  names of ours
    sql.execute("DELETE FROM scopes WHERE scope = ?", (scope,))
    return gone


def _index(
    sql: sqlite3.Connection,
    scope: int,
    first: int,
    messages: Sequence[Message],
    counts: Sequence[Counter[str]],
    sessions: Numbers,
) -> None:
    labels: Mapping[Label, Numbers] = {label: _label_numbers(sql, scope, label) for label in LABELS}
    pieces = columns(messages, counts, first, sessions, labels)
    sql.executemany(_ADD_COLUMNS, [(scope, piece, data) for piece, data in pieces.items()])
    _add_words(sql, scope, first, counts)
    sql.executemany("INSERT INTO sessions VALUES (?, ?, ?)", [(scope, n, one) for one, n in sessions.added.items()])
    for label, numbers in labels.items():
        sql.executemany(
            "INSERT INTO labels VALUES (?, ?, ?, ?)", [(scope, label, text, n) for text, n in numbers.added.items()]
        )
    sql.executemany(
        "INSERT INTO metadata VALUES (?, ?, ?, ?)",
        [
            (scope, name, item, first + place)
            for place, message in enumerate(messages)
            if message.metadata
            for name, item in metadata_rows(message.metadata)
        ],
    )


def _add_words(sql: sqlite3.Connection, scope: int, first: int, counts: Sequence[Counter[str]]) -> None:
    """Keep the words of new messages; once there are enough, those that wait go to the postings."""
    indexed = sql.execute("SELECT indexed FROM scopes WHERE scope = ?", (scope,)).fetchone()[0]
    if first + len(counts) - indexed < TOGETHER:
        sql.executemany(
            "INSERT INTO recent VALUES (?, ?)",
            [(scope * SPAN + first + place, spelled(counted)) for place, counted in enumerate(counts)],
        )
        return
    span = (scope * SPAN, (scope + 1) * SPAN)
    waiting = sql.execute("SELECT words FROM recent WHERE key >= ? AND key < ? ORDER BY key", span)
    both = [*(counted_in(text) for (text,) in waiting), *counts]
    sql.executemany(_ADD_POSTING, ((scope, word, piece, data) for word, piece, data in postings(both, indexed)))
    sql.execute("DELETE FROM recent WHERE key >= ? AND key < ?", span)
    sql.execute("UPDATE scopes SET indexed = ? WHERE scope = ?", (first + len(counts), scope))


def _session_numbers(sql: sqlite3.Connection, scope: int, ids: set[str]) -> Numbers:
    known = dict(
        sql.execute(
            "SELECT s.id, s.number FROM json_each(?) AS w CROSS JOIN sessions AS s ON s.scope = ? AND s.id = w.value",
            (listed(ids), scope),
        )
    )
    following = sql.execute("SELECT coalesce(max(number) + 1, 0) FROM sessions WHERE scope = ?", (scope,)).fetchone()
    return Numbers(known, following[0])


def _label_numbers(sql: sqlite3.Connection, scope: int, label: Label) -> Numbers:
    known = dict(sql.execute("SELECT text, number FROM labels WHERE scope = ? AND label = ?", (scope, label)))
    return Numbers(known, len(known))


def _row(scope: int, n: int, sessions: Numbers, message: Message) -> tuple[object, ...]:
    return (
        scope * SPAN + n,
        scope,
        message.id,
        sessions.of(message.session),
        microseconds(message.time),
        message.zone,
        message.role,
        message.speaker,
        message.type,
        message.content,
        written(message.attachments),
        json.dumps(dict(message.metadata), ensure_ascii=False) if message.metadata else None,
    )
