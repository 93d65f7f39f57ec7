"""Cleaning: what goes, what stays, and offsets that map back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.clean import clean, replace_surrogates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  red\t\n shoes ", "red shoes"),
        ("怎么办！！！", "怎么办！"),
        ("怎么办？？？！！", "怎么办？！"),
        ("why???", "why?"),
        ("why??? because", "why? because"),
        ("真的。。。好吗", "真的。好吗"),
        ("help me.....", "help me."),
        ("电脑\u200b黑\ufeff屏\u202e", "电脑黑屏"),
        ("a\x00b\x07c", "abc"),
        ("<p>电脑</p><b>黑</b>屏", "电脑 黑屏"),
        ("<script>alert(1)</script>hi", "hi"),
        ("<!-- note -->shoes", "shoes"),
        ("fish &amp; chips &#8203;now", "fish & chips now"),
        ("broken \ud800 text", "broken text"),
        ("a ======== b", "a = b"),
        ("tags \U000e0041\U000e0042 here", "tags here"),
    ],
)
def test_noise_goes(text: str, expected: str) -> None:
    assert clean(text).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "C++ vs C#",
        "git commit --amend",
        "a == b",
        "a === b",
        "a ?? b in C#",
        "kotlin !! operator",
        "price 2000..3000",
        "git diff a...b",
        "def f(x, ...)",
        "vector<int> push_back",
        "List<String> sort",
        "if a < b and c > d",
        "ＲＥＤ shoes",
        "R&D budget",
        "?a=1&copy=2",
        "'27\" monitor'",
        "!important css",
        "می\u200cخواهم",
        "",
    ],
)
def test_names_and_code_stay(text: str) -> None:
    assert clean(text).text == text


def test_spans_map_back() -> None:
    exact = "  <b>电脑</b>&nbsp;黑屏！！！ &amp;"
    cleaned = clean(exact)
    assert cleaned.text == "电脑 黑屏！ &"
    at = cleaned.text.index("黑屏")
    start, end = cleaned.original_span(at, at + 2)
    assert exact[start:end] == "黑屏"
    at = cleaned.text.index("！")
    assert exact[slice(*cleaned.original_span(at, at + 1))] == "！！！"
    assert exact[slice(*cleaned.original_span(len(cleaned.text) - 1, len(cleaned.text)))] == "&amp;"


def test_spans_outside_are_clipped() -> None:
    cleaned = clean(" ab ")
    assert cleaned.original_span(-5, 99) == (1, 3)
    assert cleaned.original_span(1, 1) == (2, 2)
    assert clean("").original_span(0, 0) == (0, 0)


noisy = st.lists(
    st.sampled_from([*"ab1 \t\n!?！？。.<>/&;#=-电脑é", "\u200b", "\u202e", "\ud800", "<b>", "</b>", "<br/>", "&amp;", "&#x41;",
                     "<!--", "-->", "???", "...", "----"]),
    max_size=40,
).map("".join)  # fmt: skip


@given(noisy | st.text())
@settings(max_examples=100, deadline=None)
def test_offsets_map_back_exactly(exact: str) -> None:
    cleaned = clean(exact)
    assert len(cleaned.offsets) == len(cleaned.ends) == len(cleaned.text)
    last = 0
    for character, start, end in zip(cleaned.text, cleaned.offsets, cleaned.ends, strict=True):
        assert 0 <= start < end <= len(exact)
        assert start >= last or exact[start] == "&"
        last = start
        made = exact[start] == "&" or (character == " " and (exact[start].isspace() or exact[start] in "<"))
        assert made or exact[start] == character


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_cleaned_text_is_tidy(exact: str) -> None:
    text = clean(exact).text
    assert text == text.strip()
    assert "  " not in text
    text.encode()


@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zs", "Zl", "Zp"], exclude_characters="<&"), max_size=40
    )
)
@settings(max_examples=60, deadline=None)
def test_cleaning_twice_changes_nothing(exact: str) -> None:
    once = clean(exact).text
    assert clean(once).text == once


def test_lone_surrogates_are_replaced_one_for_one() -> None:
    assert replace_surrogates("a\ud800\udfffb电") == "a\ufffd\ufffdb电"
    assert replace_surrogates("电脑😀") == "电脑😀"
