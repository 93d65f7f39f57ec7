"""RM3: weights by hand, weights as repeated words, and what it finds in both languages."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.errors import UsageError
from qx.eval.baselines import names, steps
from qx.eval.baselines.rm3 import MOST, RM3, repeated
from qx.eval.baselines.second_query import replacing


def ids(result: Any) -> list[str]:
    return [hit.id for hit in result.hits]


def second(result: Any) -> Counter[str]:
    return Counter(result.expansion.queries[1].text.split())


def test_the_weights_are_those_of_the_formula():
    """Two words asked; ink 0.3, tray 0.1 of the rest: half of 1/2 each, and half of 3/4 and 1/4."""
    made = RM3(terms=2).weights(("printer", "tray"), {"ink": 0.3, "tray": 0.1, "rare": 0.01}, {"ink": Counter(ink=1)} | {
        "tray": Counter(tray=1), "rare": Counter(rare=1)})  # fmt: skip
    assert made == pytest.approx({"printer": 0.25, "tray": 0.25 + 0.125, "ink": 0.375})


def test_stop_words_of_a_question_weigh_nothing():
    made = RM3().weights(("how", "do", "I", "clear", "the", "tray"), {"ink": 1.0}, {"ink": Counter(ink=1)})
    assert set(made) == {"clear", "tray", "ink"}
    only = RM3().weights(("to", "be", "or", "not"), {"ink": 1.0}, {"ink": Counter(ink=1)})
    assert set(only) == {"to", "be", "or", "not", "ink"}


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.text("abc0123456789打印机卡纸", min_size=1, max_size=8), st.floats(0.001, 1), min_size=1, max_size=25
    )
)
def test_words_stand_as_often_as_they_weigh(weights: dict[str, float]):
    whole = sum(weights.values())
    shares = {word: weight / whole for word, weight in weights.items()}
    found = Counter(repeated(shares))
    pieces = sum(len(w) if any(c >= "一" for c in w) else 1 for w in found.elements())
    assert pieces <= MOST + 8 * len(shares)
    one = max(found.total(), 1)
    for word, share in shares.items():
        assert abs(found[word] - share * one) <= 0.5 + 0.5 * len(shares) * share + 0.5


def test_numbers_come_last():
    assert repeated({"16": 0.6, "gb": 0.3, "laptop": 0.1})[-1] == "16"


@pytest.mark.parametrize(
    ("query", "added", "brings"),
    [("printer jam", {"tray", "roller"}, "doc-tray"), ("打印机卡纸", {"滚筒", "纸盒"}, "文-滚筒")],
)
async def test_it_finds_what_the_first_hits_speak_of(opened: Any, query: str, added: set[str], brings: str):
    async with opened() as engine:
        raw = ids(await engine.search(query, expand=False))
    async with opened(steps("rm3")) as engine:
        result = await engine.search(query)
    assert added <= set(second(result))
    assert brings not in raw
    assert brings in ids(result)
    assert ids(result)[0] == raw[0]
    assert [q.strategy for q in result.expansion.queries] == ["original", "rm3"]
    assert {r.query.strategy for r in result.rankings} == {"rm3"}


async def test_bm25_is_the_condition_without_expansion(opened: Any):
    for query in ("printer jam", "打印机卡纸", "printer jam under $15", "lamp -chair", "nothing of it"):
        async with opened() as engine:
            raw = await engine.search(query, expand=False)
        async with opened(steps("bm25")) as engine:
            same = await engine.search(query)
        assert ids(same) == ids(raw)
        assert len(same.expansion.queries) == 1


async def test_conditions_stay_filters_and_exclusions_stay(opened: Any):
    async with opened(steps("rm3")) as engine:
        priced = await engine.search("printer jam under $15")
        assert ids(priced)[0] == "jam-1"
        assert not {"doc-tray", "jam-2"} & set(ids(priced))
        without = await engine.search("printer jam -clearing")
        assert "jam-2" not in ids(without)
        assert "-clearing" in second(without)


async def test_where_nothing_is_found_the_raw_query_is_searched(opened: Any):
    async with opened(steps("rm3")) as engine:
        result = await engine.search("zeppelin")
        assert ids(result) == []
        assert any("nothing to add" in note for note in result.notes)
        assert not result.degraded
        assert ids(await engine.search("")) == []


async def test_words_that_all_documents_hold_add_nothing(opened: Any):
    async with opened(steps("rm3")) as engine:
        assert not {"spade", "rake", "hose"} & set(second(await engine.search("printer jam garden tool")))


async def test_steps_that_are_replaced_already_are_refused(opened: Any):
    with pytest.raises(UsageError, match="replaced already"):
        async with opened(lambda own: steps("rm3")(replacing(None)(own))):
            pass


def test_unknown_names_are_refused_with_what_there_is():
    assert names()[:2] == ("bm25", "rm3")
    with pytest.raises(UsageError, match="rm3"):
        steps("rm4")
