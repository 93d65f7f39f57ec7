"""What the engines of a profile hold: how many documents have a word, which values a field has.  Remembered a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from operator import index
from typing import Any, TypeVar, cast

from qx.backend import SearchBackend, SupportsSpelling, SupportsVocabulary
from qx.calls.connection import Connection
from qx.clock import Clock
from qx.context import Context
from qx.errors import ProviderTimeout, QxError
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
MOST_VALUES = 1000
"""Values of a field that are looked at; one with more is open: nobody knows what it does not hold."""
MOST_SPELLINGS = 5
"""Words that an engine may name in the place of one."""
MOST_TERMS = 20_000
"""Frequencies that are remembered of one engine."""


class Vocabularies:
    """Implements ``Vocabulary`` over the backends of one profile.

    Args:
        connections: The backends; those without ``SupportsVocabulary`` are never asked.
        clock: Measures how long an answer is believed.
    """

    def __init__(self, connections: Sequence[Connection], clock: Clock) -> None:
        self._connections = connections
        self._clock = clock
        self._able = {
            (c.name, question) for c in connections for question, of in _ABILITIES.items() if isinstance(c.backend, of)
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

    async def frequencies(self, terms: Sequence[str], /, seconds: float | None) -> dict[str, dict[str, int]]:
        """As ``Vocabulary.frequencies``."""
        wanted = tuple(dict.fromkeys(terms))

        async def ask(connection: Connection, backend: SupportsVocabulary) -> dict[str, int]:
            now, known = self._clock.monotonic(), self._frequencies[connection.name]
            missing = [term for term in wanted if term not in known or known[term][0] < now]
            if missing:
                found = await connection.aside(_counts(backend, missing), seconds)
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
                found = await connection.aside(_near(backend, missing), seconds)
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
                known = await connection.aside(_held(backend, stored), seconds)
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


async def _counts(backend: SupportsVocabulary, terms: Sequence[str]) -> dict[str, int]:
    """Ask, and read the answer too: both are somebody else's work, and fail within the guarded call.

    Raises:
        TypeError: the answer is not a number for each term.
    """
    found = cast("object", await backend.frequencies(terms))
    if not isinstance(found, Mapping):
        raise TypeError(f"frequencies() returned {type(found).__name__}, not a mapping of terms to numbers")
    counts = cast("Mapping[str, int]", found)
    try:
        return {term: index(counts.get(term, 0)) for term in terms}
    except TypeError:
        raise TypeError(f"frequencies() returned no whole numbers: {str(counts)[:200]}") from None


async def _near(backend: SupportsSpelling, terms: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """As ``_counts``, of words near others.

    Raises:
        TypeError: the answer is not a sequence of words for each term.
    """
    found = cast("object", await backend.spellings(terms, limit=MOST_SPELLINGS))
    if not isinstance(found, Mapping):
        raise TypeError(f"spellings() returned {type(found).__name__}, not a mapping of terms to words")
    near = cast("Mapping[str, object]", found)
    out: dict[str, tuple[str, ...]] = {}
    for term in terms:
        words = near.get(term, ())
        if not isinstance(words, (tuple, list)) or not all(
            isinstance(word, str) for word in cast("Sequence[object]", words)
        ):
            raise TypeError(f"spellings() returned no words for {term!r}: {words!r:.200}")
        out[term] = tuple(cast("Sequence[str]", words))[:MOST_SPELLINGS]
    return out


async def _held(backend: SupportsVocabulary, field: str) -> Held:
    """As ``_counts``, of a field's values.

    Raises:
        TypeError: the answer is not a sequence of values with their numbers.
    """
    found = cast("object", await backend.values(field, limit=MOST_VALUES))
    pairs = cast("Sequence[object]", found) if isinstance(found, Sequence) and not isinstance(found, str) else [None]
    if not all(_is_counted(pair) for pair in pairs):
        raise TypeError(f"values() returned no pairs of a value and a number: {cast('object', found)!r:.200}")
    values = tuple(item for item, _ in cast("Sequence[tuple[str, int]]", pairs))
    return Held(values, complete=len(values) < MOST_VALUES)


def _is_counted(pair: object) -> bool:
    if not isinstance(pair, (tuple, list)):
        return False
    parts = cast("Sequence[object]", pair)
    return len(parts) == 2 and isinstance(parts[0], str)


def tell_unknown(context: Context, error: QxError) -> None:
    """Say that a search goes on without what the engines hold: one that is slow to tell is no failure."""
    if isinstance(error, ProviderTimeout):
        context.note(f"searched without asking what the index holds: {error}")
    else:
        context.degrade("search", "without grounding", str(error))


def times(counts: Mapping[str, Mapping[str, int]], term: str) -> int:
    """Return in how many documents ``term`` occurs, over all backends that know."""
    return sum(known.get(term, 0) for known in counts.values())
