"""What a question is after: causes, a state that lasts, two models, a fault that a thing is not to have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx.types import Understanding

Understand = Callable[..., Understanding]


@pytest.mark.parametrize(
    "text",
    [
        "冰箱冷藏室结冰原因",
        "冰箱冷藏室結冰原因",
        "手机发烫的原因是什么",
        "洗衣机甩干声音大的原因",
        "投影機畫面偏色原因",
        "fridge ice buildup cause",
        "reasons for laptop fan noise",
        "dishwasher white residue causes",
    ],
)
def test_causes_of_what_a_thing_does_are_trouble(understand: Understand, text: str):
    assert understand(text).intent[0] in ("troubleshooting", "research")
    assert "recommendation" not in understand(text).intent


@pytest.mark.parametrize(
    "text", ["法国大革命爆发的原因", "通货膨胀的原因", "iPhone 销量下滑的原因", "causes of inflation"]
)
def test_causes_of_what_no_owner_sees_are_research(understand: Understand, text: str):
    assert understand(text).intent[0] == "research"


@pytest.mark.parametrize(
    "text",
    [
        "我的 order 怎么还是 pending",
        "我的訂單怎麼還是處理中",
        "为什么电脑今天还是蓝屏",
        "快递怎么还是没有更新",
        "退款為什麼還是沒到",
        "为啥充电还是慢",
    ],
)
def test_still_is_no_choice_between_two(understand: Understand, text: str):
    assert "comparison" not in understand(text).intent


@pytest.mark.parametrize(
    "text",
    [
        "Dyson V12 和 小米 G20 吸塵器比較",
        "Dyson V12 和 小米 G20 吸尘器比较",
        "索尼 XM5 跟 Bose QC45 比较",
        "iPhone 15 與 Pixel 8 相機比較",
        "苹果还是华为手机好",
        "買平板選 iPad 還是小米",
        "比较一下戴森和小米吸尘器",
    ],
)
def test_two_that_are_named_are_compared(understand: Understand, text: str):
    assert understand(text).intent[0] == "comparison"


@pytest.mark.parametrize(
    "text",
    [
        "robot vacuum under $300 that isn't noisy, no mapping needed",
        "headphones that aren't heavy",
        "a stroller that doesn't squeak",
        "water bottle that won't leak",
        "earbuds that won't fall out",
        "a laptop that doesn't overheat under $900",
        "不吵的風扇",
        "不會漏水的水壺",
    ],
)
def test_a_thing_without_a_fault_is_looked_for(understand: Understand, text: str):
    assert understand(text).intent[0] == "recommendation"


@pytest.mark.parametrize(
    "text",
    ["laptop that won't turn on", "phone that doesn't charge", "my fan isn't working", "a printer that isn't printing"],
)
def test_a_thing_with_a_fault_is_trouble(understand: Understand, text: str):
    assert understand(text).intent[0] == "troubleshooting"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Python和Java", "comparison"),
        ("react or vue", "comparison"),
        ("rent or buy a house", "comparison"),
        ("which is heavier, gold or lead", "comparison"),
        ("5G和4G差多少", "comparison"),
        ("trick or treat", "exploration"),
        ("我和他差多少岁", "factual"),
        ("boiling point of ethanol", "factual"),
        ("tallest building in the world", "factual"),
        ("鲁迅原名", "factual"),
        ("literature review on microplastics in soil", "research"),
        ("tomato plants have yellow leaves", "troubleshooting"),
        ("headphones only work in one ear", "troubleshooting"),
        ("绿豆汤煮出来发红", "troubleshooting"),
        ("新买的鞋子磨脚后跟", "troubleshooting"),
        ("hem jeans by hand", "how-to"),
        ("阳台种小番茄", "how-to"),
        ("衣服上的油渍", "how-to"),
        ("成都两日游路线", "recommendation"),
        ("earbuds that wont fall out", "recommendation"),
    ],
)
def test_what_is_meant_though_no_word_asks(understand: Understand, text: str, intent: str):
    assert understand(text).intent[0] == intent
