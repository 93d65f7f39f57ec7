"""Which sentence answers: that of the edition in force, the denial before what reads like a yes, the thing that is asked of."""

from __future__ import annotations

import pytest

from qx.backend import Document

CORPUS = (
    Document(
        id="gym-19",
        title="Gym rules (2019)",
        text="The gym is open until 21:00. Guests may use the gym without a card.",
        metadata={"published": "2019-02-01"},
    ),
    Document(
        id="gym-24",
        title="Gym rules (2024)",
        text="These rules replace those of 2019. The gym is open until 23:00. Lockers cost 2 EUR.",
        metadata={"published": "2024-02-01"},
    ),
    Document(
        id="bus-1",
        title="班车安排（第1版）",
        text="班车每天早上七点发车。行李可以放在班车后部。",
        metadata={"published": "2020-01-01"},
    ),
    Document(
        id="bus-2", title="班车安排（第2版）", text="班车改为每天早上八点发车。", metadata={"published": "2023-01-01"}
    ),
    Document(id="card", title="门禁卡规定", text="电子门禁卡与纸质门禁卡同等有效。借用门禁卡无效。"),
    Document(id="kiln", title="Kiln", text="Glass may be fired in the kiln. Firing plastic in the kiln is forbidden."),
    Document(id="lamp", title="星灯台灯", text="星灯台灯售价99元。支持调光，不支持无线充电。"),
    Document(id="lamp-max", title="星灯Max台灯", text="星灯Max台灯售价199元。支持调光和无线充电。"),
    Document(id="sync", title="Sync client", text="The client runs on macOS 14. FreeBSD is not supported."),
    Document(id="qin", title="秦雨桐", text="秦雨桐是采购部主管，2015年入职，常驻成都。分机号是7733。"),
    Document(
        id="ida",
        title="Ida Brandt",
        text="Ida Brandt came in 2012 and works in the Elbe cottage.",
    ),
    Document(
        id="who", title="Who is who", text="Ida Brandt is the head of Glassworks. Omar Quist is the head of Sales."
    ),
    Document(id="fish", title="Quillfish words", text="Quillfish gadget cost"),
    Document(id="moyu", title="墨鱼笔", text="墨鱼笔价格表见前台，墨鱼笔的价格常有变化。"),
    Document(id="bay", title="Bike bay", text="The bike bay is on the ground floor of building 2."),
    Document(id="车棚", title="车棚", text="车棚位于3号楼后面。车棚冬季温度不低于5度，每月20元。"),
    Document(id="hall", title="Hall", text="The hall was built in 1998 and lies beside the canal."),
)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Until when is the gym open?", "The gym is open until 23:00."),
        ("Can guests use the gym?", "Guests may use the gym without a card."),  # the later edition says nothing of it
        ("班车早上几点发车？", "班车改为每天早上八点发车。"),
        ("行李可以放在班车后部吗？", "行李可以放在班车后部。"),
        ("借用门禁卡有效吗？", "借用门禁卡无效。"),
        ("Is firing plastic in the kiln allowed?", "Firing plastic in the kiln is forbidden."),
        ("星灯台灯支持无线充电吗？", "支持调光，不支持无线充电。"),
        ("星灯Max台灯支持无线充电吗？", "支持调光和无线充电。"),
        ("借用門禁卡有效嗎？", "借用门禁卡无效。"),
        ("車棚一個月多少錢？", "车棚冬季温度不低于5度，每月20元。"),
        ("採購部主管的分機號是多少？", "秦雨桐是采购部主管，2015年入职，常驻成都。分机号是7733。"),
        ("车棚一个月多少钱？", "车棚冬季温度不低于5度，每月20元。"),
        ("车棚冬天多少度？", "车棚冬季温度不低于5度，每月20元。"),
        ("Does the sync client support FreeBSD?", "FreeBSD is not supported."),
        (
            "采购部主管的分机号是多少？",
            "秦雨桐是采购部主管，2015年入职，常驻成都。分机号是7733。",
        ),
    ],
)
async def test_the_sentence_that_answers_comes_first(opened, question: str, quote: str):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims, done.answer
    assert done.claims[0].quote == quote


async def test_what_was_replaced_is_told_after_what_replaces_it(opened):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": "Until when is the gym open?"})
    assert [claim.source_id for claim in done.claims] == ["gym-24", "gym-19"]


async def test_the_same_of_another_thing_is_not_told(opened):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": "星灯台灯支持无线充电吗？"})
    assert {claim.source_id for claim in done.claims} == {"lamp"}


@pytest.mark.parametrize(
    "question",
    [
        "How many floors does building 2 have?",
        "3号楼有多少层？",
        "How many seats does the hall have?",
        "大厅有多少座位？",
        "采购部主管的工号是多少？",
    ],
)
async def test_a_number_of_something_else_is_no_answer(opened, question: str):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == ()
    assert done.stopped_because != "answered"


@pytest.mark.parametrize(
    "question",
    ["Does the sync client support Haiku?", "门禁卡可以转让给来宾吗？", "Which is wider, the Hall or the Kiln?"],
)
async def test_a_refusal_claims_no_false_premise_of_a_question_that_has_none(opened, question: str):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == ()
    assert "granted" not in done.answer
    assert "前提" not in done.answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who painted the ceiling of Thornbury Abbey?", "Nothing found: the rounds that were allowed are used up."),
        ("桃溪寺的壁画是谁画的？", "没有找到答案：轮数用完了。"),
    ],
)
async def test_rounds_that_are_used_up_are_named(opened, question: str, told: str):
    async with opened(CORPUS) as engine:
        done = await engine.result("answer", {"question": question, "budget": {"rounds": 1}})
    assert (done.answer, done.stopped_because) == (told, "rounds")


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Where is the oven?", ""),
        ("烤箱在哪里？", ""),
        ("Where is the kiosk?", ""),
        ("Where is the freezer?", "The freezer is at the back."),
        ("Where is the toaster?", "The toaster stands beside the sink."),
        ("吐司机在哪儿？", "吐司机放在水槽旁。"),
    ],
)
async def test_nothing_without_a_place_answers_where(opened, question: str, quote: str):
    kitchen = (
        Document(id="oven", text="Everybody may use the oven."),
        Document(id="kiosk", text="The kiosk opens at 6:00 and closes at 9 pm."),
        Document(id="freezer", text="The freezer is at the back."),
        Document(id="toaster", text="The toaster stands beside the sink."),
        Document(id="烤箱", text="人人可以用烤箱。"),
        Document(id="吐司机", text="吐司机放在水槽旁。"),
    )
    async with opened(kitchen) as engine:
        done = await engine.result("answer", {"question": question})
    assert [claim.quote for claim in done.claims][:1] == ([quote] if quote else [])
    assert (done.stopped_because == "answered") is bool(quote)


async def test_a_hop_that_leads_to_no_number_is_not_answered(opened):
    async with opened(CORPUS) as engine:
        done = await engine.result(
            "answer", {"question": "How many benches does the cottage of the head of Glassworks have?"}
        )
    assert done.stopped_because != "answered"
    assert all("came in 2012" not in claim.quote for claim in done.claims)
