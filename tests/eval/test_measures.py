"""Scores by query: values worked out by hand, what trec_eval does, and what every measure keeps to."""

from __future__ import annotations

import math
from pathlib import Path
from typing import ClassVar

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.measures import measure, parse_measure, parse_measures
from qx.eval.names import FAMILIES
from qx.eval.own import OWN
from qx.eval.values import Row

from .planted import dataset, row

ALL = ("ndcg@10", "ndcg", "recall@3", "mrr", "mrr@2", "map", "map@3", "p@5", "success@1")


def of(found, grades, *names, raw=None, good=1):
    scores = measure([row("q", found)], dataset({"q": grades}), names, raw=raw, good=good)
    return {name: float(values[0]) for name, values in scores.items()}


class TestNames:
    @pytest.mark.parametrize(
        ("given", "name"),
        [
            ("NDCG@10", "ndcg@10"),
            ("nDCG", "ndcg"),
            (" Recall@100 ", "recall@100"),
            ("R@5", "recall@5"),
            ("RR", "mrr"),
            ("MRR@10", "mrr@10"),
            ("AP", "map"),
            ("P@5", "p@5"),
            ("success@1", "success@1"),
            ("zero_results", "zero-results"),
            ("overlap", "overlap@10"),
            ("good-kept@3", "good-kept@3"),
            ("unique-useful", "unique-useful"),
        ],
    )
    def test_are_read_whatever_their_case(self, given, name):
        assert parse_measure(given).name == name

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ("ndgc@10", "did you mean 'ndcg@10'?"),
            ("recal@10", "did you mean 'recall@10'?"),
            ("mrrr", "did you mean 'mrr'?"),
            ("ndcg@10 下界", "'ndcg@10 下界': did you mean 'ndcg@10'?"),
            ("ndcg@ten", "did you mean 'ndcg'?"),
            ("zero-result@10", "did you mean 'zero-results'?"),
            ("xyz@10", "known: ndcg"),
            ("recall", "write recall@10"),
            ("p", "write p@10"),
            ("ndcg@0", "at least 1"),
            ("zero-results@3", "has no depth"),
            ("ndcg@ten", "there is no measure"),
            ("", "known: ndcg"),
        ],
    )
    def test_that_are_wrong_are_refused_with_what_to_write(self, given, said):
        with pytest.raises(UsageError, match=said.replace("?", r"\?")):
            parse_measure(given)

    def test_count_once(self):
        assert [m.name for m in parse_measures(["ndcg@10", "NDCG@10", "mrr"])] == ["ndcg@10", "mrr"]

    def test_there_has_to_be_one(self):
        with pytest.raises(UsageError, match="at least one"):
            parse_measures([])


class TestByHand:
    def test_one_list(self):
        # a (1) at rank 3, c (2) at rank 4; the best order is c, a
        found = of(["n", "b", "a", "c", "z"], {"a": 1, "b": 0, "c": 2, "n": -1}, *ALL)
        gain = 1 / math.log2(4) + 2 / math.log2(5)
        best = 2 / math.log2(2) + 1 / math.log2(3)
        assert found["ndcg@10"] == pytest.approx(gain / best)
        assert found["recall@3"] == 1 / 2
        assert found["mrr"] == pytest.approx(1 / 3)
        assert found["mrr@2"] == 0
        assert found["map"] == pytest.approx((1 / 3 + 2 / 4) / 2)
        assert found["map@3"] == pytest.approx((1 / 3) / 2)
        assert found["p@5"] == pytest.approx(2 / 5)
        assert found["success@1"] == 0

    def test_precision_divides_by_k_even_where_fewer_were_found(self):
        assert of(["a"], {"a": 1}, "p@5")["p@5"] == pytest.approx(1 / 5)

    def test_the_shown_order_is_scored_whatever_the_ids(self):
        grades = {"x": 1}
        for found in (["a", "x", "z"], ["z", "x", "a"]):
            assert of(found, grades, "mrr")["mrr"] == pytest.approx(1 / 2)

    def test_unjudged_documents_count_as_not_relevant(self):
        assert of(["u", "a"], {"a": 1}, "p@2", "mrr") == {"p@2": 0.5, "mrr": 0.5}

    @pytest.mark.parametrize("name", ALL)
    def test_negative_grades_are_as_zero(self, name):
        found = ["bad", "a", "worse", "b"]
        grades = {"a": 2, "b": 1}
        assert of(found, {**grades, "bad": -1, "worse": -3}, name) == of(found, {**grades, "bad": 0, "worse": 0}, name)

    def test_the_least_relevant_grade_can_be_higher(self):
        found = of(["a", "c"], {"a": 1, "c": 2}, "mrr", "recall@1", "p@2", "success@1", good=2)
        assert found == {"mrr": 0.5, "recall@1": 0.0, "p@2": 0.5, "success@1": 0.0}


