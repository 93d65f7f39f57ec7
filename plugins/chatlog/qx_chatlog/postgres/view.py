"""One user's rows in PostgreSQL, within one read-only transaction."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from qx.serial import EMPTY
from qx_chatlog.index.analysis import Term
from qx_chatlog.index.columns import ROW, Label, Numbers, Rows, Scores, joined
from qx_chatlog.index.filtering import moment
from qx_chatlog.index.meaning import cosines, other_length
from qx_chatlog.index.ranking import Postings
from qx_chatlog.index.storable import canonical, read, sound
from qx_chatlog.message import Message
from qx_chatlog.postgres.lexemes import lexeme, quoted, repeated, spelled
from qx_chatlog.store import Note

T = TypeVar("T")

_VECTORS: Final = 4096
_LARGE: Final = 20_000
"""Messages from which on ranking goes to a thread."""
MESSAGE: Final = """
    SELECT m.n, m.id, s.id AS session, m.role, m.time, m.content, m.speaker, m.zone, m.type, m.attachments, m.metadata
    FROM chat_messages AS m JOIN chat_sessions AS s ON s.scope = m.scope AND s.number = m.session
    WHERE m.scope = $1 AND m.n = ANY($2::int[])
"""
_WORD: Final = "SELECT n, 1 AS tf FROM chat_messages WHERE words @@ $1::tsquery"
_REPEATED: Final = """
    SELECT n, (SELECT cardinality(positions) FROM unnest(words) WHERE lexeme = $2) AS tf
    FROM chat_messages WHERE words @@ $1::tsquery
