"""What the pack reads: intents, numbers of cases, moods and what they ask of the desk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx import Understanding
from qx.domain import DomainPack
from qx.text.normalise import fold

Read = Callable[[str], Understanding]
INTENTS = [
    ("fault", "电视开机后一直没有画面", "my kettle stopped working after a week"),
    ("billing", "上个月的账单为什么多了一笔手续费", "there is a fee on my bill that I don't understand"),
    ("refund", "这双鞋想退货退款", "I want a refund for these shoes"),
    ("delivery", "包裹到哪里了", "where is my package"),
    ("account", "登录密码忘记了", "I forgot the password of my account"),
    ("complaint", "快递员态度很差，我要投诉", "your driver was rude and I want to file a complaint"),
    ("cancel", "把下个月的自动续费取消", "cancel my subscription before it renews"),
    ("how-to", "怎么绑定银行卡", "how do I add a second address"),
    ("human-agent", "帮我转人工客服", "can I speak to a human agent"),
]
NUMBERS = [
    ("订单号 20261103884512 还没发货", "20261103884512", "order-number"),
    ("订单编号：DD88120934 退款", "DD88120934", "order-number"),
    ("where is order #4417-882931", "4417-882931", "order-number"),
    ("order number AB-99120 arrived broken", "AB-99120", "order-number"),
    ("工单号 TK-20931 没人处理", "TK-20931", "ticket-number"),
    ("ticket 558213 was closed", "558213", "ticket-number"),
    ("快递单号 SF1029384756123 不更新", "SF1029384756123", "tracking-number"),
    ("tracking number 1Z999AA10123456784", "1Z999AA10123456784", "tracking-number"),
    ("报错代码 E1042 怎么办", "E1042", "error-code"),
    ("checkout fails with error code PAY-4031", "PAY-4031", "error-code"),
    ("更新到 8.3.1 就闪退", "8.3.1", "version"),
    ("it crashes since version 12.4", "12.4", "version"),
]
SIGNALS = [
    # text, mood, priority, tone
    ("银行卡被盗刷了三笔", None, "urgent", None),
    ("someone made a purchase with my stolen card", None, "urgent", None),
    ("快点处理！急！今天必须收到", "urgent", "urgent", "worried"),
    ("please help right now, I need this today", "urgent", "urgent", "worried"),
    ("你们太过分了，凭什么不给我退", "angry", "high", "angry"),
    ("this is outrageous, I demand my money back", "angry", "high", "angry"),
    ("等了半天没人回复，服务太差", "dissatisfied", "high", None),
    ("no reply for days, very disappointed with the service", "dissatisfied", "high", None),
    ("我付不了款", "worried", "normal", "worried"),
    ("I'm a bit worried that my parcel is lost", "worried", None, "worried"),
    ("包裹到哪里了", "neutral", "normal", "neutral"),
    ("where is my package", "neutral", "normal", "neutral"),
    ("怎么修改收货地址", "neutral", "low", "neutral"),
    ("how do I change my address", "neutral", "low", "neutral"),
]


@pytest.mark.parametrize(("intent", "text"), [(i, t) for i, *texts in INTENTS for t in texts])
def test_each_intent_in_both_languages(read: Read, intent: str, text: str):
    assert read(text).intent[0] == intent


@pytest.mark.parametrize(("text", "number", "kind"), NUMBERS)
def test_numbers_are_found_and_kept(read: Read, text: str, number: str, kind: str):
    found = {(e.text, e.type, e.verbatim) for e in read(text).entities if e.verbatim}
    assert (number, kind, True) in found


@pytest.mark.parametrize(
    "text", ["order 3 pizzas", "下单两件", "ticket to paris", "第2次联系你们", "version of the truth", "提示我登录"]
)
def test_what_is_no_number_of_a_case(read: Read, text: str):
    kinds = {e.type for e in read(text).entities}
    assert not kinds & {"order-number", "ticket-number", "tracking-number", "version"}


@pytest.mark.parametrize(("text", "mood", "priority", "tone"), SIGNALS)
def test_the_mood_becomes_priority_and_tone(read: Read, text: str, mood: str, priority: str, tone: str):
    understanding = read(text)
    if mood is not None:
        assert understanding.sentiment.label == mood
    if priority is not None:
        assert understanding.signals["priority"] == priority
    if tone is not None:
        assert understanding.signals["tone"] == tone
    assert (understanding.sentiment.intensity > 0) == (understanding.sentiment.label != "neutral")


def test_signals_have_the_values_that_a_desk_knows(pack: DomainPack):
    values: dict[str, set[str]] = {}
    for rule in pack.signals:
        values.setdefault(rule.signal, set()).add(rule.value)
    assert values["priority"] == {"low", "normal", "high", "urgent"}
    assert values["tone"] == {"angry", "dissatisfied", "worried", "neutral"}


@given(st.text(alphabet="订单号工 ticketordr#:-0123456789ABZ退款", max_size=60))
@settings(max_examples=40, deadline=None)
def test_any_text_has_a_priority_and_its_numbers_lie_where_they_say(read: Read, text: str):
    understanding = read(text)
    if understanding.intent:
        assert understanding.signals["priority"] in {"low", "normal", "high", "urgent"}
    for entity in understanding.entities:
        if entity.start >= 0:
            assert fold(text[entity.start : entity.end]) == fold(entity.text)  # spaces in a row are one


@pytest.mark.parametrize(
    ("text", "denied", "meant"),
    [
        ("I don't want to cancel, just pause my plan", "cancel", "how-to"),
        ("I do not want a refund, I need to change my address, how do I update it", "refund", "how-to"),
        ("我不想退款，怎么修改地址", "refund", "how-to"),
        ("我不是要投诉，就问下怎么开发票", "complaint", "billing"),
    ],
)
def test_what_is_not_wanted_is_no_intent(read: Read, text: str, denied: str, meant: str):
    assert read(text).intent[0] == meant
    assert denied not in read(text).intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("什么时候到账啊，都等了一周了", "refund"),
        ("钱几天能到账", "refund"),
        ("when will my refund arrive, it's been a week", "refund"),
        ("my son bought coins in the game without permission", "refund"),
        ("订阅升级到专业版多少钱", "billing"),
        ("how much is the pro plan", "billing"),
        ("error 503 when logging in", "fault"),
    ],
)
def test_money_codes_and_prices_are_read_as_what_they_are(read: Read, text: str, intent: str):
    assert read(text).intent[0] == intent


@pytest.mark.parametrize("text", ["谢谢，问题已经解决了", "thanks, the problem is solved now"])
def test_what_is_solved_is_no_fault(read: Read, text: str):
    assert "fault" not in read(text).intent


@pytest.mark.parametrize(
    "text",
    [
        "问题还没解决",
        "the problem is not solved",
        "问题解决了吗，还是打不开",
        "the issue is fixed but the app crashes again",
    ],
)
def test_what_is_not_solved_stays_a_fault(read: Read, text: str):
    assert "fault" in read(text).intent


@pytest.mark.parametrize("text", ["密码忘了怎么办", "forgot my password, what now"])
def test_a_plain_question_is_not_urgent(read: Read, text: str):
    assert read(text).signals["priority"] == "normal"
