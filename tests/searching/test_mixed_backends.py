"""Engines that can filter beside engines that cannot."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

import pytest

from backends import BRAND, PRICE, Knowing, block, docs
from engines import engine
from qx import Query
from qx.filters import Compare
from qx.testing.backend import ScriptedBackend

pytestmark = pytest.mark.virtual_time


@asynccontextmanager
async def shop_and_web(shop: ScriptedBackend, web: ScriptedBackend, fields: dict[str, Any], **settings: Any):
    blocks = {"shop": block(shop, fields=fields), "web": block(web)}
    search = {"backends": blocks, "min_results": 0, "rerank": "never"}
    async with engine(search=search, **settings) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "fields", "words"),
    [
        ("laptop under $500", PRICE, "under $500"),
        ("500美元以下的笔记本电脑", PRICE, "500美元以下"),
    ],
)
async def test_each_engine_gets_a_condition_as_it_can_take_it(query: str, fields: dict[str, Any], words: str):
    shop, web = ScriptedBackend(default=docs("1", price=400)), ScriptedBackend(default=docs("2", price=400))
    async with shop_and_web(shop, web, fields) as opened:
        result = await opened.search(query)
    assert shop.requests
    assert all(request.filter is not None and "500" not in request.text for request in shop.requests)
    assert web.requests
    assert all(request.filter is None and words in request.text for request in web.requests)
    assert {hit.id for hit in result.hits} == {"1", "2"}
    assert any(f"“{words}” stays a word for web" in note for note in result.notes)
    told = {r.backend: r.unlowered for r in result.rankings if r.status == "ok"}
    assert told == {"shop": (), "web": ("price: no field 'price'",)}
    assert sum(query.text == result.expansion.queries[0].text for query in [r.query for r in result.rankings]) == 2  # type: ignore[union-attr]


async def test_the_raw_query_runs_once_on_each():
    shop, web = ScriptedBackend(default=docs("1", price=400)), ScriptedBackend(default=docs("2"))
    async with shop_and_web(shop, web, PRICE) as opened:
        await opened.search("laptop under $500")
    assert shop.queries.count("laptop") == 1
    assert web.queries.count("laptop under $500") == 1


async def test_what_one_of_them_cannot_relax_the_other_does():
    shop, web = ScriptedBackend(default=docs("1", price=900)), ScriptedBackend()
    async with shop_and_web(shop, web, PRICE) as opened:
        result = await opened.search("laptop under $500")
    assert [hit.id for hit in result.hits] == ["1"]
    assert any("relaxed: price" in note for note in result.notes)


async def test_a_value_is_looked_up_where_the_field_is():
    shop = Knowing(default=docs("1", brand="HP"), stored={"metadata.brand": ("HP", "Dell")}, held={})
    web = Knowing(default=docs("2"))
    async with shop_and_web(shop, web, BRAND) as opened:
        await opened.search("hewlett packard laptop bag")
    assert web.listed == []


async def test_the_callers_filter_is_never_words():
    shop, web = ScriptedBackend(default=docs("1", price=400)), ScriptedBackend(default=docs("2"))
    async with shop_and_web(shop, web, PRICE) as opened:
        result = await opened.search(
            Query(text="laptop", filters=Compare(field="price", op="le", value=500, unit="USD"))
        )
    assert web.requests == []
    assert {r.reason for r in result.rankings if r.backend == "web"} == {
        "it cannot apply the caller's filter (price: no field 'price')"
    }
