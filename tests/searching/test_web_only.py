"""Queries that only web engines take: they take no place of the limit where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from backends import block
from engines import engine
from qx.testing.backend import ScriptedBackend

pytestmark = pytest.mark.virtual_time
TEXTS = ("laptop reviews not Sony", "蓝牙耳机 推荐 不要索尼")
BY_SITES: dict[str, Any] = {"strategies": ["site", "boolean", "synonym", "refine"], "limit": 3}


@pytest.mark.parametrize("text", TEXTS)
async def test_they_take_no_places_where_no_engine_takes_them(text: str):
    kinds = frozenset({"any", "lexical"})
    async with engine(search={"backends": {"a": block(ScriptedBackend(accepts=kinds))}}, expand=BY_SITES) as opened:
        expansion = await opened.expand(text)
    assert all(query.target != "web" for query in expansion.queries)
    told = [one for one in expansion.dropped if "web engines" in one.reason]
    assert told, expansion.dropped
    assert any("site:" in one.text for one in told)
    spare = [one for one in expansion.dropped if "over the limit" in one.reason]
    assert len(expansion.queries) == 4 or not spare


@pytest.mark.parametrize("text", TEXTS)
async def test_they_are_kept_for_the_web_and_for_an_engine_that_is_unknown(text: str):
    web = ScriptedBackend(accepts=frozenset({"any", "web"}))
    local = ScriptedBackend(accepts=frozenset({"any"}))
    for search in ({"backends": {"a": block(local), "w": block(web)}}, {}):
        async with engine(search=search, expand=BY_SITES) as opened:
            expansion = await opened.expand(text)
        assert any(query.target == "web" for query in expansion.queries), search
        assert not any("web engines" in one.reason for one in expansion.dropped)
