"""The step ``fuse``: what the lists weigh, and which of them may touch the first page."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qx.fusions.rrf import ReciprocalRank
from qx.ranking import Ranking
from qx.steps.fuse import FILLING, FIRST_PAGE, FuseStep, nothing
from qx.types import Hit, ListReport, SearchOptions, SubQuery


def lists(strategy: str, *ids: str, backend: str = "a", weight: float = 1.0) -> Ranking:
    query = SubQuery(text=f"{strategy} {' '.join(ids[:1])}", strategy=strategy, weight=weight)
    return Ranking(
        query=query,
        backend=backend,
        keys=ids,
        scores=tuple(1 / n for n in range(1, len(ids) + 1)),
        hit=lambda i: Hit(id=ids[i], backend=backend),
        report=ListReport(query=query, backend=backend),
    )


def names(count: int, prefix: str = "o") -> tuple[str, ...]:
    return tuple(f"{prefix}{n}" for n in range(count))


def context(**options: Any) -> Any:
    return SimpleNamespace(options=SearchOptions(**options), span=lambda *a, **k: nullcontext())


def step(share: float = 0.3, **weights: float) -> FuseStep:
    return FuseStep(ReciprocalRank(), weights, share=share)


async def test_of_nothing_nothing_is_made():
    found = await step()((lists("original"),), context())
    assert (found.keys, found.outcome) == ((), "empty")
    with pytest.raises(IndexError):
        nothing(()).hit(0)


def test_all_that_may_reorder_the_top_weighs_a_share_of_the_original():
    original = lists("original", "a")
    others = [lists("synonym", "b", weight=0.8), lists("refine", "c", weight=0.4)]
    weights = step().weights([original, *others])
    assert weights[0] == 1.0
    assert sum(weights[1:]) == pytest.approx(0.3)
    assert weights[1] == pytest.approx(2 * weights[2])


def test_a_share_is_of_its_own_backends_original_and_of_that_backends_weight():
    found = [
        lists("original", "a"),
        lists("synonym", "b"),
        lists("synonym", "c", backend="b"),
        lists("original", "d", backend="c"),
        lists("synonym", "e", backend="c"),
    ]
    weights = step(b=2.0, c=0.5).weights(found)
    assert weights == pytest.approx([1.0, 0.3, 2.0, 0.5, 0.15])  # b has no original: nothing is cut


@pytest.mark.parametrize("strategy", sorted(FILLING))
async def test_queries_that_find_more_leave_the_first_page_alone(strategy: str):
    original = lists("original", *names(40))
    more = lists(strategy, *names(40, "m"))
    found = await step()((original, more), context())
    assert found.keys[:FIRST_PAGE] == original.keys[:FIRST_PAGE]
    assert "m0" in found.keys[FIRST_PAGE : FIRST_PAGE + 2]
    assert list(found.scores) == sorted(found.scores, reverse=True)


@pytest.mark.parametrize("limit", [1, 5, 10, 50])
async def test_the_order_does_not_depend_on_how_many_hits_are_wanted(limit: int):
    found = (lists("original", *names(30)), lists("feedback", *names(30, "m")))
    assert (await step()(found, context(limit=limit))).keys == (await step()(found, context(limit=10))).keys
    assert (await step()(found, context(limit=limit, offset=10))).keys == (await step()(found, context())).keys


async def test_queries_that_find_better_may_reorder_the_first_page():
    found = await step(share=1.0)((lists("original", "a", "b"), lists("synonym", "b", "c")), context())
    assert found.keys[0] == "b"


async def test_what_only_finds_more_stands_alone_where_there_is_nothing_else():
    found = await step()((lists("original"), lists("generalize", "w", "x")), context())
    assert found.keys == ("w", "x")


async def test_a_callers_order_of_one_list_is_kept():
    original = lists("original", "c", "a", "b")
    assert (await step()((original,), context(sort=({"field": "price"},)))) is original


@given(
    st.lists(st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), unique=True, max_size=26), min_size=1, max_size=4),
    st.lists(st.sampled_from([*sorted(FILLING), "synonym", "refine"]), min_size=4, max_size=4),
)
async def test_nothing_is_lost_or_doubled(found: list[list[str]], strategies: list[str]):
    rankings = [lists("original", *found[0])]
    rankings += [lists(s, *ids) for s, ids in zip(strategies, found[1:], strict=False)]
    fused = await step()(tuple(rankings), context())
    assert sorted(fused.keys) == sorted({key for ranking in rankings for key in ranking.keys})
    assert [fused.hit(i).id for i in range(len(fused.keys))] == list(fused.keys)
    better = [r for r in rankings if r.query.strategy not in FILLING and r.keys]  # type: ignore[union-attr]
    if better:
        held = {key for ranking in better for key in ranking.keys}
        page = fused.keys[: min(FIRST_PAGE, len(held))]
        assert set(page) <= held


@pytest.mark.parametrize("error", [KeyError("bug"), SystemExit(3)])
async def test_a_fusion_that_fails_costs_its_own_way_of_merging(error: BaseException):
    class Broken:
        def fuse(self, rankings: Any, weights: Any, /) -> Ranking:
            raise error

    fell: list[tuple[str, ...]] = []
    told = context()
    told.degrade = lambda *said: fell.append(said)
    made = FuseStep(Broken(), {}, share=0.3)
    fused = await made((lists("original", "a", "b"), lists("synonym", "b", "c")), told)
    assert sorted(fused.keys) == ["a", "b", "c"]
    assert (fell[0][:2], type(error).__name__ in fell[0][2]) == (("fuse", "rrf"), True)


def test_the_share_of_a_list_that_brought_nothing_is_nobody_elses():
    original, kept = lists("original", "a"), lists("synonym", "b")
    left_out = lists("refine")
    report = ListReport(query=left_out.query, backend="a", status="skipped", reason="no document holds zyzzyva")  # type: ignore[arg-type]
    left_out = replace(left_out, report=report)
    never_asked = replace(left_out, report=replace(report, reason="not for web"))
    assert step().weights([original, kept], [original, kept, lists("refine")]) == pytest.approx([1.0, 0.15])
    assert step().weights([original, kept], [original, kept, left_out]) == pytest.approx([1.15, 0.15])
    assert step().weights([original, kept], [original, kept, never_asked]) == pytest.approx([1.0, 0.3])


async def test_a_correction_that_leads_comes_before_the_original_and_what_repeats_its_slip():
    original, meant = lists("original", *names(5, "cases")), lists("spelling", *names(5, "phones"), weight=1.0)
    other = lists("synonym", *names(5, "cases"), weight=0.8)
    found = await step()((original, other, meant), context())
    assert found.keys[:5] == names(5, "phones")
    late = await step()((original, other, lists("spelling", *names(5, "phones"), weight=0.5)), context())
    assert late.keys[0] == "cases0"
