"""What a model's query may carry besides its words: tags, colours of a terminal, half a quote."""

from __future__ import annotations

import pytest

from qx.domain import Knowledge, Taxonomy
from qx.rules.protection import Protection
from qx.settings import Expand
from qx.steps.guard import guard, tidy
from qx.text.clean import clean
from qx.types import Query, SubQuery, Understanding

KNOWLEDGE = Knowledge(name="none", taxonomy=Taxonomy(name="none", intents=()))


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("机械键盘 \x1b[31mred\x1b[0m", "机械键盘 red"),
        ("靜音鍵盤\x1b[1;32m 推薦", "靜音鍵盤 推薦"),
        ("quiet keyboard</script><script>", "quiet keyboard"),
        ("<b>机械键盘</b> 静音", "机械键盘 静音"),
        ("<<b>b>quiet keyboard", "quiet keyboard"),
        ("c++ a < b", "c++ a < b"),
        ("List<String> java", "List<String> java"),
    ],
)
def test_tags_and_colours_go(text: str, tidied: str):
    assert tidy(text) == tidied
    assert tidy(tidy(text)) == tidied


def test_a_colour_leaves_no_letters_in_a_query():
    cleaned = clean("漏水\x1b[31m 怎么办")
    assert cleaned.text == "漏水 怎么办"
    assert cleaned.original_span(0, 2) == (0, 2)


@pytest.mark.parametrize(
    ("original", "text", "stays"),
    [
        ("机械键盘 静音", '机械键盘 静音 "红', False),
        ("機械鍵盤 靜音", '機械鍵盤 靜音 "紅軸', False),
        ("quiet keyboard", 'quiet keyboard "red swi', False),
        ("quiet keyboard", 'quiet keyboard "red switches"', True),
        ('27" monitor', '27" monitor reviews', True),
    ],
)
def test_half_a_quote_goes(original: str, text: str, stays: bool):
    made = guard(
        Query(text=original),
        Understanding(language="und"),
        [SubQuery(text=text, strategy="refine")],
        settings=Expand(),
        knowledge=KNOWLEDGE,
    )
    assert bool(made[0]) == stays or (stays and "quote" not in made[1][0].reason)


@pytest.mark.parametrize("text", ["<script>alert(1)</script> 充电宝 20000mAh", "<b id=7>行動電源</b> 20000mAh"])
def test_a_number_in_a_tag_need_not_stay(text: str):
    assert [t.text for t in Protection(Query(text=text), Understanding(language="zh"), KNOWLEDGE).things] == [
        "20000mAh"
    ]
