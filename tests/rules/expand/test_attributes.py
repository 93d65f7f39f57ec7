"""Factual questions are also asked by the name of what they ask for, and the guard knows that noun for the question."""

from __future__ import annotations

import pytest

from qx.rules.attributes import named, stands_for
from tests.engines import engine


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("how tall is the eiffel tower?", "eiffel tower height"),
        ("how far is oslo from bergen", "oslo from bergen distance"),
        ("how long does it take to boil eggs", "boil eggs time"),
        ("how long do cut flowers last in water", "cut flowers duration in water"),
        ("how much does a house cat weigh", "house cat weight"),
        ("how many people live in norway", "norway population"),
        ("who invented the zipper", "zipper inventor"),
        ("when was the suez canal built", "suez canal construction date"),
        ("what time does the library close on sunday", "library opening hours on sunday"),
        ("what is the boiling point of ethanol at altitude", "ethanol boiling point at altitude"),
        ("can dogs eat watermelon", "watermelon safe for dogs"),
        ("is it legal to own a raccoon", "own a raccoon legality"),
        ("do i need a visa for japan", "visa for japan requirements"),
        ("珠穆朗玛峰有多高？", "珠穆朗玛峰 高度"),
        ("谁发明了拉链", "拉链 发明者"),
        ("红楼梦是谁写的", "红楼梦 作者"),
        ("博物馆几点关门", "博物馆 营业时间"),
        ("故宫什么时候建成的", "故宫 建成时间"),
        ("首都图书馆在哪里", "首都图书馆 位置"),
        ("内卷是什么意思", "内卷 含义"),
    ],
)
def test_a_question_is_written_as_a_name(question: str, name: str):
    assert next(iter(named(question, chinese=not question.isascii())))[0] == name


@pytest.mark.parametrize(
    "question",
    [
        "how tall is it",
        "what is the best of both worlds",
        "what is the purpose of life",
        "who invited you",
        "how are you",
        "where is my order 88123",
        "多高",
        "怎么做蛋糕",
    ],
)
def test_what_asks_for_no_attribute_has_no_name(question: str):
    assert not [text for text, _ in named(question, chinese=not question.isascii()) if "my order" not in text]


def test_a_noun_stands_for_its_question_words_alone():
    assert stands_for("tall", "tower height", "how tall is the tower")
    assert not stands_for("tower", "bridge height", "how tall is the tower")
    assert not stands_for("tall", "tower weight", "how tall is the tower")
    assert not stands_for("tall", "height", "tall tower")


async def test_the_name_passes_the_guard_with_its_full_weight():
    names = {
        "how tall is mount kilimanjaro": "mount kilimanjaro height",
        "how long does it take to boil eggs": "boil eggs time",
        "长城有多长": "长城 长度",
        "博物馆几点关门": "博物馆 营业时间",
    }
    async with engine() as opened:
        for question, name in names.items():
            found = {q.text: (q.strategy, q.weight) for q in (await opened.expand(question)).queries}
            assert found[name] == ("synonym", 0.8)


async def test_an_attribute_is_asked_for_with_nothing_beside_the_point():
    beside = ("sickness", "permits", "overview", "types", "simply", "攻略")
    async with engine() as opened:
        for question in ("what is the boiling point of ethanol at altitude", "水的沸点是多少"):
            texts = " ".join(q.text for q in (await opened.expand(question)).queries)
            assert not any(word in texts for word in beside)
