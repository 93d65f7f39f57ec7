"""What each strategy brought, by hand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from qx.eval.strategies import Strategies
from qx.types import SubQuery

from .planted import dataset, row

QUERIES = (
    SubQuery(text="a", strategy="original"),
    SubQuery(text="b", strategy="synonym"),
    SubQuery(text="c", strategy="refine"),
    SubQuery(text="d", strategy="refine"),
)


def test_by_hand():
    counted = Strategies(dataset({"q": {"x": 1, "y": 1}, "p": {}}))
    counted.add(row("q", ["x:0,1", "y:2,3", "z:0", "w:1"], queries=QUERIES))
    counted.add(row("p", ["x:0"], queries=QUERIES[:2]))
    found = counted.result()
    assert next(iter(found)) == "original"
    assert found["original"] == {
        "rows": 2, "queries": 2, "hits": 3, "only": 2, "relevant": 1, "relevant_only": 0, "first": 3 / 5,
    }  # fmt: skip
    assert found["synonym"] == {
        "rows": 2, "queries": 2, "hits": 2, "only": 1, "relevant": 1, "relevant_only": 0, "first": 2 / 5,
    }  # fmt: skip
    # y came from two queries of one strategy: only that strategy brought it
    assert found["refine"] == {
        "rows": 1, "queries": 2, "hits": 1, "only": 1, "relevant": 1, "relevant_only": 1, "first": 1 / 5,
    }  # fmt: skip


def test_the_share_is_of_first_pages():
    counted = Strategies(dataset({"q": {}}))
    counted.add(row("q", [f"d{n}:{int(n >= 10)}" for n in range(15)], queries=QUERIES))
    found = counted.result()
    assert (found["original"]["first"], found["synonym"]["first"]) == (1.0, 0.0)


def test_nothing_was_searched():
    assert Strategies(dataset({"q": {}})).result() == {}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 5)), max_size=15), st.sets(st.integers(0, 14)))
def test_shares_and_parts_fit_the_whole(brought, relevant):
    found = [f"d{n}:{','.join(map(str, by))}" if by else f"d{n}:9" for n, by in enumerate(brought)]
    counted = Strategies(dataset({"q": {f"d{n}": 1 for n in relevant}}))
    counted.add(row("q", found, queries=QUERIES))
    for counts in counted.result().values():
        assert 0 <= counts["first"] <= 1
        assert counts["relevant_only"] <= min(counts["only"], counts["relevant"])
        assert max(counts["only"], counts["relevant"]) <= counts["hits"] <= len(brought)
