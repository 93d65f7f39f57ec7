"""Runs in TREC's format, in the order of trec_eval."""

from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import DatasetError
from qx.eval.measures import measure
from qx.eval.run_files import read_run

from .planted import dataset


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "bm25.run"
        path.write_text(text, encoding="utf-8")
        return read_run(path)

    return read


def order(rows):
    return {row.query: [listed.id for listed in row.found] for row in rows}


def test_is_ordered_by_score_whatever_the_ranks_say(read, tmp_path):
    rows = read("q1 Q0 a 1 0.5 t\nq2 Q0 文档 1 3 t\nq1 Q0 b 2 1.5 t\n\nq1 Q0 c 3 -2e-1 t\n")
    assert order(rows) == {"q1": ["b", "a", "c"], "q2": ["文档"]}
    assert read_run(str(tmp_path / "bm25.run")) == rows
    assert {row.condition for row in rows} == {"bm25"}


def test_ties_go_to_the_higher_id_as_with_trec_eval(read):
    assert order(read("q Q0 a 1 1 t\nq Q0 c 2 1 t\nq Q0 b 3 1 t\n")) == {"q": ["c", "b", "a"]}


def test_scores_that_single_precision_cannot_tell_apart_are_tied(read):
    assert order(read("q Q0 a 1 1.00000000001 t\nq Q0 b 2 1 t\n")) == {"q": ["b", "a"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q Q0 a 1 2 t\nq Q0 a 2 1 t\n", "bm25.run:2: document 'a' comes twice for query 'q': first in line 1"),
        ("q Q0 a 1 2\n", "bm25.run:1: 5 columns"),
        ("q Q0 a 1 much t\n", "bm25.run:1: the score 'much' is no number"),
        ("q Q0 a 1 nan t\n", "bm25.run:1: the score 'nan'"),
        ("q Q0 a 1 1e39 t\n", "bm25.run:1: the score '1e39'"),
        ("\n", "there is no line"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(read, text, said):
    with pytest.raises(DatasetError) as caught:
        read(text)
    assert said in str(caught.value)


def test_a_document_may_come_for_two_queries(read):
    assert order(read("q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\n")) == {"q1": ["a"], "q2": ["a"]}


SCORES = st.dictionaries(
    st.sampled_from([f"d{n}" for n in range(10)]), st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=10
)


@settings(max_examples=50, deadline=None)
@given(
    scores=SCORES, grades=st.dictionaries(st.sampled_from([f"d{n}" for n in range(10)]), st.integers(0, 3), min_size=1)
)
def test_scores_are_those_of_trec_eval_with_ties(scores, grades, tmp_path_factory):
    if not any(grades.values()):
        return
    path = tmp_path_factory.mktemp("runs") / "x.run"
    path.write_text("".join(f"q Q0 {id_} 1 {score} t\n" for id_, score in scores.items()), encoding="utf-8")
    wanted = pytrec_eval.RelevanceEvaluator({"q": grades}, {"ndcg_cut_10", "map", "recip_rank"}).evaluate(
        {"q": scores}
    )["q"]
    found = measure(read_run(path), dataset({"q": grades}), ["ndcg@10", "map", "mrr", "mrr@10"])
    assert found["ndcg@10"][0] == pytest.approx(wanted["ndcg_cut_10"])
    assert found["map"][0] == pytest.approx(wanted["map"])
    assert found["mrr"][0] == found["mrr@10"][0] == pytest.approx(wanted["recip_rank"])
