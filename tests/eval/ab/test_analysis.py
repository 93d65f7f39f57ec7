"""From rows to a verdict: what counts, what is refused, what is said."""

from __future__ import annotations

import random
import statistics
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from rich.cells import cell_len

from qx.errors import UsageError
from qx.eval.ab import Experiment, Exposure, Outcome
from qx.eval.ab.analysis import AbReport, analyse
from qx.eval.ab.horizon import Horizon, count, in_words
from qx.eval.ab.log import Logged
from qx.eval.ab.records import TAKEN, parse
from qx.eval.ab.wording import lines
from qx.serial import to_json

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
END = BEGIN + timedelta(days=14)
TEST = Experiment(name="expansion")


def exposure(user: str, arm: str, hours: float = 1, **more: float) -> Exposure:
    at = BEGIN + timedelta(hours=hours)
    results = int(more.get("results", 5))
    return Exposure(
        experiment="expansion",
        arm=arm,
        user=user,
        at=at,
        results=results,
        milliseconds=more.get("milliseconds", 50.0),
        cost=more.get("cost", 0.0),
    )


def outcome(user: str, kind: str = "click", hours: float = 2, amount: float = 1.0) -> Outcome:
    return Outcome(experiment="expansion", user=user, kind=kind, value=amount, at=BEGIN + timedelta(hours=hours))


def traffic(effect: float, users: int = 3000, seed: int = 1, **treated: float) -> Logged:
    """Two searches a user; a fifth of them are clicked, with ``effect`` more in the other arm."""
    chance = random.Random(seed)
    exposures: list[Exposure] = []
    outcomes: list[Outcome] = []
    for n in range(users):
        user = f"u{n}"
        arm = TEST.arm(user)
        more = treated if arm == "treatment" else {}
        for search in range(2):
            exposures.append(exposure(user, arm, hours=search + 1, **more))
            if chance.random() < 0.2 + (effect if arm == "treatment" else 0.0):
                outcomes.append(outcome(user, hours=search + 1.1))
    return Logged(exposures=exposures, outcomes=outcomes)


def report(logged: Logged, now: datetime = END, **more: object) -> AbReport:
    return analyse("expansion", logged, Horizon(until=END), now=now, **more)  # type: ignore[arg-type]


def of(made: AbReport, measure: str):
    return next(c for c in made.comparisons if c.measure == measure)


def test_a_planted_effect_is_found_with_sign_and_size():
    made = report(traffic(0.06))
    found = of(made, "ctr")
    assert made.status == "complete"
    assert (found.a, found.b, found.verdict) == ("control", "treatment", "better")
    assert found.low < 0.06 < found.high
    assert found.difference == pytest.approx(0.06, abs=0.03)
    assert "treatment is better than control on ctr" in made.verdict
    worse = report(traffic(-0.06))
    assert of(worse, "ctr").verdict == "worse"
    assert "WORSE" in "\n".join(lines(worse))


def test_where_there_is_nothing_nothing_is_found():
    made = report(traffic(0.0))
    assert [c.verdict for c in made.comparisons if not c.guardrail] == ["unclear"]
    assert "no difference is shown" in made.verdict


def test_before_the_end_nothing_is_compared_and_no_goal_is_shown():
    made = report(traffic(0.3), now=END - timedelta(seconds=1))
    assert made.status == "running"
    assert made.comparisons == ()
    assert {name for arm in made.arms for name in arm.measures} == {"zero_results", "latency_p95", "cost"}
    assert "still running" in made.verdict
    assert "ctr" not in "\n".join(lines(made))


def test_a_wrong_sample_ratio_is_not_trusted():
    logged = traffic(0.3)
    lost = {row.user for row in logged.exposures if row.arm == "treatment" and int(row.user[1:]) % 5 == 0}
    kept = [row for row in logged.exposures if row.user not in lost]
    made = report(Logged(exposures=kept, outcomes=logged.outcomes))
    assert made.status == "untrusted"
    assert made.comparisons == ()
    assert made.sample_ratio.p < 0.001
    assert "not trusted" in made.verdict
    weighted = report(Logged(exposures=kept, outcomes=logged.outcomes), arms={"control": 5.0, "treatment": 4.0})
    assert weighted.status == "complete"


def test_an_arm_that_nobody_saw_is_no_silence():
    made = report(traffic(0.0), arms={"control": 1.0, "treatment": 1.0, "third": 1.0})
    assert made.status == "untrusted"
    with pytest.raises(UsageError, match="'treatment'"):
        report(traffic(0.0), arms={"control": 1.0, "other": 1.0})
    with pytest.raises(UsageError, match="no arm is called 'x'"):
        report(traffic(0.0), control="x")


