"""Folding, simplification and similarity."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.text.normalise import fold, similarity, simplified, simplified_only, traditional_only


@pytest.mark.parametrize("text", ["Red Shoes", "red  shoes", "ＲＥＤ shoes", " RED\u3000SHOES\n"])
def test_one_query_in_many_writings(text: str) -> None:
    assert fold(text) == "red shoes"


def test_different_queries_stay_different() -> None:
    assert fold("C++") != fold("C#")
    assert fold("3070") != fold("3080")
    assert fold("Straße") == fold("STRASSE")
    assert fold("５０００元") == "5000元"


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("印表機夾紙", "打印机夹纸"),
        ("電腦", "电脑"),
        ("电脑 laptop", "电脑 laptop"),
        ("著名的乾坤", "著名的乾坤"),
        ("", ""),
    ],
)
def test_simplified(text: str, expected: str) -> None:
    assert simplified(text) == expected


def test_characters_of_one_script_only() -> None:
    assert set("機夾紙電腦") <= traditional_only()
    assert set("机夹纸电脑体苹") <= simplified_only()
    assert not traditional_only() & simplified_only()
    assert set("后里台干著乾光人").isdisjoint(traditional_only() | simplified_only())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Red Shoes", "ＲＥＤ  shoes"),
        ("降噪耳机 推荐", "推荐 降噪耳机"),
        ("shoes red", "red shoes"),
        ("印表機夾紙", "打印机夹纸"),
        ("", ""),
    ],
)
def test_alike(a: str, b: str) -> None:
    assert similarity(a, b) == pytest.approx(1.0)


def test_similarity_orders_wordings() -> None:
    near = similarity("电脑开机黑屏怎么办", "电脑开机黑屏如何解决")
    far = similarity("电脑开机黑屏怎么办", "孩子发烧吃什么药")
    assert 0.5 < near < 1.0
    assert far < 0.3 < near
    assert (
        similarity("cheap linen shirt", "linen shirt cheap men")
        > 0.8
        > similarity("cheap linen shirt", "quantum physics")
    )


@given(st.text(max_size=30), st.text(max_size=30))
@settings(max_examples=80, deadline=None)
def test_similarity_is_a_symmetric_share(a: str, b: str) -> None:
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, b) == pytest.approx(similarity(b, a))
    assert similarity(a, a) == 1.0