class TestAllJudgedQueriesCount:
    grades: ClassVar = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}, "q4": {"d": 1}}

    @pytest.mark.parametrize("name", ALL)
    def test_a_query_without_a_row_an_empty_one_and_a_failed_one_are_zero(self, name):
        rows = [row("q1", ["a"]), row("q2", []), Row(query="q4", condition="shop", error="refused")]
        scores = measure(rows, dataset({**self.grades, "q5": {"e": 1}}), [name])[parse_measure(name).name]
        assert scores[0] > 0
        assert list(scores[[1, 3, 4]]) == [0, 0, 0]

    def test_a_query_without_a_relevant_document_does_not_count(self):
        scores = measure([row("q3", ["c"])], dataset(self.grades, ("q1", "q3", "unjudged")), ["ndcg@10", "mrr"])
        assert np.isnan(scores["ndcg@10"]).tolist() == [False, True, True]
        assert np.isnan(scores["mrr"]).tolist() == [False, True, True]

    @pytest.mark.parametrize("name", ALL)
    def test_an_empty_run_is_zero(self, name):
        scores = measure([], dataset({"q1": {"a": 1}, "q2": {"b": 1}}), [name])[parse_measure(name).name]
        assert scores.tolist() == [0, 0]

    def test_the_means_are_those_of_trec_eval(self):
        """With ``-c``: missing queries are 0; grades, ties (there are none by rank) and unjudged documents as there."""
        grades = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"x": 1}, "q3": {"y": 1, "z": 2}}
        lists = {"q1": ["u", "b", "c", "a"], "q3": ["z", "u"]}
        run = {q: {id_: -float(rank) for rank, id_ in enumerate(found)} for q, found in lists.items()}
        evaluator = pytrec_eval.RelevanceEvaluator(grades, {"ndcg_cut_10", "map", "recip_rank", "P_5", "recall_5"})
        found = evaluator.evaluate(run)
        scores = measure(
            [row(q, ids) for q, ids in lists.items()], dataset(grades), ("ndcg@10", "map", "mrr", "p@5", "recall@5")
        )
        pairs = (
            ("ndcg@10", "ndcg_cut_10"),
            ("map", "map"),
            ("mrr", "recip_rank"),
            ("p@5", "P_5"),
            ("recall@5", "recall_5"),
        )
        for ours, theirs in pairs:
            assert scores[ours].mean() == pytest.approx(sum(each[theirs] for each in found.values()) / len(grades)), (
                ours
            )


class TestWhatIrMeasuresDoesOtherwise:
    """docs/measures.md says so; where a new version agrees, the page has to be changed."""

    grades: ClassVar = {"q": {"a": 1}}
    tied: ClassVar = {"q": {"a": 1.0, "b": 1.0}}

    def test_ties_are_broken_upwards_for_rr_with_a_depth_and_downwards_without(self):
        found = ir_measures.calc_aggregate([ir_measures.RR, ir_measures.RR @ 10], self.grades, self.tied)
        assert found == {ir_measures.RR: 0.5, ir_measures.RR @ 10: 1.0}

    def test_a_document_that_comes_twice_counts_by_its_last_score(self):
        twice = [
            ir_measures.ScoredDoc("q", "a", 3.0),
            ir_measures.ScoredDoc("q", "b", 2.0),
            ir_measures.ScoredDoc("q", "a", 1.0),
        ]
        found = ir_measures.calc_aggregate([ir_measures.RR], [ir_measures.Qrel("q", "a", 1)], twice)
        assert found[ir_measures.RR] == 0.5

    def test_queries_without_a_relevant_document_are_zero_and_count(self):
        grades = {**self.grades, "none": {"x": 0}}
        assert ir_measures.calc_aggregate([ir_measures.RR], grades, {"q": {"a": 1.0}})[ir_measures.RR] == 0.5