def test_guardrails_tell_of_harm_and_need_no_goal():
    made = report(traffic(0.06, results=0, milliseconds=400.0, cost=0.01))
    assert {c.measure for c in made.comparisons if c.guardrail and c.verdict == "worse"} == {
        "zero_results",
        "latency_p95",
        "cost",
    }
    assert "guardrails harmed: zero_results of treatment" in made.verdict


def test_users_in_both_arms_count_in_none_and_are_told():
    logged = traffic(0.0)
    both = [exposure("u0", arm, hours=3) for arm in ("control", "treatment")]
    made = report(Logged(exposures=[*logged.exposures, *both], outcomes=logged.outcomes))
    assert made.crossed == 1
    assert sum(arm.users for arm in made.arms) == 2999
    assert any("several arms" in note for note in made.notes)


def test_what_came_before_the_first_exposure_or_after_the_end_does_not_count():
    shown = [exposure("u", "control", hours=2), exposure("v", "treatment", hours=400)]
    done = [outcome("u", hours=1), outcome("u", hours=3), outcome("u", hours=400), outcome("w", hours=3)]
    counted = count(Logged(exposures=shown, outcomes=done), Horizon(until=END), END)
    assert [row.at for row in counted.outcomes] == [BEGIN + timedelta(hours=3)]
    assert (counted.early, counted.late) == (2, 2)
    assert counted.arms == {"u": "control"}


def test_a_number_of_users_is_an_end_too():
    shown = [exposure(f"u{n}", "control", hours=n) for n in range(10)]
    done = [outcome("u0", hours=20), outcome("u0", hours=30), outcome("u7", hours=8)]
    horizon = Horizon(users=5, follow=timedelta(days=1))
    logged = Logged(exposures=shown, outcomes=done)
    early = count(logged, horizon, BEGIN + timedelta(hours=27))
    assert (early.reached, set(early.arms)) == (False, {f"u{n}" for n in range(5)})
    at_last = count(logged, horizon, BEGIN + timedelta(hours=28))
    assert at_last.reached
    assert [row.at for row in at_last.outcomes] == [BEGIN + timedelta(hours=20)]
    waiting = count(logged, Horizon(users=11), BEGIN + timedelta(days=99))
    assert (waiting.reached, waiting.progress) == (False, "10 of 11 users")


@pytest.mark.parametrize(
    "wrong",
    [{}, {"until": END, "users": 5}, {"until": datetime(2026, 3, 1)}, {"users": 1}],
)
def test_an_end_is_one_thing(wrong: dict[str, object]):
    with pytest.raises(UsageError):
        Horizon(**wrong)  # type: ignore[arg-type]


def test_each_measure_by_hand():
    shown = [exposure("a", "control"), exposure("a", "control", hours=2), exposure("b", "control", results=0)]
    done = [
        outcome("a", "click"),
        outcome("a", "click"),
        outcome("b", "success", amount=1),
        outcome("a", "satisfaction", amount=5),
        outcome("a", "satisfaction", amount=4),
        outcome("b", "satisfaction", amount=3),
        outcome("b", "order", amount=30),
        outcome("b", "saved", amount=2),
    ]
    made = report(Logged(exposures=shown, outcomes=done), arms={"control": 1.0})
    values = {name: figure.value for name, figure in made.arms[0].measures.items()}
    assert values == pytest.approx(
        {
            "ctr": 2 / 3,
            "success": 1 / 3,
            "satisfaction": 4.0,
            "orders": 0.5,
            "order_value": 15.0,
            "saved": 1.0,
            "zero_results": 1 / 3,
            "latency_p95": 50.0,
            "cost": 0.0,
        }
    )
    assert made.arms[0].measures["ctr"].low is None
    assert any("fewer than 30 users" in note for note in made.notes)


def test_several_goals_share_one_level():
    logged = traffic(0.06)
    more = [
        outcome(row.user, kind, hours=5) for n, row in enumerate(logged.exposures) for kind in ("a", "b") if n % 7 == 0
    ]
    alone, among = (
        of(report(logged), "ctr").p,
        of(report(Logged(exposures=logged.exposures, outcomes=[*logged.outcomes, *more])), "ctr").p,
    )
    assert among == pytest.approx(3 * alone)


def test_outcomes_alone_are_no_test():
    with pytest.raises(UsageError, match="outcomes only"):
        report(Logged(exposures=[], outcomes=[outcome("u")]))


