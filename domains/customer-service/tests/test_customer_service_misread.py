"""Everyday questions that hold a word of the desk and are no case of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qx import Understanding

Read = Callable[[str], Understanding]


@pytest.mark.parametrize(
    "text",
    [
        "净水器滤芯多久换一次",
        "淨水器濾芯多久換一次",
        "空调滤网几天洗一次",
        "how long do water filters last",
        "洗衣機多久清潔一次",
    ],
)
def test_how_long_is_no_question_of_a_refund(read: Read, text: str):
    assert not [need for need in read(text).implicit_needs if "退款" in need or "refund" in need]


@pytest.mark.parametrize(
    "text",
    [
        "不想要太大的冰箱，宽度不能超过60厘米",
        "不想要太大的冰箱，寬度不能超過60公分",
        "不想要白色的洗衣机",
        "不要买带蒸汽的电饭煲，要简单的",
        "別買太重的吸塵器",
    ],
)
def test_what_a_thing_is_not_to_be_cancels_nothing(read: Read, text: str):
    assert "cancel" not in read(text).intent


@pytest.mark.parametrize(
    "text",
    [
        "这个订单我不想要了",
        "這個訂單我不想要了",
        "我不想要这个会员",
        "不想再续费",
        "不想要会员了，帮我停掉",
        "我不要了",
    ],
)
def test_who_wants_it_no_more_cancels(read: Read, text: str):
    assert "cancel" in read(text).intent


@pytest.mark.parametrize(
    "text", ["TP-Link Archer AX55 重置 password", "路由器管理密码忘了", "forgot my router password"]
)
def test_the_password_of_a_device_changes_no_telephone_number(read: Read, text: str):
    needs = read(text).implicit_needs
    assert not [need for need in needs if "手机号" in need or "phone number" in need]
