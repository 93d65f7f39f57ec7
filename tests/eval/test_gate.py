"""``--fail-if``: what can be said, what is refused with the grammar, and which condition fails with which figure."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.deciding import FEW
from qx.eval.gate import FEWEST, GRAMMAR, SPENT, measured, parse_gate
from qx.eval.names import FAMILIES
from qx.eval.values import Comparison, ConditionReport, Latency, Report
from qx.types import Usage

from .planted import conditions


def comparison(condition, difference, low, high, measure="ndcg@10", queries=100):
    return Comparison(
        a="no-expansion", b=condition, measure=measure, difference=difference, low=low, high=high,
        p=0.2, wins=1, ties=1, losses=1, queries=queries,
    )  # fmt: skip


def report(**changes):
    raw = ConditionReport(name="no-expansion", queries=100, measures={"ndcg@10": 0.40, "zero-results": 0.02})
    shop = ConditionReport(
        name="shop",
        queries=100,
        measures={"ndcg@10": 0.41, "zero-results": 0.06, "unique-useful": 1.5},
        latency=Latency(median=200.0, p95=900.0, rows=100),
        usage=Usage(calls=100, input_tokens=60_000, output_tokens=20_000, cost=2.0),
        errors=1,
        degraded=5,
        against="no-expansion",
    )
    less = ConditionReport(
        name="shop -synonym", queries=100, measures={"ndcg@10": 0.38, "zero-results": 0.02}, against="no-expansion"
    )
    parts = {
        "dataset": "d",
        "queries": 100,
        "conditions": (raw, shop, less),
        "comparisons": (comparison("shop", 0.01, -0.004, 0.02), comparison("shop -synonym", -0.02, -0.03, -0.01)),
        "measures": ("ndcg@10", "zero-results", "unique-useful"),
    }
    return Report(**{**parts, **changes})


def failing(text, **changes):
    return [(f.condition, f.figure) for f in parse_gate(text).failures(report(**changes))]


class TestGrammar:
    @pytest.mark.parametrize(
        ("text", "measure", "bound", "op", "number", "condition"),
        [
            ("ndcg@10 lower bound < -0.5", "ndcg@10", "lower bound", "<", -0.5, None),
            ("NDCG@10  Lower  Bound<=-.5", "ndcg@10", "lower bound", "<=", -0.5, None),
            ("mrr upper bound < 3", "mrr", "upper bound", "<", 3, None),
            ("ndcg@10 < 1", "ndcg@10", "difference", "<", 1, None),
            ("zero-results value > 5", "zero-results", "value", ">", 5, None),
            ("unique-useful < 1", "unique-useful", "value", "<", 1, None),
            ("latency p95 > 800", "latency p95", "value", ">", 800, None),
            ("cost >= 0.01 of shop -synonym", "cost", "value", ">=", 0.01, "shop -synonym"),
            ("ndcg@10 difference < +0 of 商店", "ndcg@10", "difference", "<", 0, "商店"),
        ],
    )
    def test_is_read(self, text, measure, bound, op, number, condition):
        gate = parse_gate(text)
        assert (gate.measure, gate.bound, gate.op, gate.number, gate.condition) == (
            measure,
            bound,
            op,
            number,
            condition,
        )

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "cannot be read"),
            ("ndcg@10", "cannot be read"),
            ("ndcg@10 < x", "cannot be read"),
            ("ndcg@10 = 3", "cannot be read"),
            ("< 3", "cannot be read"),
            ("ndgc@10 < 3", "did you mean 'ndcg@10'?"),
            ("latency p59 > 3", "did you mean 'latency p95'"),
            ("recall < 3", "write recall@10"),
            ("recall lower bound < 3", "write recall@10; write MEASURE"),  # nothing else is meant
            ("cost difference > 3", "only has a value"),
            ("overlap@10 lower bound < 3", "only has a value"),
            ("ndcg@10 lower < -0.5", "write 'ndcg@10 lower bound'"),
            ("recall@10 bound < -1", "write 'recall@10 lower bound'"),
            ("mrr upper > 1", "write 'mrr upper bound'"),
        ],
    )
    def test_is_said_where_a_gate_cannot_be_read(self, text, said):
        with pytest.raises(UsageError) as caught:
            parse_gate(text)
        assert said in str(caught.value)
        assert GRAMMAR in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("ndcg@10 > -1", "fails where it rises: for a loss write 'ndcg@10 lower bound < -1'"),
            ("recall@5 lower bound >= 2", "for a loss write 'recall@5 lower bound < -2'"),
            ("zero-results difference < 1", "fails where it falls: for a rise write 'zero-results upper bound > 1'"),
        ],
    )
    def test_is_refused_where_it_fails_what_gains(self, text, said):
        with pytest.raises(UsageError) as caught:
            parse_gate(text)
        assert said in str(caught.value)

    def test_latency_alone_is_not_enough(self):
        with pytest.raises(UsageError, match="latency median or latency p95"):
            parse_gate("latency > 300")

    @settings(max_examples=80, deadline=None)
    @given(
        st.sampled_from(
            [*SPENT, *(name if about.cutoff != "needed" else f"{name}@5" for name, about in FAMILIES.items())]
        ),
        st.sampled_from(["<", "<=", ">", ">="]),
        st.floats(-1e6, 1e6).map(lambda number: round(number, 4)),
    )
    def test_every_measure_can_be_gated(self, name, op, number):
        if name not in SPENT and FAMILIES[name.partition("@")[0]].lower == op.startswith("<"):
            name = f"{name} value"
        gate = parse_gate(f"{name} {op} {number:f}")
        assert gate.number == pytest.approx(number, abs=1e-6)
        assert gate.measure.startswith(name.removesuffix(" value"))

    @settings(max_examples=100, deadline=None)
    @given(st.text(max_size=40))
    def test_whatever_is_written_is_read_or_refused(self, text):
        with contextlib.suppress(UsageError):
            assert parse_gate(text).text == text.strip()


class TestFailing:
    def test_points_against_no_expansion(self):
        assert failing("ndcg@10 lower bound < -0.5") == [("shop -synonym", pytest.approx(-3))]
        assert failing("ndcg@10 lower bound < -0.3") == [
            ("shop", pytest.approx(-0.4)),
            ("shop -synonym", pytest.approx(-3)),
        ]

    def test_one_condition(self):
        assert failing("ndcg@10 lower bound < -0.5 of shop") == []

    def test_difference_and_value(self):
        assert failing("ndcg@10 < 0") == [("shop -synonym", pytest.approx(-2))]
        assert failing("ndcg@10 value < 39") == [("shop -synonym", pytest.approx(38))]
        assert failing("zero-results value > 5") == [("shop", pytest.approx(6))]

    def test_numbers_of_documents_are_no_points(self):
        assert failing("unique-useful < 1 of shop") == []
        assert failing("unique-useful < 2 of shop") == [("shop", 1.5)]

    def test_the_raw_queries_are_only_gated_when_named(self):
        assert failing("ndcg@10 value < 40.5 of no-expansion") == [("no-expansion", pytest.approx(40))]

    def test_what_is_spent_is_of_one_query(self):
        assert failing("latency p95 > 800 of shop") == [("shop", 900)]
        assert failing("latency median > 800 of shop") == []
        assert failing("cost > 0.01 of shop") == [("shop", pytest.approx(0.02))]
        assert failing("calls > 0.5 of shop") == [("shop", 1)]
        assert failing("tokens > 700 of shop") == [("shop", 800)]
        assert failing("errors > 0.5 of shop") == [("shop", 1)]
        assert failing("degraded >= 5 of shop") == [("shop", 5)]

    def test_the_boundary_belongs_to_or_equal(self):
        assert failing("latency p95 > 900 of shop") == []
        assert failing("latency p95 >= 900 of shop") == [("shop", 900)]

    def test_what_could_not_be_measured_does_not_pass(self):
        assert failing("latency p95 > 800") == [("shop", 900), ("shop -synonym", None)]
        assert failing("ndcg@10 lower bound < -50 of shop", comparisons=()) == [("shop", None)]

    def test_a_cost_that_is_not_known_does_not_pass(self):
        unpriced = ConditionReport(name="shop", queries=10, measures={}, usage=Usage(calls=10), against="no-expansion")
        assert failing("cost > 5", conditions=(unpriced,)) == [("shop", None)]

    def test_a_cost_with_gaps_does_not_pass(self):
        """The sum of what is known would be below any limit."""
        usage = Usage(calls=10, cost=0.01)
        some = ConditionReport(name="shop", queries=10, measures={}, usage=usage, unpriced=4, against="no-expansion")
        assert failing("cost > 5", conditions=(some,)) == [("shop", None)]
        (failure,) = parse_gate("cost > 5").failures(report(conditions=(some,)))
        assert "cost value is not known: 4 searches have no price" in failure.text

    @pytest.mark.parametrize("bound", ["lower bound < -50", "upper bound < -50"])
    def test_an_interval_of_a_few_queries_does_not_pass(self, bound):
        few = (comparison("shop", 0.2, 0.2, 0.2, queries=FEWEST - 1),)
        assert failing(f"ndcg@10 {bound} of shop", comparisons=few) == [("shop", None)]
        (failure,) = parse_gate(f"ndcg@10 {bound} of shop").failures(report(comparisons=few))
        assert "is of 4 queries, and an interval needs 5" in failure.text
        enough = (comparison("shop", 0.2, 0.1, 0.3, queries=FEWEST),)
        assert failing(f"ndcg@10 {bound} of shop", comparisons=enough) == []
        assert failing("ndcg@10 difference < 1 of shop", comparisons=few) == []

    @pytest.mark.parametrize("measure", ["ndcg@10 lower bound < -0.5", "zero-results upper bound > 2"])
    def test_an_interval_without_width_proves_nothing_of_few_queries(self, measure):
        name = measure.split()[0]
        alike = (comparison("shop", 0.0, 0.0, 0.0, measure=name, queries=FEW - 1),)
        assert failing(f"{measure} of shop", comparisons=alike) == [("shop", None)]
        (failure,) = parse_gate(f"{measure} of shop").failures(report(comparisons=alike))
        assert "proves nothing: all of 49 queries differ alike" in failure.text
        assert "fewer than 50 may well miss a rare loss" in failure.text
        enough = (comparison("shop", 0.0, 0.0, 0.0, measure=name, queries=FEW),)
        assert failing(f"{measure} of shop", comparisons=enough) == []

    def test_what_came_of_a_gate(self):
        passed = parse_gate("ndcg@10 lower bound < -0.5 of shop").result(report())
        assert (passed.passed, passed.failures) == (True, ())
        failed = parse_gate("ndcg@10 lower bound < -0.5").result(report())
        assert (failed.passed, failed.gate) == (False, "ndcg@10 lower bound < -0.5")
        assert failed.failures == ("shop -synonym: ndcg@10 lower bound is -3, < -0.5",)

    def test_a_rise_of_what_should_be_low_can_be_said(self):
        rise = (comparison("shop", 0.04, 0.01, 0.07, measure="zero-results"),)
        assert failing("zero-results upper bound > 2 of shop", comparisons=rise) == [("shop", pytest.approx(7))]
        assert failing("zero-results lower bound > 2 of shop", comparisons=rise) == []
        assert failing("zero-results > 3 of shop", comparisons=rise) == [("shop", pytest.approx(4))]
        fall = (comparison("shop", -0.04, -0.07, -0.01, measure="zero-results"),)
        assert failing("zero-results upper bound > 2 of shop", comparisons=fall) == []
        for text in ("zero-results lower bound < -0.5", "zero-results <= -2", "zero-results upper bound < 1"):
            with pytest.raises(UsageError, match=r"less is better of zero-results.*'zero-results upper bound > "):
                parse_gate(text)
        assert parse_gate("zero-results value < 3").bound == "value"

    def test_the_text_says_which_condition_and_which_figure(self):
        (failure,) = parse_gate("ndcg@10 lower bound < -0.5").failures(report())
        assert failure.text == "shop -synonym: ndcg@10 lower bound is -3, < -0.5"
        assert not parse_gate("ndcg@10 lower bound < -0.5").holds(report())
        assert parse_gate("ndcg@10 lower bound < -5").holds(report())

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("mrr < 0", "mrr was not measured"),
            ("ndcg@10 < 0 of shp", "did you mean 'shop'"),
            ("ndcg@10 < 0 of no-expansion", "gate its value"),
        ],
    )
    def test_what_the_report_has_not_is_said(self, text, said):
        with pytest.raises(UsageError, match=said):
            failing(text)

    def test_what_a_run_will_not_have_is_said_before_it(self):
        ways = conditions("shop")
        parse_gate("ndcg@10 < 0 of shop").check(ways, ["ndcg@10"])
        parse_gate("latency p95 > 3").check(ways, [])
        for text, said in (
            ("ndcg@10 < 0 of shp", "did you mean 'shop'"),
            ("mrr < 0", "was not measured"),
            ("ndcg@10 < 0 of no-expansion", "gate its value"),
        ):
            with pytest.raises(UsageError, match=said):
                parse_gate(text).check(ways, ["ndcg@10"])

    def test_measures_that_gates_need_are_measured_too(self):
        gates = [parse_gate("p@3 < 0"), parse_gate("latency p95 > 3"), parse_gate("NDCG@10 < 0")]
        assert measured(gates, ["nDCG@10", "MRR"]) == ("ndcg@10", "mrr", "p@3")

    def test_there_has_to_be_a_condition(self):
        raw = report().conditions[:1]
        with pytest.raises(UsageError, match="name a profile"):
            failing("ndcg@10 < 0", conditions=raw)


@pytest.mark.parametrize(
    "text",
    [
        "ndcg@10 " + " " * 200_000 + "x",
        "ndcg@10" + " lower" * 50_000,
        "ndcg@10 < 1 of " + "x " * 100_000,
        "<" * 200_000,
        "ndcg@10 < " + "9" * 100_000,
        " of " * 60,
    ],
)
def test_a_long_text_is_refused_at_once(text):
    began = time.perf_counter()
    with pytest.raises(UsageError, match="cannot be read"):
        parse_gate(text)
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    "text", ["ndcg@10", "ndcg@10 <", "ndcg@10 < 1 of", "ndcg@10 < 1 x y", "ndcg@10 < ５", "ndcg@10 == 1", ""]
)
def test_what_lacks_a_part_is_refused(text):
    with pytest.raises(UsageError, match="cannot be read"):
        parse_gate(text)


def test_a_condition_may_be_called_anything():
    gate = parse_gate("  NDCG@10  Lower   Bound<=-.5  OF  shop > of  2 ")
    assert (gate.measure, gate.bound, gate.op, gate.number) == ("ndcg@10", "lower bound", "<=", -0.5)
    assert gate.condition == "shop > of  2"
