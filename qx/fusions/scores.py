"""Merging by scores as they come from engines, made fit for reckoning with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from qx.fusions.merging import merge
from qx.model import Model
from qx.ranking import Ranking

if TYPE_CHECKING:
    from qx.hookspecs import Services

_LARGE = 1e100
"""Squares of larger scores, or differences between them, would leave the range of floating point."""


def finite(scores: Sequence[float]) -> Sequence[float]:
    """Return ``scores`` without infinities and NaN, and scaled down together where they are huge.

    What is no number counts as the least that the list knows, infinity as the greatest.
    """
    if not scores or (math.isfinite(sum(scores)) and max(scores) <= _LARGE and min(scores) >= -_LARGE):
        return scores  # the sum is finite only where every score is
    known = [score for score in scores if math.isfinite(score)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    scale = max(abs(low), abs(high), 1.0)
    return [(high if score == math.inf else score if math.isfinite(score) else low) / scale for score in scores]


class Settings(Model):
    """A fusion by scores has no settings."""


class ByScore:
    """What the fusions by scores share; each has its own ``terms``."""

    Settings = Settings

    @staticmethod
    def terms(scores: Sequence[float], /) -> Sequence[float]:
        """Return what each key of a list gets, from the list's scores."""
        raise NotImplementedError

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
        return merge(rankings, weights, self.terms)


__all__ = ["ByScore", "Settings", "finite"]
