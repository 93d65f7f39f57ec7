"""The processor ``mmr``: variety at the top, by maximal marginal relevance.

One after the other, the hit is taken that has the most of

    λ · relevance(d) - (1 - λ) · max over the hits taken before of  likeness(d, d')

with relevance the hit's place in the list, 1 at the top and falling to 0, and likeness that of the words (the Jaccard
index) or of the vectors (the cosine).  Source: Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking",
SIGIR 1998.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field

from qx.builtin.vectors import CLIP, Vector, cosine, embedded, said
from qx.model import Model
from qx.ranking import Ranking
from qx.text import segment
from qx.text.normalise import characters_simplified
from qx.types import Hit

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services

Likeness = Callable[[int, int], float]


class Settings(Model):
    """The settings of ``{type: mmr}``."""

    by: Literal["lexical", "embedding"] = "lexical"
    """What two hits are compared by: their words, or the embedder's vectors."""
    balance: float = Field(default=0.7, ge=0, le=1)
    """λ: 1 keeps the order, 0 looks at variety alone."""
    top: int = Field(default=50, ge=2, le=500)
    """Hits that are put in order; those below keep theirs."""


class MaximalMarginalRelevance:
    """Registered as ``mmr`` through ``qx_post_processors``."""

    Settings = Settings
    reorders = True

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.calls = settings.by == "embedding"

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor and load the dictionary."""
        if settings.by == "lexical":
            await services.run_cpu(lambda: segment.pieces("预热"))
        return cls(settings)

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Put the top in an order of more variety; no hit is dropped.

        Raises:
            ProviderError: ``by: embedding`` and the embedder failed; the engine goes on without the processor.
        """
        count = min(self._settings.top, len(ranking.keys))
        if count < 3 or self._settings.balance == 1:
            return ranking
        hits = [ranking.hit(i) for i in range(count)]
        if self._settings.by == "lexical":
            likeness = await context.run_cpu(lambda: _by_words(hits))
        else:
            left = context.budget.remaining().seconds
            texts = [said(hit) for hit in hits]
            vectors = await embedded(context, texts, query=False, timeout=10.0 if left is None else left)
            likeness = _by_vectors(vectors)
        order = diverse(count, likeness, balance=self._settings.balance)
        if order == list(range(count)):
            return ranking
        scores = ranking.scores  # they belong to the places from now on
        return ranking.pick([*order, *range(count, len(ranking.keys))], scores)

    async def aclose(self) -> None:
        """Nothing to close."""


def diverse(count: int, likeness: Likeness, *, balance: float) -> list[int]:
    """Return the order of ``count`` hits that stood in the order of relevance; ties keep it."""
    left = list(range(count))
    nearest = [0.0] * count
    order: list[int] = []
    while left:
        best = max(left, key=lambda i: (balance * (1 - i / count) - (1 - balance) * nearest[i], -i))
        left.remove(best)
        order.append(best)
        for i in left:
            nearest[i] = max(nearest[i], likeness(i, best))
    return order


def _by_words(hits: Sequence[Hit]) -> Likeness:
    sets = [frozenset(_words(hit)) for hit in hits]

    def likeness(i: int, j: int) -> float:
        common = len(sets[i] & sets[j])
        return common / (len(sets[i]) + len(sets[j]) - common) if common else 0.0

    return likeness


def _by_vectors(vectors: Sequence[Vector]) -> Likeness:
    def likeness(i: int, j: int) -> float:
        return cosine(vectors[i], vectors[j])

    return likeness


def _words(hit: Hit) -> list[str]:
    folded = characters_simplified(said(hit, 2 * CLIP).casefold())
    return [segment.stem(word) for word in segment.keywords(folded)]


__all__ = ["MaximalMarginalRelevance", "Settings", "diverse"]
