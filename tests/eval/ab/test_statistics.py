"""Ratios, percentiles and the sample ratio, against other ways of computing them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.ab.planning import plan
from qx.eval.ab.statistics import Estimate, difference, percentile, ratio, sample_ratio


def test_a_ratio_by_hand():
    """Users with 1 of 2, 0 of 1, 3 of 3: R = 4/6; residuals -1/3, -2/3, 1; se^2 = 3/2 * 14/9 / 36."""
    found = ratio([1, 0, 3, 0], [2, 1, 3, 0])
    assert found is not None
    assert found.value == pytest.approx(4 / 6)
    assert found.error == pytest.approx(math.sqrt(1.5 * (14 / 9) / 36))
    assert found.units == 3


def test_means_are_welch():
    chance = np.random.default_rng(1)
    a, b = chance.gamma(2, 3, 80), chance.gamma(2, 4, 55)
    one, other = ratio(a, np.ones(80)), ratio(b, np.ones(55))
    assert one is not None
    assert other is not None
    made = difference(one, other)
    known = scipy.stats.ttest_ind(b, a, equal_var=False)
    bounds = known.confidence_interval(0.95)
    assert made is not None
    assert (made.p, made.low, made.high) == pytest.approx((known.pvalue, bounds.low, bounds.high))
    low, high = one.interval()
    assert (low, high) == pytest.approx(scipy.stats.t.interval(0.95, 79, a.mean(), scipy.stats.sem(a)))


def test_nobody_and_one_say_nothing():
    assert ratio([], []) is None
    assert ratio([0.0], [0.0]) is None
    alone = ratio([1.0], [2.0])
    assert alone == Estimate(value=0.5, error=math.inf, units=1)
    assert alone.interval() == (-math.inf, math.inf)
    assert percentile([], [], 0.95) is None
    assert difference(alone, alone) is None


def test_equal_constants_do_not_differ_and_unequal_do():
    same, other = Estimate(value=1.0, error=0.0, units=40), Estimate(value=2.0, error=0.0, units=40)
    assert difference(same, same).p == 1.0  # type: ignore[union-attr]
    assert difference(same, other).p == 0.0  # type: ignore[union-attr]


def test_what_a_computer_rounds_is_no_difference():
    """0.001 a search in both arms, of users with 1 to 7 searches: as floats the sums of tenths differ in the last bit."""
    searches = [1 + n % 7 for n in range(3000)]
    one = ratio([sum([0.001] * n) for n in searches], searches)
    other = ratio([sum([0.001] * n) for n in searches[:2411]], searches[:2411])
    assert one is not None
    assert other is not None
    made = difference(one, other)
    assert made is not None
    assert (made.difference, made.low, made.high, made.p) == (0.0, 0.0, 0.0, 1.0)


def test_searches_of_one_user_are_no_independent_draws():
    """A hundred users of one habit each, ten searches: the naive error of 1,000 searches would be a third of it."""
    chance = np.random.default_rng(2)
    habits = chance.integers(0, 2, 100) * 10.0
    found = ratio(habits, np.full(100, 10.0))
    assert found is not None
    naive = math.sqrt(found.value * (1 - found.value) / 1000)
    assert found.error == pytest.approx(naive * math.sqrt(10), rel=0.02)


def test_intervals_of_clustered_percentiles_cover_the_truth():
    """95 of 100 intervals, of users who differ: latency is log-normal around a user's own level."""
    chance = np.random.default_rng(3)
    truth = float(np.exp(scipy.stats.norm.ppf(0.95) * math.hypot(0.4, 0.5)))
    owners = np.repeat(np.arange(300), 8)
    covered = 0
    for _ in range(400):
        values = np.exp(np.repeat(chance.normal(0, 0.4, 300), 8) + chance.normal(0, 0.5, 2400))
        found = percentile(values, owners, 0.95)
        assert found is not None
        low, high = found.interval()
        covered += low <= truth <= high
    assert 0.92 <= covered / 400 <= 0.975


def test_the_sample_ratio_is_pearsons():
    assert sample_ratio([5100, 4900], [1, 1]) == pytest.approx(scipy.stats.chisquare([5100, 4900]).pvalue)
    known = scipy.stats.chisquare([300, 500, 210], [252.5, 505, 252.5]).pvalue
    assert sample_ratio([300, 500, 210], [1, 2, 1]) == pytest.approx(known)
    assert sample_ratio([10, 0], [1, 0]) == 1.0
    assert sample_ratio([10, 3], [1, 0]) == 0.0
    assert sample_ratio([], []) == 1.0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40),
    st.floats(0.1, 1000),
)
def test_a_ratio_scales_with_its_unit(pairs: list[tuple[int, int]], scale: float):
    y, x = [float(p[0]) for p in pairs], [float(p[1]) for p in pairs]
    one, other = ratio(y, x), ratio([v * scale for v in y], x)
    assert (one is None) == (other is None)
    if one is not None and other is not None and math.isfinite(one.error):
        assert other.value == pytest.approx(one.value * scale)
        assert other.error == pytest.approx(one.error * scale, abs=1e-9)


def test_a_plan_by_hand():
    """(1.95996 + 0.84162)^2 * (0.1 * 0.9 + 0.11 * 0.89) / 0.01^2 = 14,749 users an arm."""
    made = plan(0.1, 0.01)
    assert (made.control, made.treatment) == (14749, 14749)
    assert plan(0.1, 0.01, comparisons=3).control > made.control
    assert plan(5, 1, deviation=4).control == math.ceil(7.8488797 * 32)
    lopsided = plan(0.1, 0.01, weight=0.25)
    assert lopsided.users > made.users
    assert lopsided.treatment == math.ceil(lopsided.control / 4)


def test_less_power_never_takes_more_users():
    """Below alpha / 2 the sum of the two quantiles is negative, and its square grows again."""
    found = [plan(0.1, 0.01, power=power).control for power in (0.06, 0.1, 0.3, 0.5, 0.8, 0.95)]
    assert found == sorted(found)


@pytest.mark.parametrize(
    "wrong",
    [
        {"effect": 0.0},
        {"alpha": 1.0},
        {"power": 0.0},
        {"comparisons": 0},
        {"weight": 0.0},
        {"deviation": 0.0},
        {"effect": 0.95},
        {"power": 0.005},
        {"power": 0.05},
    ],
)
def test_a_plan_out_of_bounds_is_refused(wrong: dict[str, float]):
    with pytest.raises(UsageError):
        plan(**{"baseline": 0.1, "effect": 0.01, **wrong})  # type: ignore[arg-type]
