"""What the pack makes of a query: intents, entities, conditions, moods, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qx import Understanding

Read = Callable[[str], Understanding]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("想买一台扫地机器人", "purchase"),
        ("looking for a quiet dishwasher", "purchase"),
        ("机械键盘 红轴", "purchase"),
        ("trail running shoes", "purchase"),
        ("Switch OLED 哪里买便宜", "compare-prices"),
        ("lowest price for a Kindle Paperwhite", "compare-prices"),
        ("戴森V12值得买吗", "read-reviews"),
        ("is the Ninja Creami worth the money", "read-reviews"),
        ("天猫超市优惠券怎么领", "find-coupons"),
        ("promo code for Sephora", "find-coupons"),
        ("小米14多重", "check-specifications"),
        ("does the Galaxy S24 have wireless charging", "check-specifications"),
        ("送老婆的结婚纪念日礼物", "gift"),
        ("christmas gift for my brother", "gift"),
        ("收到的杯子碎了能退吗", "after-sales"),
        ("how do I return a dress that doesn't fit", "after-sales"),
    ],
)
def test_intents(read: Read, text: str, intent: str):
    assert read(text).intent[0] == intent


@pytest.mark.parametrize("text", ["黑洞是怎么形成的", "how to fix a leaking tap", "Python 列表去重", "capital of Peru"])
def test_what_is_no_shopping_keeps_its_general_intent(read: Read, text: str):
    own = {"purchase", "compare-prices", "read-reviews", "find-coupons", "check-specifications", "gift", "after-sales"}
    assert own.isdisjoint(read(text).intent)


@pytest.mark.parametrize("text", ["iPhone 15和小米14哪个好", "Sony A7 IV vs Canon R6"])
def test_two_articles_are_compared_as_such(read: Read, text: str):
    assert read(text).intent[0] == "comparison"


@pytest.mark.parametrize(
    ("text", "type", "named"),
    [
        ("华为平板 学生用", "brand", "华为"),
        ("levis jeans slim fit", "brand", "levis"),
        ("海蓝之谜面霜怎么样", "brand", "海蓝之谜"),
        ("索尼WH-1000XM5支持LDAC吗", "model", "WH-1000XM5"),
        ("红米 Note 13 Pro 参数", "model", "红米 Note 13 Pro"),
        ("RTX 4070 Ti price", "model", "RTX 4070 Ti"),
        ("iPhone 15 Pro Max 多少钱", "model", "iPhone 15 Pro Max"),
        ("人体工学椅推荐", "category", "人体工学椅"),
        ("waterproof hiking boots", "category", "hiking boots"),
        ("在京东买手机", "platform", "京东"),
        ("天猫的扫地机器人", "platform", "天猫"),
        ("拼多多百亿补贴耳机", "platform", "拼多多"),
        ("Amazon deals on tents", "platform", "Amazon"),
        ("used lens on eBay", "platform", "eBay"),
    ],
)
def test_entities(read: Read, text: str, type: str, named: str):
    assert (type, named) in {(entity.type, entity.text) for entity in read(text).entities}


CONDITIONS: list[tuple[str, str, str, Any, str | None]] = [
    ("3000到4000元的手机", "price", "ge", 3000, "CNY"),
    ("3000到4000元的手机", "price", "le", 4000, "CNY"),
    ("laptop between $600 and $900", "price", "ge", 600, "USD"),
    ("500元左右的耳机", "price", "prefer", 500, "CNY"),
    ("headphones around 200 euros", "price", "prefer", 200, "EUR"),
    ("£50以内的礼物", "price", "le", 50, "GBP"),
    ("10000日元以下的手表", "price", "le", 10000, "JPY"),
    ("墨绿色的连衣裙", "colour", "eq", "green", None),
    ("rose gold watch", "colour", "eq", "rose gold", None),
    ("跑鞋不要黑色", "colour", "ne", "black", None),
    ("sofa, not grey", "colour", "ne", "grey", None),
    ("42.5码的跑鞋", "size", "eq", 42.5, None),
    ("hiking boots EU 43", "size", "eq", 43, None),
    ("卫衣 XL码", "size", "eq", "XL", None),
    ("hoodie size M", "size", "eq", "M", None),
    ("27寸显示器", "screen", "eq", 27, "inch"),
    ("tv over 55 inches", "screen", "ge", 55, "inch"),
    ("1TB固态硬盘的笔记本电脑", "storage", "eq", 1, "TB"),
    ("phone with at least 256GB storage", "storage", "ge", 256, "GB"),
    ("运行内存至少12GB的手机", "memory", "ge", 12, "GB"),
    ("laptop with 32 GB RAM", "memory", "eq", 32, "GB"),
    ("500升以上的冰箱", "capacity", "ge", 500, "L"),
    ("2 litre kettle", "capacity", "eq", 2, "L"),
    ("10公斤滚筒洗衣机", "capacity", "eq", 10, "kg"),
    ("9 kg washing machine", "capacity", "eq", 9, "kg"),
    ("洗衣机 8公斤以上", "capacity", "ge", 8, "kg"),
    ("washing machine 8kg or more", "capacity", "ge", 8, "kg"),
    ("2024款轻薄本", "year", "eq", 2024, None),
    ("2024年新款轻薄本", "year", "eq", 2024, None),
    ("2023 or newer robot vacuum", "year", "ge", 2023, None),
    ("2023 model air conditioner", "year", "eq", 2023, None),
    ("女士羊毛大衣", "audience", "eq", "women", None),
    ("men's leather wallet", "audience", "eq", "men", None),
    ("适合敏感肌的防晒霜", "audience", "prefer", "sensitive skin", None),
    ("running shoes for flat feet", "audience", "prefer", "flat feet", None),
    ("桑蚕丝睡衣", "material", "eq", "silk", None),
    ("cast iron skillet", "material", "eq", "cast iron", None),
    ("毛衣不要羊毛的", "material", "ne", "wool", None),
    ("jacket without polyester", "material", "ne", "polyester", None),
    ("评分4.5以上的空气炸锅", "rating", "ge", 4.5, None),
    ("四五百的耳机 4星以上", "rating", "ge", 4, None),
    ("air fryer rated 4.5 stars or more", "rating", "ge", 4.5, None),
    ("coffee maker 4+ stars", "rating", "ge", 4, None),
    ("four star and above coffee grinder", "rating", "ge", 4, None),
    ("手机推荐，不要华为", "brand", "ne", "华为", None),
    ("laptop, anything but HP", "brand", "ne", "HP", None),
    ("不要美的空调", "brand", "ne", "美的", None),
]


@pytest.mark.parametrize(("text", "field", "op", "value", "unit"), CONDITIONS)
def test_conditions(read: Read, text: str, field: str, op: str, value: Any, unit: str | None):
    assert (field, op, value, unit) in {(c.field, c.op, c.value, c.unit) for c in read(text).constraints}


@pytest.mark.parametrize(
    "text", ["15以上的平板", "耳机 15分以上", "5 star hotel bookings", "跑鞋 3000米以上", "rated R movies"]
)
def test_what_is_no_rating(read: Read, text: str):
    assert all(c.field != "rating" for c in read(text).constraints)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("店家卖假货还不给退，太气人", "angry"),
        ("bought this jacket and it is cheaply made", "dissatisfied"),
        ("在拼多多买怕买到假货", "worried"),
        ("need a gift that arrives by tomorrow, last minute", "urgent"),
    ],
)
def test_moods(read: Read, text: str, label: str):
    assert read(text).sentiment.label == label


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("想买跑鞋", "尺码 偏大偏小"),
        ("戴森V12值得买吗", "优缺点"),
        ("promo code for Sephora", "terms and expiry"),
        ("收到的杯子碎了能退吗", "退货流程"),
        ("running shoes for flat feet", "size guide"),
    ],
)
def test_needs(read: Read, text: str, need: str):
    assert need in read(text).implicit_needs


def test_a_shop_s_words_mean_goods(read: Read):
    assert read("PS5 Slim price on Amazon").senses == ()
    assert {e.type for e in read("amazon prime delivery").entities} >= {"platform"}


@pytest.mark.parametrize(
    "text", ["kindle paperwhite 2023 vs 2021", "iPad 2022款和2021款哪个好", "is the 2021 or 2023 ipad better"]
)
def test_years_that_are_compared_do_not_contradict_one_another(read: Read, text: str):
    [years] = [c for c in read(text).constraints if c.field in ("published", "year", "date")]
    assert (years.field, years.op, years.hard) == ("year", "in", False)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("iphone 14 vs samsung s23 camera comparison", "comparison"),
        ("冰箱 双开门 400升以上 一级能效", "purchase"),
        ("这款洗衣机噪音大吗", "read-reviews"),
    ],
)
def test_intents_that_one_word_does_not_decide(read: Read, text: str, intent: str):
    assert read(text).intent[0] == intent


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("七天无理由退货 拆封了还能退吗", "neutral"),
        ("这款洗衣机噪音大吗", "neutral"),
        ("这款洗衣机噪音大，想退", "dissatisfied"),
    ],
)
def test_a_question_is_no_grumbling(read: Read, text: str, mood: str):
    assert read(text).sentiment.label == mood


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("XL码 纯棉 黑色T恤 女", "audience", "women"),
        ("water bottle 32 oz", "capacity", 32),
        ("20 oz insulated tumbler", "capacity", 20),
        ("台灯 护眼", "feature", "eye-friendly"),
    ],
)
def test_conditions_that_stand_alone(read: Read, text: str, field: str, value: Any):
    assert (field, value) in {(c.field, c.value) for c in read(text).constraints}
