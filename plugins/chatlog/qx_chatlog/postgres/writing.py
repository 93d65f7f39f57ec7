"""Adding to and deleting from the tables; everything here runs in one transaction."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from qx_chatlog.index.analysis import VERSION
from qx_chatlog.index.columns import LABELS, Label
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.index.gathering import Numbers, Owner, columns, count
from qx_chatlog.index.storable import metadata_rows, sound, written
from qx_chatlog.message import Message
from qx_chatlog.postgres.lexemes import vector
from qx_chatlog.postgres.schema import OF_SCOPE
from qx_chatlog.postgres.view import MESSAGE, message_of
from qx_chatlog.store import Appended

_AT_ONCE: Final = 1000
_ADD_COLUMNS: Final = """
    INSERT INTO chat_columns VALUES ($1, $2, $3)
    ON CONFLICT (scope, piece) DO UPDATE SET data = chat_columns.data || excluded.data
"""
_ADD_MESSAGES: Final = """
    INSERT INTO chat_messages
    SELECT $1, n, id, session, time, zone, role, speaker, type, content, attachments, metadata, words::tsvector
    FROM unnest($2::int[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::text[])
    AS new (n, id, session, time, zone, role, speaker, type, content, attachments, metadata, words)
"""


_NUMBERED: Final = """
    SELECT 'messages', NULL, messages FROM chat_scopes WHERE scope = $1
    UNION ALL SELECT 'sessions', NULL, coalesce(max(number) + 1, 0) FROM chat_sessions WHERE scope = $1
    UNION ALL SELECT 'session', id, number FROM chat_sessions WHERE scope = $1 AND id = ANY($2::text[])
    UNION ALL SELECT label, text, number FROM chat_labels WHERE scope = $1
"""


async def append(connection: Any, owner: Owner, by_id: Mapping[str, Message]) -> Appended:
    """Add the messages of one user that are not there."""
    scope = await made(connection, owner)
    found = await connection.fetch(
        "SELECT id, content FROM chat_messages WHERE scope = $1 AND id = ANY($2::text[])", scope, sound(by_id)
    )
    there = {row["id"]: row["content"] for row in found}
    fresh = [message for one, message in by_id.items() if one not in there]
    if fresh:
        await add(connection, scope, fresh)
    return Appended(
        added=len(fresh),
        known=len(there),
        changed=tuple(one for one, content in there.items() if content != by_id[one].content),
    )


async def made(connection: Any, owner: Owner) -> int:
    """Return the number of a user as ``locked``; one is made where there is none."""
    scope = await locked(connection, owner)
    while scope is None:  # again where it was deleted between the two
        await connection.execute(
            "INSERT INTO chat_scopes (tenant, usr, mark, analysis) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            *owner,
            secrets.token_hex(8),
            VERSION,
        )
        scope = await locked(connection, owner)
    return scope


async def locked(connection: Any, owner: Owner) -> int | None:
    """Return the number of a user, whose rows nobody else changes until the end; None: there is nothing of that user."""
    if len(sound(owner)) < len(set(owner)):
        return None
    return await connection.fetchval("SELECT scope FROM chat_scopes WHERE tenant = $1 AND usr = $2 FOR UPDATE", *owner)


async def add(connection: Any, scope: int, messages: Sequence[Message]) -> None:
    """Add new messages of one user with their index."""
    counts = await asyncio.to_thread(lambda: [count(message) for message in messages])
    first, sessions, labels = await _numbered(connection, scope, {message.session for message in messages})
    pieces = columns(messages, counts, first, sessions, labels)
    added = {
        "chat_sessions": [(scope, number, one) for one, number in sessions.added.items()],
        "chat_labels": [(scope, label, text, n) for label in LABELS for text, n in labels[label].added.items()],
        "chat_metadata": [
            (scope, name, item, first + place)
            for place, message in enumerate(messages)
            if message.metadata
            for name, item in metadata_rows(message.metadata)
        ],
    }
    for table, records in added.items():
        if records:
            await connection.copy_records_to_table(table, records=records)
    await connection.executemany(_ADD_COLUMNS, [(scope, piece, data) for piece, data in pieces.items()])
    rows = [_row(scope, first + place, sessions, message, counts[place]) for place, message in enumerate(messages)]
    await connection.execute(_ADD_MESSAGES, scope, *(list(column) for column in zip(*rows, strict=True)))
    await changed(connection, scope, len(messages))


async def changed(connection: Any, scope: int, messages: int = 0) -> None:
    """Note that something of a user's has changed."""
    await connection.execute(
        "UPDATE chat_scopes SET messages = messages + $2, changes = changes + 1 WHERE scope = $1", scope, messages
    )


async def delete(connection: Any, owner: Owner, sessions: frozenset[str] | None) -> int:
    """Remove all that there is of ``owner``, or what is of these sessions, and return how many messages it was."""
    scope = await locked(connection, owner)
    if scope is None:
        return 0
    if sessions is None:
        return await _remove(connection, scope)
    return await _remove_sessions(connection, owner, scope, sessions)


async def renew(connection: Any) -> bool:
    """Make the index of a user anew that another version of ``words`` made; False: there is none."""
    found = await connection.fetchrow(
        "SELECT scope, tenant, usr FROM chat_scopes WHERE analysis <> $1 LIMIT 1 FOR UPDATE", VERSION
    )
    if found is None:
        return False
    scope, owner = found["scope"], (found["tenant"], found["usr"])
    kept = await connection.fetch("SELECT n FROM chat_messages WHERE scope = $1 ORDER BY n", scope)
    await _rewrite(connection, owner, scope, [row["n"] for row in kept])
    await _remove(connection, scope)
    return True


async def _remove(connection: Any, scope: int) -> int:
    gone = await connection.fetchval("SELECT messages FROM chat_scopes WHERE scope = $1", scope)
    for table in OF_SCOPE:
        await connection.execute(f"DELETE FROM {table} WHERE scope = $1", scope)  # noqa: S608  names of ours
    await connection.execute("DELETE FROM chat_scopes WHERE scope = $1", scope)
    return gone


async def _remove_sessions(connection: Any, owner: Owner, scope: int, sessions: frozenset[str]) -> int:
    found = await connection.fetch(
        "SELECT number FROM chat_sessions WHERE scope = $1 AND id = ANY($2::text[])", scope, sound(sessions)
    )
    if not found:
        return 0
    kept = await connection.fetch(
        "SELECT n FROM chat_messages WHERE scope = $1 AND session <> ALL($2::int[]) ORDER BY n",
        scope,
        [row["number"] for row in found],
    )
    numbers = [row["n"] for row in kept]
    await _rewrite(connection, owner, scope, numbers)
    return await _remove(connection, scope) - len(numbers)


async def _rewrite(connection: Any, owner: Owner, scope: int, numbers: Sequence[int]) -> None:
    """Write what stays to a scope of its own, numbered anew."""
    await connection.execute("UPDATE chat_scopes SET usr = usr || $2 WHERE scope = $1", scope, secrets.token_hex(16))
    fresh = await made(connection, owner)
    for start in range(0, len(numbers), _AT_ONCE):
        some = list(numbers[start : start + _AT_ONCE])
        rows = {row["n"]: row for row in await connection.fetch(MESSAGE, scope, some)}
        await add(connection, fresh, [message_of(rows[n], *owner) for n in some])
    await connection.execute(
        "INSERT INTO chat_vectors (scope, n, data) SELECT $2, (place - 1)::int, data FROM unnest($3::int[]) WITH ORDINALITY AS k (old, place) "
        "JOIN chat_vectors AS v ON v.scope = $1 AND v.n = k.old",
        scope,
        fresh,
        list(numbers),
    )
    await connection.execute(
        "INSERT INTO chat_notes SELECT $2, kind, name, number, item, message, time FROM chat_notes WHERE scope = $1 "
        "AND (message IS NULL OR message IN (SELECT id FROM chat_messages WHERE scope = $2))",
        scope,
        fresh,
    )


async def _numbered(connection: Any, scope: int, ids: set[str]) -> tuple[int, Numbers, dict[Label, Numbers]]:
    """The next message's number, and the numbers of sessions and labels: one round trip for all."""
    found = await connection.fetch(_NUMBERED, scope, list(ids))
    sessions: dict[str, int] = {}
    labels: dict[Label, dict[str, int]] = {label: {} for label in LABELS}
    counted = {"messages": 0, "sessions": 0}
    for kind, text, number in found:
        if kind in counted:
            counted[kind] = number
        elif kind == "session":
            sessions[text] = number
        else:
            labels[kind][text] = number
    return (
        counted["messages"],
        Numbers(sessions, counted["sessions"]),
        {label: Numbers(known, len(known)) for label, known in labels.items()},
    )


def _row(scope: int, n: int, sessions: Numbers, message: Message, counted: Counter[str]) -> tuple[Any, ...]:
    return (
        n,
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
        vector(scope, counted),
    )
