"""Intents that are a kind of another, and the field's own words before everyday ones."""

from __future__ import annotations

from typing import Any

import pytest

from qx.domain import DomainPack, Knowledge, merge
from qx.rules.understand import RuleUnderstanding
from qx.types import Query, Understanding

from .conftest import NOW, ZONE

DESK: dict[str, Any] = {
    "schema_version": 1,
    "name": "desk",
    "taxonomy": {
        "name": "desk",
        "intents": [
            {
                "id": "fault",
                "broader": "troubleshooting",
                "cues": ["swallowed my card", "吞卡"],
                "needs": [{"needs": ["吞卡处理"], "language": "zh"}],
            },
            {"id": "refund", "cues": ["refund", "退款"]},
            {"id": "survey", "broader": "research", "cues": ["综述", "survey"]},
            {"id": "dataset", "broader": "research", "cues": ["数据集", "dataset"]},
        ],
    },
    "needs": [{"when": ["银行卡", "card"], "needs": ["card desk"]}],
    "patterns": [
        {"name": "order", "pattern": r"(?:订单号|order no\.?)\s?(?P<entity>\d{4,})", "type": "order", "verbatim": True}
    ],
}


@pytest.fixture(scope="module")
def desk(general: DomainPack) -> Knowledge:
    return merge([DomainPack.model_validate(DESK), general])


@pytest.fixture(scope="module")
def read(desk: Knowledge):
    rules = RuleUnderstanding(desk)

    def call(text: str) -> Understanding:
        return rules.understand(Query(text=text), now=NOW, zone=ZONE)

    return call


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("the machine swallowed my card", ("fault",)),  # its own cue
        ("取款机吞卡了怎么办", ("fault",)),
        ("打印机卡纸了一直报错", ("fault",)),  # general cues alone: the only kind of troubleshooting
        ("printer jammed and shows an error", ("fault",)),
        ("图神经网络 综述 原理", ("survey",)),  # research is not read beside its kind
        ("why is the sky blue", ("research",)),  # of two kinds nobody knows which
        ("how do I get a refund", ("refund",)),  # the field's own word goes before the question's form
        ("退款一直不到账怎么办", ("refund",)),
        ("survey dataset", ("survey", "dataset")),
    ],
)
def test_intents(read: Any, text: str, intent: tuple[str, ...]):
    assert read(text).intent == intent


def test_without_the_pack_nothing_of_it_is_read(rules: RuleUnderstanding):
    assert "fault" not in rules.understand(Query(text="取款机吞卡了怎么办"), now=NOW, zone=ZONE).intent


def test_what_is_known_of_the_broader_one_serves_its_kind(desk: Knowledge, read: Any):
    assert desk.widened(("fault", "refund")) == ("fault", "troubleshooting", "refund")
    needs = read("电脑黑屏").implicit_needs
    assert needs[0] == "吞卡处理"
    assert len(needs) > 1  # those of troubleshooting follow


def test_needs_of_a_topic_are_there_whatever_the_intent(read: Any):
    assert "card desk" in read("how do I pick a card").implicit_needs
    assert "card desk" in read("my card is broken").implicit_needs
    assert "card desk" not in read("my kettle is broken").implicit_needs


@pytest.mark.parametrize("text", ["订单号 20261103 到哪了", "where is order no. 20261103"])
def test_the_entity_is_what_the_group_matches(read: Any, text: str):
    [order] = [e for e in read(text).entities if e.type == "order"]
    assert (order.text, order.verbatim) == ("20261103", True)
    assert text[order.start : order.end] == "20261103"
