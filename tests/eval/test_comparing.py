"""Paired comparison: nothing where nothing differs, the planted effect where one was planted, and honest intervals."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from qx.eval.comparing import can_show, compare, compare_arrays, corrected_among, holm, interval, intervals, p_value

NAMES = ("no-expansion", "shop")


def scores(random, shape):
    """As nDCG is: many zeros, some ones, and skewed between."""
    drawn = random.beta(0.6, 1.4, shape)
    drawn = np.where(random.random(shape) < 0.15, 1.0, drawn)
    return np.where(random.random(shape) < 0.35, 0.0, drawn)


def compared(a, b, **options):
    return compare_arrays(np.array(a, dtype=float), np.array(b, dtype=float), names=NAMES, measure="ndcg@10", **options)


class TestTheSame:
    def test_two_identical_conditions_do_not_differ(self):
        same = scores(np.random.default_rng(3), 500)
        found = compared(same, same)
        assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)
        assert (found.wins, found.ties, found.losses) == (0, 500, 0)

    def test_nor_where_they_differ_by_rounding(self):
        a = np.full(40, 0.3)
        found = compared(a, a + 1e-13)
        assert (found.difference, found.low, found.high, found.p, found.ties) == (0.0, 0.0, 0.0, 1.0, 40)

    def test_a_constant_difference_has_no_spread(self):
        found = compared([0.1] * 30, [0.3] * 30)
        assert (found.difference, found.low, found.high) == pytest.approx((0.2, 0.2, 0.2))
        assert found.p < 0.001

    def test_nothing_to_compare(self):
        found = compared([], [])
        assert (found.difference, found.low, found.high, found.p, found.queries) == (0.0, 0.0, 0.0, 1.0, 0)


class TestPairs:
    def test_queries_that_do_not_count_in_either_are_left_out(self):
        found = compared([0.0, np.nan, 0.5, 1.0], [1.0, 1.0, np.nan, 0.5])
        assert (found.queries, found.wins, found.losses) == (2, 1, 1)
        assert found.difference == pytest.approx(0.25)

    def test_are_found_by_the_querys_id(self):
        found = compare({"q1": 0.0, "q2": 1.0, "only": 9.0}, {"q2": 1.0, "q1": 0.5}, names=NAMES, measure="mrr")
        assert (found.queries, found.difference, found.wins, found.ties) == (2, 0.25, 1, 1)

    def test_less_is_a_win_where_less_is_better(self):
        found = compared([1, 1, 0], [0, 1, 0], lower=True)
        assert (found.difference, found.wins, found.ties, found.losses) == (pytest.approx(-1 / 3), 1, 2, 0)

    def test_the_order_of_queries_is_nothing_and_a_rerun_says_the_same(self):
        random = np.random.default_rng(5)
        a, b = scores(random, 80), scores(random, 80)
        assert compared(a, b) == compared(a, b)
        assert compared(a, b).difference == pytest.approx(compared(a[::-1], b[::-1]).difference)


class TestPlanted:
    @pytest.mark.parametrize("effect", [0.05, -0.05])
    def test_an_effect_is_found_with_sign_and_size(self, effect):
        random = np.random.default_rng(11)
        a = random.beta(2, 2, 300) * 0.8 + 0.1
        b = np.clip(a + random.normal(effect, 0.15, 300), 0, 1)
        found = compared(a, b)
        assert found.p < 0.01
        assert found.low < effect < found.high
        assert (found.low > 0) == (effect > 0)
        assert (found.high < 0) == (effect < 0)
        assert abs(found.difference - effect) < 0.03

    def test_none_is_found_where_there_is_none(self):
        random = np.random.default_rng(12)
        wrong = 0
        for _ in range(200):
            a = scores(random, 60)
            b = np.where(random.random(60) < 0.5, a, scores(random, 60))
            wrong += p_value(b - a) < 0.05
        assert wrong <= 20, "about 10 of 200 are expected"

    def test_intervals_cover_the_truth_as_often_as_they_say(self):
        """1,000 simulated evaluations of 200 queries; the truth is the mean over a million."""
        random = np.random.default_rng(20)

        def differences(shape):
            a = scores(random, shape)
            return np.where(random.random(shape) < 0.4, np.clip(a + random.beta(1, 5, shape), 0, 1), a * 0.95) - a

        truth = differences((2_000, 500)).mean()
        samples = differences((1_000, 200))
        low, high = intervals(samples, resamples=1_000)
        covered = np.mean((low <= truth) & (truth <= high))
        assert interval(samples[0]) == pytest.approx((low[0], high[0]), abs=0.002)
        assert 0.93 <= covered <= 0.97, covered


class TestRandomisation:
    @pytest.mark.parametrize("count", [2, 5, 12])
    def test_few_pairs_are_tried_in_every_way(self, count):
        differences = np.random.default_rng(count).normal(0.1, 0.2, count)
        wanted = permutation_test((differences,), np.mean, permutation_type="samples", vectorized=True, axis=-1)
        assert p_value(differences) == pytest.approx(wanted.pvalue)

    def test_by_hand(self):
        # of the 8 ways to give 0.1, 0.2, 0.3 signs, two are as far from 0 as all plus
        assert p_value(np.array([0.1, 0.2, 0.3])) == 2 / 8

    def test_one_pair_says_nothing(self):
        assert p_value(np.array([0.9, 0.0, 0.0])) == 1.0

    @pytest.mark.parametrize("count", [60, 900, 1_500])
    def test_many_pairs_come_to_what_scipy_says(self, count):
        differences = np.random.default_rng(count).normal(0.012, 0.2, count)
        wanted = permutation_test(
            (differences,),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            axis=-1,
            n_resamples=2_999,
            batch=500,
            rng=np.random.default_rng(1),
        )
        assert p_value(differences) == pytest.approx(wanted.pvalue, abs=0.03)

    def test_pairs_that_do_not_differ_change_nothing(self):
        differences = np.random.default_rng(8).normal(0.1, 0.2, 10)
        assert p_value(np.concatenate([differences, np.zeros(500)])) == p_value(differences)


class TestHolm:
    def test_by_hand(self):
        assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))

    def test_none_and_one(self):
        assert holm([]) == ()
        assert holm([0.2]) == (0.2,)

    @settings(max_examples=80, deadline=None)
    @given(st.lists(st.floats(0, 1), max_size=12))
    def test_is_never_smaller_never_above_1_and_keeps_the_order(self, ps):
        found = holm(ps)
        assert all(p <= corrected <= 1 for p, corrected in zip(ps, found, strict=True))
        order = sorted(range(len(ps)), key=ps.__getitem__)
        ordered = [found[at] for at in order]
        assert ordered == sorted(ordered)


def test_what_could_show_nothing_needs_no_correction():
    found = [compared([0.0] * 9, scores) for scores in ([0.1] * 9, [0.0] * 9, [0.5] + [0.0] * 8, [0.2] * 8 + [0.0])]
    assert [can_show(one) for one in found] == [True, False, False, True]
    assert found[2].p == 1  # one pair is as far from 0 whichever its sign
    made = corrected_among(found)
    assert [one.p for one in made] == pytest.approx([2 * 2 / 2**9, 1, 1, 2 / 2**8])
    assert corrected_among([]) == ()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=40))
def test_an_interval_holds_the_mean_and_turns_with_the_sides(pairs):
    a, b = np.array(pairs).T
    there, back = compared(a, b), compared(b, a)
    assert there.low - 1e-9 <= there.difference <= there.high + 1e-9 or there.deviation > 0
    assert there.difference == pytest.approx(-back.difference)
    assert there.p == pytest.approx(back.p)
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    assert there.wins + there.ties + there.losses == len(pairs)
    assert 0 < there.p <= 1


def test_ten_thousand_queries_take_a_moment():
    random = np.random.default_rng(1)
    a = scores(random, 10_000)
    b = np.clip(a + random.normal(0.001, 0.1, 10_000), 0, 1)
    compared(a[:50], b[:50])  # what is imported the first time
    began = time.perf_counter()
    found = compared(a, b)
    assert time.perf_counter() - began < 5
    assert found.low < found.difference < found.high
