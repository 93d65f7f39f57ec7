"""Whole tests, simulated a thousand times: what is not there is found in 5 of 100, what is there as often as planned."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from qx.eval.ab import Experiment, Exposure, Outcome
from qx.eval.ab.analysis import analyse
from qx.eval.ab.horizon import Horizon
from qx.eval.ab.log import Logged
from qx.eval.ab.planning import plan
from qx.eval.ab.statistics import difference, ratio

TESTS = 1000


def simulated(seed: int, users: int, lift: float) -> tuple[float, float]:
    """Difference and p of one test: users search 1 to 6 times and differ in how often they click."""
    chance = np.random.default_rng(seed)
    arms = []
    for more in (0.0, lift):
        searches = chance.integers(1, 7, users)
        habit = np.clip(chance.beta(2, 6, users) + more, 0, 1)
        arms.append(ratio(chance.binomial(searches, habit), searches))
    made = difference(*arms)
    assert made is not None
    return made.difference, made.p


def test_where_nothing_is_planted_5_of_100_tests_find_something():
    found = np.array([simulated(seed, 400, 0.0) for seed in range(TESTS)])
    assert 0.035 <= np.mean(found[:, 1] < 0.05) <= 0.065
    assert abs(found[:, 0].mean()) < 0.002


def test_a_planted_effect_is_found_with_sign_and_size():
    found = np.array([simulated(seed, 2000, 0.03) for seed in range(TESTS)])
    assert np.mean(found[:, 1] < 0.05) > 0.9
    assert found[:, 0].mean() == pytest.approx(0.03, abs=0.001)
    assert np.all(found[found[:, 1] < 0.05, 0] > 0)


def test_a_planned_test_finds_its_effect_as_often_as_planned():
    planned = plan(0.2, 0.05, power=0.8)
    found = []
    for seed in range(TESTS):
        chance = np.random.default_rng(seed)
        one = ratio(chance.random(planned.control) < 0.2, np.ones(planned.control))
        other = ratio(chance.random(planned.treatment) < 0.25, np.ones(planned.treatment))
        made = difference(one, other)  # type: ignore[arg-type]
        assert made is not None
        found.append(made.p < 0.05)
    assert 0.76 <= np.mean(found) <= 0.84


def test_from_rows_to_a_verdict_5_of_100_tests_find_what_is_not_there():
    """The same through rows, counting, assignment and correction: two goals share one level."""
    begin = datetime(2026, 3, 1, tzinfo=UTC)
    horizon = Horizon(until=begin + timedelta(days=1))
    found = {0.0: 0, 0.25: 0}
    for effect in found:
        for seed in range(120):
            test, chance = Experiment(name=f"e{seed}"), np.random.default_rng(seed)
            exposures, outcomes = [], []
            for n in range(160):
                user, arm = f"u{n}", test.arm(f"u{n}")
                habit = min(1.0, chance.beta(2, 6) + (effect if arm == "treatment" else 0.0))
                for search in range(chance.integers(1, 4)):
                    at = begin + timedelta(minutes=search)
                    exposures.append(Exposure(experiment=test.name, arm=arm, user=user, at=at, results=3))
                    if chance.random() < habit:
                        outcomes.append(Outcome(experiment=test.name, user=user, kind="click", at=at))
                    if chance.random() < 0.2:
                        outcomes.append(Outcome(experiment=test.name, user=user, kind="save", at=at))
            made = analyse(test.name, Logged(exposures=exposures, outcomes=outcomes), horizon, now=horizon.until)  # type: ignore[arg-type]
            goals = {c.measure: c.verdict for c in made.comparisons if not c.guardrail}
            assert set(goals) == {"ctr", "save"} or made.status == "untrusted"
            found[effect] += goals.get("ctr") == "better" if effect else bool(set(goals.values()) - {"unclear"})
    assert found[0.0] <= 13  # 6 of 120 are expected; more than 13 come once in 300 times
    assert found[0.25] >= 114


def test_looking_every_day_finds_what_is_not_there():
    """Why there is a fixed end: fourteen looks, stopping at the first p below 0.05."""
    fooled = 0
    for seed in range(200):
        chance = np.random.default_rng(seed)
        a, b = chance.random(2800) < 0.2, chance.random(2800) < 0.2
        looks = [difference(ratio(a[:n], np.ones(n)), ratio(b[:n], np.ones(n))) for n in range(200, 2801, 200)]  # type: ignore[arg-type]
        fooled += any(look is not None and look.p < 0.05 for look in looks)
    assert fooled / 200 > 0.12
