"""Every sub-query on every backend that takes it, at once: what comes back are lists, also where nothing did."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from qx.backend import SearchResponse
from qx.bounding import bounded, settled
from qx.calls.connection import Connection, Remaining
from qx.context import Context
from qx.ranking import Ranking
from qx.settings import Search
from qx.steps.listing import empty, listed
from qx.steps.lowering import Prepared, identity_field, prepare
from qx.steps.requests import Asked, Part, Plan
from qx.steps.vectors import NO_VECTORS, Meaning, Vectors
from qx.types import Target

Sides = Literal["words", "meaning", "both"]
RESERVE = 0.04
"""Share of the remaining time that merging and ordering may need."""
NOTICE = 0.01
"""Share of it by which each call ends before the lists are gathered: late ones are told apart from those in time, and
the engine's breaker learns of them."""
NEARBY = 0.25
"""Seconds that an index in this process always gets for the original: it takes milliseconds, unless the machine is busy,
and a list a little late is worth more than none."""
LATE = "answered when the time was over"
"""What is told then."""


@dataclass(frozen=True, slots=True)
class _Trip:
    """One round trip to one backend, and the sub-queries that it is for, should it be late."""

    connection: Connection
    queries: Sequence[Asked]
    target: Target
    work: asyncio.Task[list[Ranking]]

    def lists(self) -> list[Ranking]:
        return _late(self.queries, self.connection, self.target) if self.work.cancelled() else self.work.result()


class FanOut:
    """Runs sub-queries on the engine's backends; words and vectors are two round trips, neither waiting for the other.

    Args:
        connections: The engine's backends, in the profile's order.
        settings: Depth, identity.
    """

    def __init__(self, connections: Sequence[Connection], settings: Search) -> None:
        self._connections = connections
        self._settings = settings
        self._vectors = Vectors(connections)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(connection.name for connection in self._connections)

    async def run(self, made: Plan, context: Context, sides: Sides = "both") -> tuple[Ranking, ...]:
        """Return the lists in the profile's order of backends; what failed or is late is a list that says so.

        Args:
            made: What each backend is asked.
            sides: Whether words, meaning or both are looked for.

        Raises:
            ProfileError: a backend's vectors are another embedder's.
        """
        near = self._near_queries(made, context) if sides != "words" else ()
        if not made.parts[0].queries or (sides == "meaning" and not near):
            return ()
        left = context.budget.remaining().seconds
        remaining = _until(None if left is None else left * (1 - RESERVE - NOTICE), context)
        if len(self._connections) == 1 and not near:
            return await self._alone(made, context, remaining, left)
        tasks: list[asyncio.Task[Any]] = []
        try:
            parts = self._begun(made, near, context, remaining, tasks, words=sides != "meaning")
            await settled([p.work for p in parts], None if left is None else left * (1 - RESERVE))
            if left is not None and left < NEARBY:
                await self._nearby(parts, made, NEARBY - left * (1 - RESERVE), context)
        finally:
            late = [task for task in tasks if not task.done()]
            for task in late:
                task.cancel()
            if late:
                await asyncio.gather(*late, return_exceptions=True)
        return tuple([ranking for part in parts for ranking in part.lists()])

    async def _alone(
        self, made: Plan, context: Context, remaining: Remaining, seconds: float | None
    ) -> tuple[Ranking, ...]:
        """Run the one round trip that there is, which needs no task of its own."""
        connection = self._connections[0]
        part = made.of(connection.name)
        limit = None if seconds is None else seconds * (1 - RESERVE)
        late = limit is not None and limit < NEARBY and _is_patient(connection, part)
        until = _until(seconds, context)
        try:
            return tuple(await bounded(self._words(connection, part, context, remaining), NEARBY if late else limit))
        except TimeoutError:
            return tuple(_late(part.queries, connection, "any"))
        finally:
            if late and not until():
                context.note(f"{connection.name} {LATE}")

    async def _nearby(self, trips: Sequence[_Trip], made: Plan, seconds: float, context: Context) -> None:
        """Wait a little longer for the indexes in this process, where they are asked the original; and say so."""
        late = [t for t in trips if not t.work.done() and t.target == "any"]
        late = [t for t in late if _is_patient(t.connection, made.of(t.connection.name))]
        if not late:
            return
        await settled([trip.work for trip in late], seconds)
        names = ", ".join(trip.connection.name for trip in late if trip.work.done())
        if names:
            context.note(f"{names} {LATE}")

    def has_meaning(self, made: Plan, context: Context) -> bool:
        """Whether anything would be searched by meaning."""
        return bool(self._near_queries(made, context))

    def _near_queries(self, made: Plan, context: Context) -> tuple[Asked, ...]:
        """What is to be embedded, for the backends that may hold vectors."""
        asking = [c.name for c in self._connections if self._vectors.asks(c)]
        parts = dict.fromkeys(id(made.of(name)) for name in asking)
        return tuple([a for p in made.parts if id(p) in parts for a in self._vectors.wanted(p.queries, context)])

    def _begun(
        self,
        made: Plan,
        near: Sequence[Asked],
        context: Context,
        remaining: Remaining,
        tasks: list[asyncio.Task[Any]],
        *,
        words: bool,
    ) -> list[_Trip]:
        """Start every round trip; ``tasks`` takes up all that is to be ended with the request."""

        def begin(connection: Connection, of: Sequence[Asked], target: Target, work: _Work) -> _Trip:
            trip = _Trip(connection, of, target, asyncio.ensure_future(work))
            tasks.append(trip.work)
            return trip

        trips: list[_Trip] = []
        meaning: asyncio.Task[Meaning] | None = None
        if near:
            meaning = asyncio.ensure_future(self._vectors.meaning(near, context))
            tasks.append(meaning)
        for connection in self._connections:
            part = made.of(connection.name)
            if words:
                trips.append(begin(connection, part.queries, "any", self._words(connection, part, context, remaining)))
            if meaning is not None and self._vectors.asks(connection):
                wanted = self._vectors.wanted(part.queries, context)
                trips.append(
                    begin(
                        connection, wanted, "vector", self._near(connection, wanted, part, meaning, context, remaining)
                    )
                )
        return trips

    async def _words(self, connection: Connection, part: Part, context: Context, remaining: Remaining) -> list[Ranking]:
        """The lists of one backend by words (or of the web)."""
        if _is_patient(connection, part):
            remaining = _at_least(remaining, NEARBY, context)
        found: list[Ranking] = []
        pairs: list[tuple[Asked, Prepared]] = []
        for query in part.queries:
            target = _side(connection, query)
            if target is None:
                if query.query.target != "vector" or not context.has_embedder or not self._vectors.asks(connection):
                    found.append(empty(query, connection.name, "skipped", f"not for {query.query.target}"))
                continue
            made = self._prepared(query, connection, part, context, target)
            if isinstance(made, str):
                found.append(empty(query, connection.name, "skipped", made, target))
            else:
                pairs.append((query, made))
        return found + await self._ask(connection, pairs, context, remaining)

    async def _near(
        self,
        connection: Connection,
        queries: Sequence[Asked],
        part: Part,
        meaning: asyncio.Task[Meaning],
        context: Context,
        remaining: Remaining,
    ) -> list[Ranking]:
        """The lists of one backend by meaning, once the vectors are there."""
        known = await asyncio.shield(meaning)
        if connection.name not in known.holding or not known.vectors:
            reason = "there are no vectors of the queries" if connection.name in known.holding else f"it {NO_VECTORS}"
            return [empty(query, connection.name, "skipped", reason, "vector") for query in queries]
        pairs: list[tuple[Asked, Prepared]] = []
        found: list[Ranking] = []
        for query in queries:
            made = self._prepared(query, connection, part, context, "vector", known.of(query))
            if isinstance(made, str):
                found.append(empty(query, connection.name, "skipped", made, "vector"))
            else:
                pairs.append((query, made))
        return found + await self._ask(connection, pairs, context, remaining)

    def _prepared(
        self,
        query: Asked,
        connection: Connection,
        part: Part,
        context: Context,
        target: Target,
        vector: bytes | None = None,
    ) -> Prepared | str:
        return prepare(
            query,
            connection.backend,
            part,
            context.options,
            depth=self._settings.depth,
            target=target,
            identity=identity_field(self._settings.identity, connection.backend),
            vector=vector,
        )

    async def _ask(
        self,
        connection: Connection,
        pairs: Sequence[tuple[Asked, Prepared]],
        context: Context,
        remaining: Remaining,
    ) -> list[Ranking]:
        if not pairs:
            return []
        began = context.clock.monotonic()
        with context.span(f"backend {connection.name}", requests=len(pairs)):
            requests = [made.request for _, made in pairs]
            answers = await connection.ask(requests, remaining)
        took = round((context.clock.monotonic() - began) * 1000, 3)
        for (query, _), answer in zip(pairs, answers, strict=True):
            if query.query.strategy == "original" and isinstance(answer, SearchResponse):
                for note in answer.notes:
                    context.note(f"{connection.name}: {note}")
        return [
            listed(query.query, made, answer, connection, identity=self._settings.identity, took=took)
            for (query, made), answer in zip(pairs, answers, strict=True)
        ]


