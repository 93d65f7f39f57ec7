"""A ``ChatStore`` in one SQLite file, which several processes may open at once."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from qx.errors import Closed, Unavailable
from qx.operation import Principal
from qx_chatlog.index.logstore import LogStore, check, check_messages, owner_of
from qx_chatlog.index.meaning import unit
from qx_chatlog.message import Message
from qx_chatlog.sqlite.appending import append
from qx_chatlog.sqlite.connection import Connection
from qx_chatlog.sqlite.deleting import delete, renew
from qx_chatlog.sqlite.embedding import drop_vectors, embedder, put_vectors, tenants, unembedded, users
from qx_chatlog.sqlite.notes import drop_notes, put_notes
from qx_chatlog.sqlite.view import SqliteView
from qx_chatlog.store import Appended, Note, Unembedded

T = TypeVar("T")

_READERS = 4
_READER_CACHE, _WRITER_CACHE = 8 * 1024, 64 * 1024
"""KiB."""


class SqliteDatabase:
    """The connections to a file: one that writes, some that read.

    Args:
        path: The file.
        wait: Seconds to wait for a lock, or for a connection.
    """

    def __init__(self, path: Path, *, wait: float) -> None:
        self.path = path
        self.wait = wait
        self.writer = Connection(path, wait=wait, cache=_WRITER_CACHE)
        self._readers = [Connection(path, wait=wait, cache=_READER_CACHE) for _ in range(_READERS)]
        self._free: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
        for reader in self._readers:
            self._free.put_nowait(reader)
        self.closed = False

    @asynccontextmanager
    async def view(self, principal: Principal) -> AsyncGenerator[SqliteView | None]:
        """Open a view of the principal's user; None: there is nothing of that user."""
        async with self._reader() as reader:
            try:
                yield await self._begin(reader, principal)
            finally:
                await reader.call(_end)

    async def _begin(self, reader: Connection, principal: Principal) -> SqliteView | None:
        owner = owner_of(principal)

        def begin(sql: sqlite3.Connection) -> tuple[int, str, int] | None:
            if sql.in_transaction:  # whoever read before was cancelled while ending
                sql.execute("ROLLBACK")
            sql.execute("BEGIN")
            return sql.execute(
                "SELECT scope, mark, changes FROM scopes WHERE tenant = ? AND user = ?", owner
            ).fetchone()

        found = await reader.call(begin)
        return None if found is None else SqliteView(reader, found[0], f"{found[1]}-{found[2]}", *owner)

    @asynccontextmanager
    async def _reader(self) -> AsyncGenerator[Connection]:
        if self.closed:
            raise Closed("this chat log is closed: open another one")
        try:
            async with asyncio.timeout(self.wait):
                reader = await self._free.get()
        except TimeoutError:
            raise Unavailable(
                f"the chat log {self.path} was read by others for more than {self.wait:g} s: try again",
                plugin="chatlog",
            ) from None
        try:
            yield reader
        finally:
            self._free.put_nowait(reader)

    async def read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Read for the operator, of no one user."""
        async with self._reader() as reader:
            return await reader.call(function)

    async def aclose(self) -> None:
        """Close all connections; harmless twice."""
        self.closed = True
        for connection in (*self._readers, self.writer):
            await connection.close()


class SqliteStore(LogStore):
    """Messages in a file.  The contract is ``ChatStore``'s."""

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database)
        self._sqlite = database

    @classmethod
    async def open(cls, path: Path, *, wait: float = 30.0) -> SqliteStore:
        """Open the file; made where it is not there.

        Raises:
            UsageError: it is another program's, or a newer version's.
            Unavailable, ProviderError: it cannot be opened.
        """
        store = cls(SqliteDatabase(path, wait=wait))
        try:
            await store._sqlite.writer.call(renew)
        except BaseException:
            await store.aclose()
            raise
        return store

    async def append(self, messages: Sequence[Message], /) -> Appended:
        checked = check_messages(messages)
        return await self._write(lambda sql: append(sql, checked))

    async def delete(self, principal: Principal, /) -> int:
        check(principal)
        return await self._write(lambda sql: delete(sql, owner_of(principal), principal.sessions))

    async def put_notes(self, principal: Principal, notes: Sequence[Note], /) -> None:
        check(principal)
        await self._write(lambda sql: put_notes(sql, owner_of(principal), principal.sessions, notes))

    async def drop_notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> int:
        check(principal)
        mine = {note.number for note in await self.notes(principal, kind, key=key)}
        return await self._write(lambda sql: drop_notes(sql, owner_of(principal), kind, mine))

    async def users(self, tenant: str, /) -> tuple[str, ...]:
        return await self._sqlite.read(lambda sql: users(sql, tenant))

    async def tenants(self, user: str, /) -> tuple[str, ...]:
        return await self._sqlite.read(lambda sql: tenants(sql, user))

    async def unembedded(self, tenant: str, /, *, limit: int = 100) -> tuple[Unembedded, ...]:
        return await self._sqlite.read(lambda sql: unembedded(sql, tenant, limit))

    async def embedder(self, tenant: str, /) -> str | None:
        return await self._sqlite.read(lambda sql: embedder(sql, tenant))

    async def put_vectors(self, tenant: str, vectors: Mapping[tuple[str, str], bytes], /, *, fingerprint: str) -> int:
        units = {at: unit(vector).astype("<f4").tobytes() for at, vector in vectors.items()}
        return await self._write(lambda sql: put_vectors(sql, tenant, units, fingerprint))

    async def drop_vectors(self, tenant: str, /) -> int:
        return await self._write(lambda sql: drop_vectors(sql, tenant))

    async def aclose(self) -> None:
        """Close it; harmless twice."""
        await self._sqlite.aclose()

    async def _write(self, function: Callable[[sqlite3.Connection], T]) -> T:
        if self._sqlite.closed:
            raise Closed("this chat log is closed: open another one")
        return await self._sqlite.writer.call(function)


def _end(sql: sqlite3.Connection) -> None:
    if sql.in_transaction:
        sql.execute("ROLLBACK")