class TestBesideTheRawList:
    def test_by_hand(self):
        grades = {"a": 1, "b": 1, "new": 2, "far": 1}
        raw = [row("q", ["a", "x", "b", "far"], "no-expansion")]
        found = of(
            ["new", "a", "y", "far"],
            grades,
            "unique-useful",
            "good-kept@3",
            "good-added@3",
            "overlap@3",
            "overlap@4",
            raw=raw,
        )
        assert found["unique-useful"] == 1  # far is in the raw list too
        assert found["good-kept@3"] == 1 / 2  # a of a and b
        assert found["good-added@3"] == 1  # new
        assert found["overlap@3"] == pytest.approx(1 / 3)  # a
        assert found["overlap@4"] == pytest.approx(2 / 4)  # a and far

    def test_what_is_known_further_down_is_added_to_the_page_but_is_not_unique(self):
        raw = [row("q", ["x", "y", "a"], "no-expansion")]
        found = of(["a", "x"], {"a": 1}, "good-added@2", "unique-useful", raw=raw)
        assert found == {"good-added@2": 1, "unique-useful": 0}

    def test_the_same_list(self):
        raw = [row("q", ["a", "b"], "no-expansion")]
        found = of(["a", "b"], {"a": 1}, "unique-useful", "good-kept", "good-added", "overlap", raw=raw)
        assert found == {"unique-useful": 0, "good-kept@10": 1, "good-added@10": 0, "overlap@10": 1}

    def test_two_empty_lists_are_the_same_and_one_empty_list_is_not(self):
        empty = [row("q", [], "no-expansion")]
        assert of([], {"a": 1}, "overlap", raw=empty)["overlap@10"] == 1
        assert of(["a"], {"a": 1}, "overlap", raw=empty)["overlap@10"] == 0

    def test_nothing_good_to_keep_does_not_count(self):
        assert math.isnan(of(["a"], {"a": 1}, "good-kept", raw=[row("q", ["x"], "no-expansion")])["good-kept@10"])

    def test_without_a_raw_list_they_do_not_apply(self):
        found = of(["a"], {"a": 1}, "overlap", "unique-useful", "good-kept", "good-added")
        assert all(math.isnan(score) for score in found.values())


class TestOthers:
    def test_zero_results_counts_every_query_of_the_dataset(self):
        data = dataset({"q1": {"a": 1}}, ("q1", "unjudged", "missing"))
        scores = measure([row("q1", ["a"]), row("unjudged", ["b"])], data, ["zero-results"])
        assert scores["zero-results"].tolist() == [0, 0, 1]

    def test_mean_grade_is_of_what_was_shown(self):
        assert of(["a", "b", "u", "n"], {"a": 3, "b": 1, "n": -2}, "mean-grade@4")["mean-grade@4"] == 1
        assert of(["a"], {"a": 3}, "mean-grade@10")["mean-grade@10"] == 3
        assert of([], {"a": 3}, "mean-grade")["mean-grade@10"] == 0


class TestRefused:
    def test_a_document_that_is_listed_twice(self):
        with pytest.raises(UsageError, match="query q: document 'a' is listed twice"):
            of(["a", "b", "a"], {"a": 1}, "ndcg@10")

    def test_two_rows_for_one_query(self):
        with pytest.raises(UsageError, match="two rows for query 'q'"):
            measure([row("q", ["a"]), row("q", ["b"])], dataset({"q": {"a": 1}}), ["mrr"])

    def test_a_row_of_another_dataset(self):
        with pytest.raises(UsageError, match="another dataset"):
            measure([row("other", ["a"])], dataset({"q": {"a": 1}}), ["mrr"])


