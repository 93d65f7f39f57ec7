"""What all fusions share: adding up what each list gives a key, and the fused list that makes its hits when asked.

The sums do not depend on the order of the lists: every summand is rounded to a multiple of 2^-40 of the greatest
weight, so that adding them in floating point is exact.  Ties go by best rank, then by key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count, zip_longest

from qx.errors import UsageError
from qx.fusions.describing import described
from qx.ranking import Ranking, Unreadable
from qx.serial import replace
from qx.types import Found, Hit

Terms = Callable[[Sequence[float]], Sequence[float]]
"""From the scores of a list, best first and one a key, what each key gets of it before the list's weight."""

_ROUND = 1.5 * 2.0**12
"""Adding and subtracting it rounds a number below 2^11 to a multiple of 2^-40."""


def merge(rankings: Sequence[Ranking], weights: Sequence[float], terms: Terms) -> Ranking:
    """Return the list of all keys, those with the greatest sum of weighted terms first.

    A list of weight 0 takes no part.  No hit is made here.

    Args:
        rankings: The lists; a key that stands in one twice counts at its first place.
        weights: One for each list.
        terms: What the keys of one list get.

    Raises:
        UsageError: the weights are all zero, negative, not finite, or not one for each list.
    """
    check(rankings, weights)
    taking = [(r, w) for r, w in zip(rankings, weights, strict=True) if w > 0]
    greatest = max((w for _, w in taking), default=1.0)
    lists = [_once(ranking) for ranking, _ in taking]
    totals = dict.fromkeys(_by_best_rank([keys for keys, _ in lists]), 0.0)
    for (keys, scores), (_, weight) in zip(lists, taking, strict=True):
        share = weight / greatest
        for key, part in zip(keys, [share * term + _ROUND - _ROUND for term in terms(scores)], strict=True):
            totals[key] += part
    order = sorted(totals, key=totals.__getitem__, reverse=True)  # stable: ties keep the order of best rank and key
    scores = tuple([totals[key] * greatest for key in order])
    hit = Hits(order, scores, [(r, w, keys) for (r, w), (keys, _) in zip(taking, lists, strict=True)])
    return described(Ranking(query=None, backend=None, keys=tuple(order), scores=scores, hit=hit), rankings)


def check(rankings: Sequence[Ranking], weights: Sequence[float]) -> None:
    """Raise ``UsageError`` unless there is one finite weight from 0 on for each list, and not all of them are 0."""
    if len(weights) != len(rankings):
        raise UsageError(f"{len(rankings)} lists cannot be merged by {len(weights)} weights: give one for each list")
    wrong = [w for w in weights if not (math.isfinite(w) and w >= 0)]
    if wrong:
        raise UsageError(f"a list cannot have the weight {wrong[0]:g}: weights are numbers from 0 on")
    if rankings and not any(weights):
        raise UsageError("all lists have the weight 0, so nothing would be found: give one of them more")


def _once(ranking: Ranking) -> tuple[Sequence[str], Sequence[float]]:
    """The keys of a list at their first places, with their scores."""
    if len(set(ranking.keys)) == len(ranking.keys):
        return ranking.keys, ranking.scores
    first = dict(zip(reversed(ranking.keys), reversed(ranking.scores), strict=True))
    keys = tuple(dict.fromkeys(ranking.keys))
    return keys, tuple(first[key] for key in keys)


def _by_best_rank(lists: Sequence[Sequence[str]]) -> Iterable[str]:
    """All keys, each once: those with a better best rank first, then in the order of the alphabet."""
    filling = "\U0010ffff"  # stands where a list is at its end
    while any(filling in keys for keys in lists):
        filling += filling[0]
    found = dict.fromkeys(chain.from_iterable(map(sorted, zip_longest(*lists, fillvalue=filling))))
    found.pop(filling, None)
    return found


class Hits:
    """Makes the hits of a fused list: each once, when somebody asks.

    The object is the one of the list where the hit stands best, with the contributions of every list.
    """

    def __init__(
        self, keys: Sequence[str], scores: Sequence[float], lists: Sequence[tuple[Ranking, float, Sequence[str]]]
    ) -> None:
        self._keys = keys
        self._scores = scores
        self._lists = lists
        self._ranks: list[tuple[Mapping[str, int], tuple[float, tuple[str, str], int]]] = []
        """Of each list the ranks of its keys, and what decides where a key has the same rank in several."""
        self._made: dict[int, Hit] = {}

    def __call__(self, index: int) -> Hit:
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index]

    def _make(self, index: int) -> Hit:
        if not self._ranks:
            self._ranks = [
                (dict(zip(keys, count(1), strict=False)), (-weight, _name(ranking), nth))
                for nth, (ranking, weight, keys) in enumerate(self._lists)
            ]
        key = self._keys[index]
        stands = sorted([(ranks[key], *then) for ranks, then in self._ranks if key in ranks])
        best: Hit | None = None
        contributions: list[Found] = []
        nested = False
        for rank, negative, _, nth in stands:
            ranking = self._lists[nth][0]
            if best is None or isinstance(best, Unreadable) or ranking.query is None:
                hit = ranking.hit(rank - 1 if ranking.keys[rank - 1] == key else ranking.keys.index(key))
                best = hit if best is None or isinstance(best, Unreadable) else best
                if ranking.query is None:  # a list that was fused before: its hits know where they come from
                    contributions += hit.contributions
                    nested = True
                    continue
            contributions.append(
                Found(query=ranking.query.text, backend=ranking.backend or best.backend, rank=rank, weight=-negative)
            )
        if best is None:
            raise IndexError(index)
        found = _best_first(contributions) if nested else tuple(dict.fromkeys(contributions))
        return replace(best, rank=index + 1, score=self._scores[index], contributions=found)


def _name(ranking: Ranking) -> tuple[str, str]:
    return (ranking.query.text if ranking.query else "", ranking.backend or "")


def _best_first(contributions: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(sorted(set(contributions), key=lambda c: (c.rank, -c.weight, c.query, c.backend)))


__all__ = ["Hits", "Terms", "check", "merge"]
