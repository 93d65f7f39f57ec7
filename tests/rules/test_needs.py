"""Which needs count: a word's, a type's, both together, and none where ``unless`` is in the query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from qx.domain import EntityType, Intent, Knowledge, Need, Taxonomy
from qx.rules.understand import RuleUnderstanding
from qx.types import Query

TAXONOMY = Taxonomy(
    name="own",
    intents=(
        Intent(
            id="exploration",
            cues=("about", "关于"),
            needs=(
                Need(when=("@place",), unless=("@dish", "lawyer", "律师"), needs=("sights",), language="en"),
                Need(when=("@dish + @place",), needs=("tables",), language="en"),
                Need(when=("@place",), unless=("@dish", "律师"), needs=("景点",), language="zh"),
                Need(when=("@dish + @place",), needs=("订位",), language="zh"),
                Need(when=("tent + rain",), needs=("dry tents",), language="en"),
                Need(needs=("anything",), language="en"),
                Need(needs=("别的",), language="zh"),
            ),
        ),
    ),
    entity_types=(
        EntityType(id="place", names={"Oslo": ("奥斯陆",)}),
        EntityType(id="dish", names={"soup": ("鱼汤",)}),
    ),
)


@pytest.fixture(scope="module")
def own() -> RuleUnderstanding:
    return RuleUnderstanding(Knowledge(name="own", taxonomy=TAXONOMY), spelling=False)


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("about Oslo", "sights", "tables"),
        ("about soup in Oslo", "tables", "sights"),
        ("about soup", "anything", "tables"),
        ("about a lawyer in Oslo", "anything", "sights"),
        ("about lawyers in Oslo", "anything", "sights"),
        ("关于奥斯陆", "景点", "订位"),
        ("关于奥斯陆的鱼汤", "订位", "景点"),
        ("关于奥斯陆的律师", "别的", "景点"),
        ("about a tent for rain", "dry tents", "sights"),
        ("about a tent", "anything", "dry tents"),
    ],
)
def test_needs(text: str, wanted: str, unwanted: str, own: RuleUnderstanding) -> None:
    needs = own.understand(Query(text=text), now=datetime(2026, 6, 15, tzinfo=UTC), zone=UTC).implicit_needs
    assert wanted in needs
    assert unwanted not in needs


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("mouse trap that works", "latest products"),
        ("orange county car accident lawyer", "rivals compared"),
        ("附近的洗车店", "同级车型 对比"),
        ("长城汽车", "旅游攻略"),
        ("上海浦东机场停车费", "旅游攻略"),
        ("divorce in california", "packing list"),
        ("适合大学生的笔记本", "口碑 评价"),
    ],
)
def test_a_word_that_only_describes_asks_for_nothing(text: str, unwanted: str, rules: RuleUnderstanding) -> None:
    found = rules.understand(Query(text=text), now=datetime(2026, 6, 15, tzinfo=UTC), zone=UTC)
    assert unwanted not in found.implicit_needs


@pytest.mark.parametrize(
    ("text", "type_"),
    [("北京协和医院", "organisation"), ("适合大学生的笔记本", None), ("emergency plumber", "local-service")],
)
def test_who_is_looked_for(text: str, type_: str | None, rules: RuleUnderstanding) -> None:
    found = rules.understand(Query(text=text), now=datetime(2026, 6, 15, tzinfo=UTC), zone=UTC)
    types = {e.type for e in found.entities}
    assert (type_ in types) if type_ else "organisation" not in types


@pytest.mark.parametrize(
    ("text", "travels"),
    [
        ("open a bank account in singapore as a foreigner", False),
        ("start a business in berlin", False),
        ("国庆带老人去云南七天怎么安排", True),
        ("what to see in prague", True),
        ("成都有什么好玩的", True),
    ],
)
def test_a_place_is_a_journey_where_it_is_gone_to_or_is_all_that_is_named(text, travels, understand):
    assert (not {"itinerary", "行程安排"}.isdisjoint(understand(text).implicit_needs)) == travels


def test_a_reading_is_begun_without_needs_and_made_whole_with_them(rules: RuleUnderstanding) -> None:
    query, now = Query(text="成都有什么好玩的"), datetime(2026, 6, 15, tzinfo=UTC)
    begun = rules.begin(query, now=now, zone=UTC)
    assert begun.understanding.implicit_needs == ()
    whole = begun.whole()
    assert whole.understanding == rules.understand(query, now=now, zone=UTC)
    assert "行程安排" in whole.understanding.implicit_needs
    assert whole.whole() is whole
