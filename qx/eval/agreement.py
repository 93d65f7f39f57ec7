"""How far raters agree beyond chance: Cohen's kappa and Krippendorff's alpha.

::

    kappa = 1 - sum(w_ij * observed_ij) / sum(w_ij * expected_ij)          w: 0 on the diagonal, else the weight
    alpha = 1 - D_o / D_e                                                   D: mean squared distance within units / overall

Sources: J. Cohen, "A coefficient of agreement for nominal scales" (1960) and "Weighted kappa" (1968); K. Krippendorff,
"Computing Krippendorff's Alpha-Reliability" (2011), whose coincidence matrix takes missing ratings as they are.

Own code, of the libraries that were looked at: ``nltk.metrics.agreement`` has no ordinal distance, its weighted kappa
fails where a rating is missing, and its import takes seconds; ``krippendorff`` is under the GPL; scikit-learn is 40 MB
for one function.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from typing import Any, Literal, TypeVar, cast

from qx.errors import UsageError

T = TypeVar("T", bound=Hashable)

Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def cohen_kappa(
    first: Sequence[T | None],
    second: Sequence[T | None],
    *,
    weights: Weights = "none",
    scale: Sequence[T] | None = None,
) -> float | None:
    """Return Cohen's kappa of two raters over the same items; 1: they agree, 0: as by chance, below: less than that.

    Args:
        first, second: A rating an item, in the same order; None where there is none: the item is left out.
        weights: What a disagreement counts: all the same, by the distance of the categories on ``scale``, or by its
            square.
        scale: The categories from low to high; None: those that occur, sorted.

    Returns:
        None where it is not defined: no item with both ratings, or both raters always gave one and the same.

    Raises:
        UsageError: the lists differ in length, or a rating is not on the scale.
    """
    if len(first) != len(second):
        raise UsageError(f"two raters of the same items: {len(first)} ratings and {len(second)}")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    places = _places([item for pair in pairs for item in pair], scale)
    at = [(places[a], places[b]) for a, b in pairs]
    rows, columns = Counter(a for a, _ in at), Counter(b for _, b in at)
    observed = sum(_weight(a, b, weights) for a, b in at)
    expected = sum(_weight(a, b, weights) * n * m / len(at) for a, n in rows.items() for b, m in columns.items() if at)
    return 1 - observed / expected if expected else None


def _places(ratings: Sequence[T], scale: Sequence[T] | None) -> Mapping[T, int]:
    given = cast("set[Any]", set(ratings))  # what can be sorted, where no scale says the order
    listed: Sequence[T] = list(scale) if scale is not None else sorted(given)
    places = {item: place for place, item in enumerate(listed)}
    for item in ratings:
        if item not in places:
            raise UsageError(f"the rating {item!r} is not on the scale {', '.join(map(str, listed))}")
    return places


def _weight(a: int, b: int, weights: Weights) -> float:
    if weights == "none":
        return float(a != b)
    return float(abs(a - b)) if weights == "linear" else float((a - b) ** 2)


def krippendorff_alpha(ratings: Sequence[Sequence[float | None]], *, level: Level = "nominal") -> float | None:
    """Return Krippendorff's alpha of any number of raters; 1: they agree, 0: as by chance.

    Args:
        ratings: One list a rater, an entry a unit; None where the rater did not rate it.  Units with fewer than two
            ratings say nothing of agreement and do not count.
        level: What a distance is: ``nominal`` any difference, ``ordinal`` the number of ratings that lie between,
            ``interval`` the difference of the numbers.

    Returns:
        None where it is not defined: no unit has two ratings, or all ratings that count are one and the same.

    Raises:
        UsageError: the lists differ in length.
    """
    if len({len(rater) for rater in ratings}) > 1:
        raise UsageError("every rater's list has an entry a unit, None where there is no rating: the lengths differ")
    coincidences = _coincidences(ratings)
    totals: dict[float, float] = defaultdict(float)
    for (a, _), n in coincidences.items():
        totals[a] += n
    everything = sum(totals.values())
    observed = sum(n * _distance(a, b, totals, level) for (a, b), n in coincidences.items())
    expected = sum(totals[a] * totals[b] * _distance(a, b, totals, level) for a, b in permutations(list(totals), 2))
    return 1 - (everything - 1) * observed / expected if expected else None


def _coincidences(ratings: Sequence[Sequence[float | None]]) -> Mapping[tuple[float, float], float]:
    """Count how often two values stand in one unit; a unit with m ratings counts m in all."""
    found: dict[tuple[float, float], float] = defaultdict(float)
    for unit in zip(*ratings, strict=True):
        given = [item for item in unit if item is not None]
        for pair in permutations(given, 2):
            found[pair] += 1 / (len(given) - 1)
    return found


def _distance(a: float, b: float, totals: Mapping[float, float], level: Level) -> float:
    """The squared distance of two values."""
    if level == "nominal":
        return float(a != b)
    if level == "interval":
        return (a - b) ** 2
    low, high = min(a, b), max(a, b)
    between = sum(n for item, n in totals.items() if low <= item <= high)
    return (between - (totals[a] + totals[b]) / 2) ** 2
