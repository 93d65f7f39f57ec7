"""Relative score fusion: each list's scores stretched to 0..1, weighted and added.

    score(d) = sum over the lists i that hold d of  w_i * (s_i(d) - min_i) / (max_i - min_i)

Where all scores of a list are equal, each of its hits gets 1.  Source: min-max normalisation with CombSUM of Fox and
Shaw, "Combination of Multiple Searches", TREC-2, 1994; the name is Weaviate's (``relativeScoreFusion``).
"""

from __future__ import annotations

from collections.abc import Sequence

from qx.fusions.scores import ByScore, finite


def stretched(scores: Sequence[float]) -> Sequence[float]:
    """Return ``scores`` on a line from 0 (the least) to 1 (the greatest); equal ones as 1."""
    known = finite(scores)
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high == low:
        return [1.0] * len(known)
    width = high - low
    return [(score - low) / width for score in known]


class RelativeScore(ByScore):
    """Registered as ``relative-score`` through ``qx_fusions`` (implements ``Fusion``)."""

    @staticmethod
    def terms(scores: Sequence[float], /) -> Sequence[float]:
        """As ``stretched``."""
        return stretched(scores)


__all__ = ["RelativeScore", "stretched"]
