"""What every way of reranking is: hits in, a score for each out; and what was asked, as far as the hits know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from qx.ranking import Ranking
from qx.serial import value
from qx.types import Hit

if TYPE_CHECKING:
    from qx.context import Context


@value
class Task:
    """One list to put in order.

    Attributes:
        query: What was asked: the query, or its standalone form.
        others: The other sub-queries that found hits -> their weight beside the original's, 0..1.
        hits: The top of the list, in its order.
        ranking: The list, for its frequencies.
        seconds: How long it may take.
    """

    query: str
    others: Mapping[str, float]
    hits: Sequence[Hit]
    ranking: Ranking
    seconds: float


class Method(Protocol):
    """A way of reranking.

    Attributes:
        pace: Seconds for one hit, guessed before anything was measured; 0: the number of hits makes little difference.
        top: Hits that are worth looking at where the profile does not say.
    """

    @property
    def pace(self) -> float: ...

    @property
    def top(self) -> int: ...

    async def scores(self, task: Task, context: Context, /) -> Sequence[float | None]:
        """Return one score a hit, greater is better; None for those that there was no time for.

        Raises:
            QxError: it failed; the hits keep their order.
        """
        ...


def asked(text: str, hits: Sequence[Hit]) -> tuple[str, Mapping[str, float]]:
    """Return what the hits were asked for: the original or its standalone form, and the other sub-queries with weights.

    The original's list weighs most of a backend's: if one other text does, it is the standalone form of ``text``.
    """
    heaviest: dict[str, float] = defaultdict(float)
    weights: dict[tuple[str, str], float] = {}
    for hit in hits:
        for found in hit.contributions:
            heaviest[found.backend] = max(heaviest[found.backend], found.weight)
            weights[found.query, found.backend] = found.weight
    shares: dict[str, float] = defaultdict(float)
    for (query, backend), weight in weights.items():
        share = weight / heaviest[backend] if heaviest[backend] > 0 else 0.0
        shares[query] = max(shares[query], share)
    first = [query for query, share in shares.items() if share >= 1]
    query = first[0] if len(first) == 1 and first[0].strip() else text
    return query, {other: share for other, share in sorted(shares.items()) if other not in (query, text)}


__all__ = ["Method", "Task", "asked"]
