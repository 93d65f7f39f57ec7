"""A shop by its own words: what a query says of price, memory and brand becomes filters, over a real local index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from goods import FIELDS, shop

from engines import analysis
from qx import Query
from qx.filters import And, Compare, leaves
from qx.testing import ScriptedLLM
from qx.types import SearchResult

OTHERS = {"dell-cheap", "dell-small", "dell-dear", "charger"}


@pytest.fixture(autouse=True)
def beside_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the folder of a profile without a file is the one where one works


def filters(result: SearchResult) -> set[tuple[str, str, Any]]:
    """What the original was filtered by, as the engine stores it."""
    found = next(r.filter for r in result.rankings if r.query.strategy == "original")
    return {(leaf.field, leaf.op, leaf.value) for leaf in leaves(found) if isinstance(leaf, Compare)}


PRICE = ("metadata.price_cents", "le", 50000)
BELOW = ("metadata.price_cents", "le", 30000)
MEMORY = ("metadata.memory", "eq", 8)
NOT_HP = ("metadata.brand", "ne", "HP")
HP = ("metadata.brand", "eq", "HP")


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        ("laptop under 500 with 8GB", {PRICE, MEMORY}, {"hp-cheap", "dell-cheap"}),
        ("laptop with 8GB under 500", {PRICE, MEMORY}, {"hp-cheap", "dell-cheap"}),
        ("laptop under 500 for gaming", {PRICE}, None),
        ("laptop below 300 in black", {BELOW}, None),
        ("laptop under 500€ and light", {PRICE}, None),
        ("500欧以下的显示器", {PRICE}, {"screen-cheap"}),
        ("500以下的显示器", {PRICE}, {"screen-cheap"}),
        ("gaming laptop not HP", {NOT_HP}, OTHERS),
        ("laptop -HP", {NOT_HP}, OTHERS),
        ("laptop without HP", {NOT_HP}, None),
        ("laptop, no hp", {NOT_HP}, None),
        ("laptop not HP under 500", {NOT_HP, PRICE}, None),
        ("显示器 不要HP", {NOT_HP}, None),
        ("显示器 不要惠普", {NOT_HP}, {"screen-dear"}),
        ("HP laptop", {HP}, {"hp-dear", "hp-cheap"}),
        ("hp laptop", {HP}, None),
        ("laptop HP", {HP}, None),
        ("laptop from hewlett packard", {HP}, None),
        ("laptop by HP under 500", {HP, PRICE}, {"hp-cheap"}),
        ("惠普显示器", {HP}, {"screen-cheap"}),
        ("HP的显示器", {HP}, None),
    ],
)
async def test_what_is_said_of_price_memory_and_brand_becomes_a_filter(
    text: str, asked: set[Any], found: set[str] | None, tmp_path: Path
):
    async with shop(tmp_path) as opened:
        result = await opened.search(text, limit=20)
    assert asked <= filters(result), result.notes
    assert not {field for field, _, _ in filters(result)} - {field for field, _, _ in asked}
    assert found is None or {hit.id for hit in result.hits} == found
    if NOT_HP in asked or HP in asked:
        assert {hit.metadata["brand"] == "HP" for hit in result.hits} == {HP in asked}


@pytest.mark.parametrize("text", ["hewlett packard widget", "widget from HP", "hp widgets", "惠普墨盒", "墨盒 惠普"])
async def test_beside_a_brand_a_word_that_no_list_knows_is_the_product(text: str, tmp_path: Path):
    async with shop(tmp_path) as opened:
        result = await opened.search(text, limit=20)
    assert filters(result) == {HP}
    assert {hit.metadata["brand"] for hit in result.hits} <= {"HP"}


@pytest.mark.parametrize(
    "text",
    [
        "charger for HP laptop",
        "HP laptop charger",
        "HP or Dell laptop",
        "HP laptop vs Dell laptop",
        "HP laptop won't boot",
        "how to reset HP laptop",
        "LED laptop",
        "laptop not LED",
        "laptop with USB",
        "widget for HP",
        "HP laserjet widget",
        "HP or Dell widget",
        "HP compatible widget",
        "HP widget won't boot",
        "兼容惠普墨盒",
        "惠普还是戴尔墨盒",
    ],
)
async def test_a_word_beside_a_product_is_no_brand_for_that_alone(text: str, tmp_path: Path):
    async with shop(tmp_path) as opened:
        result = await opened.search(text)
    assert "metadata.brand" not in {field for field, op, _ in filters(result) if op == "eq"}
    assert "LED" not in {value for _, _, value in filters(result)}


@pytest.mark.parametrize("text", ["laptop under $500", "500元以下的显示器", "laptop under £500 with 8GB"])
async def test_another_currency_stays_a_word(text: str, tmp_path: Path):
    async with shop(tmp_path) as opened:
        result = await opened.search(text)
    assert "metadata.price_cents" not in {field for field, _, _ in filters(result)}
    assert any("stored in EUR" in note for note in result.notes)


async def test_a_number_is_in_the_currency_of_the_shop(tmp_path: Path):
    yuan = dict(FIELDS) | {"price": {"name": "metadata.price_cents", "type": "number", "scale": 100, "unit": "CNY"}}
    async with shop(tmp_path, yuan) as opened:
        for text in ("laptop under 500", "500以下的显示器", "laptop under 500 yuan"):
            assert PRICE in filters(await opened.search(text)), text


@pytest.mark.parametrize(
    "text", ["laptop from hewlett packard", "Hewlett Packard laptop", "laptop not Hewlett Packard"]
)
async def test_the_field_map_names_brands(text: str, tmp_path: Path):
    brand = {"brand": {"name": "metadata.brand", "type": "keyword", "values": {"hewlett packard": "HP"}}}
    async with shop(tmp_path, dict(FIELDS) | brand) as opened:
        result = await opened.search(text)
    assert filters(result) == {NOT_HP if " not " in text else HP}


@pytest.mark.parametrize(
    "text", ["laptop under 500 with 8GB", "gaming laptop not HP", "500欧以下的显示器", "HP laptop"]
)
async def test_without_a_field_map_they_stay_words(text: str, tmp_path: Path):
    async with shop(tmp_path, None) as opened:
        result = await opened.search(text)
    assert filters(result) == set()
    assert result.hits


@pytest.mark.parametrize(
    "made_up",
    [
        {"field": "brand", "op": "eq", "value": "Dell"},
        {"field": "brand", "op": "eq", "value": "Dell", "text": "laptop"},
        {"field": "brand", "op": "ne", "value": "HP", "text": "laptop"},
        {"field": "price", "op": "ge", "value": 0},
        {"field": "memory", "op": "eq", "value": "16 GB"},
    ],
)
async def test_a_model_adds_no_filter_that_nobody_said(made_up: dict[str, Any], tmp_path: Path):
    model = ScriptedLLM(default=analysis(intent=["recommendation"], constraints=[{"hard": True} | made_up], queries=[]))
    async with shop(tmp_path, llm=model) as opened:
        result = await opened.search("laptop")
    assert model.requests
    assert filters(result) == set()
    assert len(result.hits) == len(OTHERS) + 2


async def test_a_models_words_are_no_syntax(tmp_path: Path):
    texts = ("laptop brand:HP price:..200", "laptop site:evil.com", '"gaming laptop" -HP', "laptop -Dell NOT Asus")
    drafts = [{"text": text, "strategy": "refine", "why": "x"} for text in texts]
    answer = json.loads(analysis(intent=["recommendation"])) | {"queries": drafts}
    async with shop(tmp_path, llm=ScriptedLLM(default=json.dumps(answer))) as opened:
        result = await opened.search("laptop")
    ran = [report for report in result.rankings if report.query.strategy == "refine"]
    assert ran
    for report in ran:
        assert report.filter is None
        assert report.hits >= len(OTHERS) or report.reason.startswith("no document holds")


MEDDLING = (
    {"field": "price", "op": "ge", "value": 600, "unit": "EUR", "text": "laptop", "hard": True},
    {"field": "brand", "op": "eq", "value": "HP", "text": "laptop", "hard": True},
    {"field": "brand", "op": "ne", "value": "Dell", "text": "laptop", "hard": True},
)


@pytest.mark.parametrize("constraint", MEDDLING, ids=str)
async def test_a_model_cannot_change_the_callers_filter(constraint: dict[str, Any], tmp_path: Path):
    texts = ("laptop price:700..", "laptop brand:HP", "laptop -Dell", "any laptop whatever the price")
    drafts = [{"text": text, "strategy": "refine", "why": "x"} for text in texts]
    answer = json.loads(analysis(intent=["recommendation"], constraints=[constraint])) | {"queries": drafts}
    own = And(filters=(Compare(field="price", op="lt", value=500), Compare(field="brand", op="eq", value="Dell")))
    async with shop(tmp_path, llm=ScriptedLLM(default=json.dumps(answer))) as opened:
        result = await opened.search(Query(text="laptop", filters=own), limit=20)
    assert {hit.id for hit in result.hits} == {"dell-cheap", "dell-small"}
    assert len(result.rankings) > 2
    for report in result.rankings:
        held = {(leaf.field, leaf.op, leaf.value) for leaf in leaves(report.filter) if leaf.origin == "caller"}  # type: ignore[union-attr]
        assert held == {("metadata.price_cents", "lt", 50000), ("metadata.brand", "eq", "Dell")}, report.query
        assert {leaf.origin for leaf in leaves(report.filter)} <= {"caller"}, report.query


async def test_the_callers_filter_survives_relaxation_and_a_second_round(tmp_path: Path):
    own = Compare(field="price", op="gt", value=1000)
    async with shop(tmp_path) as opened:
        result = await opened.search(Query(text="laptop under 500 with 8GB not Dell", filters=own), limit=20)
    assert any("relaxed" in note for note in result.notes)
    assert {hit.id for hit in result.hits} <= {"dell-dear"}
    for report in result.rankings:
        assert ("metadata.price_cents", "gt", 100000) in {
            (leaf.field, leaf.op, leaf.value) for leaf in leaves(report.filter) if isinstance(leaf, Compare)
        }