def test_an_arm_that_is_missing_altogether_is_missed():
    logged = traffic(0.0)
    alone = Logged(exposures=[row for row in logged.exposures if row.arm == "control"], outcomes=logged.outcomes)
    made = report(alone)
    assert (made.status, made.comparisons) == ("untrusted", ())
    assert "the log has one arm alone, control" in made.verdict
    assert "as assigned" not in "\n".join(lines(made))
    named = report(alone, arms={"control": 1.0, "treatment": 1.0})
    assert named.status == "untrusted"
    assert "p < 0.001" in named.verdict
    assert report(alone, arms={"control": 1.0}).status == "complete"  # whoever says so


def test_arms_that_nobody_named_are_told():
    assert any("name them with --arms" in note for note in report(traffic(0.0)).notes)
    assert not any("--arms" in note for note in report(traffic(0.0), arms={"control": 1.0, "treatment": 1.0}).notes)


def test_no_p_is_printed_as_0():
    exposures = [exposure(f"{arm}{n}", arm) for arm in ("control", "treatment") for n in range(50)]
    made = report(Logged(exposures=exposures, outcomes=[outcome(f"treatment{n}") for n in range(50)]))
    printed = "\n".join(lines(made))
    assert of(made, "ctr").p == 0
    assert "< 0.001" in printed
    assert "  0  " not in printed
    lost = report(
        Logged(exposures=[exposure(f"u{n}", "control" if n else "treatment") for n in range(3000)], outcomes=())
    )
    assert lost.sample_ratio.p < 1e-300 or lost.sample_ratio.p == 0
    assert "p < 0.001" in "\n".join(lines(lost))


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(days=1), "1 day"),
        (timedelta(days=2, hours=12), "2 days 12 hours"),
        (timedelta(minutes=90), "1 hour 30 minutes"),
        (timedelta(0), "0 seconds"),
        (timedelta(days=-1), "-1 day"),
    ],
)
def test_a_span_in_words(span: timedelta, said: str):
    assert in_words(span) == said


@pytest.mark.parametrize("follow", [timedelta(days=999_999_999), timedelta(days=-1)])
def test_nobody_is_followed_for_ever(follow: timedelta):
    with pytest.raises(UsageError, match="is followed for up to"):
        Horizon(users=10, follow=follow)


def test_a_kind_that_is_called_as_a_measure_is_refused_and_never_takes_its_place():
    logged = traffic(0.0, users=100)
    for kind in TAKEN:
        mine = Outcome(experiment="expansion", user="u1", kind=kind, value=3.0, at=BEGIN + timedelta(hours=2))
        assert f"outcome: kind: '{kind}' is the name of a measure" in str(parse(to_json(mine).encode()))
        with pytest.raises(UsageError, match=f"the kind '{kind}'"):
            report(Logged(exposures=logged.exposures, outcomes=[*logged.outcomes, mine]))
    assert {name for arm in report(logged).arms for name in arm.measures} <= {*TAKEN, "success", "satisfaction"}


def test_the_deviation_that_a_plan_asks_for_is_in_the_report():
    """Of figures of a user it is their standard deviation; a plan by it finds a difference as often as planned."""
    chance = random.Random(4)
    spent = {f"u{n}": chance.gauss(20, 5) for n in range(400)}
    exposures = [exposure(user, "control" if n % 2 else "treatment") for n, user in enumerate(spent)]
    made = report(Logged(exposures=exposures, outcomes=[outcome(u, "order", amount=x) for u, x in spent.items()]))
    figures = [spent[f"u{n}"] for n in range(400) if n % 2]
    control = next(arm for arm in made.arms if arm.name == "control")
    assert control.measures["order_value"].deviation == pytest.approx(statistics.stdev(figures))
    text = "\n".join(lines(made))
    assert "deviation" in text
    assert f"{statistics.stdev(figures):.4g}" in text


def test_columns_of_chinese_names_line_up():
    arms = {"control": "对照组", "treatment": "扩展"}
    logged = traffic(0.06, users=400)
    exposures = [replace(row, arm=arms[row.arm]) for row in logged.exposures]
    made = report(Logged(exposures=exposures, outcomes=logged.outcomes), control="对照组")
    rows = [line for line in lines(made) if line.startswith("  ")]
    head = next(at for at, line in enumerate(rows) if "users" in line)
    shown = ["users", *(f"{arm.users}" for arm in made.arms)]
    ends = {cell_len(line[: line.index(cell) + len(cell)]) for line, cell in zip(rows[head:], shown, strict=False)}
    assert len(ends) == 1
