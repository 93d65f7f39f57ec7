"""Appending: what is there already is left out."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from qx_chatlog.index.gathering import Owner, count, grouped
from qx_chatlog.message import Message
from qx_chatlog.sqlite.view import listed
from qx_chatlog.sqlite.writing import add, scope_of, transaction
from qx_chatlog.store import Appended


def append(sql: sqlite3.Connection, messages: Sequence[Message]) -> Appended:
    """Add messages, all or none, and say what became of them."""
    owners, known, changed = grouped(messages)
    added = 0
    with transaction(sql):
        for owner, by_id in owners.items():
            there = contents(sql, owner, list(by_id))
            known += len(there)
            changed += [one for one, content in there.items() if content != by_id[one].content]
            fresh = [message for one, message in by_id.items() if one not in there]
            if fresh:
                add(sql, owner, fresh, [count(message) for message in fresh])
                added += len(fresh)
    return Appended(added=added, known=known, changed=tuple(dict.fromkeys(changed)))


def contents(sql: sqlite3.Connection, owner: Owner, ids: Sequence[str]) -> dict[str, str]:
    """Return which ids are there, and the text of each."""
    scope = scope_of(sql, owner)
    if scope is None:
        return {}
    return dict(
        sql.execute(
            "SELECT m.id, m.content FROM json_each(?) AS w CROSS JOIN messages AS m ON m.scope = ? AND m.id = w.value",
            (listed(ids), scope),
        )
    )
