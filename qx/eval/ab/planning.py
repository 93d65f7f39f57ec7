"""How many users an effect needs to be found.

    n = (z_{1 - alpha/2} + z_{power})^2 * (s_a^2 + s_b^2 / k) / effect^2

users of the control, k times as many of the other arm.  Source: any book on sample sizes, such as Chow, Shao, Wang,
"Sample Size Calculations in Clinical Research", ch. 3 and 4 (two means, two proportions; normal approximation).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from qx.errors import UsageError
from qx.serial import value


@value
class Plan:
    """What ``qx ab plan --json`` prints: the users of each arm that find ``effect`` with ``power``."""

    baseline: float
    effect: float
    alpha: float
    power: float
    comparisons: int
    control: int
    treatment: int
    users: int


def plan(
    baseline: float,
    effect: float,
    *,
    deviation: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
    weight: float = 1.0,
) -> Plan:
    """Return how many users each arm needs.

    Args:
        baseline: The control's mean of a user; without ``deviation`` a share of users, 0 to 1.
        effect: The least difference that is to be found, in the same unit (absolute; falls are negative).
        deviation: Standard deviation of a user's figure; None: that of a share.
        alpha, power: Of a false alarm, and of finding what is there; power is above alpha.
        comparisons: Comparisons that share ``alpha`` (Bonferroni, which Holm's correction never exceeds).
        weight: Users of the other arm for each user of the control.

    Raises:
        UsageError: a number is out of its bounds.
    """
    _check(baseline, effect, deviation, alpha, power, comparisons, weight)
    if deviation is not None:
        spread = deviation**2 * (1 + 1 / weight)
    else:
        after = baseline + effect
        spread = baseline * (1 - baseline) + after * (1 - after) / weight
    normal = NormalDist()
    z = normal.inv_cdf(1 - alpha / comparisons / 2) + normal.inv_cdf(power)
    control = max(2, math.ceil(z**2 * spread / effect**2))
    treatment = max(2, math.ceil(control * weight))
    return Plan(
        baseline=baseline,
        effect=effect,
        alpha=alpha,
        power=power,
        comparisons=comparisons,
        control=control,
        treatment=treatment,
        users=control + treatment,
    )


def _check(
    baseline: float,
    effect: float,
    deviation: float | None,
    alpha: float,
    power: float,
    comparisons: int,
    weight: float,
) -> None:
    if not math.isfinite(effect) or effect == 0:
        raise UsageError("effect: a number other than 0: an effect of nothing takes endless users")
    if not (0 < alpha < 1 and 0 < power < 1):
        raise UsageError("alpha and power lie between 0 and 1")
    if power <= alpha:
        raise UsageError(
            f"power {power:g}: above alpha ({alpha:g}): so often a test finds something where there is nothing to be found"
        )
    if comparisons < 1 or not weight > 0:
        raise UsageError("comparisons are at least 1, the other arm's weight is above 0")
    if deviation is not None and not (math.isfinite(deviation) and deviation > 0):
        raise UsageError("deviation: a number above 0")
    if deviation is None and not (0 <= baseline <= 1 and 0 <= baseline + effect <= 1):
        raise UsageError(
            "without a deviation, baseline is a share of users (0 to 1), and with the effect it stays one: "
            "give --deviation for other figures"
        )


__all__ = ["Plan", "plan"]
