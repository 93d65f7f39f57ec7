"""A second round where the first brought too little: wider or dated queries, run once, put in their place.

What was merged and processed before is not touched again: the second round's own hits are, and then take their place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from qx.ranking import Ranking
from qx.request import RequestContext
from qx.searching.results import Standing, joined
from qx.serial import replace
from qx.steps.expand import ExpandStep
from qx.steps.search import SearchStep
from qx.types import Expansion, SubQuery, Understood

REASONS = {
    "stale": "all dated hits are older than the query asks for",
    "spam": "most of the hits were spam",
    "few": "few hits",
    "empty": "no hits",
}
MOST = 4
"""Queries of a second round."""

Ranked = Callable[[tuple[Ranking, ...], frozenset[str], Expansion, RequestContext], Awaitable[Standing]]


async def again(
    standing: Standing,
    expansion: Expansion,
    more: Sequence[SubQuery],
    reason: str,
    context: RequestContext,
    *,
    search: SearchStep,
    ranked: Ranked,
) -> tuple[Standing, Expansion]:
    """Run ``more`` besides.

    Fewer hits than wanted are followed by what the wider queries found; what is newer than hits that are too old comes
    before them.

    Args:
        standing: The first round.
        reason: One of ``REASONS``.
        search: Runs the queries.
        ranked: Merges and processes lists, without the keys that are known already.
    """
    if not more:
        if reason != "few":
            context.note(f"{REASONS[reason]}, and there are no other words to try")
        return standing, expansion
    tried = ", ".join(f"“{query.text}”" for query in more)
    context.note(f"{REASONS[reason]}: tried {tried}")
    original = expansion.queries[0]
    made = await search.planned(more, expansion.understanding, context.at("search"), original=original)
    extra = await search.run(made, context.at("search"))
    second = await ranked(extra, frozenset(standing.fused.keys), expansion, context)
    whole = replace(expansion, queries=(*expansion.queries, *more))
    return _together(standing, second, reason), whole


def _together(first: Standing, second: Standing, reason: str) -> Standing:
    better = bool(second.ranked.keys) and second.ranked.outcome == "ok"
    outcome = "ok" if better and reason in ("stale", "spam") else first.ranked.outcome
    if not first.ranked.keys:
        outcome = second.ranked.outcome
    if reason == "stale" and better:
        merged = joined(second.ranked, first.ranked)
    else:
        merged = joined(first.ranked, second.ranked)
    return Standing(
        found=(*first.found, *second.found),
        fused=joined(first.fused, second.fused),
        ranked=replace(merged, outcome=outcome),
    )


async def wider(expansion: Expansion, context: RequestContext, expand: ExpandStep) -> tuple[SubQuery, ...]:
    """Return more general queries that have not run yet."""
    have = {query.text for query in expansion.queries}
    value = Understood(query=context.query, understanding=expansion.understanding)
    made = await expand.wider(value, context.at("expand"), forced=expansion.abstained is not None)
    return tuple(query for query in made if query.text not in have)[:MOST]


def dated(expansion: Expansion, now: datetime) -> tuple[SubQuery, ...]:
    """Return the original with the year beside it, and from the year before on."""
    original, year = expansion.queries[0], now.year
    return (
        SubQuery(text=f"{original.text} {year}", strategy="dated", weight=0.9, why="newest"),
        SubQuery(text=f"{original.text} after:{year - 1}", strategy="dated", weight=0.9, why="newest"),
    )
