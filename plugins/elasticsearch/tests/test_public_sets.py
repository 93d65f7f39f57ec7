"""The public sets over a real node: as the local backend and the reference have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qx_elasticsearch")

from public_sets import agrees_once_indexed, filters_win, measured, needs_data, never_worse, shop_documents

from qx.testing.services import TestServices
from qx_elasticsearch.backend import Elasticsearch

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500), needs_data]


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("name", ["shop", "papers", "support"])
async def test_expanding_by_rules_is_never_worse(name: str, node_url: str, capsys: pytest.CaptureFixture[str]):
    told = never_worse(await measured(name, "elasticsearch", node_url))
    with capsys.disabled():
        print(f"\nElasticsearch: {told}")


async def test_conditions_win_as_filters(node_url: str, capsys: pytest.CaptureFixture[str]):
    told = filters_win(await measured("constrained", "elasticsearch", node_url))
    with capsys.disabled():
        print(f"\nElasticsearch: {told}")


async def test_filters_pages_and_counts_agree_with_the_reference(services: TestServices, node_url: str, index: str):
    documents, fields = shop_documents()
    block = {"name": "es", "hosts": (node_url,), "index": f"{index}-shop", "fields": dict(fields)}
    settings: Any = Elasticsearch.Settings.model_validate(block)
    backend = await Elasticsearch.create(settings, services)
    await agrees_once_indexed(backend, documents)
