"""Signals: what packs say of a query besides, by its intents, its mood and its words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.domain import Knowledge, SignalRule, Taxonomy
from qx.errors import PackError
from qx.rules.signals import SignalFinder
from qx.types import Sentiment, Understanding

INTENTS: Any = [{"id": "fault", "broader": "troubleshooting"}, {"id": "complaint"}]


def finder(*rules: dict[str, Any]) -> SignalFinder:
    return SignalFinder(
        Knowledge(
            name="desk",
            taxonomy=Taxonomy.model_validate({"name": "desk", "intents": INTENTS}),
            signals=tuple(SignalRule.model_validate(rule) for rule in rules),
        )
    )


DESK = finder(
    {"signal": "priority", "value": "urgent", "words": ["盗刷", "hacked", r"/call the police|报警/"]},
    {"signal": "priority", "value": "high", "sentiments": ["angry", "worried"], "above": 0.7},
    {"signal": "priority", "value": "high", "intents": ["complaint"], "words": ["manager", "经理"]},
    {"signal": "priority", "value": "normal", "intents": ["troubleshooting"]},
    {"signal": "priority", "value": "low"},
    {"signal": "tone", "value": "angry", "sentiments": ["angry"]},
)


def mood(label: Any, intensity: float, *intents: str) -> Understanding:
    return Understanding(intent=intents, sentiment=Sentiment(label=label, intensity=intensity))


@pytest.mark.parametrize(
    ("text", "understanding", "signals"),
    [
        ("卡被盗刷了", mood("neutral", 0), {"priority": "urgent"}),
        ("I got HACKED", mood("neutral", 0), {"priority": "urgent"}),
        ("我要報警", mood("angry", 0.2), {"priority": "urgent", "tone": "angry"}),
        ("hackedly", mood("neutral", 0), {"priority": "low"}),
        ("怎么还不到", mood("worried", 0.7), {"priority": "high"}),
        ("怎么还不到", mood("worried", 0.69), {"priority": "low"}),
        ("叫经理来", mood("neutral", 0, "complaint"), {"priority": "high"}),
        ("叫经理来", mood("neutral", 0, "fault"), {"priority": "normal"}),
        ("the manager", mood("neutral", 0, "how-to"), {"priority": "low"}),
    ],
)
def test_the_first_rule_of_a_signal_that_holds(text: str, understanding: Understanding, signals: dict[str, str]):
    assert DESK.find(text, understanding) == signals


def test_without_rules_there_is_no_signal():
    assert finder().find("hacked", mood("angry", 1)) == {}


def test_a_bad_pattern_is_told():
    with pytest.raises(PackError, match="not valid RE2"):
        finder({"signal": "a", "value": "b", "words": ["/(?=x)/"]})


@given(st.text(max_size=200), st.floats(min_value=0, max_value=1))
@settings(max_examples=50, deadline=None)
def test_any_text_has_one_value_a_signal_and_a_stronger_mood_never_a_lower_one(text: str, intensity: float):
    order = ["low", "normal", "high", "urgent"]
    weak, strong = (DESK.find(text, mood("angry", i))["priority"] for i in (intensity / 2, intensity))
    assert order.index(weak) <= order.index(strong)
