"""Wishes that are denied, faults that are over."""

from __future__ import annotations

import pytest

from qx.rules.unmeant import is_denied, is_solved


@pytest.mark.parametrize(
    ("text", "word"),
    [("i don't want to cancel", "cancel"), ("not a survey", "survey"), ("我不想退款", "退款"), ("不要综述", "综述")],
)
def test_a_wish_that_is_denied(text: str, word: str):
    assert is_denied(text, text.index(word))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("i want to cancel", "cancel"),
        ("cancel, not working", "cancel"),
        ("我想退款", "退款"),
        ("好不好用的评测", "评测"),
    ],
)
def test_a_wish_that_is_meant(text: str, word: str):
    assert not is_denied(text, text.index(word))


@pytest.mark.parametrize(
    "text", ["问题已经解决了", "终于修好了，谢谢", "the issue has been resolved", "it is all fixed"]
)
def test_what_is_solved(text: str):
    assert is_solved(text)


@pytest.mark.parametrize(
    "text", ["问题还没解决", "问题解决了吗", "the issue is not resolved", "how long until it is fixed"]
)
def test_what_is_not_solved(text: str):
    assert not is_solved(text)
