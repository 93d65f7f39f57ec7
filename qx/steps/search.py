"""The step ``search``: Expansion -> Rankings.  START HERE; the calls themselves are in ``qx.steps.fanout``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from qx.calls.connection import Connection
from qx.context import Context
from qx.errors import QxError, SearchFailed
from qx.filters import Compare, Filter, Leaf, without
from qx.filters.inference import exclusions as exclusions_of
from qx.filters.inference import relaxations
from qx.ranking import Ranking
from qx.serial import replace
from qx.settings import Search
from qx.steps.exclusions import exclusions, narrowed
from qx.steps.fanout import FanOut, Sides
from qx.steps.grounding import grounded, relieved, restored, weighed
from qx.steps.grounding.absent import tell_absent
from qx.steps.grounding.additions import LEADS, added, corrected
from qx.steps.grounding.vocabulary import tell_unknown
from qx.steps.listing import empty
from qx.steps.pace import Decisions, Pace, Waiting
from qx.steps.requests import Asked, Part, Plan, part
from qx.steps.typed import untyped
from qx.syntax import words as said
from qx.types import Expansion, SubQuery, Understanding

COUNTS_WAIT = 0.05
"""Seconds that lists which are there wait for the engines' word on what expansion added."""
_PROBED = 4
"""Exclusions that are looked at one by one where a query finds nothing."""
_AGAIN = 10
"""So many times as long where it came in time when the same was asked before."""


