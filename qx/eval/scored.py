"""A condition whose rows were read: the score of each query, and which queries have no answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qx.eval.extra import need
from qx.eval.tally import Tally
from qx.eval.values import Condition
from qx.serial import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@value
class Scored:
    """One condition after its rows were read."""

    condition: Condition
    against: str
    scores: Mapping[str, NDArray[np.float64]]
    tally: Tally
    strategies: Mapping[str, Mapping[str, float]]
    unanswered: NDArray[np.bool_]
    """Of each query, whether its search failed or has no row."""

    def against_of(self, measure: str, other: Scored) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the other's and the own scores, NaN where one of the two has no answer: no gain, and no loss, either."""
        numpy = need("numpy")
        without = self.unanswered | other.unanswered
        before, after = (numpy.where(without, numpy.nan, one.scores[measure]) for one in (other, self))
        return before, after


def unanswered(one: Scored, scored: Sequence[Scored]) -> int:
    """Return how many queries have no answer in a condition, or in the one that it is held against."""
    other = next((other for other in scored if other.condition.name == one.against), one)
    return int((one.unanswered | other.unanswered).sum())


def mean(scores: NDArray[np.float64]) -> float | None:
    """Return the mean of what counts; None where nothing does."""
    counted = scores[~need("numpy").isnan(scores)]
    return float(counted.mean()) if len(counted) else None
