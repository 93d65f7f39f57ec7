"""The flow of ``Engine.search``: the raw query at once, the expansion beside it, then search, fuse, process.

::

    rules of the profile ─▶ raw query on all backends ────────────────┐
                        └─▶ understand ─▶ expand ─▶ other sub-queries ─┴─▶ fuse ─▶ process ─▶ one ranked list
    too few ─▶ wider queries below    empty or stale ─▶ one rewriting    then what it is, honestly
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal

from qx.context import Step
from qx.errors import UsageError
from qx.filters import Filter
from qx.opening import Parts
from qx.ranking import Ranking
from qx.request import RequestContext
from qx.searching.rules import Rewritten, arrange, rewrite
from qx.steps.requests import asked, wanted
from qx.text import segment
from qx.text.clean import clean
from qx.types import Dropped, Expansion, Found, Hit, ListReport, SearchResult, SubQuery, Trace, Understood

STRONG_HITS = 3
"""Hits at the top that must hold the query's words in their titles for a first pass to be strong."""

PATIENCE = 0.25
"""Share of the remaining time that the other queries wait for the first pass, which may make them needless; an engine
that hangs must not cost the others their answers."""

REASONS = {
    "stale": "all dated hits are older than the query asks for",
    "spam": "most of the hits were spam",
    "few": "few hits",
    "empty": "no hits",
}

Expanding = Callable[[RequestContext], Awaitable[Expansion]]


class _EarlyLists:
    """The raw query's lists, under way (implements ``qx.ranking.FirstPass``)."""

    def __init__(self, text: str, tree: Filter | None, work: asyncio.Task[tuple[Ranking, ...]]) -> None:
        self.text = text
        self.filter = tree
        self.work = work

    async def rankings(self) -> tuple[Ranking, ...]:
        return await asyncio.shield(self.work)


