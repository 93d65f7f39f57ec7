"""Vectors of messages, in PostgreSQL."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from qx_chatlog.index.gathering import Owner
from qx_chatlog.index.meaning import other_embedder
from qx_chatlog.index.storable import clean, read, sound
from qx_chatlog.message import searched
from qx_chatlog.postgres.lexemes import spelled
from qx_chatlog.postgres.writing import locked
from qx_chatlog.store import Unembedded

_WAITING: Final = """
    SELECT s.usr, m.id, m.content, m.attachments FROM chat_scopes AS s
    JOIN chat_messages AS m ON m.scope = s.scope AND m.n >= s.embedded
    LEFT JOIN chat_vectors AS v ON v.scope = m.scope AND v.n = m.n
    WHERE s.tenant = $1 AND s.embedded < s.messages AND v.n IS NULL ORDER BY m.scope, m.n LIMIT $2
"""
_REACHED: Final = """
    UPDATE chat_scopes AS s SET changes = changes + 1, embedded = coalesce((
        SELECT m.n FROM chat_messages AS m LEFT JOIN chat_vectors AS v ON v.scope = m.scope AND v.n = m.n
        WHERE m.scope = s.scope AND m.n >= s.embedded AND v.n IS NULL ORDER BY m.n LIMIT 1
    ), s.messages) WHERE scope = $1
"""


async def unembedded(connection: Any, tenant: str, limit: int) -> tuple[Unembedded, ...]:
    """Return messages that have no vector yet."""
    found = await connection.fetch(_WAITING, clean(tenant), limit)
    return tuple(
        Unembedded(
            user=row["usr"],
            id=row["id"],
            text=searched(row["content"], read(json.loads(row["attachments"]) if row["attachments"] else None)),
        )
        for row in found
    )


async def tenants(connection: Any, user: str) -> tuple[str, ...]:
    """Return the tenants under which a user has messages."""
    asked = 'SELECT tenant FROM chat_scopes WHERE usr = $1 AND messages > 0 ORDER BY tenant COLLATE "C"'
    return tuple(row["tenant"] for row in await connection.fetch(asked, clean(user)))


async def users(connection: Any, tenant: str) -> tuple[str, ...]:
    """Return the users of a tenant who have messages."""
    asked = 'SELECT usr FROM chat_scopes WHERE tenant = $1 AND messages > 0 ORDER BY usr COLLATE "C"'
    return tuple(row["usr"] for row in await connection.fetch(asked, clean(tenant)))


async def embedder(connection: Any, tenant: str) -> str | None:
    """Return the fingerprint of what made the tenant's vectors."""
    return await connection.fetchval("SELECT fingerprint FROM chat_embedders WHERE tenant = $1", clean(tenant))


async def put_vectors(
    connection: Any, tenant: str, vectors: Mapping[tuple[str, str], bytes], fingerprint: str, schema: str | None
) -> int:
    """Keep vectors by (user, id), and return how many; messages that have gone meanwhile are passed over.

    Args:
        schema: Of pgvector, where the server has it.
    """
    if not vectors:
        return 0
    await connection.execute("INSERT INTO chat_embedders VALUES ($1, $2) ON CONFLICT DO NOTHING", tenant, fingerprint)
    made_by = await connection.fetchval("SELECT fingerprint FROM chat_embedders WHERE tenant = $1 FOR SHARE", tenant)
    if made_by != fingerprint:
        raise other_embedder()
    users: dict[str, dict[str, bytes]] = defaultdict(dict)
    for (user, one), data in vectors.items():
        users[user][one] = data
    return sum([await _put(connection, (tenant, user), users[user], schema) for user in sorted(users)])


async def drop_vectors(connection: Any, tenant: str) -> int:
    """Remove all vectors of a tenant."""
    gone = await connection.fetchval(
        "WITH gone AS (DELETE FROM chat_vectors WHERE scope IN (SELECT scope FROM chat_scopes WHERE tenant = $1) "
        "RETURNING n) SELECT count(*) FROM gone",
        clean(tenant),
    )
    await connection.execute("UPDATE chat_scopes SET embedded = 0 WHERE tenant = $1", clean(tenant))
    await connection.execute("DELETE FROM chat_embedders WHERE tenant = $1", clean(tenant))
    return gone


async def _put(connection: Any, owner: Owner, by_id: Mapping[str, bytes], schema: str | None) -> int:
    scope = await locked(connection, owner)
    found = await connection.fetch(
        "SELECT id, n FROM chat_messages WHERE scope = $1 AND id = ANY($2::text[])", scope, sound(by_id)
    )
    await connection.executemany(
        "INSERT INTO chat_vectors VALUES ($1, $2, $3) ON CONFLICT (scope, n) DO UPDATE SET data = excluded.data",
        [(scope, row["n"], by_id[row["id"]]) for row in found],
    )
    if schema is not None:
        await connection.executemany(
            f"UPDATE chat_vectors SET embedding = $3::text::{schema}.vector WHERE scope = $1 AND n = $2",  # noqa: S608  quoted
            [(scope, row["n"], spelled(by_id[row["id"]])) for row in found],
        )
    await connection.execute(_REACHED, scope)
    return len(found)
