"""The step ``fuse``: Rankings -> one Ranking.

The original's list weighs most: all other lists of a backend together weigh ``search.share`` of it.  Queries that mean
to find *more* (``FILLING``) fill in below the first page, unless a reranker that reads the hits puts one higher; queries
that mean to find *better* may reorder it.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence

from qx.containment import contained, described
from qx.context import Context
from qx.filters.fieldmap import FieldMap
from qx.fusions.rrf import ReciprocalRank
from qx.ranking import Fusion, Ranking
from qx.steps.grounding import UNHELD
from qx.steps.grounding.additions import LEADS
from qx.steps.sorting import in_order

log = logging.getLogger("qx")

FILLING = frozenset({"feedback", "generalize", "pseudo-document", "translate"})
FIRST_PAGE = 10
"""Places that belong to the original and what may reorder it, however many hits are asked for."""


class FuseStep:
    """Merges lists.

    Args:
        fusion: The profile's way of merging; None where it names no backend: by ranks, what a search of the caller's own
            finds.
        weights: Backend -> its weight.
        share: What the other lists of a backend weigh together, where the original's weighs 1.
        depth: Hits of each list that are merged.  What a deep page asks for beyond it follows below, so that no page
            changes the ones before it.
        fields: Backend -> its field map: what a caller's order is told by where several lists are merged.
    """

    def __init__(
        self,
        fusion: Fusion | None,
        weights: Mapping[str, float],
        *,
        share: float,
        depth: int = 100,
        fields: Mapping[str, FieldMap] | None = None,
    ) -> None:
        self._fusion = fusion or ReciprocalRank()
        self._depth = depth
        self._fields = fields or {}
        self._weights = weights
        self._share = share

    async def __call__(self, value: tuple[Ranking, ...], context: Context, /) -> Ranking:
        lists = [ranking for ranking in value if ranking.keys]
        if not lists:
            return nothing(value)
        if len(lists) == 1 and context.options.sort:
            return lists[0]
        weights = self.weights(lists, value)
        with context.span("fusion", lists=len(lists)):
            if context.options.sort:
                fused = self._fused(self._fusion, lists, weights, context)
                return in_order(fused, context.options.sort, self._fields)
            if all(len(ranking.keys) <= self._depth for ranking in lists):
                return self._merged(self._fusion, lists, weights, context)
            upper = [ranking.pick(range(min(len(ranking.keys), self._depth))) for ranking in lists]
            top = self._merged(self._fusion, upper, weights, context)
            return _below(self._fused(self._fusion, lists, weights, context), top, len(top.keys))

    def _merged(self, fusion: Fusion, lists: Sequence[Ranking], weights: Sequence[float], context: Context) -> Ranking:
        """Merge ``lists``; those that fill in come below the first page."""
        fused = self._fused(fusion, lists, weights, context)
        better = [i for i, ranking in enumerate(lists) if not _fills(ranking)]
        if len(better) == len(lists) or not better:
            return fused
        top = self._fused(fusion, [lists[i] for i in better], [weights[i] for i in better], context)
        return _below(fused, top, FIRST_PAGE)

    def _fused(self, fusion: Fusion, lists: Sequence[Ranking], weights: Sequence[float], context: Context) -> Ranking:
        """Merge ``lists``; by their places where the profile's fusion, which may be anybody's, fails."""
        try:
            with contained("it"):
                return fusion.fuse(lists, weights)
        except Exception as error:
            name = type(fusion).__name__
            log.warning("fusion %s failed: %s", name, type(error).__name__, exc_info=error)
            context.degrade("fuse", "rrf", f"fusion {name}: {described(error)}")
            return ReciprocalRank().fuse(lists, weights)

    def weights(self, lists: Sequence[Ranking], asked: Sequence[Ranking] = ()) -> list[float]:
        """The weight of each list: the sub-query's and the backend's; of those that may reorder the top, cut to a share.

        A corrected query that leads has the original's weight, and the original, of which some word is in no document,
        has the share.

        Args:
            lists: The lists that are merged.
            asked: All that were asked for.  The part of one that brought nothing is nobody else's; that of one which was
                left out for words that the index does not hold is the original's: without those words it is that.
        """
        planned: dict[str | None, float] = defaultdict(float)
        unheld: dict[str | None, float] = defaultdict(float)
        for ranking in asked or lists:
            if (
                not ranking.is_original
                and not _fills(ranking)
                and not _leads(ranking)
                and (_ran(ranking) or _is_unheld(ranking))
            ):
                planned[ranking.backend] += self._raw(ranking)
                unheld[ranking.backend] += self._raw(ranking) if _is_unheld(ranking) else 0.0
        originals = {r.backend for r in lists if r.is_original}
        led = {r.backend for r in lists if _leads(r)}
        out: list[float] = []
        for ranking in lists:
            allowed = self._share * self._weights.get(ranking.backend or "", 1.0)
            cut = min(1.0, allowed / planned[ranking.backend]) if planned[ranking.backend] else 1.0
            weight = self._raw(ranking)
            if ranking.is_original:
                weight += unheld[ranking.backend] * cut
                weight *= min(1.0, self._share) if ranking.backend in led else 1.0
            elif not _fills(ranking) and not _leads(ranking) and ranking.backend in originals:
                weight *= cut
            out.append(weight)
        return out

    def _raw(self, ranking: Ranking) -> float:
        return (ranking.query.weight if ranking.query else 1.0) * self._weights.get(ranking.backend or "", 1.0)


def _ran(ranking: Ranking) -> bool:
    return ranking.report is None or ranking.report.status != "skipped"


def _is_unheld(ranking: Ranking) -> bool:
    return ranking.report is not None and ranking.report.reason.startswith(UNHELD)


def _fills(ranking: Ranking) -> bool:
    return ranking.query is not None and ranking.query.strategy in FILLING


def _leads(ranking: Ranking) -> bool:
    return ranking.query is not None and ranking.query.strategy == "spelling" and ranking.query.weight >= LEADS


def _below(fused: Ranking, top: Ranking, page: int) -> Ranking:
    """The first page of ``top``, then what is left of ``fused`` in its order."""
    first = set(top.keys[:page])
    where = {key: index for index, key in enumerate(fused.keys)}
    order = [where[key] for key in top.keys[:page]] + [i for i, key in enumerate(fused.keys) if key not in first]
    scores = sorted(map(fused.scores.__getitem__, order), reverse=True)  # a score must not grow down the list
    return fused.pick(order, scores)


def nothing(value: Sequence[Ranking]) -> Ranking:
    """The empty list, with what the engines reported."""
    totals = [ranking.total for ranking in value if ranking.total is not None]
    return Ranking.none(total=max(totals, default=None), outcome="empty")
