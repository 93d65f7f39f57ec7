"""How an engine is asked what all of its documents hold; somebody else's work, so that the answers are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Protocol, cast

from qx.backend import SearchBackend, SupportsSpelling, SupportsVocabulary
from qx.vocabulary import Held

MOST_VALUES = 1000
"""Values of a field that are looked at; one with more is open: nobody knows what it does not hold."""
MOST_SPELLINGS = 5
"""Words that an engine may name in the place of one."""


class Asking(Protocol):
    """How one engine is asked; what it raises is its own failure."""

    def may(self, backend: SearchBackend, /) -> bool:
        """Whether the engine can be asked so."""
        ...

    async def counts(self, backend: SupportsVocabulary, terms: Sequence[str], /) -> dict[str, int]:
        """Return in how many documents each term occurs; a term of which that is not known is left out."""
        ...

    async def near(self, backend: SupportsSpelling, terms: Sequence[str], /) -> dict[str, tuple[str, ...]]:
        """Return words near each term."""
        ...

    async def held(self, backend: SupportsVocabulary, field: str, /) -> Held:
        """Return the values of a stored field."""
        ...


class Whole:
    """Asks about all that an engine holds."""

    def may(self, backend: SearchBackend, /) -> bool:
        return True

    async def counts(self, backend: SupportsVocabulary, terms: Sequence[str], /) -> dict[str, int]:
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

    async def near(self, backend: SupportsSpelling, terms: Sequence[str], /) -> dict[str, tuple[str, ...]]:
        """As ``counts``, of words near others.

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

    async def held(self, backend: SupportsVocabulary, field: str, /) -> Held:
        """As ``counts``, of a field's values.

        Raises:
            TypeError: the answer is not a sequence of values with their numbers.
        """
        found = cast("object", await backend.values(field, limit=MOST_VALUES))
        pairs = (
            cast("Sequence[object]", found) if isinstance(found, Sequence) and not isinstance(found, str) else [None]
        )
        if not all(_is_counted(pair) for pair in pairs):
            raise TypeError(f"values() returned no pairs of a value and a number: {cast('object', found)!r:.200}")
        values = tuple(item for item, _ in cast("Sequence[tuple[str, int]]", pairs))
        return Held(values, complete=len(values) < MOST_VALUES)


def _is_counted(pair: object) -> bool:
    if not isinstance(pair, (tuple, list)):
        return False
    parts = cast("Sequence[object]", pair)
    return len(parts) == 2 and isinstance(parts[0], str)


__all__ = ["MOST_SPELLINGS", "MOST_VALUES", "Asking", "Whole"]
