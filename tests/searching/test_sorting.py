"""The caller's order: it replaces every ranking, of one engine and of several."""

from __future__ import annotations

import pytest

from backends import PRICE, TEXT, block, docs, ids, searching
from engines import engine
from qx.testing.backend import ScriptedBackend
from qx.types import SortBy

pytestmark = pytest.mark.virtual_time


def priced(**prices: float) -> tuple[object, ...]:
    return tuple(document for id, price in prices.items() for document in docs(id, price=price))


async def test_lists_of_several_engines_are_put_in_one_order():
    one, two = ScriptedBackend(default=priced(a9=9, a1=1, a5=5)), ScriptedBackend(default=priced(b3=3, b2=2, b4=4))
    async with searching(one, two, search={"fields": PRICE}) as opened:
        up = await opened.search(TEXT, sort=(SortBy(field="price"),))
        down = await opened.search(TEXT, sort=(SortBy(field="price", descending=True),))
    assert ids(up) == ["a1", "b2", "b3", "b4", "a5", "a9"]
    assert up.total == 6
    assert ids(down) == ["a9", "a5", "b4", "b3", "b2", "a1"]


async def test_hits_without_a_value_come_last_in_both_directions():
    one, two = ScriptedBackend(default=(*priced(a5=5), *docs("none"))), ScriptedBackend(default=priced(b2=2))
    async with searching(one, two, search={"fields": PRICE}) as opened:
        assert ids(await opened.search(TEXT, sort=(SortBy(field="price"),))) == ["b2", "a5", "none"]
        assert ids(await opened.search(TEXT, sort=(SortBy(field="price", descending=True),))) == ["a5", "b2", "none"]


async def test_values_of_different_scales_compare():
    cents = {"price": {"name": "metadata.price_cents", "type": "number", "scale": 100, "unit": "USD"}}
    one = block(ScriptedBackend(default=docs("4.99", price_cents=499))) | {"fields": cents}
    two = block(ScriptedBackend(default=docs("5", price=5))) | {"fields": PRICE}
    async with engine(search={"backends": {"a": two, "b": one}, "min_results": 0}) as opened:
        assert ids(await opened.search(TEXT, sort=(SortBy(field="price"),))) == ["4.99", "5"]


async def test_no_reranker_undoes_it():
    backend = ScriptedBackend(default=priced(a9=9, a1=1, a5=5), bm25=False)
    processors = [{"type": "rerank", "by": "lexical"}, {"type": "mmr", "by": "lexical"}]
    async with searching(backend, search={"fields": PRICE, "rerank": "auto", "processors": processors}) as opened:
        result = await opened.search(TEXT, sort=(SortBy(field="price"),))
    assert ids(result) == ["a1", "a5", "a9"]
    assert not any("rerank" in note for note in result.notes)