def _late(queries: Sequence[Asked], connection: Connection, target: Target) -> list[Ranking]:
    reason = "no answer before the deadline"
    return [empty(query, connection.name, "timeout", reason, target) for query in queries]


def _until(seconds: float | None, context: Context) -> Remaining:
    """What is left, whenever asked, of ``seconds`` from now; None: no limit."""
    if seconds is None:
        return lambda: None
    end = context.clock.monotonic() + seconds
    return lambda: max(0.0, end - context.clock.monotonic())


def _at_least(remaining: Remaining, seconds: float, context: Context) -> Remaining:
    """As ``remaining``, but ``seconds`` from now where it is less."""
    end = context.clock.monotonic() + seconds

    def left() -> float | None:
        seconds = remaining()
        return None if seconds is None else max(seconds, end - context.clock.monotonic(), 0.0)

    return left


def _is_patient(connection: Connection, part: Part) -> bool:
    """Whether a backend is in this process and is asked the original."""
    return getattr(connection.backend, "in_process", False) and any(
        asked.query.strategy == "original" for asked in part.queries
    )


_Work = Coroutine[Any, Any, list[Ranking]]


def _side(connection: Connection, asked: Asked) -> Target | None:
    """The side of a backend that a sub-query's words go to; None where it takes none."""
    accepts, target = connection.backend.accepts, asked.query.target
    if target == "vector":
        return None
    if target in ("lexical", "web"):
        return target if target in accepts else "any" if "any" in accepts and target == "lexical" else None
    return next((side for side in _SIDES if side in accepts), None)


_SIDES: tuple[Target, ...] = ("lexical", "web", "any")
