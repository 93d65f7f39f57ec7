"""A small shop in Elasticsearch: on a real node, and what is sent to any."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qx_elasticsearch")

from goods import ShopSuite

import qx.testing.plugin
from engines import profile
from qx import Engine
from qx.plugins import Plugins
from servers.elasticsearch.answering import Reply, Server

MAPPING = {
    "goods": {
        "mappings": {
            "properties": {
                "title": {"type": "text"},
                "text": {"type": "text"},
                "price_cents": {"type": "long"},
                "memory": {"type": "integer"},
                "brand": {"type": "keyword"},
            }
        }
    }
}
FIELDS = {
    "price": {"name": "price_cents", "scale": 100, "unit": "EUR"},
    "brand": "brand",
    "memory": {"name": "memory", "unit": "GB"},
}
PRICE = {"range": {"price_cents": {"lte": 50000}}}
MEMORY = {"term": {"memory": 8}}
NOT_HP = {"bool": {"must_not": [{"term": {"brand": "HP"}}]}}


@pytest.mark.timeout(400)
@(pytest.mark.slow if not os.environ.get("QX_TEST_ELASTICSEARCH_URL") else lambda cls: cls)
class TestShop(ShopSuite):
    @pytest.fixture
    def place(self, node_url: str, index: str) -> Mapping[str, Any]:
        return {"type": "elasticsearch", "hosts": [node_url], "index": f"{index}-goods", "timeout": 60}


HIT = {"_id": "1", "_score": 1.0, "_source": {"title": "laptop", "brand": "Dell", "price_cents": 100, "memory": 8}}
FOUND = {"hits": {"hits": [HIT], "total": {"value": 1, "relation": "eq"}}, "_shards": {"total": 1}}


def several(body: str) -> Reply:
    """One hit for every search, so that no condition is given up."""
    return Reply(body={"responses": [FOUND for line in body.splitlines()[1::2] if line]})


def parts(body: Any) -> list[Any]:
    """Every object within a body."""
    if isinstance(body, dict):
        return [body, *(part for item in body.values() for part in parts(item))]
    return [part for item in body for part in parts(item)] if isinstance(body, list) else []


def sent(server: Server) -> list[Any]:
    """The bodies of the searches so far."""
    rows = [line for _, path, _, body in server.calls if path.endswith("search") for line in body.splitlines() if line]
    return [found for found in map(json.loads, rows) if found.get("size")]


@pytest.mark.parametrize("fields", [FIELDS, {}], ids=["fields", "words"])
@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("laptop under 500 with 8GB", [PRICE, MEMORY]),
        ("laptop -HP", [NOT_HP]),
        ("gaming laptop not HP", [NOT_HP]),
        ("500欧以下的显示器", [PRICE]),
        ("laptop price:..500", [PRICE]),
    ],
)
async def test_conditions_are_in_every_body(
    text: str, conditions: list[Any], fields: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with Server() as server:
        server.answers = {"_mapping": Reply(body=MAPPING), "_msearch": several, "_search": Reply(body=FOUND)}
        block = {"type": "elasticsearch", "hosts": [server.url], "index": "goods", "fields": dict(fields)}
        made = profile(None, search={"backends": {"goods": block}, "min_results": 0, "rerank": "never"})
        plugins = Plugins.load(allow=["elasticsearch"], modules=[qx.testing.plugin])
        async with Engine.opened(made, plugins=plugins) as opened:
            await opened.search(text)
        bodies = sent(server)
    assert bodies
    for body in bodies:
        held = parts(body)
        assert all((condition in held) is bool(fields) for condition in conditions), body
