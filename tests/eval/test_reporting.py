"""Rows to report: the planted effect with its size, nothing where nothing differs, and what a reader must know."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from qx.errors import UsageError
from qx.eval.comparing import holm, p_value
from qx.eval.deciding import decide, queries_needed
from qx.eval.names import DEFAULT
from qx.eval.notes import _shares
from qx.eval.reporting import report
from qx.eval.values import Condition, EvalQuery, Listed, Report, Row
from qx.serial import from_json, to_json
from qx.types import Degraded, SubQuery, Usage

from .planted import RAW, conditions, dataset, of, planted, row

MEASURES = ("ndcg@10", "recall@100", "mrr", "zero-results", "overlap@10", "unique-useful", "good-kept@10")


@pytest.fixture(scope="module")
def made() -> Report:
    data, ways, rows = planted({"better": 0.5, "same": 0.0, "worse": -0.5})
    return report(data, ways, of(rows), MEASURES)


def compared(made, b, measure="ndcg@10", a=RAW):
    return next(c for c in made.comparisons if (c.a, c.b, c.measure) == (a, b, measure))


class TestPlanted:
    def test_an_improvement_is_found_with_sign_and_size(self, made):
        better = compared(made, "better")
        means = {c.name: c.measures["ndcg@10"] for c in made.conditions}
        assert better.difference == pytest.approx(means["better"] - means[RAW])
        assert 0 < better.low < better.difference < better.high
        assert better.p < 0.01
        assert better.losses == 0
        assert 40 <= better.wins <= 80  # half of 120

    def test_and_a_loss(self, made):
        worse = compared(made, "worse")
        assert worse.low < worse.difference < worse.high < 0
        assert worse.wins == 0

    def test_two_identical_conditions_differ_in_nothing(self, made):
        for measure in ("ndcg@10", "recall@100", "mrr", "zero-results"):
            same = compared(made, "same", measure)
            assert (same.difference, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)
            assert (same.wins, same.ties, same.losses) == (0, 120, 0)

    def test_the_decision_in_words(self, made):
        found = {d.condition: d for d in decide(made)[:3]}
        assert found["better"].verdict == "helps"
        assert "better: expansion helps: +" in found["better"].text
        assert found["worse"].verdict == "hurts"
        assert found["same"].verdict == "no difference shown"
        assert "every query scores the same" in found["same"].text

    def test_what_is_better_or_worse_than_the_first_profile_comes_behind(self, made):
        behind = [(d.condition, d.verdict) for d in decide(made)[3:]]
        assert behind == [("same", "worse"), ("worse", "worse")]
        assert decide(made)[3].text.startswith("same is worse than better: -")

    def test_each_is_held_against_no_expansion_and_the_first_profile(self, made):
        pairs = Counter((c.a, c.b) for c in made.comparisons)
        assert set(pairs) == {(RAW, "better"), (RAW, "same"), (RAW, "worse"), ("better", "same"), ("better", "worse")}
        assert set(pairs.values()) == {4}  # not those that are about the raw list themselves

    def test_p_is_corrected_for_all_of_them(self, made):
        data, ways, rows = planted({"better": 0.5, "same": 0.0, "worse": -0.5})
        alone = report(data, ways[:2], of(rows), ["ndcg@10"])
        assert compared(alone, "better").p < compared(made, "better").p
        differ = [c for c in made.comparisons if c.wins + c.losses > 1]
        assert 0 < len(differ) < 20
        said = f"p values are corrected for {len(differ)} comparisons in which two queries or more differ, of 20 (Holm)"
        assert any(said in note for note in made.notes)

    def test_conditions_that_change_nothing_cost_the_others_no_proof(self):
        """Strategies that never ran: each of an ablation's conditions without one is the profile itself."""
        data, ways, rows = planted({"same": 0.0, "better": 0.5})
        more = [Condition(name=f"idle {n}", profile=ways[0].profile) for n in range(30)]
        idle = {one.name: [replace(r, condition=one.name) for r in rows[RAW]] for one in more}
        few = report(data, ways, of(rows), ["ndcg@10", "mrr"])
        many = report(data, (*ways, *more), of({**rows, **idle}), ["ndcg@10", "mrr"])
        assert 0 < compared(few, "better").p == compared(many, "better").p
        assert {compared(many, one.name).p for one in more} == {1.0}

    def test_what_is_beside_the_raw_list(self, made):
        raw, better, *_ = made.conditions
        assert raw.measures["overlap@10"] == raw.measures["good-kept@10"] == 1
        assert raw.measures["unique-useful"] == 0
        assert better.measures["good-kept@10"] == 1

    def test_worst_and_best_with_the_reason(self, made):
        worst = [w for w in made.worst if w.condition == "worse"]
        assert len(worst) == 10
        drops = [w.after - w.before for w in worst]
        assert drops == sorted(drops)
        assert drops[-1] < 0
        assert all("was lost" in w.reason for w in worst)
        assert not [w for w in made.worst if w.condition in ("better", "same")]
        best = [w for w in made.best if w.condition == "better"]
        assert len(best) == 10
        assert all("by refine “" in w.reason and w.after > w.before for w in best)
        assert best[0].queries[1].endswith("评测")

    def test_tables_by_kind_and_language(self, made):
        better = made.conditions[1]
        assert set(better.kinds) == {"simple", "complex"}
        assert set(better.languages) == {"zh", "en"}
        assert better.kinds["simple"]["queries"] == 60
        mean = sum(60 * means["ndcg@10"] for means in better.kinds.values()) / 120
        assert mean == pytest.approx(better.measures["ndcg@10"])

    def test_spreads_are_sorted(self, made):
        spread = next(s for s in made.spreads if s.b == "better")
        assert list(spread.differences) == sorted(spread.differences)
        assert len(spread.differences) == 120
        assert sum(spread.differences) / 120 == pytest.approx(compared(made, "better").difference)

    def test_the_interval_of_a_mean_holds_it(self, made):
        for condition in made.conditions:
            low, high = condition.intervals["ndcg@10"]
            assert low < condition.measures["ndcg@10"] < high

    def test_json_and_back(self, made):
        text = to_json(made)
        assert "NaN" not in text
        assert from_json(Report, text) == made
        plain = json.loads(text)
        assert {"name", "measures", "latency", "usage"} <= set(plain["conditions"][0])
        assert {"a", "b", "measure", "difference", "low", "high", "p", "wins", "ties", "losses"} <= set(
            plain["comparisons"][0]
        )


