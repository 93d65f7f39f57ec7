"""Maximal marginal relevance: variety without losing anything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rankings import FakeContext, keys, listed, made
from rankings import hit as a_hit

from qx.builtin.processors.mmr import MaximalMarginalRelevance, diverse
from qx.errors import Unavailable
from qx.testing import FakeEmbedder

HITS = [
    a_hit("1", title="reset the router password"),
    a_hit("2", title="reset the router password again"),
    a_hit("3", title="重启路由器"),
    a_hit("4", title="reset router password"),
]


def test_by_hand():
    same = {(0, 1): 1.0, (0, 2): 0.0, (1, 2): 0.0}

    def likeness(i: int, j: int) -> float:
        return same[min(i, j), max(i, j)]

    assert diverse(3, likeness, balance=0.5) == [0, 2, 1]  # 1: 0.5 * 2/3 - 0.5; 2: 0.5 * 1/3
    assert diverse(3, likeness, balance=1.0) == [0, 1, 2]


@pytest.mark.parametrize("by", ["lexical", "embedding"])
async def test_the_other_thing_comes_up(services: Any, by: str):
    mmr = await made(MaximalMarginalRelevance, services, by=by, balance=0.5)
    done = await mmr.process_hits(listed(*HITS), FakeContext())
    assert done.keys[:2] == ("1", "3")
    assert sorted(done.keys) == ["1", "2", "3", "4"]
    assert list(done.scores) == sorted(done.scores, reverse=True)
    assert done.hit(1) == HITS[2]


async def test_what_keeps_its_order(services: Any):
    given_ = listed(*HITS)
    assert (
        await (await made(MaximalMarginalRelevance, services, balance=1)).process_hits(given_, FakeContext()) is given_
    )
    short = listed(*HITS[:2])
    assert await (await made(MaximalMarginalRelevance, services)).process_hits(short, FakeContext()) is short
    top = await (await made(MaximalMarginalRelevance, services, top=3, balance=0.1)).process_hits(given_, FakeContext())
    assert keys(top)[-1] == "4"


async def test_an_embedder_that_fails_is_the_engines_to_report(services: Any):
    context = FakeContext(embedder=FakeEmbedder(failures=[Unavailable("down")]))
    with pytest.raises(Unavailable):
        await (await made(MaximalMarginalRelevance, services, by="embedding")).process_hits(listed(*HITS), context)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 12), st.floats(0, 1), st.randoms(use_true_random=False))
def test_every_hit_once(count: int, balance: float, random: Any):
    table = {(i, j): random.random() for i in range(count) for j in range(i)}
    order = diverse(count, lambda i, j: table[max(i, j), min(i, j)], balance=balance)
    assert sorted(order) == list(range(count))
    assert not order or order[0] == 0
