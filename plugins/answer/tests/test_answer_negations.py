"""What denies, in one place: for bounds, opposites, repeats and what is turned round."""

from __future__ import annotations

import pytest

from qx_answer import negations


@pytest.mark.parametrize(
    "text",
    [
        "It does not open.",
        "never on Sundays",
        "nothing else",
        "won’t start",
        "unless it rains",
        "不开放",
        "从不休息",
        "除非下雨",
        "未必开门",
        "请勿拍照",
    ],
)
def test_these_deny(text: str):
    assert negations.denies(text)


@pytest.mark.parametrize(
    "text", ["It opens.", "a notebook", "not only here", "不锈钢水壶", "好不好看", "非常大", "无线电"]
)
def test_these_only_look_like_it(text: str):
    assert not negations.denies(text)


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("it is not yet open", "open", "not"),
        ("no one knows, it is open", "open", None),
        ("it is open", "open", None),
        ("本馆不再开放", "开放", "不"),
        ("本馆开放", "开放", None),
    ],
)
def test_right_before_a_word(text: str, word: str, found: str | None):
    place = negations.before(text, text.index(word))
    assert (None if place is None else text[place[0] : place[1]]) == found


@pytest.mark.parametrize(
    ("word", "after", "denied"),
    [
        ("not", " allowed", ""),
        ("not", " only here", None),
        ("can’t", " open", ""),
        ("unable", " to open", None),
        ("open", "", None),
        ("不支持", "", "支持"),
        ("禁养", "公鸡", "养"),
        ("禁止", "停车", None),
        ("不锈钢", "水壶", None),
        ("没有", "", ""),
    ],
)
def test_what_a_word_denies_within_itself(word: str, after: str, denied: str | None):
    assert negations.of_word(word, after) == denied
