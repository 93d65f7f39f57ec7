"""What a question is read as: times, ends, roles, people, what it wants, and what the conversation resolves."""

from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import Turn
from qx_chatlog.asking import question as questions
from qx_chatlog.asking import references
from qx_chatlog.asking.wording import CORRECTION, certainty

ZONE = ZoneInfo("Asia/Shanghai")
LOG: Any = SimpleNamespace(now=datetime(2026, 11, 29, 12, tzinfo=ZONE), zone=ZONE)
SPEAKERS = ("老王", "Anna Lee", "Ben", "工程师")


def read(text: str, history: list[Turn] | None = None) -> questions.Question:
    return questions.read(text, LOG, speakers=SPEAKERS, history=history or [])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("我上周反馈的登录页面加载慢的问题后来解决了吗工程师是怎么说的",
         {"role": "user", "then": True, "spoken_by": "工程师", "need": "yes"}),
        ("和老王争论预算时他最后妥协的那个数字", {"order": "newest", "wants": "number", "people": ("老王",)}),
        ("最早什么时候提到的搬家", {"order": "oldest", "wants": "date"}),
        ("第一次聊到滑雪是哪天", {"order": "oldest", "wants": "date"}),
        ("老王推荐的那本书叫什么", {"wants": "name", "spoken_by": "老王"}),
        ("你上次建议我用什么数据库", {"answered_by": "assistant", "order": "newest"}),
        ("What did I say about the budget last Tuesday?", {"role": "user", "order": "relevance"}),
        ("How many people did Anna invite?", {"wants": "number", "people": ("Anna Lee",)}),
        ("When did Ben move?", {"wants": "date", "people": ("Ben",)}),
        ("What was the latest price that Ben mentioned?", {"order": "newest", "people": ("Ben",)}),
        ("Did they fix the login in the end?", {"then": True}),
        ("What did the assistant suggest for dinner?", {"answered_by": "assistant"}),
        ("你好", {"need": "no"}),
        ("thanks!", {"need": "no"}),
        ("3 + 4 = ?", {"need": "no"}),
        ("法国的首都叫什么", {"need": "unsure"}),
        ("remember what we decided about the car?", {"need": "yes"}),
    ],
)  # fmt: skip
def test_a_question_is_read(text: str, parts: dict[str, Any]):
    found = read(text)
    assert {name: getattr(found, name) for name in parts} == parts


def test_a_name_within_a_word_is_nobody():
    assert read("the benefits of tea").people == ()
    assert read("annals of history").people == ()


def test_words_of_asking_and_times_are_not_looked_for():
    assert read("上周三提到的那本书").keywords == ("书",)
    assert "last" not in read("What did I say about the budget last Tuesday?").keywords
    assert read('she said "blue notebook"').keywords[0] == "blue notebook"


@pytest.mark.parametrize(
    ("text", "talk", "word"),
    [
        ("他说的那个方法", "老李昨天推荐了番茄工作法", "番茄工作法"),
        ("那本书多少钱", "我在读《乡土中国》", "乡土中国"),
        ("how does that method work", "Ben told me about the time-boxing method", "time-boxing method"),
        ("what did she say about it", "Anna Lee went to Lisbon", "Anna Lee"),
        ("苹果的价格", "我在看手机，苹果和华为都不错", "手机"),
    ],
)
def test_the_conversation_says_what_is_meant(text: str, talk: str, word: str):
    found = read(text, [Turn(role="user", content=talk)])
    assert word in " ".join(found.resolved)
    assert read(text).resolved == ()


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("可能去", "possible"),
        ("不一定去", "possible"),
        ("必须去", "certain"),
        ("一定程度上", None),
        ("I might go", "possible"),
        ("you must go", "certain"),
        ("I go", None),
    ],
)
def test_how_sure_a_statement_is(text: str, sure: str | None):
    assert certainty(text) == sure


@pytest.mark.parametrize(
    "text",
    [
        "聚餐改到周六了",
        "更正：是三点",
        "不是周五，是周六",
        "Actually it moved to May",
        "the meeting was rescheduled to Monday",
    ],
)
def test_a_change_is_told(text: str):
    assert CORRECTION.search(text)


@pytest.mark.parametrize("text", ["我们不是做功能，而是在建立信任", "今天天气不错", "see you on Friday", "是不是周五"])
def test_what_is_no_change(text: str):
    assert not CORRECTION.search(text)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=4))
def test_whatever_is_asked_is_read(text: str, talk: list[str]):
    found = read(text, [Turn(role="user", content=one) for one in talk])
    assert len(found.resolved) <= references.MOST
    assert all(word.strip() for word in found.keywords)
