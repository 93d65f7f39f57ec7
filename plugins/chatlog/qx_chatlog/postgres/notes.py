"""Notes beside the log, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qx.serial import to_json
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.index.gathering import Owner
from qx_chatlog.index.logstore import may
from qx_chatlog.index.storable import clean, sound
from qx_chatlog.postgres.writing import changed, locked, made
from qx_chatlog.store import Note


async def put_notes(connection: Any, owner: Owner, sessions: frozenset[str] | None, notes: Sequence[Note]) -> None:
    """Add notes after those that are there; those about messages that are not there, or not allowed, are left out."""
    scope = await locked(connection, owner)
    there = {} if scope is None else await _sessions_of(connection, scope, [note.message for note in notes])
    kept = [note for note in notes if may(note, there, sessions)]
    if not kept:
        return
    if scope is None:
        scope = await made(connection, owner)
    found = await connection.fetchval("SELECT coalesce(max(number) + 1, 0) FROM chat_notes WHERE scope = $1", scope)
    await connection.executemany(
        "INSERT INTO chat_notes VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [
            (
                scope,
                clean(note.kind),
                clean(note.key),
                found + place,
                clean(to_json(note.value)),
                note.message,
                microseconds(note.time),
            )
            for place, note in enumerate(kept)
        ],
    )
    await changed(connection, scope)


async def drop_notes(connection: Any, owner: Owner, kind: str, numbers: Iterable[int]) -> int:
    """Remove notes by number, and return how many there were."""
    scope = await locked(connection, owner)
    if scope is None:
        return 0
    gone = await connection.fetch(
        "DELETE FROM chat_notes WHERE scope = $1 AND kind = $2 AND number = ANY($3::int[]) RETURNING number",
        scope,
        clean(kind),
        list(numbers),
    )
    if gone:
        await changed(connection, scope)
    return len(gone)


async def _sessions_of(connection: Any, scope: int, ids: Iterable[str | None]) -> dict[str, str]:
    found = await connection.fetch(
        "SELECT m.id, s.id AS session FROM chat_messages AS m "
        "JOIN chat_sessions AS s ON s.scope = m.scope AND s.number = m.session "
        "WHERE m.scope = $1 AND m.id = ANY($2::text[])",
        scope,
        sound(one for one in ids if one is not None),
    )
    return {row["id"]: row["session"] for row in found}
