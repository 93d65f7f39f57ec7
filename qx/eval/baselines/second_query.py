"""A baseline's shape: the raw query is searched, a second text is made of what it found, and searched in its place.

Everything else stays as in the condition without expansion, so that the second text is all that differs: the reading by
rules, the filters that it gives, the engines, depth, fusion and hit processors.  Nothing of qx's own expansion runs: no
first pass, no abstaining, no second round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from qx.context import Context
from qx.engine import Steps
from qx.errors import BudgetExceeded, ProviderError, QxError, UsageError
from qx.ranking import Ranking
from qx.serial import value
from qx.steps.expand import ExpandStep
from qx.steps.search import SearchStep
from qx.steps.understand import UnderstandStep
from qx.syntax import Expression, words
from qx.types import Expansion, Query, SubQuery, Understanding, Understood


@value
class First:
    """What the raw query asked and found.

    Attributes:
        text: Its words as they were searched: without those that became filters.
        expression: The same, parsed.
        lists: One for each backend, in the profile's order, with scores; by words alone.
        search: Searches any text with the same filters: for methods that search several times.
    """

    text: str
    expression: Expression
    lists: tuple[Ranking, ...]
    search: Callable[[str], object]

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are looked for, as they were typed."""
        return words(self.expression)


class Rewriting(Protocol):
    """Makes the second query.  ``name`` is the strategy that reports show."""

    @property
    def name(self) -> str: ...

    @property
    def needs_hits(self) -> bool:
        """Whether the raw query has to be searched first."""
        ...

    async def rewrite(self, first: First, context: Context, /) -> str | None:
        """Return the text to search; None where there is nothing better than the raw query.

        Raises:
            ProviderError, BudgetExceeded: the model failed; the raw query is searched, and the result says so.
        """
        ...


def replacing(rewriting: Rewriting | None) -> Callable[[Steps], Steps]:
    """Return what gives an engine the steps of a baseline; None: the raw query alone."""

    def steps(own: Steps) -> Steps:
        understand, expand, search = own.understand, own.expand, own.search
        if not (
            isinstance(understand, UnderstandStep) and isinstance(expand, ExpandStep) and isinstance(search, SearchStep)
        ):
            raise UsageError("a baseline replaces qx's own steps: it cannot run over steps that are replaced already")
        made = _Baseline(rewriting, understand, expand, search)
        return replace(own, understand=made.understand, expand=made.expand, search=made.search)

    return steps


class _Baseline:
    def __init__(
        self, rewriting: Rewriting | None, understand: UnderstandStep, expand: ExpandStep, search: SearchStep
    ) -> None:
        self._rewriting = rewriting
        self._understand = understand
        self._expand = expand
        self._search = search

    async def understand(self, query: Query, context: Context, /) -> Understanding:
        return self._understand.by_rules(query, context)

    async def expand(self, value: Understood, context: Context, /) -> Expansion:
        alone = self._expand.alone(value)
        if self._rewriting is None:
            return replace(alone, abstained="the baseline searches the raw query alone")
        try:
            first = await self._first(alone, context, hits=self._rewriting.needs_hits)
            text = await self._rewriting.rewrite(first, context)
        except (ProviderError, BudgetExceeded, TimeoutError) as error:
            context.degrade("expand", "the raw query", str(error) or "the deadline passed")
            return alone
        if not text or text.split() == first.text.split():
            context.note(f"{self._rewriting.name} has nothing to add to this query")
            return alone
        second = SubQuery(text=text, strategy=self._rewriting.name, target="lexical", why="in place of the raw query")
        return replace(alone, queries=(*alone.queries, second))

    async def _first(self, alone: Expansion, context: Context, *, hits: bool) -> First:
        original = alone.queries[0]
        made = await self._search.planned((original,), alone.understanding, context)
        asked = made.parts[0].queries[0]

        async def search(text: str) -> tuple[Ranking, ...]:
            return await self._by_words(SubQuery(text=text, strategy="baseline", target="lexical"), alone, context)

        lists: tuple[Ranking, ...] = ()
        if hits and not made.asks_nothing:
            try:
                found = await self._search(replace(alone, abstained="the first search of a baseline"), context)
            except ProviderError as error:  # as such it would leave the raw query's list in the place of the baseline's
                raise QxError(f"the first search of a baseline failed: {error}") from error
            lists = tuple(ranking for ranking in found if not _by_meaning(ranking))
        return First(text=asked.text, expression=asked.expression, lists=lists, search=search)

    async def search(self, value: Expansion, context: Context, /) -> tuple[Ranking, ...]:
        raw = replace(value, queries=value.queries[:1], abstained="a baseline's raw query")
        if len(value.queries) == 1:
            return await self._search(raw, context)
        found = await self._by_words(value.queries[1], value, context)
        if not any(ranking.keys for ranking in found):  # its filters were too narrow, or the engine failed: as the raw
            context.note("the second query found nothing: the raw query's hits")
            failed = [ranking for ranking in found if ranking.report is not None and ranking.report.error]
            return (*await self._search(raw, context), *failed)  # which say that these hits are not the baseline's
        return (*found, *await self._meaning(raw, context))

    async def _by_words(self, query: SubQuery, value: Expansion, context: Context) -> tuple[Ranking, ...]:
        """The lists of a text, which stand where the original's would: they weigh as much."""
        original = value.queries[0]
        made = await self._search.planned((query,), value.understanding, context, original=original)
        found = await self._search.run(made, context, "words")
        return tuple(replace(r, query=replace(query, strategy="original")) for r in found)

    async def _meaning(self, raw: Expansion, context: Context) -> Sequence[Ranking]:
        """What the raw query finds by meaning, where the engines are searched so: a baseline changes the words alone."""
        if not context.has_embedder:
            return ()
        made = await self._search.planned(raw.queries, raw.understanding, context)
        return await self._search.run(made, context, "meaning")


def _by_meaning(ranking: Ranking) -> bool:
    return ranking.report is not None and ranking.report.target == "vector"


__all__ = ["First", "Rewriting", "replacing"]
