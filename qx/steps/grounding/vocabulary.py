"""What the engines of a profile hold: how many documents have a word, which values a field has.  Remembered a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from qx.backend import SearchBackend, SupportsVocabulary
from qx.calls.connection import Connection
from qx.clock import Clock
from qx.context import Context
from qx.errors import ProviderTimeout, QxError

T = TypeVar("T")
KEPT = 300.0
"""Seconds that an answer is believed; an engine that failed is left alone for as long."""
LATE = 5.0
"""Seconds that an engine is left alone which took too long: a cold one is warm soon."""
MOST_VALUES = 1000
"""Values of a field that are looked at; one with more is open: nobody knows what it does not hold."""
MOST_TERMS = 20_000
"""Frequencies that are remembered of one engine."""


@dataclass(frozen=True, slots=True)
class Held:
    """The values of one field: in one engine, or (put together) in all that can say.

    ``complete``: a value that is not among them is nowhere.
    """

    values: tuple[str, ...]
    complete: bool


class Vocabulary:
    """The vocabularies of one engine's backends.  An engine that fails costs its knowledge, never a search.

    Args:
        connections: The backends; those without ``SupportsVocabulary`` are never asked.
        clock: Measures how long an answer is believed.
    """

    def __init__(self, connections: Sequence[Connection], clock: Clock) -> None:
        self._connections = connections
        self._clock = clock
        self._frequencies: dict[str, dict[str, tuple[float, int]]] = {c.name: {} for c in connections}
        self._values: dict[tuple[str, str], tuple[float, Held]] = {}
        self._failed: dict[str, float] = {}

    @property
    def backends(self) -> tuple[SearchBackend, ...]:
        return tuple(connection.backend for connection in self._connections)

    @property
    def speaks(self) -> bool:
        """Whether any engine can say what it holds, and has not just failed to."""
        return any(self._can(connection) for connection in self._connections)

    async def frequencies(self, terms: Sequence[str], seconds: float | None) -> dict[str, dict[str, int]]:
        """Return, for each backend that knows, in how many documents each of ``terms`` occurs.

        Args:
            terms: Words, as a query would write them.
            seconds: How long it may take.

        Raises:
            QxError: no backend knows, because one failed.
        """
        wanted = tuple(dict.fromkeys(terms))

        async def ask(connection: Connection, backend: SupportsVocabulary) -> dict[str, int]:
            now, known = self._clock.monotonic(), self._frequencies[connection.name]
            missing = [term for term in wanted if term not in known or known[term][0] < now]
            if missing:
                found = await connection.aside(backend.frequencies(missing), seconds)
                if len(known) + len(missing) > MOST_TERMS:
                    known.clear()
                known |= {term: (now + KEPT, found.get(term, 0)) for term in missing}
            return {term: known[term][1] for term in wanted if term in known}

        return await self._each(ask)

    async def values(self, field: str, seconds: float | None) -> Held:
        """Return the values of a canonical field over all backends; not complete where one cannot say.

        Raises:
            QxError: no backend knows, because one failed.
        """

        async def ask(connection: Connection, backend: SupportsVocabulary) -> Held:
            stored = connection.backend.fields[field].name
            known = self._known(connection, stored)
            if known is None:
                found = await connection.aside(backend.values(stored, limit=MOST_VALUES), seconds)
                known = Held(tuple(item for item, _ in found), complete=len(found) < MOST_VALUES)
                self._values[connection.name, stored] = (self._clock.monotonic() + KEPT, known)
            return known

        found = await self._each(ask, field)
        return self._together(list(found.values()), field)

    def remembered(self, field: str) -> Held | None:
        """As ``values``, without asking anybody; None where it has to be asked."""
        found: list[Held] = []
        for connection in self._connections:
            if self._can(connection) and field in connection.backend.fields:
                known = self._known(connection, connection.backend.fields[field].name)
                if known is None:
                    return None
                found.append(known)
        return self._together(found, field)

    def _together(self, found: Sequence[Held], field: str) -> Held:
        having = sum(field in connection.backend.fields for connection in self._connections)
        complete = len(found) == having and all(held.complete for held in found)
        return Held(tuple(dict.fromkeys(item for held in found for item in held.values)), complete=complete)

    def _known(self, connection: Connection, stored: str) -> Held | None:
        until, held = self._values.get((connection.name, stored), (0.0, None))
        return held if held is not None and self._clock.monotonic() < until else None

    def _can(self, connection: Connection) -> bool:
        able = isinstance(connection.backend, SupportsVocabulary)
        return able and self._failed.get(connection.name, 0.0) <= self._clock.monotonic()

    async def _each(
        self, ask: Callable[[Connection, SupportsVocabulary], Awaitable[T]], field: str | None = None
    ) -> dict[str, T]:
        """Ask every engine that can say (of those with ``field``, where it is about one)."""
        asked = [c for c in self._connections if self._can(c) and (field is None or field in c.backend.fields)]
        work = [ask(c, c.backend) for c in asked if isinstance(c.backend, SupportsVocabulary)]
        answers = await asyncio.gather(*work, return_exceptions=True)
        out: dict[str, T] = {}
        failure: BaseException | None = None
        for connection, answer in zip(asked, answers, strict=True):
            if isinstance(answer, BaseException):
                alone = LATE if isinstance(answer, ProviderTimeout) else KEPT
                self._failed[connection.name] = self._clock.monotonic() + alone
                failure = failure if isinstance(failure, QxError) else answer
            else:
                out[connection.name] = answer
        if failure is not None and (not out or not isinstance(failure, QxError)):
            raise failure
        return out


def tell_unknown(context: Context, error: QxError) -> None:
    """Say that a search goes on without what the engines hold: one that is slow to tell is no failure."""
    if isinstance(error, ProviderTimeout):
        context.note(f"searched without asking what the index holds: {error}")
    else:
        context.degrade("search", "without grounding", str(error))


def times(counts: Mapping[str, Mapping[str, int]], term: str) -> int:
    """Return in how many documents ``term`` occurs, over all backends that know."""
    return sum(known.get(term, 0) for known in counts.values())
