"""Queries as people type them that were once misread: each kind in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx.text.spelling import Speller
from qx.types import Understanding

Understand = Callable[..., Understanding]


def limits(found: Understanding, field: str) -> list[tuple[str, object, str | None]]:
    return [(c.op, c.value, c.unit) for c in found.constraints if c.field == field]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("non apple tablets", "en"),
        ("non leather sofa grey", "en"),
        ("non stick pan induction", "en"),
        ("die cast cars for toddlers", "en"),
        ("plus size dress red", "en"),
        ("on die temperature", "en"),
        ("die besten tablets", "de"),
        ("pour la maison", "fr"),
        ("vino non dolce", "it"),
        ("non funziona il telefono", "it"),
        ("zapatos sin cordones", "es"),
        ("pizza con queso", "es"),
    ],
)
def test_a_word_that_another_language_has_too(understand: Understand, text: str, language: str):
    assert understand(text).language == language


@pytest.mark.parametrize(
    "text",
    [
        "血压不高于140",
        "心率超过120",
        "分数不低于600的大学",
        "甲醛不超过100",
        "体重超过200的椅子",
        "噪音低于50的洗衣机",
        "延迟低于50的显示器",
        "heart rate below 100 at rest",
        "LDL under 130",
        "GRE score above 320 universities",
        "gaming monitor refresh rate above 144",
        "blood pressure over 150",
    ],
)
def test_what_is_read_off_is_no_price(understand: Understand, text: str):
    assert not limits(understand(text), "price")


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("手机不超过3000", 3000),
        ("血压计不超过300", 300),
        ("体重秤不超过200", 200),
        ("儿童安全座椅 isofix 1000以内", 1000),
        ("显示器 oled 3000以内", 3000),
        ("phone under 500", 500),
        ("blood pressure monitor under 100", 100),
    ],
)
def test_a_thing_that_reads_has_a_price(understand: Understand, text: str, bound: int):
    assert [(op, value) for op, value, _ in limits(understand(text), "price")] == [("le", bound)]


@pytest.mark.parametrize(
    ("text", "op", "since"),
    [
        ("不超过5年的论文", "ge", "2021-06-15"),
        ("论文不超过3年", "ge", "2023-06-15"),
        ("3年以内的综述", "ge", "2023-06-15"),
        ("不超过6个月的新闻", "ge", "2025-12-15"),
        ("papers less than 3 years old", "ge", "2023-06-15"),
        ("studies less than 10 years old", "ge", "2016-06-15"),
        ("reviews under 2 years old", "ge", "2024-06-15"),
    ],
)
def test_the_age_of_documents_is_when_they_were_published(understand: Understand, text: str, op: str, since: str):
    found = limits(understand(text), "published")
    assert [(o, v) for o, v, _ in found][:1] == [(op, since)]


@pytest.mark.parametrize("text", ["工作经验不超过3年的岗位", "保修不超过2年的空调", "dogs less than 2 years old"])
def test_the_age_of_other_things_is_not(understand: Understand, text: str):
    assert not limits(understand(text), "published")


@pytest.mark.parametrize(
    ("text", "field", "bound"),
    [
        ("手机别太贵5000以内", "price", ("le", 5000, "CNY")),
        ("别太贵五千以内的电脑", "price", ("le", 5000, "CNY")),
        ("不要太重2公斤以内的笔记本", "weight", ("le", 2, "kg")),
        ("房子别太远5公里内", "distance", ("le", 5, "km")),
        ("行李箱别太大20寸", "length", ("eq", 20, "inch")),
    ],
)
def test_too_much_ends_before_its_bound(understand: Understand, text: str, field: str, bound: tuple[object, ...]):
    found = understand(text)
    assert bound in limits(found, field)
    assert not any(any(ch.isdigit() or ch in "五" for ch in word) for word in found.negations)


@pytest.mark.parametrize(
    "text",
    [
        "neither wifi nor bluetooth works on my laptop",
        "neither the heater nor the AC works in my car",
        "neither laptop nor phone connects to wifi",
        "neither my email nor password is accepted",
        "既没有wifi也没有信号",
        "wifi和蓝牙都不能用",
        "wifi连不上蓝牙也用不了",
        "微信和支付宝都付不了款",
        "左右声道都没声音",
        "冰箱冷藏冷冻都不制冷",
    ],
)
def test_what_two_things_fail_at_is_a_fault(understand: Understand, text: str):
    found = understand(text)
    assert found.intent[0] == "troubleshooting"
    assert not found.negations


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("neither Samsung nor Apple phone under 500", ["Samsung", "Apple"]),
        ("neither leather nor suede boots", ["leather", "suede"]),
    ],
)
def test_two_things_that_are_ruled_out(understand: Understand, text: str, out: list[str]):
    assert list(understand(text).negations) == out


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("我不想退款，只想换货", "退款"),
        ("没想退款就想问物流", "退款"),
        ("不打算换电池，怎么省电", "电池"),
        ("不是要投诉，想问进度", "投诉"),
        ("我不需要发票，帮我查订单", "发票"),
        ("I don't want to cancel my order, just change the address", "cancel"),
        ("I do not want to return or exchange it, just repair", "exchange"),
        ("not trying to get a refund, where is my parcel", "refund"),
        ("3 days in Lisbon with toddlers, no car", "car"),
        ("no need to install it, how do I update windows", "install"),
    ],
)
def test_needs_hold_nothing_that_is_denied(understand: Understand, text: str, word: str):
    found = understand(text).implicit_needs
    assert not any(word in need for need in found)
    assert not any("range test" in need for need in found)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("GNN recommendation papers since 2021", "research"),
        ("推荐系统论文", "research"),
        ("推荐算法 冷启动", "research"),
        ("how OLED works", "research"),
        ("not planning to buy, just want to know how OLED works", "research"),
        ("postgres query slow after adding index", "troubleshooting"),
        ("my 2016 Honda Civic AC blows warm air only when idling", "troubleshooting"),
        ("刹车时方向盘抖", "troubleshooting"),
        ("吐司不发酵", "troubleshooting"),
        ("吃了药还是发烧", "troubleshooting"),
        ("dell xps 13 battery drains overnight when closed", "troubleshooting"),
        ("airpods一只有声音一只没有", "troubleshooting"),
        ("左边音箱有声右边没声", "troubleshooting"),
        ("best laptop battery life", "recommendation"),
        ("my order says delivered but I never got it", "troubleshooting"),
        ("快递显示已签收但我没拿到", "troubleshooting"),
        ("苏州三天两晚 不爬山", "recommendation"),
        ("visa for Japan from India processing time", "factual"),
        ("graph neural networks for molecules", "research"),
        ("坐高铁还是飞机", "comparison"),
        ("best time to visit Patagonia for hiking not camping", "factual"),
        ("周末带娃杭州两天，不开车", "recommendation"),
    ],
)
def test_the_first_intent(understand: Understand, text: str, intent: str):
    assert understand(text).intent[0] == intent


@pytest.mark.parametrize(
    "text",
    [
        "android manifest -permission error",
        "ls: cannot open directory: Permission denied -permission",
        "kubectl: unknown flag -context",
        "java -server 报错",
        "kid has rash after peanut butter but no fever",
    ],
)
def test_what_fails_or_is_absent_is_not_ruled_out(understand: Understand, text: str):
    assert not understand(text).negations


@pytest.mark.parametrize(
    ("text", "word"), [("running shoes -nike", "nike"), ("spring heap error -docker", "docker"), ("耳机 -苹果", "苹果")]
)
def test_a_word_that_is_left_out_stays_out(understand: Understand, text: str, word: str):
    assert list(understand(text).negations) == [word]


@pytest.mark.parametrize("text", ["给刚上大学的女儿买电脑", "孩子考上大学送什么", "想去医院体检"])
def test_what_leads_to_an_institution_is_no_name(understand: Understand, text: str):
    assert not any(e.type == "organisation" and e.text[0] in "给孩想" for e in understand(text).entities)


@pytest.mark.parametrize(
    "text", ["半夜楼上邻居太吵报警有用吗", "这个锅太沉了怎么办", "菜太咸怎么补救", "鞋子很挤脚怎么撑大"]
)
def test_a_degree_and_its_adjective_are_no_slip(text: str):
    assert Speller().correct(text) is None


@pytest.mark.parametrize(
    ("text", "topic"),
    [("survey on federated learning privacy since 2021", "federated learning"), ("对比学习 图像 综述", "对比学习")],
)
def test_a_way_of_learning_of_machines_is_a_topic(understand: Understand, text: str, topic: str):
    found = understand(text)
    assert [e.type for e in found.entities if e.text == topic] == ["topic"]
    assert not any("roadmap" in need or "路线" in need for need in found.implicit_needs)
