"""Moods: words of feeling, what was done to who asks, haste and worry; and words of feeling that are nobody's here."""

import pytest


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("客服一直不回复我很生气", {"angry"}),
        ("等了三个小时都没人理，真让人恼火", {"angry"}),
        ("so mad at this airline, they lost my bag again", {"angry"}),
        ("i'm furious, the bank froze my account for no reason", {"angry"}),
        ("物业一直推脱不处理", {"dissatisfied"}),
        ("物业不管电梯坏了一个月", {"dissatisfied"}),
        ("买回来三天就坏，简直了", {"dissatisfied"}),
        ("our landlord kept the whole deposit and won't answer", {"dissatisfied"}),
        ("my cat has been hiding all day is she sick", {"worried"}),
        ("保险公司拖着不赔", {"dissatisfied"}),
        ("the airline won't refund my cancelled flight", {"dissatisfied"}),
        ("two months later and they still have not fixed my roof", {"dissatisfied"}),
        ("third time the parcel did not arrive", {"dissatisfied"}),
        ("not happy with my new phone, battery dies by noon", {"dissatisfied"}),
        ("老人摔倒后一直头痛，会不会有危险", {"worried"}),
        ("孩子高烧不退心里没底", {"worried"}),
        ("my mum fell and can't move her arm", {"worried"}),
        ("will my dog be ok after eating grapes", {"worried"}),
        ("电脑死机了，一会儿要开会", {"urgent"}),
        ("need the visa letter by friday", {"urgent"}),
        ("my flight leaves in two hours and i cannot check in", {"urgent"}),
        ("下个月去冰岛看极光，超开心", {"expectant"}),
        ("we are so excited to visit kyoto", {"expectant"}),
    ],
)
def test_how_who_asks_feels_is_read(text, labels, understand):
    assert understand(text).sentiment.label in labels


@pytest.mark.parametrize(
    "text",
    [
        "how to calm an angry dog",
        "how to deal with angry customers",
        "angry birds level 12",
        "emergency exit sign regulations",
        "urgent care near me",
        "junk mail filter settings",
        "frustrated lewis pair chemistry",
        "why is my cat angry at the vacuum",
        "生气的表情包",
        "紧急出口标志规范",
        "激动人心的纪录片",
        "愤怒管理课程",
        "崩溃日志怎么看",
        "安抚生气的女朋友",
        "开心果热量",
    ],
)
def test_a_feeling_that_is_a_name_or_another_s_is_no_mood(text, understand):
    assert understand(text).sentiment.label == "neutral"


@pytest.mark.parametrize("text", ["i am angry with my landlord", "angry about the delay", "真生气", "我的电脑崩溃了"])
def test_a_feeling_that_is_said_to_be_stays_one(text, understand):
    assert understand(text).sentiment.label in {"angry", "dissatisfied"}
