"""What a critical and a supportive reader want to see is among the expansions; nobody else gets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx.rules.expand import choose, expand
from qx.settings import Expand
from qx.steps.guard import guard
from qx.types import Query, Understanding

Made = Callable[[str], Any]
CRITICAL_ZH, CRITICAL_EN = ("缺点", "差评", "投诉", "争议"), ("complaints", "cons", "drawbacks", "criticism")
SUPPORTIVE = ("优点", "好评", "benefits")


@pytest.fixture
def made(
    understand: Callable[..., Understanding],
    make_context: Callable[..., Any],
    strategies: Callable[..., Any],
    knowledge: Any,
) -> Made:
    async def call(text: str) -> tuple[Understanding, list[str]]:
        query, understanding = Query(text=text), understand(text)
        chosen = strategies(choose(query, understanding, knowledge))
        found = await expand(query, understanding, make_context(), chosen)
        kept, _ = guard(query, understanding, found, settings=Expand(), knowledge=knowledge)
        return understanding, [q.text for q in kept][:8]

    return call


def added(texts: list[str], words: tuple[str, ...], query: str) -> list[str]:
    """The words that one of the texts has and the query has not."""
    return [w for w in words if w not in query and any(w in t for t in texts)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("这款手机太差了，后悔买了", CRITICAL_ZH),
        ("扫地机器人 智商税", CRITICAL_ZH),
        ("iPhone 15 太贵", CRITICAL_ZH),
        ("特斯拉 垃圾", CRITICAL_ZH),
        ("戴森吹风机难用", CRITICAL_ZH),
        ("比亚迪 槽点", CRITICAL_ZH),
        ("这家酒店太差了", CRITICAL_ZH),
        ("学而思 缺点", CRITICAL_ZH),
        ("耳机音质差", CRITICAL_ZH),
        ("tesla terrible", CRITICAL_EN),
        ("iphone 15 disappointing", CRITICAL_EN),
        ("xiaomi vacuum useless", CRITICAL_EN),
        ("nothing phone regret buying", CRITICAL_EN),
        ("dyson hair dryer drawbacks", CRITICAL_EN),
        ("disadvantages of electric cars", CRITICAL_EN),
    ],
)
async def test_a_critical_reader_gets_complaints_and_no_praise(text: str, words: tuple[str, ...], made: Made):
    understanding, texts = await made(text)
    assert understanding.stance == "critical"
    assert added(texts, words, text)
    praising = ("best", "top picks", "优点", "好评", " 推荐", "benefits")
    assert [t for t in texts if any(p in t for p in praising if p not in text) and " AND " not in t] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [("特斯拉优点", "好评"), ("iPhone 15 好评", "优点"), ("why you should love electric cars", "benefits")],
)
async def test_a_supportive_reader_gets_what_is_good(text: str, word: str, made: Made):
    understanding, texts = await made(text)
    assert understanding.stance == "supportive"
    assert added(texts, (word,), text)
    assert added(texts, (*CRITICAL_ZH, *CRITICAL_EN), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "特斯拉",
        "推荐一款手机",
        "iPhone 15 评测",
        "best wireless earbuds",
        "laptop for students",
        # who wants help gets help
        "智能手机续航差",
        "房东太坑了怎么投诉",
        "my laptop keeps crashing",
        "how to complain about a terrible hotel",
        # and what is only ruled out is no complaint
        "不要太贵的手机",
        "laptop not too slow",
    ],
)
async def test_nobody_else_gets_either(text: str, made: Made):
    _, texts = await made(text)
    assert texts
    assert added(texts, ("差评", "complaints", "drawbacks", "criticism", "槽点", *SUPPORTIVE), text) == []
