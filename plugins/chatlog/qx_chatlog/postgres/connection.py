"""Connections to PostgreSQL through asyncpg; its errors are told as qx's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any, Literal

from qx.errors import AuthError, Closed, ProviderError, Unavailable, UsageError
from qx_chatlog.postgres.schema import LOCK, MIGRATIONS

_LONGEST = 600_000
"""Milliseconds of one statement."""


class Pool:
    """Some connections, each opened when it is first needed.

    Args:
        pool: asyncpg's.
        wait: Seconds to wait for a connection or a lock.
    """

    def __init__(self, pool: Any, *, wait: float) -> None:
        self._pool = pool
        self.wait = wait
        self.vectors: str | None = None
        """The schema of pgvector; None: the server has none, and vectors are compared here."""
        self._closed = False

    @classmethod
    async def open(cls, dsn: str, *, wait: float, connections: int) -> Pool:
        """Connect, and make the tables where they are not there.

        Raises:
            UsageError: ``dsn`` cannot be read, or a newer version made the tables.
            AuthError, Unavailable, ProviderError: the server refuses it, cannot be reached, or has no such database.
        """
        asyncpg: Any = import_module("asyncpg")  # without full types; only where PostgreSQL is chosen
        settings = {"lock_timeout": str(int(wait * 1000)), "statement_timeout": str(_LONGEST), "timezone": "UTC"}
        with translated(wait):
            pool = await asyncpg.create_pool(
                dsn, min_size=0, max_size=connections, timeout=wait, server_settings=settings
            )
        made = cls(pool, wait=wait)
        try:
            async with made.transaction() as connection:
                await migrate(connection)
                made.vectors = await pgvector(connection)
        except BaseException:
            await made.aclose()
            raise
        return made

    @asynccontextmanager
    async def transaction(
        self, isolation: Literal["read_committed", "repeatable_read"] = "read_committed", *, readonly: bool = False
    ) -> AsyncGenerator[Any]:
        """Hold a connection in a transaction that keeps all or nothing."""
        if self._closed:
            raise Closed("this chat log is closed: open another one")
        with translated(self.wait):
            async with (
                self._pool.acquire(timeout=self.wait) as connection,
                connection.transaction(isolation=isolation, readonly=readonly),
            ):
                yield connection

    async def aclose(self) -> None:
        """Close all connections; harmless twice."""
        if self._closed:
            return
        self._closed = True
        try:
            async with asyncio.timeout(5):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()


async def migrate(connection: Any) -> None:
    """Bring the tables to the version that this program knows.

    Raises:
        UsageError: a newer program made them.
    """
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)  # another process may be doing the same
    await connection.execute("CREATE TABLE IF NOT EXISTS chat_version (version int NOT NULL)")
    done = await connection.fetchval("SELECT coalesce(max(version), 0) FROM chat_version")
    if done > len(MIGRATIONS):
        raise UsageError(f"a newer qx-query-chatlog made these tables (version {done}): install it")
    for step in MIGRATIONS[done:]:
        await connection.execute(step)
    if done < len(MIGRATIONS):
        await connection.execute("DELETE FROM chat_version")
        await connection.execute("INSERT INTO chat_version VALUES ($1)", len(MIGRATIONS))


async def pgvector(connection: Any) -> str | None:
    """Return the schema of the extension pgvector, made where the server has it and lets us; None: there is none."""
    if not await connection.fetchval("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"):
        return None
    asyncpg: Any = import_module("asyncpg")
    try:
        async with connection.transaction():
            await connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (asyncpg.InsufficientPrivilegeError, asyncpg.UndefinedFileError):
        return None
    schema: str = await connection.fetchval(
        "SELECT quote_ident(nspname) FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace "
        "WHERE extname = 'vector'"
    )
    await connection.execute(f"ALTER TABLE chat_vectors ADD COLUMN IF NOT EXISTS embedding {schema}.vector")
    return schema


@contextmanager
def translated(wait: float) -> Generator[None]:
    """Tell what asyncpg and the system say in qx's own errors; a DSN is in none of them."""
    import asyncpg

    try:
        yield
    except asyncpg.LockNotAvailableError as error:
        raise Unavailable(f"the chat log was locked by others for more than {wait:g} s: try again") from error
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError) as error:
        raise AuthError("PostgreSQL refuses the user or password of chat.store.dsn", plugin="chatlog") from error
    except (TimeoutError, ConnectionError, OSError) as error:
        raise Unavailable(
            f"PostgreSQL cannot be reached, or had no free connection within {wait:g} s ({type(error).__name__}): "
            "is it running, and is chat.store.dsn right?",
            plugin="chatlog",
        ) from error
    except (asyncpg.PostgresConnectionError, asyncpg.TooManyConnectionsError, asyncpg.CannotConnectNowError) as error:
        raise Unavailable(f"PostgreSQL is not there: {error}", plugin="chatlog") from error
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if isinstance(error, asyncpg.InterfaceError) and "closed" in str(error):  # it was cut within a transaction
            raise Unavailable("the connection to PostgreSQL was lost: try again", plugin="chatlog") from error
        raise ProviderError(f"PostgreSQL: {type(error).__name__}: {error}", plugin="chatlog") from error
