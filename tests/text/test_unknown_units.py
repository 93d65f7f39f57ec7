"""Bounds of amounts whose unit no table has, and units with raised figures."""

from __future__ import annotations

import pytest

from qx.text import quantities


@pytest.mark.parametrize(
    ("text", "words", "op", "amount"),
    [
        ("投影仪 亮度3000流明以上", "3000流明以上", "ge", 3000),
        ("投影機 亮度3000流明以上", "3000流明以上", "ge", 3000),
        ("噪音40分贝以下的空气净化器", "40分贝以下", "le", 40),
        ("噪音45分貝以內的洗碗機", "45分貝以內", "le", 45),
        ("扭矩50牛米以上的电钻", "50牛米以上", "ge", 50),
        ("400尼特以上的显示器", "400尼特以上", "ge", 400),
        ("吸力20000Pa以上的扫地机器人", "20000Pa以上", "ge", 20000),
        ("projector with 3000 lumens or more", "3000 lumens or more", "ge", 3000),
        ("monitor 400 nits or above", "400 nits or above", "ge", 400),
        ("fan 40 dB or less", "40 dB or less", "le", 40),
    ],
)
def test_a_bound_of_an_unknown_unit_is_a_bound(text: str, words: str, op: str, amount: float):
    (found,) = quantities.find(text)
    assert (found.kind, found.op, found.text) == ("plain", op, words)
    assert (found.low if op == "ge" else found.high) == amount


@pytest.mark.parametrize(
    "text", ["至少3000流明的投影仪", "至少400尼特的显示器", "不超过50分贝的风扇", "不超過500轉的風扇"]
)
def test_what_has_an_unknown_unit_is_no_money(text: str):
    assert [q.kind for q in quantities.find(text)] == ["plain"]


@pytest.mark.parametrize(
    ("text", "unit", "amount"),
    [
        ("air purifier for a 30 m² room", "m2", 30),
        ("适合30m²的空气净化器", "m2", 30),
        ("heater for 200 ft² garage", "ft2", 200),
        ("50平方米的房子", "m2", 50),
        ("fish tank 2 m³", "L", 2000),
        ("rope 30 m long", "m", 30),
    ],
)
def test_a_raised_figure_belongs_to_the_unit(text: str, unit: str, amount: float):
    (found,) = quantities.find(text)
    assert (found.unit, found.low) == (unit, amount)


@pytest.mark.parametrize(
    "text",
    [
        "两岁宝宝可以上什么课",
        "5岁可以上小学吗",
        "18岁可以下载吗",
        "3000元可以上门吗",
        "一个月可以內退嗎",
        "3岁足以上幼儿园吗",
        "花了300元所以下单了",
    ],
)
def test_the_end_of_another_word_before_shang_or_xia_is_no_bound(text: str):
    assert not [q for q in quantities.find(text) if q.op in ("ge", "le")]
