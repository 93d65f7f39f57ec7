"""Vectors of messages, in SQLite: made for new messages only, by whoever calls ``unembedded`` and ``put_vectors``."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from qx_chatlog.index.meaning import other_embedder
from qx_chatlog.index.storable import read
from qx_chatlog.message import searched
from qx_chatlog.sqlite.schema import SPAN
from qx_chatlog.sqlite.writing import known_ids, transaction
from qx_chatlog.store import Unembedded

_WAITING: Final = """
    SELECT s.user, m.id, m.content, m.attachments FROM scopes AS s
    JOIN messages AS m ON m.key >= s.scope * ?1 + s.embedded AND m.key < (s.scope + 1) * ?1
    LEFT JOIN vectors AS v ON v.key = m.key
    WHERE s.tenant = ?2 AND s.embedded < s.messages AND v.key IS NULL ORDER BY m.key LIMIT ?3
"""
_FIRST_WITHOUT: Final = """
    SELECT m.key FROM messages AS m LEFT JOIN vectors AS v ON v.key = m.key
    WHERE m.key >= ? AND m.key < ? AND v.key IS NULL ORDER BY m.key LIMIT 1
"""


def unembedded(sql: sqlite3.Connection, tenant: str, limit: int) -> tuple[Unembedded, ...]:
    """Return messages that have no vector yet."""
    found = sql.execute(_WAITING, (SPAN, tenant, limit)).fetchall()
    return tuple(
        Unembedded(user=user, id=one, text=searched(content, read(json.loads(sent) if sent else None)))
        for user, one, content, sent in found
    )


def tenants(sql: sqlite3.Connection, user: str) -> tuple[str, ...]:
    """Return the tenants under which a user has messages."""
    found = sql.execute("SELECT tenant FROM scopes WHERE user = ? AND messages > 0 ORDER BY tenant", (user,))
    return tuple(tenant for (tenant,) in found)


def users(sql: sqlite3.Connection, tenant: str) -> tuple[str, ...]:
    """Return the users of a tenant who have messages."""
    found = sql.execute("SELECT user FROM scopes WHERE tenant = ? AND messages > 0 ORDER BY user", (tenant,))
    return tuple(user for (user,) in found)


def embedder(sql: sqlite3.Connection, tenant: str) -> str | None:
    """Return the fingerprint of what made the tenant's vectors."""
    found = sql.execute("SELECT fingerprint FROM embedders WHERE tenant = ?", (tenant,)).fetchone()
    return None if found is None else found[0]


def put_vectors(
    sql: sqlite3.Connection, tenant: str, vectors: Mapping[tuple[str, str], bytes], fingerprint: str
) -> int:
    """Keep vectors by (user, id), and return how many; messages that have gone meanwhile are passed over."""
    with transaction(sql):
        made_by = embedder(sql, tenant)
        if made_by is not None and made_by != fingerprint:
            raise other_embedder()
        if made_by is None and vectors:
            sql.execute("INSERT INTO embedders VALUES (?, ?)", (tenant, fingerprint))
        users: dict[str, dict[str, bytes]] = defaultdict(dict)
        for (user, one), vector in vectors.items():
            users[user][one] = vector
        return sum(_put(sql, (tenant, user), by_id) for user, by_id in users.items())


def drop_vectors(sql: sqlite3.Connection, tenant: str) -> int:
    """Remove all vectors of a tenant."""
    with transaction(sql):
        gone = 0
        for (scope,) in sql.execute("SELECT scope FROM scopes WHERE tenant = ?", (tenant,)).fetchall():
            span = (scope * SPAN, (scope + 1) * SPAN)
            gone += sql.execute("DELETE FROM vectors WHERE key >= ? AND key < ?", span).rowcount
        sql.execute("UPDATE scopes SET embedded = 0 WHERE tenant = ?", (tenant,))
        sql.execute("DELETE FROM embedders WHERE tenant = ?", (tenant,))
        return gone


def _put(sql: sqlite3.Connection, owner: tuple[str, str], by_id: Mapping[str, bytes]) -> int:
    keys = known_ids(sql, owner, list(by_id))
    if not keys:
        return 0
    sql.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", [(key, by_id[one]) for one, key in keys.items()])
    scope, done, messages = sql.execute(
        "SELECT scope, embedded, messages FROM scopes WHERE tenant = ? AND user = ?", owner
    ).fetchone()
    waiting = sql.execute(_FIRST_WITHOUT, (scope * SPAN + done, (scope + 1) * SPAN)).fetchone()
    reached = messages if waiting is None else waiting[0] - scope * SPAN
    sql.execute("UPDATE scopes SET embedded = ?, changes = changes + 1 WHERE scope = ?", (reached, scope))
    return len(keys)
