"""Reciprocal rank fusion, weighted: by places alone, whatever the scores mean.

    score(d) = sum over the lists i that hold d of  w_i / (k + rank_i(d))

with ranks from 1, in lists that hold each key once.  Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion
outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009, whose k is 60.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from pydantic import Field

from qx.fusions.merging import merge
from qx.model import Model
from qx.ranking import Ranking

if TYPE_CHECKING:
    from qx.hookspecs import Services


class Settings(Model):
    """The settings of ``fusion: {type: rrf}``."""

    k: int = Field(default=60, ge=0, le=1000)
    """The greater, the less the first places stand out."""


class ReciprocalRank:
    """Registered as ``rrf`` through ``qx_fusions`` (implements ``Fusion``)."""

    Settings = Settings

    def __init__(self, settings: Settings | None = None) -> None:
        self._k = (settings or Settings()).k
        self._table: tuple[float, ...] = ()

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the fusion; it holds nothing but its settings."""
        del services
        return cls(settings)

    def fuse(self, rankings: Sequence[Ranking], weights: Sequence[float], /) -> Ranking:
        """Merge lists into one.

        Raises:
            UsageError: the weights are all zero, negative, not finite, or not one for each list.
        """
        return merge(rankings, weights, self._terms)

    def _terms(self, scores: Sequence[float]) -> Sequence[float]:
        if len(self._table) < len(scores):
            self._table = tuple(1.0 / (self._k + rank) for rank in range(1, len(scores) + 1))
        return self._table[: len(scores)]


__all__ = ["ReciprocalRank", "Settings"]
