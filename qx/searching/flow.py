"""The flow of ``Engine.search``: the raw query at once, the expansion beside it, then search, fuse, process.

::

    rules of the profile ─▶ raw query on all backends ────────────────┐
                        └─▶ understand ─▶ expand ─▶ other sub-queries ─┴─▶ fuse ─▶ process ─▶ one ranked list
    too few ─▶ wider queries below    empty or stale ─▶ one second round    then what it is, honestly
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from qx.context import Step
from qx.errors import ProfileError
from qx.parts import Parts
from qx.ranking import Ranking
from qx.report import Report
from qx.request import RequestContext
from qx.searching.checking import check
from qx.searching.first_pass import FirstLists, is_strong, telling_words
from qx.searching.pinning import Pins
from qx.searching.results import Standing, result
from qx.searching.rewriting import Rewritten, arrange, rewrite, ruled
from qx.searching.second_round import again, dated, wider
from qx.searching.worth import worthwhile
from qx.serial import replace
from qx.settings import Profile
from qx.steps.exclusions import Exclusion, excluded_last, exclusions
from qx.steps.fuse import nothing
from qx.steps.pace import LATE
from qx.steps.strategies.feedback import first_hits
from qx.steps.understand import resolve_mode
from qx.types import Expansion, SearchResult, Understood, Usage

_UNASKED = "before a model is asked"
FIRST_PASS_SHARE = 0.25
"""Share of the remaining time that the other queries wait for the first pass where the profile asks for its words; an
engine that hangs must not cost the others their answers."""

Expanding = Callable[[RequestContext], Awaitable[Expansion]]


def no_backend(profile: Profile) -> ProfileError:
    """Return (not raise) the error of a search, or of indexing, with a profile that names no backend."""
    return ProfileError(
        f"the profile {profile.name} names no search backend",
        file=str(profile.source) if profile.source else None,
        hint="add `search: {backends: {NAME: {type: local, path: DIR}}}`",
    )


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
        self._replaced = search is not parts.search
        """A search of the caller's own is all that searches: no first pass, no second round."""
        modes = (parts.profile.understand.mode, parts.profile.expand.mode)
        self._asks_model = parts.asker is not None and any(
            resolve_mode(mode, parts.profile) != "rules" for mode in modes
        )
        self._pins = Pins(parts.connections, parts.profile.search)

    async def run(self, context: RequestContext, *, expand: bool) -> SearchResult:
        """Search for the request's query.

        Raises:
            ProfileError: the profile names no backend.
            UsageError: the caller names a field that no backend has, or compares one with what it cannot hold.
            SearchFailed: all of them failed.
        """
        last = SearchResult(hits=())
        async for found in self.stream(context, expand=expand, early_hits=False):
            last = found
        return last

    async def stream(
        self, context: RequestContext, *, expand: bool, early_hits: bool = True
    ) -> AsyncGenerator[SearchResult]:
        """Yield the raw query's hits as soon as they are there, then the result.

        Args:
            early_hits: False yields the result alone: merging and processing (which a model may do) run only once.
        """
        if not self._settings.backends and not self._replaced:
            raise no_backend(self._parts.profile)
        check([connection.backend for connection in self._parts.connections], context.query.filters, context.options)
        rewritten = rewrite(context.query, self._parts.profile.rewrite)
        context.query = rewritten.query
        for note in rewritten.notes:
            context.note(note)
        early = await self._begin(context)
        context.first_pass = early
        try:
            work = self._expanded(context, early, expand=expand)
            expanding = asyncio.ensure_future(work) if early_hits else None
            try:
                if expanding is not None:
                    await asyncio.wait([early.words, expanding], return_when=asyncio.FIRST_COMPLETED)
                    if early.there and not expanding.done():
                        yield await self._early(early.words.result(), rewritten, context)
                expansion = await (work if expanding is None else expanding)
                if expand:
                    self._remember(expansion, early, context)
                    expansion = await self._with_hits(expansion, early, context)
                    expansion = await self._with_names(expansion, early, context)
            finally:
                if expanding is not None:
                    expanding.cancel()
            yield await self._finish(ruled(expansion, rewritten), early, rewritten, context, expand=expand)
        finally:
            await early.end()

    async def _with_hits(self, expansion: Expansion, early: FirstLists, context: RequestContext) -> Expansion:
        """Add what strategies read in the first hits, where these came in time, as they did for this query before."""
        names = self._parts.expand.reading_hits(expansion)
        if not names or self._replaced or early.has_failed:
            return expansion
        if early.in_time:
            if not early.found_something:
                return expansion
            return await self._parts.expand.from_hits(expansion, context.at("expand"))
        if self._parts.search.pace.waiting != "never":
            context.note(f"{', '.join(names)} left out: {LATE}")
        return expansion

    def _remember(self, expansion: Expansion, early: FirstLists, context: RequestContext) -> None:
        """Write down whether the first pass came in time; where it mattered, who asks the same again finds the same."""
        pace = self._parts.search.pace
        if not self._replaced and pace.decided(early.asked, context.clock) is not early.in_time:
            matters = bool(self._parts.expand.reading_hits(expansion)) and not early.has_failed
            pace.decide(early.asked, context.clock, came=early.in_time, remember=matters)

    async def _with_names(self, expansion: Expansion, early: FirstLists, context: RequestContext) -> Expansion:
        """Add the query with what the first hits name, and with what no document holds as the index spells it."""
        if expansion.abstained is not None or self._replaced or not (early.in_time and early.there):
            return expansion
        hits, at = first_hits(early.words.result()), context.at("expand")
        return await self._parts.expand.from_index(self._parts.expand.from_names(expansion, hits, at), hits, at)

    async def _early(self, found: tuple[Ranking, ...], rewritten: Rewritten, context: RequestContext) -> SearchResult:
        """The raw query's hits: nobody is asked about them, and what there is to tell is told with the result."""
        shown = context.at("search", Report())
        process = self._parts.process.at_once if self._process is self._parts.process else self._process
        standing = await self._ranked(found, frozenset(), self._alone(shown), shown, process)
        return result(standing, None, rewritten, shown)

    async def _begin(self, context: RequestContext) -> FirstLists:
        """Start the raw query: with the words and filters that rules read from it, in a millisecond."""
        if self._replaced:
            return FirstLists("", self._nothing(), self._nothing())
        alone = self._alone(context)
        at = context.at("search")
        search = self._parts.search
        made = await search.planned(alone.queries, alone.understanding, at, ask=False)
        if made.asks_nothing:
            return FirstLists(made.first, self._nothing(), self._nothing())
        words = search.pace.timed(search.run(made, at, "words"), at.clock)
        meaning = search.run(made, at, "meaning") if search.has_meaning(made, at) else None
        return FirstLists(made.first, words, meaning)

    async def _nothing(self) -> tuple[Ranking, ...]:
        return ()

    def _alone(self, context: RequestContext) -> Expansion:
        """The original by itself, as rules read it."""
        base = self._parts.understand.by_rules(context.query, context.at("understand"))
        return self._parts.expand.alone(Understood(query=context.query, understanding=base))

    async def _expanded(self, context: RequestContext, early: FirstLists, *, expand: bool) -> Expansion:
        if not expand or context.options.sort:
            reason = "the caller asked for no expansion" if not expand else "the caller's order replaces the ranking"
            return replace(self._alone(context), abstained=reason)
        if self._asks_model and (patience := self._patience_first(early, context)):
            # the hits are there long before a model's answer, and may make it needless: then it is not paid for
            await asyncio.wait([early.words], timeout=patience)
            early.in_time = self._uses(early, context)
            self._parts.search.pace.note(f"{early.asked} {_UNASKED}", came=early.words.done())
            if early.in_time and (alone := self._left_alone(early, context)) is not None:
                return alone
        work = asyncio.ensure_future(self._expanding(context))
        try:
            await asyncio.wait([work, early.words], return_when=asyncio.FIRST_COMPLETED)
            if work.done() and self._parts.search.pace.waiting != "never":
                await asyncio.wait([early.words], timeout=self._patience(early, context))
            early.in_time = self._uses(early, context)
            alone = self._left_alone(early, context) if early.in_time else None
            if alone is None:
                return await work
            if self._asks_model and not work.done():
                context.report.usage += Usage(calls=1)
                context.note(
                    "the first hits came while a model was asked: the call is counted, its tokens are not known"
                )
            return alone
        finally:
            work.cancel()

    def _uses(self, early: FirstLists, context: RequestContext) -> bool:
        """Whether the first pass may still change the expansion: where nothing waits for it, it is not left to chance."""
        pace = self._parts.search.pace
        return early.words.done() and pace.waiting != "never" and pace.decided(early.asked, context.clock) is not False

    def _patience_first(self, early: FirstLists, context: RequestContext) -> float:
        """The same before a model is asked: whoever asked it at once does so in a replay."""
        noted = self._parts.search.pace.noted(f"{early.asked} {_UNASKED}")
        patience = 0.0 if noted is False else self._patience(early, context)
        if not patience:
            self._parts.search.pace.note(f"{early.asked} {_UNASKED}", came=False)
        return patience

    def _patience(self, early: FirstLists, context: RequestContext) -> float:
        """How long an expansion that is there waits for the first pass, whose hits it may make use of.

        An engine that takes its time would cost the others twice of it: then only who asked for ``feedback`` waits, and a
        request that was answered with these hits before.
        """
        left, before = context.budget.remaining().seconds, self._parts.search.pace.decided(early.asked, context.clock)
        if before is False:
            return 0.0
        if before or self._parts.expand.names_hits or self._parts.search.pace.waiting == "always":
            return 60.0 if left is None else left * FIRST_PASS_SHARE
        return self._parts.search.pace.patience

    def _left_alone(self, early: FirstLists, context: RequestContext) -> Expansion | None:
        """The original alone, where the first pass, as far as it is there, says that it needs no more."""
        if self._settings.strong >= 1 or self._parts.profile.expand.abstain == "never" or not early.there:
            return None
        words = telling_words(context.query.text)
        if not words or not is_strong(words, early.words.result(), self._settings.strong):
            return None
        return replace(self._alone(context), abstained="the first hits already hold all of the query's words")

    async def _finish(
        self, expansion: Expansion, early: FirstLists, rewritten: Rewritten, context: RequestContext, *, expand: bool
    ) -> SearchResult:
        found = await self._search(expansion, context.at("search"))
        if expand and expansion.abstained is None and (alone := self._left_alone(early, context)) is not None:
            expansion = ruled(alone, rewritten)  # it has come meanwhile
            kept = {query.text for query in expansion.queries}
            found = tuple(ranking for ranking in found if ranking.query is None or ranking.query.text in kept)
        standing = await self._ranked(found, frozenset(), expansion, context)
        if expand and not self._replaced and not context.options.sort and expansion.queries[0].text.strip():
            standing, expansion = await self._completed(standing, expansion, rewritten, context)
        standing = await self._pins.fetched(standing, rewritten, context)
        return result(standing, expansion, rewritten, context)

    async def _completed(
        self, standing: Standing, expansion: Expansion, rewritten: Rewritten, context: RequestContext
    ) -> tuple[Standing, Expansion]:
        """Run a second round where the first brought too little."""
        reason = self._lacking(arrange(standing.ranked, rewritten), context)
        if not reason:
            return standing, expansion
        if reason == "stale":
            more = dated(expansion, self._parts.now(context.query))
        else:
            more = await wider(expansion, context, self._parts.expand)
        return await again(standing, expansion, more, reason, context, search=self._parts.search, ranked=self._ranked)

    def _lacking(self, found: Ranking, context: RequestContext) -> str:
        """What a second round is for; empty where none is needed."""
        if found.outcome in ("stale", "spam"):
            return found.outcome
        # the same for every page that reaches as far, so that a page goes on where the one before it ended
        wanted = min(self._settings.min_results, context.options.offset + context.options.limit)
        if len(found.keys) < wanted:
            return "few" if found.keys else "empty"
        return ""

    async def _ranked(
        self,
        found: tuple[Ranking, ...],
        known: frozenset[str],
        expansion: Expansion,
        context: RequestContext,
        process: Step[Ranking, Ranking] | None = None,
    ) -> Standing:
        """Merge and process lists, without the hits of an earlier round; what is not wanted comes last, or not at all.

        This is done in blocks, each of ``search.depth`` hits of every list, one below the other: what reads the top of a
        list would else read another one for every page, and pages would repeat and lose hits.
        """
        process = process or self._process
        longest = max((len(ranking.keys) for ranking in found), default=0)
        depth = max(longest, 1) if context.options.sort else self._settings.depth
        needed = context.options.offset + context.options.limit
        standing: Standing | None = None
        for end in range(depth, max(longest, 1) + depth, depth):
            upper = found if longest <= end else tuple([r.pick(range(min(end, len(r.keys)))) for r in found])
            before = known if standing is None else known.union(standing.fused.keys)
            fused = await self._fuse(upper, context.at("fuse"))
            if before:
                fused = fused.pick([i for i, key in enumerate(fused.keys) if key not in before])
            ranked = await process(fused, context.at("process"))
            if not context.options.sort:
                missing = needed - (0 if standing is None else len(standing.ranked.keys))
                ranked = self._wanted(ranked, found, expansion, context, missing)
            standing = (
                Standing(found=found, fused=fused, ranked=ranked) if standing is None else standing.then(fused, ranked)
            )
            if len(standing.ranked.keys) >= needed:
                break
            if process is self._parts.process:  # a model reads the top; what is this far below it goes as it is
                process = self._parts.process.at_once
        return standing or Standing(found=found, fused=nothing(found), ranked=nothing(found))

    def _wanted(
        self, ranked: Ranking, found: tuple[Ranking, ...], expansion: Expansion, context: RequestContext, count: int
    ) -> Ranking:
        """Leave out what only added words found, as far as ``count`` hits are looked at; what is ruled out comes last."""
        excluded = self._excluded(expansion, context)
        count = len(ranked.keys) if excluded else count  # what comes up in the place of the last must be judged too
        ranked = worthwhile(ranked, found, expansion.queries[0].text, context.knowledge, count=count)
        return excluded_last(ranked, excluded)

    def _excluded(self, expansion: Expansion, context: RequestContext) -> tuple[Exclusion, ...]:
        """What the query rules out and some backend has no filter for."""
        backends = [connection.backend for connection in self._parts.connections]
        able = [c for c in expansion.understanding.constraints if all(c.field in b.fields for b in backends)]
        return exclusions(context.query, expansion.understanding, context.knowledge, able)
