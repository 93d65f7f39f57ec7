"""Searches that failed are no gain and no loss: such queries are in no comparison, and many of them decide nothing."""

from __future__ import annotations

import pytest

from qx.eval.deciding import decide, told
from qx.eval.gate import parse_gate
from qx.eval.reporting import report
from qx.eval.values import Decision, Report, Row
from qx.serial import replace

from .planted import RAW, conditions, dataset, of, row

GATES = (
    "ndcg@10 lower bound < -0.5",
    "ndcg@10 value < -1",
    "cost > 1",
    "zero-results upper bound > 101",
    "latency p95 > 1000000",
)
COUNT = 200


def measured(
    *, raw_failed: int = 0, failed: int = 0, raw_missing: int = 0, missing: int = 0, incomplete: int = 0
) -> Report:
    """Two conditions that find the same; the first queries of one fail, its last have no row."""
    ids = [f"q{number}" for number in range(COUNT)]
    data = dataset({id_: {"a": 1} for id_ in ids})

    def rows(condition: str, failing: int, gone: int) -> list[Row]:
        return [
            Row(query=id_, condition=condition, error="down") if at < failing else row(id_, ["x", "a"], condition)
            for at, id_ in enumerate(ids[: COUNT - gone])
        ]

    found = {RAW: rows(RAW, raw_failed, raw_missing), "shop": rows("shop", failed, missing)}
    found["shop"] = [
        replace(one, incomplete="backend b: refused") if n < incomplete else one for n, one in enumerate(found["shop"])
    ]
    return report(data, conditions("shop"), of(found), ["ndcg@10", "zero-results", "unique-useful", "good-kept@10"])


@pytest.mark.parametrize(
    "lacking",
    [
        {"raw_failed": 50},
        {"failed": 50},
        {"raw_failed": COUNT, "failed": COUNT},
        {"raw_missing": COUNT, "missing": COUNT},
        {"raw_missing": 3},
        {"missing": 3},
        {"incomplete": 3},
    ],
)
def test_many_decide_nothing_and_pass_no_gate(lacking: dict[str, int]) -> None:
    made = measured(**lacking)
    (decision,) = decide(made)
    assert decision.verdict == "unknown"
    assert "not to be decided" in decision.text
    assert all(c.difference == 0 for c in made.comparisons)
    assert not any(parse_gate(gate).holds(made) for gate in GATES)
    assert any("no answer here or in no-expansion" in note and "decide nothing" in note for note in made.notes)


@pytest.mark.parametrize("lacking", [{"raw_failed": 2}, {"failed": 2}, {"missing": 2}])
def test_few_are_left_out_of_what_is_compared(lacking: dict[str, int]) -> None:
    made = measured(**lacking)
    (decision,) = decide(made)
    assert decision.verdict == "no difference shown"
    assert {(c.difference, c.queries) for c in made.comparisons} == {(0.0, COUNT - 2)}
    assert all(parse_gate(gate).holds(made) for gate in GATES[:4])
    assert any("2 of 200 queries have no answer" in note for note in made.notes)
    assert made.conditions[1].measures["unique-useful"] == 0
    assert made.best == ()


def test_a_gate_on_errors_looks_at_the_raw_searches_too() -> None:
    gate = parse_gate("errors > 5")
    assert gate.failures(measured(raw_failed=50))[0].figure == pytest.approx(25)
    assert gate.failures(measured(failed=20))[0].figure == pytest.approx(10)
    assert gate.holds(measured(raw_failed=6, failed=6))
    assert not gate.holds(measured(raw_missing=COUNT))


def test_of_many_conditions_without_a_difference_the_first_are_told() -> None:
    quiet = [Decision(condition=f"c{n}", verdict="no difference shown", text=f"c{n}: none") for n in range(7)]
    helps = Decision(condition="h", verdict="helps", text="h: helps")
    said = [one.text for one in told([*quiet, helps])]
    assert said == [
        *(f"c{n}: none" for n in range(4)),
        "h: helps",
        "no difference shown either for 3 others: c4, c5, c6",
    ]
    assert told(quiet[:4]) == tuple(quiet[:4])