IDS = st.lists(st.sampled_from([f"d{n}" for n in range(12)]), unique=True, max_size=12)
GRADES = st.dictionaries(st.sampled_from([f"d{n}" for n in range(12)]), st.integers(-2, 3), max_size=12)
RELATIVE = ("unique-useful", "good-kept@5", "good-added@5", "overlap@5")


@settings(max_examples=60, deadline=None)
@given(found=IDS, raw=IDS, grades=GRADES)
def test_fractions_stay_between_0_and_1_and_numbers_within_the_list(found, raw, grades):
    scores = of(found, grades, *ALL, *RELATIVE, "zero-results", "mean-grade@5", raw=[row("q", raw, "no-expansion")])
    for name, score in scores.items():
        if not math.isnan(score):
            most = len(found) if name in ("unique-useful", "good-added@5") else 3 if name == "mean-grade@5" else 1
            assert -1e-12 <= score <= most + 1e-12, name
    has_relevant = any(grade > 0 for grade in grades.values())
    assert all(math.isnan(scores[parse_measure(name).name]) != has_relevant for name in ALL)


@settings(max_examples=60, deadline=None)
@given(found=IDS.filter(lambda ids: len(ids) > 1), grades=GRADES, data=st.data())
def test_a_better_document_higher_up_is_never_worse(found, grades, data):
    at = data.draw(st.integers(0, len(found) - 2))
    first, second = found[at], found[at + 1]
    if max(grades.get(first, 0), 0) >= max(grades.get(second, 0), 0):
        return
    better = [*found[:at], second, first, *found[at + 2 :]]
    before, after = of(found, grades, *ALL), of(better, grades, *ALL)
    for name in before:
        assert math.isnan(before[name]) or after[name] >= before[name] - 1e-12, name


@settings(max_examples=40, deadline=None)
@given(found=IDS, grades=GRADES)
def test_documents_that_nobody_judged_at_the_end_change_nothing(found, grades):
    before, after = of(found, grades, *ALL), of([*found, "never-judged"], grades, *ALL)
    assert before == pytest.approx(after, nan_ok=True)


PAGE = Path(__file__).parents[2] / "docs" / "measures.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the tests stand beside an installed wheel")
def test_the_page_has_every_measure():
    page = PAGE.read_text(encoding="utf-8")
    for name, about in FAMILIES.items():
        assert f"`{name}" in page, name
        assert about.trec or name in OWN


class TestIdsOfStrangers:
    """What an engine calls its documents never reaches C."""

    @pytest.mark.parametrize("id_", ["b\0x", "b\0", "\0", "\ud800", "b\udfff", "", " ", "b\nc", "b\tc 1"])
    def test_are_numbers_to_trec_eval(self, id_, capfd):
        grades = {"b": 1, "c": 2}
        plain = of(["x", "b", "c"], grades, *ALL)
        assert of([id_, "b", "c"], grades, *ALL) == plain
        assert of(["x", "b", "c"], grades | {id_: 3}, "recall@3") == {"recall@3": pytest.approx(2 / 3)}
        assert capfd.readouterr() == ("", "")

    def test_two_that_C_would_take_for_one_are_two(self):
        assert of(["b\0x", "b\0y"], {"b\0y": 1}, "mrr", "ndcg") == of(["x", "y"], {"y": 1}, "mrr", "ndcg")

    def test_so_are_queries(self):
        made = dataset({"q\0a": {"x": 1}, "q\0b": {"y": 1}, "\ud800": {"z": 1}})
        scores = measure([row("q\0a", ["x"]), row("q\0b", ["x"]), row("\ud800", ["z"])], made, ["ndcg@10"])
        assert sorted(scores["ndcg@10"]) == [0.0, 1.0, 1.0]
