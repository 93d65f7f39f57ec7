"""One user's rows in SQLite, within one read transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from qx.serial import EMPTY
from qx_chatlog.index.analysis import Term
from qx_chatlog.index.columns import POSTING, ROW, Label, Numbers, Rows, Scores, joined
from qx_chatlog.index.filtering import moment
from qx_chatlog.index.gathering import counted_in, occurrences
from qx_chatlog.index.meaning import cosines
from qx_chatlog.index.ranking import Postings
from qx_chatlog.index.storable import canonical, read, sound
from qx_chatlog.message import Message
from qx_chatlog.sqlite.connection import Connection
from qx_chatlog.sqlite.schema import SPAN
from qx_chatlog.store import Note

T = TypeVar("T")

_VECTORS: Final = 4096
_AFTER: Final = "\U0010ffff"
"""Stands after every character that a word may go on with."""
MESSAGE: Final = """
    SELECT m.key - ?1, m.id, s.id, m.role, m.time, m.content, m.speaker, m.zone, m.type, m.attachments, m.metadata
    FROM json_each(?3) AS wanted CROSS JOIN messages AS m ON m.key = ?1 + wanted.value
    JOIN sessions AS s ON s.scope = ?2 AND s.number = m.session
"""


class SqliteView:
    """A ``View``.

    Args:
        connection: In a read transaction.
        scope, version: Of the user.
        tenant, user: Whose they are.
    """

    def __init__(self, connection: Connection, scope: int, version: str, tenant: str, user: str) -> None:
        self._connection = connection
        self._scope = scope
        self._first = scope * SPAN
        self._tenant = tenant
        self._user = user
        self.version = version

    async def rows(self) -> Rows:
        pieces = await self._all("SELECT data FROM columns WHERE scope = ? ORDER BY piece", self._scope)
        return joined((piece for (piece,) in pieces), ROW)

    async def labels(self, label: Label) -> Mapping[str, int]:
        return dict(
            await self._all("SELECT text, number FROM labels WHERE scope = ? AND label = ?", self._scope, label)
        )

    async def session_numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        return dict(
            await self._all(
                "SELECT s.id, s.number FROM json_each(?) AS w CROSS JOIN sessions AS s ON s.scope = ? AND s.id = w.value",
                listed(ids),
                self._scope,
            )
        )

    async def session_ids(self, numbers: Sequence[int]) -> Mapping[int, str]:
        return dict(
            await self._all(
                "SELECT s.number, s.id FROM json_each(?) AS w CROSS JOIN sessions AS s ON s.scope = ? AND s.number = w.value",
                listed(numbers),
                self._scope,
            )
        )

    async def postings(self, terms: Sequence[Term]) -> list[Postings]:
        scope = self._scope

        def read_all(sql: sqlite3.Connection) -> list[Postings]:
            span = (scope * SPAN, scope * SPAN, (scope + 1) * SPAN)
            recent = sql.execute("SELECT key - ?, words FROM recent WHERE key >= ? AND key < ? ORDER BY key", span)
            last = recent.fetchall() if terms else []
            return [_with_recent(_postings(sql, scope, term), last, term) for term in terms]

        return await self._connection.call(read_all)

    async def vocabulary(self) -> Sequence[str]:
        found = await self._all("SELECT DISTINCT term FROM postings WHERE scope = ?", self._scope)
        span = (self._first, self._first + SPAN)
        recent = await self._all("SELECT words FROM recent WHERE key >= ? AND key < ?", *span)
        return list({word for (word,) in found} | {word for (text,) in recent for word in counted_in(text)})

    async def numbers(self, ids: Sequence[str]) -> Mapping[str, int]:
        return dict(
            await self._all(
                "SELECT m.id, m.key - ? FROM json_each(?) AS w CROSS JOIN messages AS m ON m.scope = ? AND m.id = w.value",
                self._first,
                listed(ids),
                self._scope,
            )
        )

    async def messages(self, numbers: Sequence[int]) -> Mapping[int, Message]:
        found = await self._all(MESSAGE, self._first, self._scope, listed(numbers))
        return {row[0]: message_of(row, self._tenant, self._user) for row in found}

    async def having(self, key: str, value: Any) -> Sequence[int]:
        found = await self._all(
            "SELECT n FROM metadata WHERE scope = ? AND name = ? AND item = ?", self._scope, key, canonical(value)
        )
        return [n for (n,) in found]

    async def tagged(self, kind: str) -> Sequence[int]:
        ids = {note.message for note in await self.notes("tag", kind) if note.message is not None}
        return list((await self.numbers(sorted(ids))).values())

    async def cosines(self, query: Scores, numbers: Numbers | None) -> AsyncIterator[tuple[Numbers, Scores]]:
        if numbers is not None:
            for start in range(0, len(numbers), _VECTORS):
                found = await self._all(
                    "SELECT w.value, v.data FROM json_each(?) AS w CROSS JOIN vectors AS v ON v.key = ? + w.value",
                    listed(numbers[start : start + _VECTORS].tolist()),
                    self._first,
                )
                yield await self.run(partial(_compared, found, query))
            return
        last = -1
        while True:
            found = await self._all(
                "SELECT key - ?1, data FROM vectors WHERE key > ?1 + ?2 AND key < ?1 + ?3 ORDER BY key LIMIT ?4",
                self._first,
                last,
                SPAN,
                _VECTORS,
            )
            if not found:
                return
            yield await self.run(partial(_compared, found, query))
            last = found[-1][0]

    async def notes(self, kind: str | None, key: str | None) -> Sequence[Note]:
        found = await self._all(
            "SELECT kind, name, number, item, message, time FROM notes WHERE scope = ?1 "
            "AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR name = ?3) ORDER BY number",
            self._scope,
            kind,
            key,
        )
        return [
            Note(kind=row[0], key=row[1], number=row[2], value=json.loads(row[3]), message=row[4], time=moment(row[5]))
            for row in found
        ]

    async def embedded(self, numbers: Numbers | None) -> int:
        if numbers is None:
            found = await self._all("SELECT count(*) FROM vectors WHERE key >= ?1 AND key < ?1 + ?2", self._first, SPAN)
        else:
            found = await self._all(
                "SELECT count(*) FROM json_each(?) AS w CROSS JOIN vectors AS v ON v.key = ? + w.value",
                listed(numbers.tolist()),
                self._first,
            )
        return found[0][0]

    async def run(self, function: Callable[[], T]) -> T:
        return await self._connection.call(lambda _: function())

    async def _all(self, statement: str, *values: Any) -> list[Any]:
        return await self._connection.call(lambda sql: sql.execute(statement, values).fetchall())


def message_of(row: Sequence[Any], tenant: str, user: str) -> Message:
    """Return the message of a row of ``MESSAGE``."""
    return Message(
        id=row[1],
        tenant=tenant,
        user=user,
        session=row[2],
        role=row[3],
        time=moment(row[4]),
        content=row[5],
        speaker=row[6],
        zone=row[7],
        type=row[8],
        attachments=read(json.loads(row[9]) if row[9] else None),
        metadata=json.loads(row[10]) if row[10] else EMPTY,
    )


def _postings(sql: sqlite3.Connection, scope: int, term: Term) -> Postings:
    if not term.prefix:
        found = sql.execute("SELECT data FROM postings WHERE scope = ? AND term = ? ORDER BY piece", (scope, term.text))
        rows = joined((data for (data,) in found), POSTING)
        return rows["n"].astype(np.intp), rows["tf"].astype(np.int64)
    found = sql.execute(
        "SELECT data FROM postings WHERE scope = ? AND term >= ? AND term < ?", (scope, term.text, term.text + _AFTER)
    )
    rows = joined((data for (data,) in found), POSTING)
    numbers = np.unique(rows["n"]).astype(np.intp)
    return numbers, np.ones(len(numbers), dtype=np.int64)


def _with_recent(postings: Postings, recent: Sequence[tuple[int, str]], term: Term) -> Postings:
    """Add the messages whose words are not in the postings yet; their numbers are higher than all others."""
    found = [
        (n, 1 if term.prefix else often)
        for n, text in recent
        if (often := occurrences(text, term.text, prefix=term.prefix))
    ]
    if not found:
        return postings
    numbers, often = np.array(found, dtype=np.int64).T
    return np.concatenate([postings[0], numbers]).astype(np.intp), np.concatenate([postings[1], often])


def _compared(found: Sequence[tuple[int, bytes]], query: Scores) -> tuple[Numbers, Scores]:
    return np.array([n for n, _ in found], dtype=np.intp), cosines([data for _, data in found], query)


def listed(items: Iterable[object]) -> str:
    """Return items as JSON for ``json_each``, each once; texts that cannot be stored are in no row, and left out."""
    return json.dumps(sound(items))
