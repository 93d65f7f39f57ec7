"""What answers by its kind: money of any country, birthdays, loudness; the person of a hop, where a title stands nearer."""

from __future__ import annotations

import pytest

from qx.backend import Document
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
        ("How old is the town hall?", "The town hall was built in 1788.", True),
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


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("三号线一共几站？", "三号线从东港到北苑，共21站，2014年通车。"),
        ("为什么三号线周末停运？", "因更换轨道，三号线周末停运。"),
        ("What does registering a dog cost?", "Registration of a dog costs 36 crowns."),
    ],
)
async def test_what_is_told_in_near_words_is_found(opened, question: str, sentence: str) -> None:
    async with opened((Document(id="a", title="City", text=sentence),)) as engine:
        done = await engine.result("answer", {"question": question})
    assert [claim.quote for claim in done.claims] == [sentence]


@pytest.mark.parametrize("sentence", ["三号线周末停运的成因不明。", "三号线周末停运，基因研究所除外。"])
def test_a_cause_is_told_by_the_word_and_by_no_piece_of_one(sentence: str) -> None:
    assert not has("reason", sentence)