class Searching:
    """Searches over one engine's parts.

    Args:
        parts: The engine's.
        search, fuse, process: The steps as the engine's caller wants them.
        expanding: How a request is expanded (cached and shared by the engine).
    """

    def __init__(
        self,
        parts: Parts,
        *,
        search: Step[Expansion, tuple[Ranking, ...]],
        fuse: Step[tuple[Ranking, ...], Ranking],
        process: Step[Ranking, Ranking],
        expanding: Expanding,
    ) -> None:
        self._parts = parts
        self._search = search
        self._fuse = fuse
        self._process = process
        self._expanding = expanding
        self._settings = parts.profile.search

    async def run(self, context: RequestContext, *, expand: bool) -> SearchResult:
        """Search for the request's query.

        Raises:
            UsageError: the profile names no backend.
            SearchFailed: all of them failed.
        """
        result = SearchResult(hits=())
        async for found in self.stream(context, expand=expand, early_hits=False):
            result = found
        return result

    async def stream(
        self, context: RequestContext, *, expand: bool, early_hits: bool = True
    ) -> AsyncIterator[SearchResult]:
        """Yield the raw query's hits as soon as they are there, then the result.

        Args:
            early_hits: False yields the result alone: merging and processing (which a model may do) run only once.
        """
        if not self._settings.backends:
            raise UsageError(
                "this profile names no search backend: add `search: {backends: {NAME: {type: local, path: DIR}}}`"
            )
        rewritten = rewrite(context.query, self._parts.profile.rewrite)
        context.query = rewritten.query
        for note in rewritten.notes:
            context.note(note)
        early = self._begin(context)
        context.first_pass = early
        try:
            expanding = asyncio.ensure_future(self._expanded(context, early, expand=expand))
            try:
                if early_hits:
                    await asyncio.wait([early.work, expanding], return_when=asyncio.FIRST_COMPLETED)
                    if early.work.done() and not expanding.done() and early.work.exception() is None:
                        yield await self._result(early.work.result(), None, rewritten, context)
                expansion = await expanding
            finally:
                expanding.cancel()
            yield await self._finish(_with_added(expansion, rewritten.add), rewritten, context, expand=expand)
        finally:
            early.work.cancel()
            await asyncio.gather(early.work, return_exceptions=True)

    def _begin(self, context: RequestContext) -> _EarlyLists:
        """Start the raw query: with the words and filters that rules read from it, in a millisecond."""
        base = self._parts.understand.by_rules(context.query, context.at("understand"))
        alone = self._parts.expand.alone(Understood(query=context.query, understanding=base))
        queries, typed = asked(alone.queries, context.query, base, context.filterable)
        tree = wanted(context.query, base, typed, context.filterable).all
        at = context.at("search")
        work = (
            asyncio.ensure_future(self._parts.search.run(queries, tree, at))
            if _asks(queries[0].text, tree)
            else _none()
        )
        return _EarlyLists(queries[0].text, tree, work)

    async def _expanded(self, context: RequestContext, early: _EarlyLists, *, expand: bool) -> Expansion:
        if not expand or context.options.sort:
            base = self._parts.understand.by_rules(context.query, context.at("understand"))
            alone = self._parts.expand.alone(Understood(query=context.query, understanding=base))
            reason = "the caller asked for no expansion" if not expand else "the caller's order replaces the ranking"
            return replace(alone, abstained=reason)
        words = self._telling_words(context)
        if not words:
            return await self._expanding(context)
        work = asyncio.ensure_future(self._expanding(context))
        try:
            await asyncio.wait([work, early.work], return_when=asyncio.FIRST_COMPLETED)
            left = context.budget.remaining().seconds
            await asyncio.wait([early.work], timeout=None if left is None else left * PATIENCE)
            if early.work.done() and early.work.exception() is None and self._is_strong(words, early.work.result()):
                base = self._parts.understand.by_rules(context.query, context.at("understand"))
                alone = self._parts.expand.alone(Understood(query=context.query, understanding=base))
                return replace(alone, abstained="the first hits already hold all of the query's words")
            return await work
        finally:
            work.cancel()

    def _telling_words(self, context: RequestContext) -> set[str]:
        """The query's content words, by which a first pass is judged; none where it is not to be judged."""
        if self._settings.strong >= 1 or self._parts.profile.expand.abstain == "never":
            return set()
        words = {segment.stem(word.casefold()) for word in segment.keywords(clean(context.query.text).text)}
        return words if len(words) > 1 else set()

    def _is_strong(self, words: set[str], found: Sequence[Ranking]) -> bool:
        """Whether the titles of the first hits hold (nearly) all of ``words``."""
        for ranking in found:
            titles = [ranking.hit(i).title for i in range(min(STRONG_HITS, len(ranking.keys)))]
            held = [words & {segment.stem(w.casefold()) for w in segment.keywords(title)} for title in titles]
            if len(titles) == STRONG_HITS and all(len(h) / len(words) >= self._settings.strong for h in held):
                return True
        return False

    async def _finish(
        self, expansion: Expansion, rewritten: Rewritten, context: RequestContext, *, expand: bool
    ) -> SearchResult:
        found = await self._search(expansion, context.at("search"))
        result = await self._result(found, expansion, rewritten, context)
        if not expand or context.options.sort or not expansion.queries[0].text.strip():
            return result
        if result.outcome == "stale":
            return await self._again(self._dated(expansion, context), expansion, found, rewritten, context, "stale")
        if result.outcome == "spam":
            return await self._again(
                await self._wider(expansion, context), expansion, found, rewritten, context, "spam"
            )
        if len(result.hits) < min(self._settings.min_results, context.options.limit) and context.options.offset == 0:
            wider = await self._wider(expansion, context)
            reason = "empty" if not result.hits else "few"
            return await self._again(wider, expansion, found, rewritten, context, reason)
        return result

    async def _again(
        self,
        more: Sequence[SubQuery],
        expansion: Expansion,
        found: tuple[Ranking, ...],
        rewritten: Rewritten,
        context: RequestContext,
        reason: str,
    ) -> SearchResult:
        """Run ``more`` besides, once; what was found before stays first."""
        if not more:
            if reason != "few":
                context.note(f"{REASONS[reason]}, and there are no other words to try")
            return await self._result(found, expansion, rewritten, context)
        at = context.at("search")
        queries, _ = asked(more, context.query, expansion.understanding, context.filterable)
        _, typed = asked(expansion.queries[:1], context.query, expansion.understanding, context.filterable)
        tree = wanted(context.query, expansion.understanding, typed, context.filterable).all
        tried = ", ".join(f"“{query.text}”" for query in more)
        context.note(f"{REASONS[reason]}: tried {tried}")
        extra = await self._parts.search.run(queries, tree, at)
        whole = replace(expansion, queries=(*expansion.queries, *more))
        return await self._result((*found, *extra), whole, rewritten, context)

    async def _wider(self, expansion: Expansion, context: RequestContext) -> tuple[SubQuery, ...]:
        have = {query.text for query in expansion.queries}
        value = Understood(query=context.query, understanding=expansion.understanding)
        made = await self._parts.expand.wider(value, context.at("expand"), forced=expansion.abstained is not None)
        return tuple(query for query in made if query.text not in have)[:4]

    def _dated(self, expansion: Expansion, context: RequestContext) -> tuple[SubQuery, ...]:
        original = expansion.queries[0]
        year = self._parts.now(context.query).year
        return (
            SubQuery(text=f"{original.text} {year}", strategy="dated", weight=0.9, why="newest"),
            SubQuery(
                text=f"{original.text} after:{year - 1}", strategy="dated", target="web", weight=0.9, why="newest"
            ),
        )

    async def _result(
        self, found: tuple[Ranking, ...], expansion: Expansion | None, rewritten: Rewritten, context: RequestContext
    ) -> SearchResult:
        fused = await self._fuse(found, context.at("fuse"))
        ranked = arrange(await self._process(fused, context.at("process")), rewritten)
        options, report = context.options, context.report
        page = range(options.offset, min(options.offset + options.limit, len(ranked.keys)))
        reports = tuple(r.report for r in found if r.report is not None)
        totals = [r.total for r in found if r.total is not None and r.is_original]
        return SearchResult(
            hits=tuple(_placed(ranked, index) for index in page),
            rankings=reports,
            understanding=expansion.understanding if expansion else SearchResult(hits=()).understanding,
            expansion=expansion,
            degraded=tuple(dict.fromkeys((*report.degraded, *(expansion.degraded if expansion else ())))),
            partial=_partial(reports),
            outcome="empty" if not ranked.keys and ranked.outcome == "ok" else ranked.outcome,
            total=totals[0] if len(totals) == 1 else max(totals, default=None),
            facets={name: tuple(counts) for r in found if r.is_original for name, counts in r.facets.items()},
            notes=tuple(dict.fromkeys((*report.notes, *ranked.notes))),
            dropped=tuple(Dropped(text=key, reason=reason) for key, reason in ranked.dropped),
            usage=report.usage,
            trace=Trace(id=context.trace, spans=tuple(report.spans)),
        )


def _asks(text: str, tree: Filter | None) -> bool:
    return bool(text.strip()) or tree is not None


def _none() -> asyncio.Task[tuple[Ranking, ...]]:
    async def nothing() -> tuple[Ranking, ...]:
        return ()

    return asyncio.ensure_future(nothing())


def _with_added(expansion: Expansion, add: Sequence[str]) -> Expansion:
    more = tuple(SubQuery(text=text, strategy="rule", weight=0.9, why="rule of the profile") for text in add)
    return replace(expansion, queries=(*expansion.queries, *more)) if more else expansion


def _placed(ranking: Ranking, index: int) -> Hit:
    hit = ranking.hit(index)
    found = hit.contributions
    if not found and ranking.query is not None:
        found = (Found(query=ranking.query.text, backend=ranking.backend or "", rank=index + 1, weight=1.0),)
    return replace(hit, score=round(ranking.scores[index], 6), rank=index + 1, contributions=found)


def _partial(reports: Sequence[ListReport]) -> str | Literal[False]:
    """False, or which backends failed or were late, and why."""
    bad = dict.fromkeys(f"{r.backend}: {r.reason}" for r in reports if r.status in ("failed", "timeout"))
    return "; ".join(bad) or False
