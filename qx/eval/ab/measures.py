"""What is measured of an arm: goals from outcomes, guardrails from exposures; each a figure whose unit is the user.

=================  ===============================================================  ==========
``ctr``            clicks per search (several on one search count several times)    goal
``success``        the sum of ``success`` outcomes per search                       goal
``satisfaction``   mean of the ``satisfaction`` grades                              goal
``orders``         orders per user                                                  goal
``order_value``    what a user's orders are worth                                   goal
any other kind     the sum of its values per user                                   goal
``zero_results``   share of searches without a hit                                  guardrail
``latency_p95``    milliseconds that 95 of 100 searches stay below                  guardrail
``cost``           money per search                                                 guardrail
=================  ===============================================================  ==========

More is better of a goal, less of a guardrail.  A measure nobody logged is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qx.errors import UsageError
from qx.eval.ab.horizon import Counted
from qx.eval.ab.records import TAKEN, Exposure, Outcome
from qx.eval.ab.statistics import Estimate, percentile, ratio
from qx.eval.extra import need

GUARDRAILS = ("zero_results", "latency_p95", "cost")
_PER_SEARCH = {"click": "ctr", "success": "success"}


def estimates(counted: Counted) -> dict[str, dict[str, Estimate]]:
    """Return arm -> measure -> figure, over all users of the arm, those without an outcome too.

    Raises:
        UsageError: a kind of outcome is called as a measure is.
    """
    kinds = sorted({row.kind for row in counted.outcomes})
    if wrong := [kind for kind in kinds if kind in TAKEN]:
        raise UsageError(f"outcomes of the kind {wrong[0]!r}: that is the name of a measure: call it otherwise")
    found: dict[str, dict[str, Estimate]] = {}
    for arm in sorted(set(counted.arms.values())):
        users = {user: at for at, user in enumerate(u for u, name in counted.arms.items() if name == arm)}
        exposures = [row for row in counted.exposures if row.user in users]
        outcomes = [row for row in counted.outcomes if row.user in users]
        made = {**_goals(users, exposures, outcomes, kinds), **_guardrails(users, exposures)}
        found[arm] = {name: estimate for name, estimate in made.items() if estimate is not None}
    return found


def _goals(
    users: Mapping[str, int], exposures: Sequence[Exposure], outcomes: Sequence[Outcome], kinds: Sequence[str]
) -> dict[str, Estimate | None]:
    numpy: Any = need("numpy")
    searches = _sums(users, [row.user for row in exposures], None)
    ones = numpy.ones(len(users))
    made: dict[str, Estimate | None] = {}
    for kind in kinds:
        rows = [row for row in outcomes if row.kind == kind]
        who, worth = [row.user for row in rows], [row.value for row in rows]
        total, times = _sums(users, who, worth), _sums(users, who, None)
        if kind in _PER_SEARCH:
            made[_PER_SEARCH[kind]] = ratio(times if kind == "click" else total, searches)
        elif kind == "satisfaction":
            made["satisfaction"] = ratio(total, times)
        elif kind == "order":
            made |= {"orders": ratio(times, ones), "order_value": ratio(total, ones)}
        else:
            made[kind] = ratio(total, ones)
    return made


def _guardrails(users: Mapping[str, int], exposures: Sequence[Exposure]) -> dict[str, Estimate | None]:
    counted = [row for row in exposures if row.results is not None]
    timed = [(row.user, row.milliseconds) for row in exposures if row.milliseconds is not None]
    paid = [(row.user, row.cost) for row in exposures if row.cost is not None]
    empty = [float(row.results == 0) for row in counted]
    who = [row.user for row in counted]
    payers = [user for user, _ in paid]
    return {
        "zero_results": ratio(_sums(users, who, empty), _sums(users, who, None)),
        "latency_p95": percentile([took for _, took in timed], [users[user] for user, _ in timed], 0.95),
        "cost": ratio(_sums(users, payers, [cost for _, cost in paid]), _sums(users, payers, None)),
    }


def _sums(users: Mapping[str, int], who: Sequence[str], values: Sequence[float] | None) -> Any:
    """Each user's sum of ``values`` (None: of ones); shape (users,)."""
    numpy: Any = need("numpy")
    places = numpy.fromiter((users[user] for user in who), dtype=int, count=len(who))
    weights = None if values is None else numpy.asarray(values, dtype=float)
    return numpy.bincount(places, weights=weights, minlength=len(users))


__all__ = ["GUARDRAILS", "estimates"]
