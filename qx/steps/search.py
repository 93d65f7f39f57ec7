"""The step ``search``: Expansion -> Rankings.  START HERE; the calls themselves are in ``qx.steps.fanout``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from qx.calls.connection import Connection
from qx.context import Context
from qx.errors import SearchFailed
from qx.filters import Filter
from qx.filters.inference import relaxations
from qx.ranking import Ranking
from qx.settings import Search
from qx.steps.fanout import FanOut, Sides
from qx.steps.grounding import grounded, restored, weighed
from qx.steps.grounding.additions import added
from qx.steps.listing import empty
from qx.steps.pace import Pace
from qx.steps.requests import Asked, Plan, plan
from qx.types import Expansion, SubQuery, Understanding

PATIENCE = 0.05
"""Seconds that lists which are there wait for the engines' word on what expansion added."""


class SearchStep:
    """Runs an expansion's queries.

    Args:
        connections: The engine's backends, in the profile's order.
        settings: Depth, order, identity.
    """

    def __init__(self, connections: Sequence[Connection], settings: Search) -> None:
        self._fan_out = FanOut(connections, settings)
        self._settings = settings
        self.pace = Pace()

    async def __call__(self, value: Expansion, context: Context, /) -> tuple[Ranking, ...]:
        made = await self.planned(value.queries, value.understanding, context)
        if made.asks_nothing:
            return ()
        found = await self._first(made, context)
        if not any(ranking.keys for ranking in found) and made.filters.inferred is not None:
            found = await self._relaxed(made, found, context)
        causes = _causes(found)
        if not causes:
            _tell_unlowered(found, context)
            return found
        early = context.first_pass
        before = await early.rankings() if early is not None else ()
        if not any(ranking.keys for ranking in before):
            raise SearchFailed("every search backend failed: " + causes)
        context.degrade("search", "the raw query's hits", causes)
        return (*before, *found)

    async def planned(
        self,
        queries: Sequence[SubQuery],
        understanding: Understanding,
        context: Context,
        *,
        original: SubQuery | None = None,
        ask: bool = True,
    ) -> Plan:
        """Take sub-queries apart, with conditions as the index spells them.

        Args:
            original: The original, where it is not among ``queries``.
            ask: False asks no engine, so that nothing waits.
        """
        known = await grounded(understanding, context, ask=ask)
        for note in known.notes:
            context.note(note)
        whole = restored(queries, known.words, context.query)
        return plan(whole, context.query, known.understanding, context.filterable, original=original)

    async def run(self, made: Plan, context: Context, sides: Sides = "both") -> tuple[Ranking, ...]:
        """Run a plan; what fails or is late is a ranking that says so.

        Args:
            sides: Whether words, meaning or both are looked for; one side alone is never run in sequence.
        """
        if sides != "both":
            return await self._fan_out.run(made.queries, made.filters.all, context, sides)
        return await self._run(made.queries, made.filters.all, context)

    async def _run(self, queries: Sequence[Asked], tree: Filter | None, context: Context) -> tuple[Ranking, ...]:
        if self._settings.order == "sequential":
            return await self._one_by_one(queries, tree, context)
        return await self._at_once(queries, tree, context)

    async def _first(self, made: Plan, context: Context) -> tuple[Ranking, ...]:
        """Use the raw query's lists where they are of the same words and filter; run the rest."""
        early, queries, tree = context.first_pass, made.queries, made.filters.all
        raw = queries[0]
        if early is None or early.text != raw.text or repr(early.filter) != repr(tree):
            return await self._run(queries, tree, context)
        if self._settings.order == "sequential":
            first = await early.rankings()
            others = await self._one_by_one(queries[1:], tree, context, before=first, original=raw)
        elif len(queries) > 1:
            first, others = await asyncio.gather(
                early.rankings(), self._at_once(queries[1:], tree, context, original=raw)
            )
        else:
            first, others = await early.rankings(), ()
        return (*(replace(r, query=raw.query) for r in first), *others)

    async def _relaxed(self, made: Plan, before: tuple[Ranking, ...], context: Context) -> tuple[Ranking, ...]:
        """Do without inferred conditions, softest first, until something is found; never without the caller's."""
        for weaker in relaxations(made.filters.all):
            found = await self._at_once(made.queries, weaker.filter, context)
            if any(ranking.keys for ranking in found):
                told = ", ".join(f"{leaf.field} {getattr(leaf, 'op', 'exists')}" for leaf in weaker.dropped)
                context.note(f"nothing met every condition; relaxed: {told}")
                return found
        return before

    async def _one_by_one(
        self,
        queries: Sequence[Asked],
        tree: Filter | None,
        context: Context,
        *,
        before: Sequence[Ranking] = (),
        original: Asked | None = None,
    ) -> tuple[Ranking, ...]:
        enough = context.options.offset + context.options.limit
        found: list[Ranking] = []
        for query in queries:
            if len({key for ranking in (*before, *found) for key in ranking.keys}) >= enough:
                found += [empty(query, name, "skipped", "there were enough hits") for name in self._fan_out.names]
                continue
            found += await self._at_once([query], tree, context, original=original or queries[0])
        return tuple(found)

    async def _at_once(
        self, queries: Sequence[Asked], tree: Filter | None, context: Context, *, original: Asked | None = None
    ) -> tuple[Ranking, ...]:
        """Run queries, and meanwhile ask the engines whether they hold what expansion added."""
        own = original.expression if original is not None else queries[0].expression
        additions = {a.query: added(a, own) for a in queries if a.query.strategy != "original"}
        words = tuple(dict.fromkeys(word for found in additions.values() for word in found))
        vocabulary = context.vocabulary
        if not words or vocabulary is None or not vocabulary.speaks:
            return await self._fan_out.run(queries, tree, context)
        counting = asyncio.ensure_future(vocabulary.frequencies(words, context.budget.remaining().seconds))
        try:
            found = await self._fan_out.run(queries, tree, context)
            await asyncio.wait([counting], timeout=PATIENCE)
        finally:
            counting.cancel()
            counts = (await asyncio.gather(counting, return_exceptions=True))[0]
        if isinstance(counts, BaseException):
            late = isinstance(counts, asyncio.CancelledError)
            context.degrade("search", "without grounding", "no answer in time" if late else str(counts))
            return found
        return weighed(found, additions, counts)


def _tell_unlowered(found: Sequence[Ranking], context: Context) -> None:
    """Say once for each backend which conditions it was asked without."""
    for report in (r.report for r in found if r.report is not None):
        for reason in report.unlowered:
            context.note(f"{report.backend} was asked without a condition: {reason}")
        for part in report.unexpressed:
            if report.query.strategy == "original":
                context.note(f"{report.backend} has no words for a part of the query: {part}")


def _causes(found: Sequence[Ranking]) -> str:
    """Why all that were asked failed; empty where one answered: then it is a result, if an empty one."""
    reports = [r.report for r in found if r.report is not None and r.report.status != "skipped"]
    if any(report.status == "ok" for report in reports):
        return ""
    return "; ".join(dict.fromkeys(f"{report.backend}: {report.reason}" for report in reports))
