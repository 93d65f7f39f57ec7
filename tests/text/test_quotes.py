"""Quoted phrases and titles."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.quotes import phrases


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"Error while processing semantic_identifier"', [("Error while processing semantic_identifier", "phrase")]),
        ("“开机黑屏” 故障排除", [("开机黑屏", "phrase")]),
        ('搜索"开机黑屏"故障', [("开机黑屏", "phrase")]),
        ("「鬼滅の刃」 結局", [("鬼滅の刃", "phrase")]),
        ("『書名』", [("書名", "phrase")]),
        ("《三体》作者", [("三体", "title")]),
        ("say 'hello world' please", [("hello world", "phrase")]),
        ("'don't panic' book", [("don't panic", "phrase")]),
        ('"a b" or "c d"', [("a b", "phrase"), ("c d", "phrase")]),
        ("《三体》和《球状闪电》", [("三体", "title"), ("球状闪电", "title")]),
        ("‘single curly’ marks", [("single curly", "phrase")]),
    ],
)
def test_found(query: str, expected: list[tuple[str, str]]) -> None:
    assert [(p.text, p.kind) for p in phrases(query)] == expected


@pytest.mark.parametrize(
    "query",
    [
        '27" monitor',
        '27" monitor vs 32" monitor',
        "men's shirt and women's shoes",
        "don’t and won’t",
        '"unclosed',
        "《》",
        '""',
        "'90s music",
        "rock 'n' roll's",
        "5' 11\" tall",
        "",
    ],
)
def test_not_quoting(query: str) -> None:
    assert [p.text for p in phrases(query)] in ([], ["n"])


def test_marks_are_inside_the_span() -> None:
    query = "找“黑屏”的书"
    (phrase,) = phrases(query)
    assert query[phrase.start : phrase.end] == "“黑屏”"


@given(st.text(st.sampled_from(list("\"'“”‘’「」『』《》 ab电脑1\n")), max_size=40) | st.text())
@settings(max_examples=100, deadline=None)
def test_spans_hold_the_text(text: str) -> None:
    at = 0
    for phrase in phrases(text):
        assert at <= phrase.start < phrase.end
        assert text[phrase.start + 1 : phrase.end - 1].strip() == phrase.text
        at = phrase.end
