"""How an engine is asked what those of its documents hold that pass a caller's filter.

Who shares an index with others tells them apart by such a filter: what the others' documents hold is none of theirs, be it
a brand, the spelling of a word, or that there is such a word.  So an engine is asked by searches under the filter, and one
that cannot apply the whole of it is not asked at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

from qx.backend import (
    SearchBackend,
    SearchRequest,
    SearchResponse,
    SupportsBatch,
    SupportsFilter,
    SupportsSpelling,
    SupportsVocabulary,
)
from qx.errors import QxError
from qx.filters import Filter
from qx.filters.fieldmap import lower
from qx.steps.grounding.whole import Whole
from qx.steps.lowering import unsayable
from qx.syntax.tree import NOTHING, Expression, Phrase
from qx.vocabulary import Held

MOST_TERMS = 64
"""Words that are counted at once: each is a search of its own."""
MOST_VALUES = 50
"""Values of a field that every engine lists; where there are as many, there may be more."""


class Passing:
    """Asks about the documents that pass a filter.

    Args:
        filter: In canonical fields.
    """

    def __init__(self, filter: Filter) -> None:
        self._filter = filter

    def may(self, backend: SearchBackend, /) -> bool:
        """Whether the engine can apply the whole of the filter."""
        try:
            return self._lowered(backend) is not None
        except QxError:
            return False

    async def counts(self, backend: SupportsVocabulary, terms: Sequence[str], /) -> dict[str, int]:
        counts: dict[str, int] = {}
        asked = tuple(terms)[:MOST_TERMS]
        if getattr(
            backend, "in_process", False
        ):  # to ask is quick there, and what no document holds need not be searched
            counts = {term: 0 for term, held in (await Whole().counts(backend, asked)).items() if not held}
            asked = tuple(term for term in asked if term not in counts)
        found = await self._searched(backend, [Phrase(text=term) for term in asked])
        pairs = zip(asked, found, strict=True)
        return counts | {term: answer.total for term, answer in pairs if answer.total is not None}

    async def near(self, backend: SupportsSpelling, terms: Sequence[str], /) -> dict[str, tuple[str, ...]]:
        found = await Whole().near(backend, terms)
        counts = await self.counts(cast("SupportsVocabulary", backend), [w for words in found.values() for w in words])
        return {term: tuple([word for word in words if counts.get(word)]) for term, words in found.items()}

    async def held(self, backend: SupportsVocabulary, field: str, /) -> Held:
        (answer,) = await self._searched(backend, [NOTHING], facets=(field,))
        values = tuple([str(item) for item, _ in answer.facets.get(field, ())])
        return Held(values, complete=len(values) < MOST_VALUES)

    async def _searched(
        self, able: SupportsVocabulary, expressions: Sequence[Expression], facets: tuple[str, ...] = ()
    ) -> Sequence[SearchResponse]:
        """Search for each of ``expressions`` under the filter.

        Raises:
            QxError: the first error among the answers.
        """
        if not expressions:
            return ()
        backend = cast("SearchBackend", able)
        target = "lexical" if "lexical" in backend.accepts else "any"
        asked = [
            SearchRequest(
                text=expression.text if isinstance(expression, Phrase) else "",
                expression=expression,
                target=target,
                filter=self._lowered(backend),
                facets=facets,
                identity=None,
                highlights=False,
                limit=1,
            )
            for expression in expressions
        ]
        if isinstance(backend, SupportsBatch):
            answers = await backend.search_many(asked)
        else:
            answers = await asyncio.gather(*map(backend.search, asked))
        for answer in answers:
            if isinstance(answer, QxError):
                raise answer
        return cast("Sequence[SearchResponse]", answers)

    def _lowered(self, backend: SearchBackend) -> Filter | None:
        """The filter as the engine takes it; None where it cannot take all of it."""
        if not isinstance(backend, SupportsFilter):
            return None
        lowered = lower(self._filter, backend.fields)
        if lowered.unlowered or lowered.filter is None or unsayable(lowered.filter, backend):
            return None
        return lowered.filter


__all__ = ["Passing"]
