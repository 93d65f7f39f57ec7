"""Words that name what an index is made of look for nothing; all others do."""

from __future__ import annotations

import pytest

from qx.steps.collective import is_collective, names_documents, without_words
from qx.syntax import parse


@pytest.mark.parametrize(
    "text",
    [
        "books",
        "Novels",
        "books published",
        "show me all recipes",
        "文章",
        "出版的书",
        "推荐的书",
        "有哪些商品",
        "the",
        "",
        "books -horror",
    ],
)
def test_these_say_no_more(text: str):
    assert is_collective(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "unicorn",
        "cook books",
        "独角兽",
        "科幻小说",
        '"books"',
        "books OR films",
        "intitle:books",
        "booking",
        "历史书 推荐 便宜",
    ],
)
def test_these_look_for_something(text: str):
    assert not is_collective(parse(text))


def test_what_is_ruled_out_stays():
    assert without_words(parse("books -horror")) == parse("-horror")
    assert without_words(parse("books")) == parse("")


def test_names_of_documents():
    assert names_documents("Chinese novels of war")
    assert names_documents("讲战争的小说")
    assert not names_documents("learn Chinese")
