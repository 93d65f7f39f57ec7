"""What a question speaks of: no correction of something else, no word of asking, nobody's name in place of their words."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from qx_chatlog.asking import changes, prompts

from .saying import people_of

said = people_of("eva")
LOG = (
    said("s1", "school", "2026-11-02T10:00", "学校的运动会谁来报名？", "林悦"),
    said("s2", "school", "2026-11-03T10:00", "报名的有 31 个学生，老师 3 位", "林悦"),
    said("s3", "school", "2026-11-09T10:00", "操场要修，运动会改到 11 月 20 号", "林悦"),
    said("w1", "wedding", "2026-11-10T10:00", "喜酒订在金桂楼，三桌", "何涛"),
    said("w2", "wedding", "2026-11-16T10:00", "金桂楼停电，喜酒改到银杏楼，时间照旧", "何涛"),
    said("d1", "desk", "2026-11-11T10:00", "书桌的尺寸裁错了，短了三厘米", "许姐"),
    said("d2", "desk", "2026-11-11T10:05", "老许自己裁的，说是用的卷尺", "许姐"),
    said("d3", "desk", "2026-11-12T10:00", "交货改到 11 月 27 号，书桌 26 号先到", "许姐"),
    said("d4", "desk", "2026-11-27T10:00", "书桌送到了，尾款 2400", "许姐"),
    said("d5", "desk", "2026-11-28T09:00", "不客气，有事再找我", "许姐"),
    said("i1", "team", "2026-11-04T10:00", "Ivo it is, he starts on the first of December", "Nora"),
    said("i2", "team", "2026-11-18T10:00", "Ivo's start was postponed to the 4th of January", "Nora"),
    said("i3", "pay", "2026-11-12T10:00", "The billing change starts on the 30th of November", "Finn"),
    said("i4", "pay", "2026-11-19T10:00", "Correction: the billing change starts on the 7th of December", "Finn"),
    said("f1", "fuse", "2026-11-22T10:00", "换好了，灯泡才五块钱", "何涛"),
    said("f2", "fuse", "2026-11-22T10:02", "要，多少钱？", "许姐"),
)


PHONE = (
    said("p1", "a", "2026-11-20T10:00", "我打电话给店里了，灯罩下周三才能到", "许姐"),
    said("p2", "b", "2026-11-18T10:00", "清单发你邮箱了，我电话是 13900001111，随时打", "许姐"),
    said("o1", "c", "2026-11-21T10:00", "Does that price include the freezer?", "Eva"),
    said("o2", "d", "2026-11-22T10:00", "Bought a Nordkap, 480 euros, with a warranty", "Eva"),
    said("n1", "f", "2026-11-05T10:00", "那每个队员收 23 块，周五以前交给我", "林悦"),
    said("n2", "f", "2026-11-04T10:00", "一共 27 个队员，教练 2 位", "林悦"),
    said("n3", "g", "2026-11-04T10:00", "The chairs cost 90 a piece", "Nora"),
    said("n4", "g", "2026-11-05T10:00", "We ordered 14 folding chairs", "Nora"),
    said("c1", "e", "2026-11-10T10:00", "我的旧帐篷你要吗？", "何涛"),
    said("c2", "e", "2026-11-10T10:05", "最多三百五", "许姐"),
    said("c3", "e", "2026-11-11T10:05", "行吧，380，不能再少了", "何涛"),
    said("c4", "e", "2026-11-12T10:05", "周六来拿，16号我不在", "何涛"),
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("许姐的电话是多少？", "p2"),
        ("Which freezer did I buy?", "o2"),
        ("旧帐篷最后卖了多少钱", "c3"),
        ("一共有多少个队员？", "n2"),
        ("How many chairs are there?", "n4"),
    ],
)
async def test_what_tells_goes_before_what_only_names(chats: Any, question: str, first: str):
    await chats.store.append((*LOG, *PHONE))
    assert ids(await chats.ask(question, user="eva"))[0] == first


PUPPY = (
    said("u1", "puppy", "2026-11-08T10:00", "捡了只小狗，先叫它豆包", "许姐"),
    said("u2", "puppy", "2026-11-09T10:00", "豆包咬了医生一下", "许姐"),
    said("u3", "show", "2026-11-09T11:00", "汇演今晚来了 88 个人", "林悦"),
)


@pytest.mark.parametrize(
    ("question", "found"), [("豆包的体重是多少？", []), ("汇演来了多少人？", ["u3"]), ("谁捡了豆包？", ["u1", "u2"])]
)
async def test_a_number_that_nobody_told_is_not_answered_with_its_thing(chats: Any, question: str, found: list[str]):
    await chats.store.append((*LOG, *PUPPY))
    assert ids(await chats.ask(question, user="eva"))[:2] == found


def ids(answer: Any) -> list[str]:
    return [claim.message_id for claim in answer.claims]


@pytest.mark.parametrize(
    ("question", "first", "never"),
    [
        ("运动会改到哪天了？", "s3", {"w2", "d3"}),
        ("喜酒在哪个酒楼？", "w2", {"s3"}),
        ("谁把书桌裁错了？", "d1", {"d3"}),
        ("报名的有多少个学生？", "s2", {"w2", "s3"}),
        ("When does Ivo start?", "i2", {"i4"}),
        ("When does the billing change start?", "i4", {"i2"}),
    ],
)
async def test_a_correction_of_another_matter_does_not_lead(chats: Any, question: str, first: str, never: set[str]):
    await chats.store.append(LOG)
    answer = await chats.ask(question, user="eva")
    assert ids(answer)[0] == first
    for tongue in ("zh", "en"):
        if prompts.CHANGED[tongue] in answer.answer:
            changed = answer.answer.split(prompts.BEFORE[tongue])[0]
            assert not any(f"[{one}]" in changed for one in never)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("金桂楼停电，喜酒改到银杏楼", ("喜酒",)),
        ("改到周六了，还是七点", ()),
        ("Correction: the launch starts on Friday", ("launch",)),
        ("更正：预算是三万", ("预算",)),
        ("Actually 4 pm suits me", ()),
        ("We moved the party to the 18th", ("party",)),
        ("今天的聚会取消了", ("聚会",)),
    ],
)
async def test_what_a_correction_changes(chats: Any, content: str, words: tuple[str, ...]):
    found = changes.subject(said("x", "x", "2026-11-20T10:00", content, "何涛"), chats.log())
    assert set(words) <= set(found)
    assert bool(found) == bool(words)


@pytest.mark.parametrize("question", ["大巴多少钱？", "保险一共多少钱", "门票几块钱"])
async def test_words_of_asking_are_not_looked_for(chats: Any, question: str):
    await chats.store.append(LOG)
    assert ids(await chats.ask(question, user="eva")) == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("昨天许姐说了什么？", {"d5"}),
        ("上周许姐说了什么", {"f2"}),
        ("What did Finn say on November 19?", {"i4"}),
        ("11月27号发生了什么？", {"d4"}),
        ("What happened on November 9?", {"s3"}),
        ("11月11号发生的事情有哪些", {"d1", "d2"}),
    ],
)
async def test_a_time_and_a_person_alone_lead_to_what_was_said(chats: Any, question: str, found: set[str]):
    await chats.store.append(LOG)
    now = datetime(2026, 11, 29, 12, tzinfo=ZoneInfo("Asia/Shanghai"))
    answer = await chats.ask(question, user="eva", now=now)
    shown = set(ids(answer))
    assert found <= shown
    if "上周" not in question:
        assert shown == found


async def test_a_search_that_is_made_again_says_what_is_new_in_it(chats: Any):
    await chats.store.append(LOG)
    answer = await chats.ask("运动场的草皮多少钱", user="eva", need="always")
    made = [(one.tool, tuple(sorted(one.arguments.items())), one.note) for one in answer.searches]
    assert len(set(made)) == len(made)
    assert not any(one.arguments.get("fuzzy") for one in answer.searches), "Chinese words have no slips"
    slipped = await chats.ask("How much is the artifical turf?", user="eva", need="always")
    assert any(one.arguments.get("fuzzy") == "yes" for one in slipped.searches)
