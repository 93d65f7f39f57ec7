"""What a profile's own pack says goes before what the general pack says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from qx.domain import DomainPack, Knowledge, SynonymSet, merge
from qx.rules.expand import choose, expand
from qx.rules.understand import RuleUnderstanding
from qx.settings import Expand
from qx.steps.abstain import abstain
from qx.steps.guard import guard
from qx.types import Query, SubQuery

from .conftest import FakeContext

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 6, 15, 10, 0, tzinfo=ZONE)
DESK: dict[str, Any] = {
    "schema_version": 1,
    "name": "desk",
    "taxonomy": {
        "name": "desk",
        "intents": [
            {"id": "access", "cues": ["password", "reset", "重置密码", "密码"], "definition": {"en": "Getting in."}}
        ],
    },
    "sites": [{"intents": ["access", "how-to", "troubleshooting", "recommendation"], "site": "kb.corp.example"}],
    "templates": [{"strategy": "refine", "text": "{core} in stock", "intents": ["recommendation"], "language": "en"}],
    "patterns": [{"name": "ticket", "pattern": r"\bT\d{2}x\d{2}\b", "type": "ticket", "verbatim": True}],
}


def pack(**changes: Any) -> DomainPack:
    return DomainPack.model_validate({**DESK, **changes})


async def run(text: str, knowledge: Knowledge, strategies: Callable[..., Any]) -> tuple[SubQuery, ...]:
    query = Query(text=text)
    understanding = RuleUnderstanding(knowledge).understand(query, now=NOW, zone=ZONE)
    names = choose(query, understanding, knowledge)
    found = await expand(query, understanding, FakeContext(knowledge), strategies(names))  # type: ignore[arg-type]
    return guard(query, understanding, found, settings=Expand(), knowledge=knowledge)[0]


@pytest.mark.parametrize("text", ["reset my password", "wireless earbuds", "printer not working", "重置密码"])
async def test_own_sites_come_before_the_general_ones(text: str, general: DomainPack, strategies: Any):
    found = [q.text for q in await run(text, merge([pack(), general]), strategies) if q.strategy == "site"]
    assert len(found) == 1
    assert found[0].endswith("site:kb.corp.example")


@pytest.mark.parametrize("changes", [{"sites": []}, {"replaces": ["sites"]}])
def test_the_sites_below_can_be_taken_away(changes: dict[str, Any], general: DomainPack):
    assert {s.site for s in merge([pack(**changes), general]).sites} <= {"kb.corp.example"}
    assert "reddit.com" in {s.site for s in merge([pack(), general]).sites}


def test_so_can_intents_templates_and_synonyms(general: DomainPack):
    merged = merge([pack(replaces=["intents", "templates", "synonyms"]), general])
    assert [i.id for i in merged.taxonomy.intents] == ["access"]
    assert [t.text for t in merged.templates] == ["{core} in stock"]
    assert not merged.synonyms
    own = merge([pack(replaces=["synonyms"]), general], synonyms=[SynonymSet(of="梯子", words=("VPN",))])
    assert list(own.synonyms) == ["梯子"]


@pytest.mark.parametrize("text", ["reset my password", "how to reset password", "怎么重置密码", "忘记密码怎么办"])
def test_an_own_intent_wins_over_general_ones_of_the_same_cues(text: str, general: DomainPack):
    understanding = RuleUnderstanding(merge([pack(), general])).understand(Query(text=text), now=NOW, zone=ZONE)
    assert understanding.intent[0] == "access"


@pytest.mark.parametrize("text", ["梯子怎么用", "公司的梯子连不上怎么办"])
async def test_an_own_synonym_may_be_in_other_letters(text: str, general: DomainPack, strategies: Any):
    knowledge = merge([general], synonyms=[SynonymSet(of="梯子", words=("VPN",))])
    assert any("VPN" in q.text for q in await run(text, knowledge, strategies))


async def test_an_own_template_adds_a_word_to_a_long_query(general: DomainPack, strategies: Any):
    found = await run("lightweight waterproof hiking boots for women", merge([pack(), general]), strategies)
    assert any(q.text.endswith("in stock") for q in found)


def test_a_query_that_is_all_verbatim_by_an_own_pattern_is_left_alone(general: DomainPack):
    rules = RuleUnderstanding(merge([pack(), general]))
    for text, left in (("T12x34", True), ("where is T12x34", False)):
        query = Query(text=text)
        assert (abstain(query, rules.understand(query, now=NOW, zone=ZONE), "auto") is not None) is left


async def test_another_word_for_a_name_with_a_number_keeps_none_of_its_number(general: DomainPack, strategies: Any):
    own = pack(synonyms=[{"of": "COVID-19", "words": ["新冠"]}])
    found = [q.text for q in await run("COVID-19 有什么症状", merge([own, general]), strategies)]
    assert any("新冠" in text and "COVID" not in text for text in found)
    assert not [text for text in found if text.endswith(" 19") or " 19 " in text]


@pytest.mark.parametrize(("text", "made"), [("云帆 couch", "云帆 sofa"), ("我的app闪退", "程序")])
async def test_the_owners_words_replace_english_ones_in_chinese_too(
    text: str, made: str, general: DomainPack, strategies: Any
):
    own = pack(synonyms=[{"of": "couch", "words": ["sofa"]}, {"of": "app", "words": ["程序"]}])
    found = [q.text for q in await run(text, merge([own, general]), strategies) if q.strategy == "synonym"]
    assert any(made in one for one in found)


async def test_a_product_by_the_owners_word_for_it_takes_nobodys_place(general: DomainPack, strategies: Any):
    own = pack(synonyms=[{"of": "water boiler", "words": ["kettle"]}])
    found = [q.text for q in await run("Northway water boiler", merge([own, general]), strategies)]
    assert "Northway kettle" in found
