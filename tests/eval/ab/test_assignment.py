"""Assignment: the same everywhere and always, shared out by the weights, salted by the experiment."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.ab import Experiment, assign, bucket
from qx.eval.ab.statistics import sample_ratio

EVEN = {"control": 1.0, "treatment": 1.0}


def test_a_user_stays_in_an_arm_in_every_version():
    """Written once and for ever: a change here moves users of every running test."""
    known = {user: assign("expansion-1", user, EVEN) for user in ("u1", "u2", "u3", "王老师", "42")}
    assert known == {"u1": "control", "u2": "treatment", "u3": "control", "王老师": "control", "42": "control"}
    assert bucket("expansion-1", "u2") == 0.9648233192166199
    assert bucket("expansion-1", "王老师") == 0.3736858479723668


def test_the_documented_hash_is_the_one_that_is_used():
    import hashlib

    digest = hashlib.sha256("shop\0王".encode()).digest()
    assert bucket("shop", "王") == pytest.approx(int.from_bytes(digest[:8], "big") / 2**64)


def test_another_process_with_another_hash_seed_agrees():
    program = "from qx.eval.ab import Experiment\nfor n in range(50): print(Experiment(name='x').arm(f'u{n}'))"
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert said.stdout.split() == [Experiment(name="x").arm(f"u{n}") for n in range(50)]


def test_weights_are_kept_and_experiments_are_independent():
    users = [f"user-{n}" for n in range(20_000)]
    arms = {"a": 1.0, "b": 2.0, "c": 1.0}
    first = [assign("one", user, arms) for user in users]
    assert sample_ratio([first.count(arm) for arm in arms], list(arms.values())) > 0.001
    second = [assign("two", user, EVEN) for user in users]
    among = [s for f, s in zip(first, second, strict=True) if f == "b"]
    assert sample_ratio([among.count("control"), among.count("treatment")], [1, 1]) > 0.001


@settings(max_examples=100, deadline=None)
@given(
    st.text(min_size=1),
    st.text(min_size=1),
    st.dictionaries(st.text(min_size=1), st.floats(0, 1e6), min_size=1).filter(lambda arms: any(arms.values())),
)
def test_every_user_has_an_arm_of_some_weight(experiment: str, user: str, arms: dict[str, float]):
    arm = assign(experiment, user, arms)
    assert arms[arm] > 0
    assert arm == assign(experiment, user, dict(arms))
    assert 0 <= bucket(experiment, user) < 1


@pytest.mark.parametrize(
    ("name", "arms"),
    [
        ("", EVEN),
        ("x", {}),
        ("x", {"a": 0.0}),
        ("x", {"a": -1.0, "b": 2.0}),
        ("x", {"a": float("nan")}),
        ("x", {"": 1.0}),
    ],
)
def test_what_cannot_share_users_out_is_refused(name: str, arms: dict[str, float]):
    with pytest.raises(UsageError):
        Experiment(name=name, arms=arms)


def test_nobody_is_no_user():
    with pytest.raises(UsageError, match="empty"):
        assign("x", "", EVEN)


@pytest.mark.parametrize("weight", [1e308, 1e16, float("inf"), float("nan"), -1.0])
def test_a_weight_that_cannot_be_added_up_is_refused(weight: float):
    with pytest.raises(UsageError, match=r"a weight from 0 to 1e\+15"):
        Experiment(name="t", arms={"a": weight, "b": weight})