class TestSpent:
    def test_usage_is_summed_and_latency_is_of_calls_that_were_made(self):
        data = dataset({f"q{n}": {"a": 1} for n in range(4)})
        rows = [
            row(
                f"q{n}",
                ["a"],
                "shop",
                milliseconds=float(10 + n),
                kept=int(n == 3),
                usage=Usage(calls=2, input_tokens=5, cost=0.5),
            )
            for n in range(4)
        ]
        made = report(data, conditions("shop"), of({RAW: [], "shop": rows}), ["mrr"])
        shop = made.conditions[1]
        assert (shop.latency.median, shop.latency.rows) == (11.0, 3)
        assert (shop.usage.calls, shop.usage.input_tokens, shop.usage.cost) == (8, 20, 2.0)
        assert any("shop: 1 of 4 rows were answered" in note for note in made.notes)

    def test_latency_is_the_median_and_the_95th_percentile(self):
        data = dataset({f"q{n}": {"a": 1} for n in range(100)})
        rows = [row(f"q{n}", ["a"], "shop", milliseconds=float((n * 37) % 100 + 1)) for n in range(100)]  # 1 to 100
        latency = report(data, conditions("shop"), of({RAW: [], "shop": rows}), ["mrr"]).conditions[1].latency
        assert (latency.median, latency.p95, latency.rows) == (50.5, pytest.approx(95.05), 100)

    def test_where_all_was_kept_there_is_no_latency(self):
        rows = [row("q", ["a"], "shop", milliseconds=3.0, kept=1)]
        made = report(dataset({"q": {"a": 1}}), conditions("shop"), of({RAW: [], "shop": rows}), ["mrr"])
        assert made.conditions[1].latency.median is None

    def test_a_failed_search_has_no_latency(self):
        rows = [Row(query="q", condition="shop", error="refused", milliseconds=10_000)]
        made = report(dataset({"q": {"a": 1}}), conditions("shop"), of({RAW: [], "shop": rows}), ["mrr"])
        assert made.conditions[1].latency.rows == 0


