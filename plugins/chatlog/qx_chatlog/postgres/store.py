"""A ``ChatStore`` in PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

from qx.operation import Principal
from qx_chatlog.index.gathering import grouped
from qx_chatlog.index.logstore import LogStore, check, check_messages, owner_of
from qx_chatlog.index.meaning import unit
from qx_chatlog.index.storable import sound
from qx_chatlog.message import Message
from qx_chatlog.postgres.connection import Pool
from qx_chatlog.postgres.embedding import drop_vectors, embedder, put_vectors, tenants, unembedded, users
from qx_chatlog.postgres.notes import drop_notes, put_notes
from qx_chatlog.postgres.view import PostgresView
from qx_chatlog.postgres.writing import append, delete, renew
from qx_chatlog.store import Appended, Note, Unembedded


class PostgresDatabase:
    """Views of the tables.

    Args:
        pool: Connections.
    """

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    @asynccontextmanager
    async def view(self, principal: Principal) -> AsyncGenerator[PostgresView | None]:
        """Open a view of the principal's user; None: there is nothing of that user."""
        owner = owner_of(principal)
        if len(sound(owner)) < len(set(owner)):
            yield None
            return
        async with self.pool.transaction("repeatable_read", readonly=True) as connection:
            row = await connection.fetchrow(
                "SELECT scope, mark, changes FROM chat_scopes WHERE tenant = $1 AND usr = $2", *owner
            )
            if row is None:
                yield None
            else:
                yield PostgresView(
                    connection, row["scope"], f"{row['mark']}-{row['changes']}", *owner, self.pool.vectors
                )


class PostgresStore(LogStore):
    """Messages in PostgreSQL.  The contract is ``ChatStore``'s."""

    def __init__(self, database: PostgresDatabase) -> None:
        super().__init__(database)
        self._pool = database.pool

    @classmethod
    async def open(cls, dsn: str, *, wait: float = 30.0, connections: int = 8) -> PostgresStore:
        """Connect to the database of ``dsn``; its tables are made where they are not there.

        Raises:
            UsageError: a newer version made them.
            AuthError, Unavailable, ProviderError: it cannot be opened.
        """
        store = cls(PostgresDatabase(await Pool.open(dsn, wait=wait, connections=connections)))
        try:
            while await store._renew():
                pass
        except BaseException:
            await store.aclose()
            raise
        return store

    async def _renew(self) -> bool:
        async with self._pool.transaction() as connection:
            return await renew(connection)

    async def append(self, messages: Sequence[Message], /) -> Appended:
        owners, known, changed = grouped(check_messages(messages))
        added = 0
        async with self._pool.transaction() as connection:
            for owner in sorted(owners):  # always in one order: writers wait for each other in no circle
                done = await append(connection, owner, owners[owner])
                added += done.added
                known += done.known
                changed += done.changed
        return Appended(added=added, known=known, changed=tuple(dict.fromkeys(changed)))

    async def delete(self, principal: Principal, /) -> int:
        check(principal)
        async with self._pool.transaction() as connection:
            return await delete(connection, owner_of(principal), principal.sessions)

    async def put_notes(self, principal: Principal, notes: Sequence[Note], /) -> None:
        check(principal)
        async with self._pool.transaction() as connection:
            await put_notes(connection, owner_of(principal), principal.sessions, notes)

    async def drop_notes(self, principal: Principal, kind: str, /, *, key: str | None = None) -> int:
        mine = {note.number for note in await self.notes(principal, kind, key=key)}
        async with self._pool.transaction() as connection:
            return await drop_notes(connection, owner_of(principal), kind, mine)

    async def users(self, tenant: str, /) -> tuple[str, ...]:
        async with self._pool.transaction(readonly=True) as connection:
            return await users(connection, tenant)

    async def tenants(self, user: str, /) -> tuple[str, ...]:
        async with self._pool.transaction(readonly=True) as connection:
            return await tenants(connection, user)

    async def unembedded(self, tenant: str, /, *, limit: int = 100) -> tuple[Unembedded, ...]:
        async with self._pool.transaction(readonly=True) as connection:
            return await unembedded(connection, tenant, limit)

    async def embedder(self, tenant: str, /) -> str | None:
        async with self._pool.transaction(readonly=True) as connection:
            return await embedder(connection, tenant)

    async def put_vectors(self, tenant: str, vectors: Mapping[tuple[str, str], bytes], /, *, fingerprint: str) -> int:
        units = {at: unit(vector).astype("<f4").tobytes() for at, vector in vectors.items()}
        async with self._pool.transaction() as connection:
            return await put_vectors(connection, tenant, units, fingerprint, self._pool.vectors)

    async def drop_vectors(self, tenant: str, /) -> int:
        async with self._pool.transaction() as connection:
            return await drop_vectors(connection, tenant)

    async def aclose(self) -> None:
        """Close it; harmless twice."""
        await self._pool.aclose()
