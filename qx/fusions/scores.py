"""Scores as they come from engines, made fit for reckoning with."""

from __future__ import annotations

import math
from collections.abc import Sequence

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


__all__ = ["finite"]
