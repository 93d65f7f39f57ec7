"""Cues that overlap: the own pack's, then the one that cuts no word, then the longer one; and how people say them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from qx.domain import DomainPack, merge
from qx.rules.cues import spoken
from qx.rules.understand import RuleUnderstanding
from qx.types import Query

NOW = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.fixture(scope="module")
def library(general: DomainPack) -> RuleUnderstanding:
    intents = [
        {"id": "card", "cues": ["办证", "办卡", "library card"]},
        {"id": "fine", "cues": ["too late to return", "逾期怎么"]},
    ]
    pack = {"schema_version": 1, "name": "library", "taxonomy": {"name": "library", "intents": intents}}
    return RuleUnderstanding(merge([DomainPack.model_validate(pack), general]))


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("怎么办证", "card"),
        ("外地人怎么办卡", "card"),
        ("办证怎么办", "card"),
        ("how to get a library card", "card"),
        ("逾期怎么办", "fine"),
        ("逾期咋弄", "fine"),
        ("is it too late to return books", "fine"),
    ],
)
def test_the_own_cue_counts_wherever_an_everyday_one_crosses_it(library: RuleUnderstanding, text: str, intent: str):
    assert library.understand(Query(text=text), now=NOW, zone=UTC).intent[0] == intent


@pytest.mark.parametrize(("text", "intent"), [("冰箱不制冷了怎么办", "troubleshooting"), ("怎么办理护照", "how-to")])
def test_everyday_cues_stay_where_none_crosses(library: RuleUnderstanding, text: str, intent: str):
    assert library.understand(Query(text=text), now=NOW, zone=UTC).intent[0] == intent


def test_a_cue_is_known_as_it_is_spoken():
    assert list(spoken("有什么不一样")) == ["有什么不一样", "有啥不一样"]
    assert list(spoken("how to")) == ["how to"]
    assert list(spoken("/什么$/")) == ["/什么$/"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("set theory basics", False),
        ("cook islands currency", False),
        ("clean energy subsidies", False),
        ("set alarm on android", True),
        ("clean oven with baking soda", True),
    ],
)
def test_a_verb_that_begins_a_name_asks_for_no_steps(text, asked, understand):
    assert ("how-to" in understand(text).intent) == asked
