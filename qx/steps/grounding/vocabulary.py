"""What the engines of a profile hold: how many documents have a word, which values a field has.  Remembered a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from qx.backend import SearchBackend, SupportsSpelling, SupportsVocabulary
from qx.calls.connection import Connection
from qx.clock import Clock
from qx.context import Context
from qx.errors import ProviderTimeout, QxError
from qx.filters import Filter
from qx.steps.grounding.passing import Passing
from qx.steps.grounding.whole import Asking, Whole
from qx.vocabulary import Held, Question

T = TypeVar("T")
_ABILITIES: Mapping[Question, type[Any]] = {
    "frequencies": SupportsVocabulary,
    "values": SupportsVocabulary,
    "spellings": SupportsSpelling,
}
_Asked = tuple[str, Question]
"""Backend, and what it was asked."""
KEPT = 300.0
"""Seconds that an answer is believed; an engine that failed is not asked the same for as long."""
LATE = 5.0
"""Seconds that nobody asks again who has no more time than was too little: a cold engine is warm soon."""
MOST_TERMS = 20_000
"""Frequencies that are remembered of one engine."""
MOST_FILTERS = 256
"""Callers' filters under which answers are remembered."""


class Vocabularies:
    """Implements ``Vocabulary`` over the backends of one profile.

    Args:
        connections: The backends; those without ``SupportsVocabulary`` are never asked.
        clock: Measures how long an answer is believed.
        asking: How they are asked.
        whole: The same without a filter; None: this is it.
    """

    def __init__(
        self,
        connections: Sequence[Connection],
        clock: Clock,
        asking: Asking | None = None,
        whole: Vocabularies | None = None,
    ) -> None:
        self._whole = whole or self
        self._connections = connections
        self._clock = clock
        self._asking = asking or Whole()
        self._within = OrderedDict[str, Vocabularies]()
        self._able = {
            (c.name, question)
            for c in connections
            for question, of in _ABILITIES.items()
            if isinstance(c.backend, of) and self._asking.may(c.backend)
        }
        self._frequencies: dict[str, dict[str, tuple[float, int]]] = {c.name: {} for c in connections}
        self._values: dict[tuple[str, str], tuple[float, Held]] = {}
        self._spellings: dict[str, dict[str, tuple[float, tuple[str, ...]]]] = {c.name: {} for c in connections}
        self._failed: dict[_Asked, float] = {}
        self._late: dict[_Asked, tuple[float, float]] = {}
        """Until when, and how many seconds were too few."""

    @property
    def backends(self) -> tuple[SearchBackend, ...]:
        return tuple(connection.backend for connection in self._connections)

    def tells(self, question: Question, /) -> bool:
        """Whether any engine can answer such a question, and has not just failed to."""
        return any(self._can(connection, question) for connection in self._connections)

    def within(self, filter: Filter | None, /) -> Vocabularies:
        """As ``Vocabulary.within``."""
        whole = self._whole
        if filter is None:
            return whole
        key, known = repr(filter), whole._within
        found = known.pop(key, None) or Vocabularies(self._connections, self._clock, Passing(filter), whole)
        known[key] = found
        while len(known) > MOST_FILTERS:
            known.popitem(last=False)
        return found

    async def frequencies(self, terms: Sequence[str], /, seconds: float | None) -> dict[str, dict[str, int]]:
        """As ``Vocabulary.frequencies``."""
        wanted = tuple(dict.fromkeys(terms))

        async def ask(connection: Connection, backend: SupportsVocabulary) -> dict[str, int]:
            now, known = self._clock.monotonic(), self._frequencies[connection.name]
            missing = [term for term in wanted if term not in known or known[term][0] < now]
            if missing:
                found = await connection.aside(self._asking.counts(backend, missing), seconds)
                if len(known) + len(missing) > MOST_TERMS:
                    known.clear()
                known |= {term: (now + KEPT, count) for term, count in found.items()}
            return {term: known[term][1] for term in wanted if term in known}

        return await self._each("frequencies", ask, seconds)

    async def spellings(self, terms: Sequence[str], /, seconds: float | None) -> dict[str, tuple[str, ...]]:
        """As ``Vocabulary.spellings``."""
        wanted = tuple(dict.fromkeys(terms))

        async def ask(connection: Connection, backend: SupportsSpelling) -> dict[str, tuple[str, ...]]:
            now, known = self._clock.monotonic(), self._spellings[connection.name]
            missing = [term for term in wanted if term not in known or known[term][0] < now]
            if missing:
                found = await connection.aside(self._asking.near(backend, missing), seconds)
                if len(known) + len(missing) > MOST_TERMS:
                    known.clear()
                known |= {term: (now + KEPT, found.get(term, ())) for term in missing}
            return {term: known[term][1] for term in wanted if term in known}

        found = await self._each("spellings", ask, seconds)
        together = {
            term: dict.fromkeys(word for near in found.values() for word in near.get(term, ())) for term in wanted
        }
        return {term: tuple(words) for term, words in together.items() if words}

    async def values(self, field: str, /, seconds: float | None) -> Held:
        """As ``Vocabulary.values``."""

        async def ask(connection: Connection, backend: SupportsVocabulary) -> Held:
            stored = connection.backend.fields[field].name
            known = self._known(connection, stored)
            if known is None:
                known = await connection.aside(self._asking.held(backend, stored), seconds)
                self._values[connection.name, stored] = (self._clock.monotonic() + KEPT, known)
            return known

        found = await self._each("values", ask, seconds, field)
        return self._together(list(found.values()), field)

    def remembered(self, field: str, /) -> Held | None:
        """As ``Vocabulary.remembered``."""
        found: list[Held] = []
        for connection in self._connections:
            if self._can(connection, "values") and field in connection.backend.fields:
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

    def _can(self, connection: Connection, question: Question, seconds: float | None = None) -> bool:
        """Whether there is hope of an answer (within ``seconds``, where they are limited)."""
        asked: _Asked = (connection.name, question)
        if asked not in self._able:
            return False
        now = self._clock.monotonic()
        until, few = self._late.get(asked, (0.0, 0.0))
        hopeless = seconds is not None and seconds <= few and now < until
        return not hopeless and self._failed.get(asked, 0.0) <= now

    def _missed(self, connection: Connection, question: Question, seconds: float | None, answer: BaseException) -> None:
        """Remember a failure; an engine that was late has only shown that ``seconds`` are too few."""
        asked: _Asked = (connection.name, question)
        now = self._clock.monotonic()
        if isinstance(answer, ProviderTimeout) and seconds is not None:
            until, few = self._late.get(asked, (0.0, 0.0))
            self._late[asked] = (now + LATE, max(seconds, few if now < until else 0.0))
        else:
            self._failed[asked] = now + (LATE if isinstance(answer, ProviderTimeout) else KEPT)

    async def _each(
        self,
        question: Question,
        ask: Callable[[Connection, Any], Awaitable[T]],
        seconds: float | None,
        field: str | None = None,
    ) -> dict[str, T]:
        """Ask every engine that can say (of those with ``field``, where it is about one)."""
        able = [c for c in self._connections if self._can(c, question, seconds)]
        asked = [c for c in able if field is None or field in c.backend.fields]
        work = [ask(c, c.backend) for c in asked]
        answers = await asyncio.gather(*work, return_exceptions=True)
        out: dict[str, T] = {}
        failure: BaseException | None = None
        for connection, answer in zip(asked, answers, strict=True):
            if isinstance(answer, BaseException):
                self._missed(connection, question, seconds, answer)
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