class SearchStep:
    """Runs an expansion's queries.

    Args:
        connections: The engine's backends, in the profile's order.
        settings: Depth, order, identity.
        waiting: Whether what is there waits for what makes it better.
        decisions: What was there in time when this was recorded.
    """

    def __init__(
        self,
        connections: Sequence[Connection],
        settings: Search,
        *,
        waiting: Waiting = "auto",
        decisions: Decisions | None = None,
    ) -> None:
        self._fan_out = FanOut(connections, settings)
        self._settings = settings
        self._connections = connections
        nearby = bool(connections) and all(getattr(c.backend, "in_process", False) for c in connections)
        self.pace = Pace(waiting, nearby=nearby, decisions=decisions)

    async def __call__(self, value: Expansion, context: Context, /) -> tuple[Ranking, ...]:
        made = await self.planned(value.queries, value.understanding, context, narrow=value.abstained is None)
        if made.asks_nothing:
            return ()
        found = await self._first(made, context)
        if _says_empty(found) or context.options.sort:
            asked = [part.filters.all for part in made.parts] if _says_empty(found) else []
            await tell_absent(self._connections, asked, [s.field for s in context.options.sort], context)
        wanted = context.options.offset + context.options.limit
        if _is_few(found, min(wanted, self._settings.min_results) if made.says_more else wanted):
            alone = made.of_filters_alone()
            if alone is not None:
                found = await self._by_filters(made, alone, found, context)
                made = alone
        if made.infers and _says_empty(found):
            found = await self._relaxed(made, found, context)
        causes = _causes(found)
        if not causes:
            _tell_unlowered(found, made, context)
            return found
        early = context.first_pass
        before = await early.rankings() if early is not None else ()
        if not any(ranking.keys for ranking in before):
            kinds = frozenset(r.report.error for r in found if r.report is not None and r.report.error)
            raise SearchFailed("every search backend failed: " + causes, kinds=kinds)
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
        narrow: bool = False,
    ) -> Plan:
        """Take sub-queries apart, for each backend with the conditions that it can carry, as the index spells them.

        Args:
            original: The original, where it is not among ``queries``.
            ask: False asks no engine, so that nothing waits.
            narrow: Whether to ask once more without what the original rules out.
        """
        fields = context.filterable
        understanding = untyped(understanding, context.query.text, fields)
        parts: list[Part] = []
        for known in await grounded(understanding, context, ask=ask):
            filtered = [c for c in known.understanding.constraints if c.field in fields]
            excluded = exclusions(context.query, understanding, context.knowledge, filtered)
            more = narrowed(queries[0], excluded) if narrow else ()
            asked = relieved((*queries, *more), understanding, known.understanding)
            parts.append(
                part(
                    restored(asked, known.words, context.query),
                    context.query,
                    known.understanding,
                    fields,
                    original=original,
                    excluded=excluded,
                    backends=known.backends,
                    unlowered=known.unlowered,
                )
            )
        return Plan(parts=tuple(parts))

    def has_meaning(self, made: Plan, context: Context) -> bool:
        """Whether any backend may be searched by meaning."""
        return self._fan_out.has_meaning(made, context)

    async def run(self, made: Plan, context: Context, sides: Sides = "both") -> tuple[Ranking, ...]:
        """Run a plan; what fails or is late is a ranking that says so.

        Args:
            sides: Whether words, meaning or both are looked for; one side alone is never run in sequence.
        """
        if sides != "both":
            return await self._fan_out.run(made, context, sides)
        return await self._run(made, context)

    async def _run(self, made: Plan, context: Context) -> tuple[Ranking, ...]:
        if self._settings.order == "sequential":
            return await self._one_by_one(made, context)
        return await self._at_once(made, context)

    async def _first(self, made: Plan, context: Context) -> tuple[Ranking, ...]:
        """Use the raw query's lists where they are of the same words and filter; run the rest."""
        early, raw = context.first_pass, made.parts[0].queries[0]
        if early is None or early.asked != made.first:
            return await self._run(made, context)
        if self._settings.order == "sequential":
            first = await early.rankings()
            others = await self._one_by_one(made.only(1), context, before=first, original=raw)
        elif len(made.queries) > 1:
            work = asyncio.ensure_future(self._at_once(made.only(1), context, original=raw))
            try:
                first = await early.rankings()
                others = await work
            finally:  # where the first pass raises, the others do not go on by themselves
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)
        else:
            first, others = await early.rankings(), ()
        return (*(replace(r, query=raw.query) for r in first), *others)

    async def _by_filters(
        self, made: Plan, alone: Plan, before: tuple[Ranking, ...], context: Context
    ) -> tuple[Ranking, ...]:
        """Ask for all that meets the conditions: the query's own words only say what any document is.

        What was found by the words stays above it.
        """
        first = not any(ranking.keys for ranking in before)
        found = await self.run(alone if first else alone.filling(), context, "words")
        more = {key for ranking in found for key in ranking.keys} - {key for r in before for key in r.keys}
        if not more:
            return before
        words = " ".join(said(made.parts[0].queries[0].expression))
        if words and made.parts[0].says_more:
            held = "no document that meets the conditions" if first else "only some that meet the conditions"
            verb = "holds" if first else "hold"
            context.note(f"{held} {verb} “{words}”: {'all' if first else 'the others'} are shown")
        failed = [ranking for ranking in before if _failed(ranking)]
        return (*found, *failed) if first else (*before, *found)

    async def _relaxed(self, made: Plan, before: tuple[Ranking, ...], context: Context) -> tuple[Ranking, ...]:
        """Do without as few inferred conditions as find something; never without the caller's, nor an exclusion."""
        weaker = [list(relaxations(part.filters.all)) for part in made.parts]
        for step in range(max(map(len, weaker))):
            now = [steps[min(step, len(steps) - 1)] if steps else None for steps in weaker]
            trees = [r.filter if r is not None else p.filters.all for r, p in zip(now, made.parts, strict=True)]
            found = await self._run(made.filtered(trees), context)
            if any(ranking.keys for ranking in found):
                dropped = dict.fromkeys(leaf for relaxed in now if relaxed is not None for leaf in relaxed.dropped)
                told = ", ".join(map(_relaxed_leaf, dropped))
                context.note(f"nothing met every condition; relaxed: {told}")
                return (*found, *(ranking for ranking in before if _failed(ranking)))
        weakest = [s[-1].filter if s else p.filters.all for s, p in zip(weaker, made.parts, strict=True)]
        words = made.in_words(weakest)
        found = await self.run(words, context, "words") if words is not None else ()
        if any(ranking.keys for ranking in found):
            context.note("nothing met the conditions: looked for in words")
            return (*found, *(ranking for ranking in before if _failed(ranking)))
        await self._tell_excluded(made.only(0, 1), weakest, context)
        return before

    async def _tell_excluded(self, made: Plan, trees: Sequence[Filter | None], context: Context) -> None:
        """Say which exclusions leave nothing: those without which the original finds something."""
        found = tuple(dict.fromkeys(leaf for tree in trees for leaf in exclusions_of(tree)))
        groups = [(leaf,) for leaf in found] if len(found) <= _PROBED else []
        guilty: list[Leaf] = []
        for group in groups if len(found) == 1 else (*groups, found):
            if not group or (len(group) > 1 and guilty):
                continue
            left = [without(tree, frozenset(group).__contains__) for tree in trees]
            if any(ranking.keys for ranking in await self._run(made.filtered(left), context)):
                guilty += group
        if guilty:
            told = ", ".join(map(_relaxed_leaf, guilty))
            context.note(f"all that was found is what the query rules out, which is never relaxed: {told}")

    async def _one_by_one(
        self,
        made: Plan,
        context: Context,
        *,
        before: Sequence[Ranking] = (),
        original: Asked | None = None,
    ) -> tuple[Ranking, ...]:
        enough = context.options.offset + context.options.limit
        queries = made.parts[0].queries
        found: list[Ranking] = []
        for place, query in enumerate(queries):
            if len({key for ranking in (*before, *found) for key in ranking.keys}) >= enough:
                found += [empty(query, name, "skipped", "there were enough hits") for name in self._fan_out.names]
                continue
            found += await self._at_once(made.only(place, place + 1), context, original=original or queries[0])
        return tuple(found)

    async def _at_once(self, made: Plan, context: Context, *, original: Asked | None = None) -> tuple[Ranking, ...]:
        """Run queries, and meanwhile ask the engines whether they hold what expansion added."""
        vocabulary = context.vocabulary
        if vocabulary is None or not vocabulary.tells("frequencies"):
            return await self._fan_out.run(made, context)
        queries = made.parts[0].queries
        own = original or queries[0]
        additions = {a.query: added(a, own.expression) for a in queries if a.query.strategy != "original"}
        slips = {a.query: words for a in queries if (words := corrected(a, own))}
        asked = (*additions.values(), *slips.values())
        words = tuple(dict.fromkeys(word for found in asked for word in found))
        if not words:
            return await self._fan_out.run(made, context)
        question = f"counts {words}"
        before = self.pace.decided(question, context.clock)
        counting = asyncio.ensure_future(vocabulary.frequencies(words, context.budget.remaining().seconds))
        if before is False:
            counting.cancel()
        try:
            found = await self._fan_out.run(made, context)
            patience = COUNTS_WAIT * (_AGAIN if before else 1)
            await asyncio.wait([counting], timeout=patience if self.pace.waiting == "auto" else None)
        finally:
            counting.cancel()
            counts = (await asyncio.gather(counting, return_exceptions=True))[0]
        self.pace.decide(question, context.clock, came=not isinstance(counts, asyncio.CancelledError))
        if isinstance(counts, asyncio.CancelledError):  # an engine that has just begun to answer, and is no failure
            context.note("searched without asking what the index holds: no answer in time")
            return found
        if isinstance(counts, QxError):
            tell_unknown(context, counts)
            return found
        if isinstance(counts, BaseException):
            raise counts
        found = weighed(found, additions, counts, slips)
        _tell_corrected(found, slips, context)
        return found


