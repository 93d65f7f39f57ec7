"""Grades by wording, in both languages: words, amounts, exclusions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.eval.graded_by_wording import grade


@pytest.mark.parametrize(
    ("query", "title", "text", "wanted"),
    [
        # all words, some, one, none
        ("wireless silent mouse", "Silent wireless mouse", "", 3),
        ("wireless silent mouse", "Wireless mouse", "", 2),
        ("wireless silent mouse", "Mouse trap", "", 1),
        ("wireless silent mouse", "USB cable", "", 0),
        ("无线 静音 鼠标", "静音无线鼠标", "", 3),
        ("无线 静音 鼠标", "无线鼠标", "", 2),
        ("无线 静音 鼠标", "鼠标垫", "", 1),
        ("无线 静音 鼠标", "数据线", "", 0),
        # other forms of the words; the text counts as the title does
        ("running shoes", "Shoe", "for your daily run", 3),
        ("筆記本電腦", "笔记本电脑推荐", "", 3),
        ("Python 列表去重", "python", "列表 去重 的方法", 2),
        # amounts: within, beyond, not said
        ("dress under $50", "Summer dress", "$45.99", 3),
        ("dress under $50", "Summer dress", "$65", 1),
        ("dress under $50", "Summer dress", "", 3),
        ("5000元以下的笔记本电脑", "笔记本电脑", "4599元", 3),
        ("5000元以下的笔记本电脑", "笔记本电脑", "7999元", 1),
        ("at least 16GB laptop", "Laptop", "32GB memory", 3),
        ("at least 16GB laptop", "Laptop", "8GB memory", 1),
        # what is excluded
        ("shirt, not white", "Linen shirt", "blue", 3),
        ("shirt, not white", "Linen shirt", "white", 1),
        ("饮料 不含糖", "饮料", "不含糖", 3),
        ("饮料 不含糖", "糖饮料", "", 1),
        # nothing to go by
        ("", "anything", "at all", 0),
        ("？！", "anything", "at all", 0),
    ],
)
def test_by_hand(query, title, text, wanted):
    assert grade(query, title, text) == wanted


def test_it_cannot_see_other_words_for_the_same():
    """What its note says: a synonym gets nothing."""
    assert grade("laptop", "Notebook computer", "") == 0


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=60))
def test_whatever_there_is_gets_a_grade(query, title, text):
    assert 0 <= grade(query, title, text) <= 3


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["mouse", "鼠标", "blue", "蓝色", "wireless"]), min_size=1, unique=True), st.data())
def test_more_of_the_words_is_never_worse(words, data):
    some = data.draw(st.lists(st.sampled_from(words), unique=True))
    query = " ".join(words)
    assert grade(query, " ".join(some), "") <= grade(query, query, "") == 3
