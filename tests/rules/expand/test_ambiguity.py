"""An ambiguous word: `why` says of each expansion which reading it is; conversation, query or pack settle it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from qx.domain import DomainPack, EntityType, SenseRule, Taxonomy, merge
from qx.rules.expand import choose, expand
from qx.rules.understand import RuleUnderstanding
from qx.types import Query, Turn, Understanding

NOW = datetime(2026, 6, 15, 10, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("苹果", {"水果": "苹果 水果", "公司": "苹果 公司"}),
        ("apple", {"fruit": "apple fruit", "company": "apple company"}),
        ("Java", {"programming language": "java programming", "island": "java island", "coffee": "java coffee"}),
        ("Python列表排序", {"sorted()": "sorted", "list.sort()": "list.sort"}),
        ("mercury", {"planet": "mercury planet", "metal": "mercury metal"}),
        ("小米", {"公司": "小米 公司", "粮食": "小米 粥"}),
    ],
)
async def test_why_says_which_reading_a_query_is_of(
    text: str,
    readings: dict[str, str],
    understand: Callable[..., Understanding],
    make_context: Callable[[], Any],
    strategies: Callable[..., dict[str, Any]],
    knowledge: Any,
):
    query, understanding = Query(text=text), understand(text)
    found = await expand(query, understanding, make_context(), strategies(choose(query, understanding, knowledge)))
    said = {sense.label: f"{sense.word} = {sense.label}" for sense in understanding.senses}
    assert readings.keys() <= said.keys()
    for label, words in readings.items():
        own = [q for q in found if words in q.text.casefold() and q.strategy == "senses"]
        assert own, label
        for one in own:
            assert said[label] in one.why
            assert not any(other in one.why for name, other in said.items() if name != label)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("苹果手机壳", "苹果 (公司)"),
        ("苹果 营养", "苹果 (水果)"),
        ("apple stock price", "Apple (company)"),
        ("apple pie calories", None),
        ("java spring tutorial", "Java (programming language)"),
    ],
)
def test_the_rest_of_the_query_settles_it(text: str, canonical: str | None, understand: Callable[..., Understanding]):
    found = understand(text)
    assert found.senses == ()
    assert canonical is None or canonical in [e.canonical for e in found.entities]


def _shop(*senses: SenseRule, replaces: tuple[Any, ...] = ()) -> DomainPack:
    phones = EntityType(
        id="brand",
        labels={"en": "brand", "zh": "品牌"},
        definition={"en": "a maker", "zh": "厂商"},
        names={"苹果": ("apple",)},
    )
    return DomainPack(
        schema_version=1,
        name="phones",
        taxonomy=Taxonomy(name="phones", intents=(), entity_types=(phones,)),
        senses=senses,
        replaces=replaces,
    )


@pytest.mark.parametrize("text", ["苹果", "不要苹果", "apple", "not Apple"])
def test_a_pack_without_the_readings_of_others_settles_it(text: str, general: DomainPack):
    query = Query(text=text)
    plain = RuleUnderstanding(merge([general])).understand(query, now=NOW, zone=NOW.tzinfo)
    assert plain.senses
    own = RuleUnderstanding(merge([_shop(replaces=("senses",)), general])).understand(query, now=NOW, zone=NOW.tzinfo)
    assert own.senses == ()
    brands = [e.type for e in own.entities] + [c.field for c in own.constraints if c.op == "ne"]
    assert brands == ["brand"]


def test_a_pack_s_own_evidence_settles_it(general: DomainPack):
    rule = SenseRule(word="苹果", language="zh", senses={"公司": ("换屏", "以旧换新"), "水果": ("果园",)})
    own = RuleUnderstanding(merge([_shop(rule), general]))
    query = Query(text="苹果 以旧换新")
    assert RuleUnderstanding(merge([general])).understand(query, now=NOW, zone=NOW.tzinfo).senses
    found = own.understand(query, now=NOW, zone=NOW.tzinfo)
    assert found.senses == ()
    assert [e.canonical for e in found.entities if e.type == "brand"] == ["苹果 (公司)"]


def test_the_conversation_settles_what_the_query_leaves_open(knowledge: Any):
    rules = RuleUnderstanding(knowledge)
    for said, label in (("想买手机", "公司"), ("想喝果汁", "水果")):
        query = Query(text="苹果怎么样", history=(Turn(role="user", content=said),))
        found = rules.understand(query, now=NOW, zone=NOW.tzinfo)
        assert found.senses == ()
        assert f"苹果 ({label})" in [e.canonical for e in found.entities]
