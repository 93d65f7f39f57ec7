"""Two conditions, query by query: difference, interval, p value, wins and losses.

- Interval: percentile bootstrap of the mean difference (Efron & Tibshirani 1993, ch. 13), by ``scipy.stats.bootstrap``.
  On simulated scores (docs/measures.md) it covers 94-95 % at 200 queries whatever the shape; BCa covers no better there,
  worse below 50, and has no answer where nearly all differences are equal.
- p value: the paired randomisation test, signs flipped at random; Smucker, Allan and Carterette (CIKM 2007) compare it
  with the others and recommend it.  It is the test of ``scipy.stats.permutation_test(permutation_type="samples")``, which
  takes twenty times as long.
- Many comparisons: Holm (1979), which needs no independence; over those that could show anything (``can_show``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from qx.eval.extra import need
from qx.eval.values import Comparison

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE = 0.95
LEVEL = 0.05
"""Below this p, corrected for all that is compared, a difference is shown."""
SEED = 20_240_229
"""The same scores give the same interval."""
_MOST = 9_999
_LEAST = 1_499
_DRAWS = 10_000_000
"""Numbers drawn for one interval: with many queries fewer resamples do, as the mean is close to normal then."""
_BATCH = 1_000_000
"""Numbers held at once: 8 MB."""
_EXACT = 13
"""Up to so many pairs every flip is tried: 8,192 of them."""
_LIMIT = 1_000
_SAME = 1e-9
"""Differences below are rounding: a tie."""


def compare(
    a: Mapping[str, float], b: Mapping[str, float], *, names: tuple[str, str], measure: str, lower: bool = False
) -> Comparison:
    """Compare ``b`` with ``a`` over the queries that count in both (NaN: it does not).

    Args:
        a: Query id -> score.
        b: Likewise.
        names: Of the two conditions.
        measure: As it stands in the report.
        lower: Less is better: then a query with less is a win.

    Returns:
        The comparison; ``p`` is not corrected yet (``corrected``).
    """
    shared = [query for query in a if query in b]
    numpy = need("numpy")
    return compare_arrays(
        numpy.array([a[q] for q in shared], dtype=float),
        numpy.array([b[q] for q in shared], dtype=float),
        names=names,
        measure=measure,
        lower=lower,
    )


def compare_arrays(
    a: NDArray[np.float64], b: NDArray[np.float64], *, names: tuple[str, str], measure: str, lower: bool = False
) -> Comparison:
    """The same for two arrays in the same order of queries."""
    differences = paired(a, b)
    low, high = interval(differences)
    better = -differences if lower else differences
    count = len(differences)
    return Comparison(
        a=names[0],
        b=names[1],
        measure=measure,
        difference=float(differences.mean()) if count else 0.0,
        low=low,
        high=high,
        p=p_value(differences),
        wins=int((better > 0).sum()),
        losses=int((better < 0).sum()),
        ties=int((better == 0).sum()),
        queries=count,
        deviation=float(differences.std(ddof=1)) if count > 1 else 0.0,
    )


def paired(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return b - a where both count; what is only rounding is 0."""
    numpy = need("numpy")
    differences = b - a
    differences = differences[~numpy.isnan(differences)]
    return numpy.where(numpy.abs(differences) < _SAME, 0.0, differences)


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the bounds of the mean with 95 %; equal values have no spread, and none at all gives (0, 0)."""
    numpy = need("numpy")
    values = values[~numpy.isnan(values)]
    if len(values) == 0:
        return 0.0, 0.0
    if numpy.ptp(values) < _SAME:
        mean = float(values.mean())
        return mean, mean
    low, high = intervals(values[None, :])
    return float(low[0]), float(high[0])


def intervals(
    rows: NDArray[np.float64], *, resamples: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bounds of the mean of each row, with 95 %.

    Args:
        rows: Rows by queries, without NaN.
        resamples: None: as many as the number of queries asks for.
    """
    numpy = need("numpy")
    made = need("scipy.stats").bootstrap(
        (rows,),
        numpy.mean,
        axis=-1,
        vectorized=True,
        n_resamples=resamples or _resamples(rows.shape[-1]),
        batch=max(1, _BATCH // rows.size),
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=numpy.random.default_rng(SEED),
    )
    return made.confidence_interval.low, made.confidence_interval.high


def p_value(differences: NDArray[np.float64]) -> float:
    """Return how often flipping signs at random gives a mean as far from 0; 1 where nothing or one pair differs.

    Pairs that do not differ stay as they are whichever way the sign falls, so they are left out: the same test, faster.
    With few pairs all flips are tried, so that the value is exact; with very many their limit is taken, a normal.
    """
    numpy = need("numpy")
    changed = differences[differences != 0]
    if len(changed) < 2:  # one pair is as far from 0 whichever its sign
        return 1.0
    seen = abs(float(changed.sum()))
    if len(changed) > _LIMIT:  # the distribution of the flipped sums is normal by then, and known
        spread = float(numpy.sqrt((changed**2).sum()))
        return float(2 * need("scipy.stats").norm.sf(seen / spread))
    flipped = numpy.concatenate([numpy.abs(signs @ changed) for signs in _flips(len(changed))])
    reached = int((flipped >= seen - _SAME).sum())
    if len(changed) <= _EXACT:
        return reached / len(flipped)
    return (reached + 1) / (len(flipped) + 1)  # what was seen is one of the possible outcomes


def _flips(count: int) -> Iterator[NDArray[np.float64]]:
    """Yield rows of 1 and -1: every one there is for a few, else ``_MOST`` at random."""
    numpy = need("numpy")
    if count <= _EXACT:
        bits = numpy.arange(2**count)[:, None] >> numpy.arange(count) & 1
        yield 1.0 - 2.0 * bits
        return
    random = numpy.random.default_rng(SEED)
    size = max(1, _BATCH // count)
    for start in range(0, _MOST, size):
        rows = min(size, _MOST - start)
        yield 1.0 - 2.0 * random.integers(0, 2, size=(rows, count), dtype=numpy.int8)


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return p values corrected for being several, in the order given: never smaller, at most 1."""
    order = sorted(range(len(ps)), key=lambda at: ps[at])
    corrected = [1.0] * len(ps)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[at]))
        corrected[at] = highest
    return tuple(corrected)


class HasP(Protocol):
    """A value with the p of a comparison."""

    @property
    def p(self) -> float: ...


class HasBounds(HasP, Protocol):
    """A value with the bounds of a difference too."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


_WithP = TypeVar("_WithP", bound=HasP)


def corrected(made: Sequence[_WithP]) -> tuple[_WithP, ...]:
    """Return comparisons (``value`` classes) with their p values corrected for being several (``holm``)."""
    ps = holm([one.p for one in made])
    return tuple(cast("_WithP", replace(cast("Any", one), p=p)) for one, p in zip(made, ps, strict=True))


def can_show(made: Comparison) -> bool:
    """Whether the test could show a difference, whatever its sign: with fewer than two pairs that differ its p is 1.

    Such a comparison can be no false alarm, so that the others need no correction for it (Tarone, Biometrics 46, 1990).
    """
    return made.wins + made.losses > 1


def corrected_among(made: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return comparisons in their order, p corrected for those that could show a difference."""
    fixed = iter(corrected([one for one in made if can_show(one)]))
    return tuple(next(fixed) if can_show(one) else one for one in made)


def shows(made: HasBounds) -> bool:
    """Whether a difference is shown: its interval lies on one side of 0, and p, as it is given, is below ``LEVEL``."""
    return (made.low > 0 or made.high < 0) and made.p < LEVEL


def _resamples(count: int) -> int:
    return max(_LEAST, min(_MOST, _DRAWS // count))
