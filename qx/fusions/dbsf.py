"""Distribution-based score fusion: each list's scores set against their own mean and spread, weighted and added.

    score(d) = sum over the lists i that hold d of  w_i * (s_i(d) - (m_i - 3 σ_i)) / (6 σ_i)

with m the mean and σ the standard deviation (of a sample, n - 1) of the list's scores.  Where σ is 0 (one hit, or all
scores equal), each of its hits gets 1/2, which is what the mean gets.  Source: Mazzeschi, "Distribution-Based Score
Fusion (DBSF), a new approach to Vector Search Ranking", 2023; as in Qdrant, what lies beyond 3 σ is not cut.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from qx.fusions.scores import ByScore, finite


def standardised(scores: Sequence[float]) -> Sequence[float]:
    """Return ``scores`` with mean - 3 σ as 0 and mean + 3 σ as 1; where there is no spread, 1/2 each."""
    known = finite(scores)
    if len(known) < 2 or min(known) == max(known):
        return [0.5] * len(known)
    mean = sum(known) / len(known)
    spread = math.sqrt(sum([(score - mean) ** 2 for score in known]) / (len(known) - 1))
    if spread == 0:  # so near each other that the squares vanish
        return [0.5] * len(known)
    low, width = mean - 3 * spread, 6 * spread
    return [(score - low) / width for score in known]


class DistributionBased(ByScore):
    """Registered as ``dbsf`` through ``qx_fusions`` (implements ``Fusion``)."""

    @staticmethod
    def terms(scores: Sequence[float], /) -> Sequence[float]:
        """As ``standardised``."""
        return standardised(scores)


__all__ = ["DistributionBased", "standardised"]
