"""Statistics whose unit is the user: a user searches several times, and those searches are no independent draws.

**Ratios** (clicks per search, grades per rating, orders per user): with y_i and x_i the sums of user i,

    R = sum y / sum x,    se(R)^2 = n / (n - 1) * sum (y_i - R x_i)^2 / (sum x)^2

by the delta method.  **Percentiles** of what searches are, by users: the share of searches at or below the percentile is
such a ratio p with an error s; half the distance of the quantiles at p - z s and p + z s, divided by z, is the error of the
percentile.  Source of both: Deng, Knoblich, Lu, "Applying the Delta Method in Metric Analytics", KDD 2018.

Differences of two arms have Welch's t.  **Sample ratio**: Pearson's chi-square of the arms' users against their weights
(Fabijan et al., "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments", KDD 2019).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from qx.eval.extra import need
from qx.serial import value

FEWEST = 30
"""Users of each arm that a comparison needs: below, no error is known well enough."""
LEVEL = 0.95
ROUNDING = 1e-12
"""Of two amounts: what they differ by at most where they are the same but for how a computer adds them up."""


@value
class Estimate:
    """A figure with its error; ``units`` are the users that it is of."""

    value: float
    error: float
    units: int

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return the interval that covers the true value with probability ``level``."""
        if not math.isfinite(self.error):
            return -math.inf, math.inf
        half = _t(self.units - 1, level) * self.error
        return self.value - half, self.value + half


@value
class Difference:
    """``b`` - ``a``, with its interval and the p of "no difference"."""

    difference: float
    low: float
    high: float
    p: float


def ratio(numerators: Any, denominators: Any) -> Estimate | None:
    """Return the ratio of two sums over users.

    Args:
        numerators: y_i, shape (users,).
        denominators: x_i, shape (users,); users with 0 have nothing to say.

    Returns:
        None where no user has a denominator.
    """
    numpy: Any = need("numpy")
    x = numpy.asarray(denominators, dtype=float)
    y = numpy.asarray(numerators, dtype=float)[x > 0]
    x = x[x > 0]
    size = int(x.size)
    if size == 0:
        return None
    found = math.fsum(y) / math.fsum(x)
    if size < 2:
        return Estimate(value=found, error=math.inf, units=size)
    off = y - found * x
    off[numpy.abs(off) <= ROUNDING * numpy.abs(y)] = 0.0
    squares = float((off**2).sum())
    return Estimate(value=found, error=math.sqrt(size / (size - 1) * squares) / float(x.sum()), units=size)


def percentile(values: Any, users: Any, share: float) -> Estimate | None:
    """Return a percentile of values, several of which may be one user's.

    Args:
        values: Shape (n,).
        users: The number of each value's user, from 0; shape (n,).
        share: 0.95 for the 95th.
    """
    numpy: Any = need("numpy")
    if len(values) == 0:
        return None
    found = numpy.asarray(values, dtype=float)
    owners = numpy.asarray(users, dtype=int)
    quantile = float(numpy.quantile(found, share))
    below = ratio(numpy.bincount(owners, weights=found <= quantile), numpy.bincount(owners))
    if below is None or not math.isfinite(below.error):
        return Estimate(value=quantile, error=math.inf, units=1)
    z = _z(LEVEL)
    ends = [min(1.0, max(0.0, share + sign * z * below.error)) for sign in (-1, 1)]
    low, high = (float(numpy.quantile(found, end)) for end in ends)
    return Estimate(value=quantile, error=(high - low) / (2 * z), units=below.units)


def difference(a: Estimate, b: Estimate, level: float = LEVEL) -> Difference | None:
    """Return b - a; None where an arm has too few users to say anything."""
    if min(a.units, b.units) < FEWEST:
        return None
    found, error = b.value - a.value, math.hypot(a.error, b.error)
    if abs(found) <= ROUNDING * max(abs(a.value), abs(b.value)):
        found = 0.0
    if error == 0:
        return Difference(difference=found, low=found, high=found, p=1.0 if found == 0 else 0.0)
    stats: Any = need("scipy.stats")
    freedom = error**4 / (a.error**4 / (a.units - 1) + b.error**4 / (b.units - 1))
    half = _t(freedom, level) * error
    p = float(2 * stats.t.sf(abs(found) / error, freedom))
    return Difference(difference=found, low=found - half, high=found + half, p=p)


def sample_ratio(users: Sequence[int], weights: Sequence[float]) -> float:
    """Return the p of "the arms have as many users as their weights ask for"."""
    total, whole = sum(users), math.fsum(weights)
    expected = [total * weight / whole for weight in weights]
    if total == 0 or len(users) < 2:
        return 1.0
    if any(e == 0 and u > 0 for e, u in zip(expected, users, strict=True)):
        return 0.0
    pairs = [(u, e) for u, e in zip(users, expected, strict=True) if e > 0]
    chi = math.fsum((u - e) ** 2 / e for u, e in pairs)
    stats: Any = need("scipy.stats")
    return float(stats.chi2.sf(chi, len(pairs) - 1)) if len(pairs) > 1 else 1.0


def _t(freedom: float, level: float) -> float:
    stats: Any = need("scipy.stats")
    return float(stats.t.ppf((1 + level) / 2, max(freedom, 1)))


def _z(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


__all__ = ["FEWEST", "Difference", "Estimate", "difference", "percentile", "ratio", "sample_ratio"]
