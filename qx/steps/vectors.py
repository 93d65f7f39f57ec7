"""The vectors of sub-queries: made in one call, while the engines look for the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from qx.backend import SupportsVectors
from qx.calls.connection import Connection
from qx.context import Context
from qx.embedder import EmbedRequest
from qx.errors import ProfileError, QxError
from qx.serial import empty, value
from qx.steps.requests import Asked
from qx.syntax import Phrase, Terms, words

KEPT = 60.0
"""Seconds that an engine's word about its vectors is believed: it may be indexed anew meanwhile."""
SHARE = 0.3
"""Of the time that is left, what asking an engine about its vectors may take."""


NO_VECTORS = "holds no vectors that can be compared with the embedder's"


@value
class Meaning:
    """The backends that hold vectors of the profile's embedder, and those of what was asked, float32 little endian."""

    holding: frozenset[str]
    vectors: Mapping[str, bytes] = field(default_factory=empty)

    def of(self, asked: Asked) -> bytes:
        return self.vectors[spoken(asked)]


class Vectors:
    """Makes the vectors of one search's sub-queries, for the engines that hold vectors of the same embedder.

    An engine without vectors is searched by words alone, and the result says so.  One whose vectors another embedder made
    is an error: comparing them would bring anything.
    """

    def __init__(self, connections: Sequence[Connection]) -> None:
        self._connections = tuple(c for c in connections if isinstance(c.backend, SupportsVectors))
        self._stored: dict[str, tuple[float, str | None]] = {}

    def asks(self, connection: Connection) -> bool:
        """Whether a backend may hold vectors."""
        return connection in self._connections

    def wanted(self, queries: Sequence[Asked], context: Context) -> tuple[Asked, ...]:
        """Return the sub-queries that are also to be searched by meaning."""
        if not self._connections or not context.has_embedder or context.options.sort:
            return ()
        return tuple(asked for asked in queries if _has_meaning(asked))

    async def meaning(self, queries: Sequence[Asked], context: Context) -> Meaning:
        """Embed sub-queries in one call, if any backend holds vectors to compare them with.

        Raises:
            ProfileError: a backend holds those of another embedder.
        """
        holding = frozenset([c.name for c in self._connections if await self._holds(c, context)])
        if any(asked.query.strategy == "original" for asked in queries):
            for connection in self._connections:
                if connection.name not in holding:
                    context.degrade("search", "without vectors", f"backend {connection.name} {NO_VECTORS}")
        if not holding:
            return Meaning(holding=holding)
        try:
            texts = tuple(dict.fromkeys(spoken(asked) for asked in queries))
            found = await context.embed(EmbedRequest(texts=texts))
        except QxError as error:
            context.degrade("search", "without vectors", str(error))
            return Meaning(holding=holding)
        return Meaning(holding=holding, vectors=dict(zip(texts, found.vectors, strict=True)))

    async def _holds(self, connection: Connection, context: Context) -> bool:
        stored = await self._fingerprint(connection, context)
        if stored is None or "vector" not in connection.backend.accepts:
            return False
        _check(connection, stored, context.embedder_fingerprint)
        return True

    async def _fingerprint(self, connection: Connection, context: Context) -> str | None:
        until, stored = self._stored.get(connection.name, (0.0, None))
        now = context.clock.monotonic()
        if now < until:
            return stored
        backend, left = connection.backend, context.budget.remaining().seconds
        if not isinstance(backend, SupportsVectors):
            return None
        try:
            stored = await connection.aside(backend.stored_fingerprint(), None if left is None else left * SHARE)
        except QxError as error:
            context.degrade("search", "without vectors", str(error))
            return None
        self._stored[connection.name] = (now + KEPT, stored)
        return stored


def _check(connection: Connection, stored: str, own: str | None) -> None:
    if stored != own:
        raise ProfileError(
            f"backend {connection.name} holds vectors of {stored!r}, the profile's embedder makes those of {own!r}: "
            "they cannot be compared",
            hint="index again with this embedder (`qx index`), name the other one under `embedder:`, or leave it out",
        )


def _has_meaning(asked: Asked) -> bool:
    """Whether there is a sentence to embed: of the original always, of others where they are no play of operators."""
    if asked.query.target not in ("any", "vector") or not spoken(asked):
        return False
    plain = isinstance(asked.expression, (Terms, Phrase))
    return plain or asked.query.strategy == "original" or asked.query.target == "vector"


def spoken(asked: Asked) -> str:
    """Return the words of a sub-query as a person would say them: without operators."""
    return asked.text if isinstance(asked.expression, Terms) and not asked.ranges else " ".join(words(asked.expression))