"""


class PostgresView:
    """A ``View``.

    Args:
        connection: In a read-only transaction.
        scope, version: Of the user.
        tenant, user: Whose they are.
        vectors: The schema of pgvector, where the server has it.
    """

    def __init__(
        self, connection: Any, scope: int, version: str, tenant: str, user: str, vectors: str | None = None
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._tenant = tenant
        self._user = user
        self._vectors = vectors
        self._count = 0
        self.version = version

    async def rows(self) -> Rows:
        found = await self._all("SELECT data FROM chat_columns WHERE scope = $1 ORDER BY piece", self._scope)
        rows = joined((row["data"] for row in found), ROW)
        self._count = len(rows)
        return rows

    async def labels(self, label: Label) -> Mapping[str, int]:
        return await self._pairs(
            "SELECT text, number FROM chat_labels WHERE scope = $1 AND label = $2", self._scope, label
        )

    async def session_numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        return await self._pairs(
            "SELECT id, number FROM chat_sessions WHERE scope = $1 AND id = ANY($2::text[])", self._scope, sound(ids)
        )

    async def session_ids(self, numbers: Sequence[int]) -> Mapping[int, str]:
        return await self._pairs(
            "SELECT number, id FROM chat_sessions WHERE scope = $1 AND number = ANY($2::int[])",
            self._scope,
            list(numbers),
        )

    async def postings(self, terms: Sequence[Term]) -> list[Postings]:
        return [await self._postings(term) for term in terms]

    async def vocabulary(self) -> Sequence[str]:
        found = await self._all(
            "SELECT DISTINCT split_part(lexeme, ':', 2) AS word FROM chat_messages, unnest(words) "
            "WHERE scope = $1 AND position(':' IN lexeme) > 0",
            self._scope,
        )
        return [row["word"] for row in found]

    async def numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        return await self._pairs(
            "SELECT id, n FROM chat_messages WHERE scope = $1 AND id = ANY($2::text[])", self._scope, sound(ids)
        )

    async def messages(self, numbers: Sequence[int]) -> Mapping[int, Message]:
        found = await self._all(MESSAGE, self._scope, list(numbers))
        return {row["n"]: message_of(row, self._tenant, self._user) for row in found}

    async def having(self, key: str, value: Any) -> Sequence[int]:
        item = canonical(value)
        if not sound([key]):
            return ()
        found = await self._all(
            "SELECT n FROM chat_metadata WHERE scope = $1 AND md5(name) = md5($2) AND md5(item) = md5($3) "
            "AND name = $2 AND item = $3",
            self._scope,
            key,
            item,
        )
        return [row["n"] for row in found]

    async def tagged(self, kind: str) -> Sequence[int]:
        ids = {note.message for note in await self.notes("tag", kind) if note.message is not None}
        return list((await self.numbers(sorted(ids))).values())

    async def cosines(self, query: Scores, numbers: Numbers | None) -> AsyncIterator[tuple[Numbers, Scores]]:
        if self._vectors is not None:
            yield await self._by_server(query, numbers, self._vectors)
        missing = "" if self._vectors is None else "AND embedding IS NULL "  # kept before there was pgvector
        last = -1
        while True:
            found = await self._all(
                f"SELECT n, data FROM chat_vectors WHERE scope = $1 AND n > $2 {missing}"  # noqa: S608  ours
                "AND ($3::int[] IS NULL OR n = ANY($3::int[])) ORDER BY n LIMIT $4",
                self._scope,
                last,
                None if numbers is None else numbers.tolist(),
                _VECTORS,
            )
            if not found:
                return
            of = np.array([row["n"] for row in found], dtype=np.intp)
            yield of, await self.run(partial(cosines, [row["data"] for row in found], query))
            last = int(of[-1])

    async def notes(self, kind: str | None, key: str | None) -> Sequence[Note]:
        if len(sound([kind, key])) < len({kind, key}):
            return ()
        found = await self._all(
            "SELECT kind, name, number, item, message, time FROM chat_notes WHERE scope = $1 "
            "AND ($2::text IS NULL OR kind = $2) AND ($3::text IS NULL OR name = $3) ORDER BY number",
            self._scope,
            kind,
            key,
        )
        return [
            Note(
                kind=row["kind"],
                key=row["name"],
                number=row["number"],
                value=json.loads(row["item"]),
                message=row["message"],
                time=moment(row["time"]),
            )
            for row in found
        ]

    async def embedded(self, numbers: Numbers | None) -> int:
        found = await self._all(
            "SELECT count(*) AS many FROM chat_vectors WHERE scope = $1 AND ($2::int[] IS NULL OR n = ANY($2::int[]))",
            self._scope,
            None if numbers is None else numbers.tolist(),
        )
        return found[0]["many"]

    async def run(self, function: Callable[[], T]) -> T:
        return await asyncio.to_thread(function) if self._count > _LARGE else function()

    async def _by_server(self, query: Scores, numbers: Numbers | None, schema: str) -> tuple[Numbers, Scores]:
        """Cosines that pgvector computes, so that no vector has to travel."""
        wrong = await self._all(
            f"SELECT 1 FROM chat_vectors WHERE scope = $1 AND {schema}.vector_dims(embedding) <> $2 LIMIT 1",  # noqa: S608  quoted
            self._scope,
            len(query),
        )
        if wrong:
            raise other_length(len(query))
        found = await self._all(
            f"SELECT n, 1 - (embedding OPERATOR({schema}.<=>) $3::text::{schema}.vector) AS cosine FROM chat_vectors "  # noqa: S608  quoted
            "WHERE scope = $1 AND embedding IS NOT NULL AND ($2::int[] IS NULL OR n = ANY($2::int[]))",
            self._scope,
            None if numbers is None else numbers.tolist(),
            spelled(query.astype("<f4").tobytes()),
        )
        scores = np.array([row["cosine"] for row in found], dtype=np.float64)
        return np.array([row["n"] for row in found], dtype=np.intp), np.nan_to_num(scores)

    async def _postings(self, term: Term) -> Postings:
        own = lexeme(self._scope, term.text)
        numbers, often = _postings_of(await self._all(_WORD, quoted(own) + (":*" if term.prefix else "")))
        if term.prefix:
            return numbers, often
        again = await self._all(_REPEATED, quoted(repeated(self._scope, term.text)), own)
        if again:
            places = {n: place for place, n in enumerate(numbers.tolist())}
            for row in again:
                often[places[row["n"]]] = row["tf"]
        return numbers, often

    async def _all(self, statement: str, *values: Any) -> list[Any]:
        return await self._connection.fetch(statement, *values)

    async def _pairs(self, statement: str, *values: Any) -> dict[Any, Any]:
        return dict(tuple(row) for row in await self._all(statement, *values))


def _postings_of(found: Sequence[Any]) -> Postings:
    numbers = np.array([row["n"] for row in found], dtype=np.intp)
    return numbers, np.array([row["tf"] for row in found], dtype=np.int64)


def message_of(row: Any, tenant: str, user: str) -> Message:
    """Return the message of a row of ``MESSAGE``."""
    return Message(
        id=row["id"],
        tenant=tenant,
        user=user,
        session=row["session"],
        role=row["role"],
        time=moment(row["time"]),
        content=row["content"],
        speaker=row["speaker"],
        zone=row["zone"],
        type=row["type"],
        attachments=read(json.loads(row["attachments"]) if row["attachments"] else None),
        metadata=json.loads(row["metadata"]) if row["metadata"] else EMPTY,
    )