def _tell_unlowered(found: Sequence[Ranking], made: Plan, context: Context) -> None:
    """Say once for each backend which conditions it was asked without; those that stayed words are told already."""
    words = {reason for part in made.parts for reason in part.unlowered}
    for report in (r.report for r in found if r.report is not None):
        for reason in report.unlowered:
            if reason not in words:
                context.note(f"{report.backend} was asked without a condition: {reason}")
        for phrase in report.unexpressed:
            if report.query.strategy == "original":
                context.note(f"{report.backend} has no words for a part of the query: {phrase}")


def _tell_corrected(found: Sequence[Ranking], slips: Mapping[SubQuery, Sequence[str]], context: Context) -> None:
    """Say that the list is first of all that of the corrected query."""
    wrong = {query.text: words for query, words in slips.items()}
    for query in (r.query for r in found if r.query is not None and r.query.text in wrong):
        if query.strategy == "spelling" and query.weight >= LEADS:
            context.note(f"no document holds “{', '.join(wrong[query.text])}”: “{query.text}” comes first")


def _says_empty(found: Sequence[Ranking]) -> bool:
    """Whether an engine that answered has nothing, and none has anything: an error says nothing of what there is."""
    answered = any(r.report is None or r.report.status == "ok" for r in found)
    return answered and not any(ranking.keys for ranking in found)


def _is_few(found: Sequence[Ranking], wanted: int) -> bool:
    """Whether engines answered, and there are fewer hits than are wanted."""
    if not any(r.report is None or r.report.status == "ok" for r in found):
        return False
    return len({key for ranking in found for key in ranking.keys}) < wanted


def _relaxed_leaf(leaf: Leaf) -> str:
    """A condition that was given up, with its value: which of several makers is found after all."""
    if not isinstance(leaf, Compare):
        return f"{leaf.field} exists"
    values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    shown = " or ".join(f"{v:g}" if isinstance(v, float) and abs(v) < 1e6 else str(v) for v in values)
    return f"{leaf.field} {leaf.op} {shown}{f' {leaf.unit}' if leaf.unit else ''}"


def _failed(ranking: Ranking) -> bool:
    return ranking.report is not None and ranking.report.status in ("failed", "timeout")


def _causes(found: Sequence[Ranking]) -> str:
    """Why all that were asked failed; empty where one answered: then it is a result, if an empty one."""
    reports = [r.report for r in found if r.report is not None and r.report.status != "skipped"]
    if any(report.status == "ok" for report in reports):
        return ""
    return "; ".join(dict.fromkeys(f"{report.backend}: {report.reason}" for report in reports))
