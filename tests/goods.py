"""A small shop over a real index, for the tests of searching; and what must hold of it in every engine."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
from engines import PLUGINS, profile
from qx import Engine, Query
from qx.backend import Document, SupportsIndexing
from qx.filters import Compare, leaves
from qx.plugins import Plugins
from qx.testing import ScriptedLLM
from qx.types import SearchResult

FIELDS: Mapping[str, Any] = {
    "title": "title",
    "text": "text",
    "price": {"name": "metadata.price_cents", "type": "number", "scale": 100, "unit": "EUR"},
    "brand": {"name": "metadata.brand", "type": "keyword"},
    "memory": {"name": "metadata.memory", "type": "number", "unit": "GB"},
}
GOODS = (
    ("hp-dear", "HP gaming laptop", "HP", 799, 16),
    ("hp-cheap", "HP laptop", "HP", 449, 8),
    ("dell-cheap", "Gaming laptop", "Dell", 479, 8),
    ("dell-small", "Light laptop", "Dell", 299, 4),
    ("dell-dear", "Dell laptop", "Dell", 1299, 8),
    ("screen-cheap", "27寸显示器", "HP", 199, 0),
    ("screen-dear", "4K 显示器", "Dell", 899, 0),
    ("printer", "Laser printer", "HP", 99, 0),
    ("charger", "Charger for HP laptop", "Anker", 29, 0),
)


def _document(id: str, title: str, brand: str, price: int, memory: int) -> Document:
    return Document(id=id, title=title, metadata={"brand": brand, "price_cents": price * 100, "memory": memory})


@asynccontextmanager
async def shop(
    folder: Path,
    fields: Mapping[str, Any] | None = FIELDS,
    llm: ScriptedLLM | None = None,
    goods: Sequence[tuple[str, str, str, int, int]] = GOODS,
    place: Mapping[str, Any] | None = None,
) -> AsyncGenerator[Engine]:
    """The shop over a local index, or in the backend whose block is ``place``."""
    block = dict(place or {"type": "local", "path": str(folder / "index")}) | (
        {"fields": dict(fields)} if fields else {}
    )
    search = {"backends": {"goods": block}, "min_results": 0, "rerank": "never"}
    expand = {"limit": 4, "abstain": "never" if llm else "auto"}
    made = profile(llm, search=search, expand=expand, understand={"mode": "llm-single" if llm else "rules"})
    plugins = PLUGINS if place is None else Plugins.load(allow=[str(place["type"])], modules=[qx.testing.plugin])
    async with Engine.opened(made, plugins=plugins) as opened:
        writable = opened.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert([_document(*row) for row in goods])
        yield opened


def conditions(result: SearchResult) -> set[tuple[str, str, Any]]:
    """What the original was filtered by, as the engine stores it."""
    found = next(r.filter for r in result.rankings if r.query.strategy == "original")
    return {
        (leaf.field.removeprefix("metadata."), leaf.op, leaf.value)
        for leaf in leaves(found)
        if isinstance(leaf, Compare)
    }


PRICE, MEMORY = ("price_cents", "le", 50000), ("memory", "eq", 8)
SAID = (
    ("laptop under 500 with 8GB", {PRICE, MEMORY}),
    ("gaming laptop not HP", {("brand", "ne", "HP")}),
    ("500欧以下的显示器", {PRICE}),
    ("laptop -HP price:..500", {PRICE, ("brand", "ne", "HP")}),
)


def passes(metadata: Mapping[str, Any], asked: set[tuple[str, str, Any]]) -> bool:
    """Whether a document meets every condition."""
    meets = {"le": lambda a, b: a <= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b}
    return all(meets[op](metadata[field], to) for field, op, to in asked)


class ShopSuite:
    """What a query says of price, memory and brand, in one engine.  Override ``place``: the backend's block."""

    @pytest.fixture
    def place(self) -> Mapping[str, Any]:
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def beside_the_profile(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    async def test_what_is_said_becomes_a_filter_with_a_field_map_and_stays_words_without(
        self, place: Mapping[str, Any], tmp_path: Path
    ) -> None:
        async with shop(tmp_path, place=place) as opened:
            for text, asked in SAID:
                result = await opened.search(text, limit=20)
                assert conditions(result) == asked, (text, result.notes)
                wanted = {id for id, _, brand, price, memory in GOODS
                          if passes({"brand": brand, "price_cents": price * 100, "memory": memory}, asked)}  # fmt: skip
                assert result.hits, text
                assert {hit.id for hit in result.hits} <= wanted, text
                for report in result.rankings:
                    assert report.filter is not None or report.status == "skipped", report.query
        async with shop(tmp_path, None, place=place) as opened:
            for text, _ in SAID[:3]:
                result = await opened.search(text, limit=20)
                assert {report.filter for report in result.rankings} == {None}, text
                assert result.expansion is not None
                assert result.expansion.queries[0].text == text
                assert result.hits
            everything = {hit.id for hit in (await opened.search("laptop under 500 with 8GB", limit=20)).hits}
            assert everything & {"hp-dear", "dell-dear"}  # dear ones too: nothing limits the price

    async def test_what_is_typed_is_never_given_up(self, place: Mapping[str, Any], tmp_path: Path) -> None:
        async with shop(tmp_path, place=place) as opened:
            for text in ("printer -HP", "laptop NOT HP price:..200", "显示器 price:..100"):
                result = await opened.search(text, limit=20)
                assert not {hit.id for hit in result.hits if hit.metadata["brand"] == "HP" and "HP" in text}, text
                assert not {hit.id for hit in result.hits if "显示器" in text or "price" in text} - {"charger"}, text

    async def test_the_callers_filter_survives(self, place: Mapping[str, Any], tmp_path: Path) -> None:
        own = Compare(field="brand", op="eq", value="Dell")
        async with shop(tmp_path, place=place) as opened:
            result = await opened.search(Query(text="HP laptop under 300 with 16GB", filters=own), limit=20)
            assert {hit.metadata["brand"] for hit in result.hits} <= {"Dell"}
            for report in (r for r in result.rankings if r.status == "ok"):
                held = {(leaf.field, leaf.op) for leaf in leaves(report.filter) if leaf.origin == "caller"}
                assert held == {("metadata.brand", "eq")}, report.query
