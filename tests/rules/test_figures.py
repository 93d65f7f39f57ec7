"""Numbers as values, whatever they are written in."""

from __future__ import annotations

import pytest

from qx.rules import figures


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("三萬以下", "3万以下"),
        ("三万以下", "under 30000"),
        ("兩千左右", "2000左右"),
        ("两千左右", "about 2000"),
        ("一萬五的预算", "15000"),
        ("三百人的会场", "300人"),
        ("八千的电脑", "8000 的电脑"),
        ("五億资金", "5亿"),
    ],
)
def test_one_value_in_two_writings(one: str, other: str) -> None:
    (mine,), theirs = figures.find(one), figures.find(other)
    assert figures.kept(mine, theirs), (mine, theirs)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("三萬以下", "五万以下"),
        ("两千左右", "三千左右"),
        ("三万以下", "三万以上"),
        ("三百人", "五百人"),
        ("八千的电脑", "六千的电脑"),
    ],
)
def test_another_value_is_seen(one: str, other: str) -> None:
    mine, theirs = figures.find(one), figures.find(other)
    assert mine
    assert figures.changed(mine, theirs) is not None


@pytest.mark.parametrize(
    "text",
    [
        "一千零一夜",
        "三百六十行",
        "百年孤独",
        "千万别买",
        "万一下雨",
        "一台电脑",
        "几百块钱的事",
        "三千里江山",
        "百度",
        "亿联",
    ],
)
def test_words_made_of_numerals_are_none(text: str) -> None:
    assert all(any(c.isdigit() for c in f.text) or f.unit for f in figures.find(text))
