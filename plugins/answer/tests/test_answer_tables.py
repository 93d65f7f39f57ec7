"""A row of a table is quoted with its heading; a possessive is looked for without its ending."""

from __future__ import annotations

import pytest

from qx_answer.best_sentences import best_sentences
from qx_answer.claims import Source
from qx_answer.kinds import tells_phone
from qx_answer.relevance import Question
from qx_answer.shares import looked_for, prepared
from qx_answer.table_rows import table_begin
from qx_answer.values import Passage
from qx_answer.writing import said

HUT = (
    "# Hut prices\n\n| item | members | guests |\n|---|---|---|\n| night | £9 | £17 |\n| firewood, basket | £4 | £4 |\n"
)
TEA = "# 茶馆\n\n| 品名 | 一壶 | 一杯 |\n| :-- | --: | --: |\n| 普洱 | 88元 | 20元 |\n"


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        ("How much is a basket of firewood?", HUT, HUT[HUT.index("| item") :].strip()),
        ("普洱一壶多少钱？", TEA, TEA[TEA.index("| 品名") :].strip()),
    ],
)
def test_a_row_is_quoted_from_its_heading_on(question: str, text: str, quote: str) -> None:
    passage = Passage(source_id="a", text=text, start=0, end=len(text))
    found = best_sentences(
        Question(question, [prepared(text)]), {"a": Source(id="a", title="Prices", text=text)}, [passage]
    )
    assert found[0].text == quote
    assert text[found[0].start : found[0].end] == quote


@pytest.mark.parametrize("text", ["| a | b |\n| c | d |\n", "words\n| c | d |\n", "| c | d |\n", "no table"])
def test_what_has_no_heading_is_no_table(text: str) -> None:
    assert all(table_begin(text, at) is None for at in range(len(text) + 1))


def test_a_long_table_is_quoted_by_its_row() -> None:
    text = "| item | price |\n|---|---|\n" + "| other thing of some length | £3 |\n" * 30 + "| firewood | £4 |\n"
    passage = Passage(source_id="a", text=text, start=0, end=len(text))
    found = best_sentences(
        Question("How much is firewood?", [prepared(text)]), {"a": Source(id="a", text=text)}, [passage]
    )
    assert found[0].text == "| firewood | £4 |"


def test_whose_it_is_is_looked_for_without_the_ending() -> None:
    assert looked_for(["warden's"])[0] == {"warden"}
    assert looked_for(["warden’s"])[0] == {"warden"}


def test_a_table_stays_one_in_an_answer() -> None:
    assert said("| item | price |\n|---|---|\n| night  | £9 |") == "| item | price |\n| night | £9 |"
    assert said("- a night\n  costs £9") == "a night costs £9"


def test_a_title_that_has_two_words_of_the_question_backs_another_word_for_the_third() -> None:
    question = Question("半坡茶馆的老板是谁？", [prepared("店主是沈知秋。")])
    shares = [question.shares(prepared(title)) for title in ("半坡茶馆的人", "另一家")]
    found = [question.shares(prepared("店主是沈知秋。"), title) for title in shares]
    assert max(found[0]) == 0.9
    assert max(found[1]) == 0.0


@pytest.mark.parametrize(("text", "tells"), [("Call 01539 555 214.", True), ("生于1979年。", False), ("£3,912", False)])
def test_a_number_of_six_digits_is_one_to_call(text: str, tells: bool) -> None:
    assert tells_phone(text.lower()) is tells
