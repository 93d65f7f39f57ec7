"""What the engines of a profile hold, as a step or a strategy asks for it: ``Context.vocabulary``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from qx.backend import SearchBackend
from qx.filters import Filter

Question = Literal["frequencies", "values", "spellings"]
"""What engines are asked; one may fail at the one and know the other."""


@dataclass(frozen=True, slots=True)
class Held:
    """The values of one field: in one engine, or (put together) in all that can say.

    ``complete``: a value that is not among them is nowhere.
    """

    values: tuple[str, ...]
    complete: bool


class Vocabulary(Protocol):
    """Answers are remembered for a while.  An engine that fails costs its knowledge, never a search.

    Of a request with a caller's filter it is what the documents hold that pass it: who shares an index with others learns
    nothing of theirs.
    """

    @property
    def backends(self) -> tuple[SearchBackend, ...]:
        """All of the profile's, in its order."""
        ...

    def tells(self, question: Question, /) -> bool:
        """Whether any engine can answer such a question, and has not just failed to."""
        ...

    def within(self, filter: Filter | None, /) -> Vocabulary:
        """Return the same of the documents that pass a caller's filter alone (in canonical fields); None: of all.

        An engine that cannot apply the whole of it knows nothing.
        """
        ...

    async def frequencies(self, terms: Sequence[str], /, seconds: float | None) -> dict[str, dict[str, int]]:
        """Return, for each backend that knows, in how many documents each of ``terms`` occurs.

        Args:
            terms: Words, as a query would write them.
            seconds: How long it may take; None: as long as it takes.

        Raises:
            QxError: no backend knows, because one failed.
        """
        ...

    async def spellings(self, terms: Sequence[str], /, seconds: float | None) -> dict[str, tuple[str, ...]]:
        """Return, for each of ``terms`` that has any, words of the engines that are written nearly like it.

        Args:
            terms: Words that no document holds.
            seconds: How long it may take; None: as long as it takes.

        Raises:
            QxError: no backend knows, because one failed.
        """
        ...

    async def values(self, field: str, /, seconds: float | None) -> Held:
        """Return the values of a canonical field over all backends; not complete where one cannot say.

        Raises:
            QxError: no backend knows, because one failed.
        """
        ...

    def remembered(self, field: str, /) -> Held | None:
        """As ``values``, without asking anybody; None where it has to be asked."""
        ...
