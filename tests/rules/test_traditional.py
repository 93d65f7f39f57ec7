"""Traditional Chinese is read as Simplified is: the same limits, exclusions, intents and needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx.filters.fieldmap import StoredField, lower
from qx.filters.inference import from_constraints
from qx.text import negation, quantities
from qx.text.normalise import simplified
from qx.types import Understanding

Understand = Callable[..., Understanding]

PAIRS = [
    ("3000元以内的手机", "3000元以內的手機"),
    ("没有遥控器的空调怎么开", "沒有遙控器的空調怎麼開"),
    ("门锁没电了进不了门怎么办", "門鎖沒電了進不了門怎麼辦"),
    ("手机没电", "手機沒電"),
    ("低于500元的耳机", "低於500元的耳機"),
    ("预算不超过两万块的笔记本电脑", "預算不超過兩萬塊的筆記本電腦"),
    ("不带灯光的机械键盘", "不帶燈光的機械鍵盤"),
    ("洗衣机无法脱水", "洗衣機無法脫水"),
    ("大约三千元的平板", "大約三千元的平板"),
    ("除了苹果以外的平板", "除了蘋果以外的平板"),
    ("5公斤以内的行李箱", "5公斤以內的行李箱"),
    ("两千块上下的吸尘器", "兩千塊上下的吸塵器"),
    ("我还没收到货", "我還沒收到貨"),
    ("显示器不亮了", "顯示器不亮了"),
    ("介于三千到五千之间的沙发", "介於三千到五千之間的沙發"),
]


@pytest.mark.parametrize(("simple", "traditional"), PAIRS)
def test_both_scripts_mean_the_same(understand: Understand, simple: str, traditional: str):
    one, other = understand(simple), understand(traditional, language="zh-Hant")

    def limits(found: Understanding) -> list[tuple[object, ...]]:
        units = {"TWD": "CNY"}  # whose 元 it is depends on the script
        limits = [c for c in found.constraints if c.field != "brand"]
        return [(c.field, c.op, c.value, units.get(c.unit or "", c.unit), c.hard) for c in limits]

    assert limits(other) == limits(one)
    assert other.intent == one.intent
    assert [simplified(n) for n in other.negations] == list(one.negations)
    assert len(other.implicit_needs) == len(one.implicit_needs)
    assert all(c.text in traditional for c in other.constraints)


@pytest.mark.parametrize(("simple", "traditional"), PAIRS)
def test_negation_words_are_found_in_both_scripts(simple: str, traditional: str):
    assert len(negation.protected(traditional)) == len(negation.protected(simple))
    assert all(word in traditional for word in negation.protected(traditional))


def test_needs_are_in_the_characters_of_the_query(understand: Understand):
    needs = understand("3000元以內的手機").implicit_needs
    assert needs
    assert not [need for need in needs if "价" in need or "评" in need]
    assert any("評" in need or "價" in need for need in needs)


@pytest.mark.parametrize(
    ("text", "unit", "amount", "words"),
    [
        ("預算五千元台幣上下", "TWD", 5000, "預算五千元台幣上下"),
        ("预算五千元台币上下", "TWD", 5000, "预算五千元台币上下"),
        ("港幣800元以內的耳機", "HKD", 800, "港幣800元以內"),
        ("港币800以内的耳机", "HKD", 800, "港币800以内"),
        ("日币三万元以下的手表", "JPY", 30000, "日币三万元以下"),
        ("美金200块以内", "USD", 200, "美金200块以内"),
        ("500块美金以内", "USD", 500, "500块美金以内"),
        ("新台幣20000元", "TWD", 20000, "新台幣20000元"),
        ("人民币3000元以上", "CNY", 3000, "人民币3000元以上"),
        ("3000塊錢的手機", "CNY", 3000, "3000塊錢"),
    ],
)
def test_a_currency_stands_before_or_behind_the_amount(text: str, unit: str, amount: float, words: str):
    (found,) = quantities.find(text)
    assert (found.kind, found.unit, found.low or found.high, found.text) == ("money", unit, amount, words)


@pytest.mark.parametrize("text", ["美元2024年走势", "日元 3月 汇率", "台币对人民币汇率", "港币硬币 1997年发行"])
def test_a_currency_before_a_date_is_no_amount(text: str):
    assert not [q for q in quantities.find(text) if q.kind == "money"]


@pytest.mark.parametrize("text", ["没有3000以上的手机吗", "沒有3000以上的手機嗎"])
def test_who_asks_whether_there_is_none_rules_nothing_out(understand: Understand, text: str):
    assert not understand(text, language="zh-Hant").negations


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("3000元以內的手機", "TWD"),
        ("兩千塊上下的吸塵器", "TWD"),
        ("除濕機 預算5000", "TWD"),
        ("3000元以内的手机", "CNY"),
        ("人民幣3000元以內的手機", "CNY"),
        ("¥3000以內的手機", "CNY"),
        ("3000 rmb 以內的手機", "CNY"),
        ("港幣3000元以內的手機", "HKD"),
        ("3000美元以內的手機", "USD"),
    ],
)
def test_whose_yuan_it_is_depends_on_the_script(understand: Understand, text: str, unit: str):
    limits = [c for c in understand(text).constraints if c.field == "price"]
    assert {c.unit for c in limits} == {unit}


@pytest.mark.parametrize(
    ("text", "stored", "fits"),
    [
        ("3000元以內的手機", "TWD", True),
        ("3000元以內的手機", "HKD", True),
        ("3000塊以內的手機", "HKD", True),
        ("3000元以內的手機", "CNY", True),
        ("3000元以內的手機", None, True),
        ("3000元以內的手機", "EUR", False),
        ("3000元以內的手機", "JPY", False),
        ("3000元以内的手机", "TWD", False),
        ("人民幣3000元以內的手機", "TWD", False),
        ("台幣3000元以內的手機", "HKD", False),
        ("台幣3000元以內的手機", "TWD", True),
    ],
)
def test_a_bare_yuan_of_traditional_text_is_the_field_s(
    understand: Understand, text: str, stored: str | None, fits: bool
):
    limits = [c for c in understand(text).constraints if c.field == "price"]
    lowered = lower(from_constraints(limits), {"price": StoredField(name="p", type="number", unit=stored)})
    assert (lowered.filter is not None) == fits, lowered.unlowered
