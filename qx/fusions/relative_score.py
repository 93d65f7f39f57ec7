"""Relative score fusion: each list's scores stretched to 0..1, weighted and added.

    score(d) = sum over the lists i that hold d of  w_i * (s_i(d) - min_i) / (max_i - min_i)

Where all scores of a list are equal, each of its hits gets 1.  Source: min-max normalisation with CombSUM of Fox and
Shaw, "Combination of Multiple Searches", TREC-2, 1994; the name is Weaviate's (``relativeScoreFusion``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from qx.domain import Model
from qx.fusions.merging import merge
from qx.fusions.scores import finite
from qx.ranking import Ranking

if TYPE_CHECKING:
    from qx.hookspecs import Services


class Settings(Model):
    """``fusion: relative-score`` has no settings."""


class RelativeScore:
    """Registered as ``relative-score`` through ``qx_fusions`` (implements ``Fusion``)."""

    Settings = Settings

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the fusion; there is nothing to set."""
        del settings, services
        return cls()

    def fuse(self, rankings: Sequence[Ranking], weights: Sequence[float], /) -> Ranking:
        """Merge lists into one.

        Raises:
            UsageError: the weights are all zero, negative, not finite, or not one for each list.
        """
        return merge(rankings, weights, stretched)


def stretched(scores: Sequence[float]) -> Sequence[float]:
    """Return ``scores`` on a line from 0 (the least) to 1 (the greatest); equal ones as 1."""
    known = finite(scores)
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high == low:
        return [1.0] * len(known)
    width = high - low
    return [(score - low) / width for score in known]


__all__ = ["RelativeScore", "Settings", "stretched"]