class TestNotes:
    def test_say_what_a_reader_must_know(self):
        data = replace(dataset({"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}), notes=("2 lines were left out",))
        fallen = (Degraded(step="expand", rung="rules", reason="timed out"),)
        rows = [
            row("q1", ["a", "unjudged"], "shop", degraded=fallen),
            Row(query="q2", condition="shop", error="connection refused"),
        ]
        made = report(
            data, conditions("shop"), of({RAW: [row(q, ["a"], RAW) for q in ("q1", "q2", "q3")], "shop": rows}), ["mrr"]
        )
        said = "\n".join(made.notes)
        assert made.status == "partial"
        assert "2 lines were left out" in said
        assert "1 of 3 queries have no relevant document" in said
        assert "shop: 1 of 3 queries have no row yet" in said
        assert "shop: 1 of 2 searches failed and count as empty lists: connection refused" in said
        assert "shop: 1 of 2 searches are degraded: expand fell to rules: timed out" in said
        assert "shop 50 %" in said
        assert "1 queries are few" in said

    def test_a_price_that_is_not_known(self):
        rows = [row("q", ["a"], "shop", usage=Usage(calls=1))]
        made = report(dataset({"q": {"a": 1}}), conditions("shop"), of({RAW: [], "shop": rows}), ["mrr"])
        assert any("price of the model is not known for 1 searches" in note for note in made.notes)

    def test_nothing_to_compare(self):
        made = report(dataset({"q": {"a": 1}}), conditions(), of({RAW: [row("q", ["a"], RAW)]}), ["mrr", "overlap@10"])
        assert made.comparisons == ()
        assert any("nothing to compare" in note for note in made.notes)

    def test_without_grades_there_are_no_measures_of_relevance(self):
        data = dataset({}, ("q1", "q2"))
        rows = {RAW: [row("q1", ["a"], RAW), row("q2", [], RAW)], "shop": [row("q1", ["b"]), row("q2", ["c"])]}
        made = report(data, conditions("shop"), of(rows), ["ndcg@10", "zero-results", "overlap@10"])
        raw, shop = made.conditions
        assert "ndcg@10" not in raw.measures
        assert (raw.measures["zero-results"], shop.measures["zero-results"]) == (0.5, 0.0)
        assert shop.measures["overlap@10"] == 0
        assert any("no relevant document is known for any query" in note for note in made.notes)
        assert [(c.measure, c.wins) for c in made.comparisons] == [("zero-results", 1)]

    def test_shares_of_many_conditions_are_a_range(self):
        names = [f"c{n}" for n in range(8)]
        rows = {name: [row("q", ["a", *(f"u{n}" for n in range(at))], name)] for at, name in enumerate([RAW, *names])}
        made = report(dataset({"q": {"a": 1}}), conditions(*names), of(rows), ["mrr"])
        assert any("no-expansion 0 %, the others between 50 % (c0) and 89 % (c7)" in note for note in made.notes)


class TestConditions:
    def test_each_profile_may_have_its_own_raw_condition(self):
        other = Condition(name="no-expansion (b)", profile=conditions()[0].profile, expand=False)
        b = Condition(name="b", profile=other.profile, against=other.name)
        ways = (*conditions("a"), other, b)
        data = dataset({"q": {"x": 1}})
        rows = {
            RAW: [row("q", ["x", "y"], RAW)],
            "a": [row("q", ["y", "x"], "a")],
            other.name: [row("q", ["z", "y", "x"], other.name)],
            "b": [row("q", ["x", "z"], "b")],
        }
        made = report(data, ways, of(rows), ["mrr", "overlap@2"])
        assert compared(made, "b", "mrr", a=other.name).difference == pytest.approx(1 - 1 / 3)
        assert compared(made, "a", "mrr").difference == pytest.approx(-0.5)
        by_name = {c.name: c for c in made.conditions}
        assert by_name["b"].measures["overlap@2"] == 0.5
        assert by_name["b"].against == other.name
        assert by_name["a"].measures["overlap@2"] == by_name[other.name].measures["overlap@2"] == 1

    def test_rows_that_are_wrong_are_refused(self):
        with pytest.raises(UsageError, match="listed twice"):
            report(dataset({"q": {"a": 1}}), conditions(), of({RAW: [row("q", ["a", "a"], RAW)]}), ["mrr"])

    def test_no_query_at_all(self):
        made = report(dataset({}), conditions("shop"), of({RAW: [], "shop": []}), DEFAULT)
        assert made.queries == 0
        assert made.conditions[1].measures == {}


class TestDecision:
    def test_where_no_query_counts_it_says_so(self):
        rows = {RAW: [row("q", ["a"], RAW)], "shop": [row("q", ["a"], "shop")]}
        made = report(dataset({"q": {"a": 0}}), conditions("shop"), of(rows), ["ndcg@10", "zero-results"])
        said = "shop: nothing can be said of ndcg@10: no query counts for it (see the notes)"
        assert [(d.condition, d.verdict, d.text) for d in decide(made)] == [("shop", "unknown", said)]

    def test_measures_beside_the_raw_list_decide_nothing_and_it_says_so(self):
        rows = {RAW: [row("q", ["a"], RAW)], "shop": [row("q", ["a"], "shop")]}
        made = report(dataset({"q": {"a": 1}}), conditions("shop"), of(rows), ["overlap@10"])
        (decision,) = decide(made)
        assert decision.verdict == "unknown"
        assert decision.text == (
            "shop: nothing is decided: overlap@10 tells how a list differs from the raw query's, not which is better: "
            "add a measure such as ndcg@10"
        )

    def test_more_queries_are_needed_where_nothing_is_shown(self):
        data, ways, rows = planted({"barely": 0.02}, count=60)
        made = report(data, ways, of(rows), ["ndcg@10"])
        (decision,) = decide(made)
        assert decision.verdict == "no difference shown"
        (c,) = made.comparisons
        assert decision.text.endswith(
            "; more queries would be needed: about 130 to see 1 point, about 420 to see a difference as large as the one seen"
        )
        assert queries_needed(c.deviation) - c.queries == pytest.approx(130, abs=10)
        assert queries_needed(c.deviation, c.difference) - c.queries == pytest.approx(420, abs=10)
        assert made.decisions == (decision,)
        small = replace(c, low=-0.001, high=0.002, difference=0.0005, deviation=0.01, p=0.6)
        (said,) = decide(replace(made, comparisons=(small,)))
        assert (
            "; 60 queries would most likely have shown a difference of 1 point; more queries would be needed: "
            in said.text
        )

    def test_a_measure_without_points_says_what_the_difference_seen_needs(self):
        data, ways, rows = planted({"barely": 0.02}, count=60)
        made = report(data, ways, of(rows), ["mean-grade@10"])
        comparison = replace(made.comparisons[0], low=-0.1, high=0.3, difference=0.1, deviation=0.8, p=0.4)
        (decision,) = decide(replace(made, comparisons=(comparison,)))
        needed = queries_needed(0.8, 0.1) - 60
        assert f"more queries would be needed: about {needed + (-needed % 10)} to see a difference" in decision.text
        assert "1 point" not in decision.text

    def test_what_an_interval_shows_but_the_correction_does_not(self):
        made = report(*_barely(), ["ndcg@10"])
        comparison = replace(made.comparisons[0], low=0.001, high=0.03, difference=0.01, p=0.2)
        (decision,) = decide(replace(made, comparisons=(comparison,)))
        assert decision.verdict == "no difference shown"
        assert "once corrected for all comparisons (p 0.200)" in decision.text

    def test_less_helps_where_less_is_better(self):
        made = report(*_barely(), ["zero-results"])
        comparison = replace(made.comparisons[0], low=-0.05, high=-0.01, difference=-0.03, p=0.001)
        (decision,) = decide(replace(made, comparisons=(comparison,)))
        assert decision.verdict == "helps"

    def test_the_number_of_queries_grows_with_the_square_of_the_spread(self):
        # (1.96 + 0.8416)^2 = 7.849: a spread of 10 points needs 785 queries for 1 point
        assert queries_needed(0.1) == 785
        assert queries_needed(0.2) == pytest.approx(4 * 785, rel=0.001)
        assert queries_needed(0.1, 0.02) == pytest.approx(785 / 4, rel=0.01)
        # six comparisons share the level: z at 1 - 0.05 / 12 is 2.638, and (2.638 + 0.8416)^2 * 100 = 1,211
        assert queries_needed(0.1, comparisons=6) == 1211

    def test_the_number_that_is_named_is_of_the_corrected_test(self):
        """With so many queries, four of five evaluations whose p is corrected for six comparisons show the difference."""
        chance = np.random.default_rng(5)
        count, seen = queries_needed(0.1, comparisons=6), 0
        for _ in range(400):
            differences = chance.normal(0.01, 0.1, count)
            seen += holm([p_value(differences), *[0.9] * 5])[0] < 0.05
        assert 0.75 <= seen / 400 <= 0.85


class TestDepth:
    def test_a_measure_that_looks_deeper_than_the_lists_is_refused(self):
        data, ways, rows = planted({"shop": 0.5}, count=10)
        with pytest.raises(UsageError, match=r"recall@1000 looks at 1000 hits.*asked for 100: add --depth 1000"):
            report(data, ways, of(rows), ["ndcg@10", "recall@200", "recall@1000"], depth=100)
        with pytest.raises(UsageError, match="recall@2000: a search brings 1000 hits at most"):
            report(data, ways, of(rows), ["recall@2000"], depth=100)
        assert report(data, ways, of(rows), ["recall@100"], depth=100).measures == ("recall@100",)

    def test_where_a_classifiers_grades_end_is_a_note(self):
        data, ways, rows = planted({"shop": 0.5}, count=10)
        graded = replace(data, graded=10)
        notes = report(graded, ways, of(rows), ["mean-grade@10", "unique-useful", "good@20"], depth=100).notes
        (told,) = [note for note in notes if "only the first 10 hits of each list were graded" in note]
        assert "unique-useful, good@20, what each strategy brought: hits below count as not relevant" in told
        assert not any("of the first 100 hits" in note for note in notes)

    def test_where_the_whole_list_ends_is_a_note(self):
        data, ways, rows = planted({"shop": 0.5}, count=10)
        notes = report(data, ways, of(rows), ["map", "ndcg@10", "mrr", "zero-results"], depth=100).notes
        assert "map, mrr: of the first 100 hits, which is what each search was asked for (--depth)" in notes
        assert not any("--depth" in note for note in report(data, ways, of(rows), ["ndcg@10"], depth=100).notes)


def _barely():
    data, ways, rows = planted({"shop": 0.1}, count=20)
    return data, ways, of(rows)


def test_memory_grows_by_numbers_alone():
    """A row of 60 documents takes 10 kB; what a report keeps of a query is far less."""

    def peak(count):
        data = dataset({f"q{n}": {f"d{n % 90}": 1} for n in range(count)}, name="large")
        data = replace(data, queries=tuple(EvalQuery(id=f"q{n}", text="", language="en") for n in range(count)))

        def rows_of(name):
            for n in range(count):
                found = tuple(Listed(id=f"d{(n + at) % 100}", by=(0,)) for at in range(60))
                yield Row(query=f"q{n}", condition=name, found=found)

        tracemalloc.start()
        report(data, conditions("a"), rows_of, ["ndcg@10", "overlap@10", "unique-useful"], kinds=False)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)  # what is imported the first time
    assert peak(700) - peak(300) < 400 * 2_500


def test_a_share_that_all_have_is_said_once():
    many = {f"c{n}": 0.784 + n / 10_000 for n in range(9)}
    assert _shares(many) == "c0 78 %, the others 78 %"
    assert "the others between 1 % (c9) and 79 % (c8)" in _shares({**many, "c9": 0.01, "c8": 0.79})


def test_a_list_that_a_baseline_replaced_is_none_that_found_nothing():
    """The original's hits are not in a baseline's list, whoever found what; where it fell back to them, they are."""
    raw, ways, subs = row("q", ["a"], RAW), conditions("rm3"), (sub("original"), sub("rm3"))
    baseline = (ways[0], replace(ways[1], baseline="rm3"))
    for listed, told in ((("a:1", "b:1"), {"rm3"}), (("a:0",), {"original", "rm3"})):
        rows = {RAW: [raw], "rm3": [row("q", listed, "rm3", queries=subs)]}
        made = report(dataset({"q": {"a": 1}}), baseline, of(rows), ["mrr"])
        assert set(made.conditions[1].strategies) == told
    own = report(
        dataset({"q": {"a": 1}}), ways, of({RAW: [raw], "rm3": [row("q", ["a:1"], "rm3", queries=subs)]}), ["mrr"]
    )
    assert set(own.conditions[1].strategies) == {"original", "rm3"}


def sub(strategy):
    return SubQuery(text=f"by {strategy}", strategy=strategy)


@pytest.mark.parametrize(
    ("measures", "told"),
    [(("ndcg@10", "overlap@10"), True), (("recall@100", "overlap@10"), False), (("ndcg@10",), False)],
)
def test_first_pages_that_stay_as_they_are_show_little(measures, told):
    data, ways, rows = planted({"same": 0.0, "other": 0.9}, count=20)
    for listed in rows["other"]:  # none of its documents stands on the raw query's first page
        rows["other"][rows["other"].index(listed)] = replace(listed, found=listed.found[::-1])
    notes = report(data, ways, of(rows), measures).notes
    said = "same: the first 10 hits are the raw query's nearly everywhere (overlap@10): ndcg@10 can show little of what"
    assert any(note.startswith(said) for note in notes) == told
