"""What a query rules out: makers, features, doings; and what only looks like it."""

from collections.abc import Callable

import pytest

from qx.types import Understanding


@pytest.mark.parametrize(
    ("text", "limits", "words"),
    [
        ("avoid HP laptop", {("brand", "HP")}, {"HP"}),
        ("avoid Samsung phones", {("brand", "samsung")}, {"Samsung"}),
        ("laptop, steer clear of Dell", {("brand", "dell")}, {"Dell"}),
        ("I hate HP, show me laptops", {("brand", "HP")}, {"HP"}),
        ("i can't stand Bosch, recommend a fridge", {("brand", "bosch")}, {"Bosch"}),
        ("HP excluded laptop", {("brand", "HP")}, {"HP"}),
        ("Lenovo excluded tablet", {("brand", "lenovo")}, {"Lenovo"}),
        ("有没有不是苹果的手机", {("brand", "苹果")}, {"苹果"}),
        ("有什么不是三星的电视", {("brand", "三星")}, {"三星"}),
        ("苹果的就算了，推荐个手机", {("brand", "苹果")}, {"苹果"}),
        ("华为的就免了，推荐个平板", {("brand", "华为")}, {"华为"}),
        ("苹果华为都不要的手机", {("brand", "苹果"), ("brand", "华为")}, {"苹果", "华为"}),
        ("推荐手机，苹果不要", {("brand", "苹果")}, {"苹果"}),
        ("我不喜欢苹果手机推荐个别的", {("brand", "苹果")}, {"苹果"}),
        ("苹果华为都不要", {("brand", "苹果"), ("brand", "华为")}, {"苹果", "华为"}),
        ("非苹果非华为手机", {("brand", "苹果"), ("brand", "华为")}, {"苹果", "华为"}),
        ("非联想非戴尔的电脑", {("brand", "联想"), ("brand", "戴尔")}, {"联想", "戴尔"}),
        ("phones that don't support 5g", {("feature", "5g")}, {"5g"}),
        ("laptop that doesn't have a touchscreen", {("feature", "touchscreen")}, {"touchscreen"}),
        ("Laptop ohne Touchscreen", {("feature", "touchscreen")}, {"Touchscreen"}),
        ("shampoo free from parabens", set[tuple[str, str]](), {"parabens"}),
        ("不加班的工作", set[tuple[str, str]](), {"加班"}),
        ("java 不用 spring", set[tuple[str, str]](), {"spring"}),
        ("windows 11 without microsoft account", set[tuple[str, str]](), {"microsoft account"}),
        ("android without google account", set[tuple[str, str]](), {"google account"}),
        ("不用华为也能用鸿蒙吗", set[tuple[str, str]](), {"华为"}),
    ],
)
def test_ruled_out(
    text: str, limits: set[tuple[str, str]], words: set[str], understand: Callable[[str], Understanding]
) -> None:
    found = understand(text)
    assert {(c.field, c.value) for c in found.constraints if c.op == "ne"} == limits
    assert {c.field for c in found.constraints if c.op == "eq"} == set()
    assert set(found.negations) == words


@pytest.mark.parametrize(
    "text",
    ["avoid overfitting in neural networks", "I hate Samsung", "避免过拟合的方法", "这次就算了", "avoid null pointer in java",
     "不包邮的不要", "laptops, nothing without bluetooth", "without a doubt the best camera"],
)  # fmt: skip
def test_nothing_ruled_out(text: str, understand: Callable[[str], Understanding]) -> None:
    assert understand(text).negations == ()


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("undo last git commit without losing changes", ()),
        ("convert pdf to word without losing formatting", ()),
        ("hang pictures without damaging the wall", ()),
        ("move to another phone without losing whatsapp chats", ()),
        ("pasta sauce without using tomatoes", ("tomatoes",)),
        ("phone without notch", ("notch",)),
        ("cake without adding sugar", ("adding sugar",)),
    ],
)
def test_how_something_is_done_is_not_excluded(
    text: str, excluded: tuple[str, ...], understand: Callable[..., Understanding]
):
    assert understand(text).negations == excluded
