"""What answers by its kind: money of any country, birthdays, loudness; the person of a hop, where a title stands nearer."""

from __future__ import annotations

import pytest

from qx_answer import kinds
from qx_answer.expects import has
from qx_answer.facts import fact
from qx_answer.relevance import Question
from qx_answer.shares import prepared


@pytest.mark.parametrize(
    ("question", "sentence", "fits"),
    [
        ("How much does the Kolm ferry cost?", "The Kolm ferry costs 9 crowns per person.", True),
        ("How much does the ferry cost?", "A crossing is 9 kroner.", True),
        ("大厅多大？", "大厅有300平方米。", True),
        ("她多大？", "她喜欢游泳。", False),
        ("How much does the ferry cost?", "The fare for bicycles is 4.", True),
        ("How much does the ferry cost?", "The ferry carries 9 cars.", False),
        ("渡船多少钱？", "渡船票价9克朗。", True),
        ("渡船多少钱？", "渡船可载9辆车。", False),
        ("罗小满的生日是哪天？", "罗小满每周三下午教茶艺课。", False),
        ("罗小满的生日是哪天？", "罗小满生于1990年3月2日。", True),
        ("When was Katrin Solberg born?", "She has been in office since 2019.", False),
        ("When was Katrin Solberg born?", "Katrin Solberg (1968-2020) was a rower.", True),
    ],
)
def test_what_is_asked_for_is_there_or_not(question: str, sentence: str, fits: bool) -> None:
    assert kinds.missing(question, sentence) is not fits


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How loud is the purifier at night?", "In night mode the purifier makes 21 dB."),
        ("净化器的噪音多大？", "净化器夜间为21分贝。"),
    ],
)
def test_loudness_is_a_measure(question: str, sentence: str) -> None:
    asked = Question(question, [prepared(sentence)])
    assert asked.has_kind(sentence)
    assert not asked.has_kind("The purifier cleans 28 square metres. 净化器适用28平方米。")


def test_what_is_done_with_a_thing_is_a_way() -> None:
    assert has("way", "除垢：每两个月用柠檬酸20克煮沸。")
    assert not has("way", "费用由用户承担。")


@pytest.mark.parametrize(
    ("question", "quote", "name"),
    [
        ("白河国歌的作曲家是谁？", "白河的国歌是《北方的灯》，由作曲家林安写成。", "林安"),
        ("谁写了《春雪》？", "《春雪》由李明写成。", "李明"),
    ],
)
def test_who_is_no_title_and_no_role(question: str, quote: str, name: str) -> None:
    assert fact(question, quote, "person") == name
