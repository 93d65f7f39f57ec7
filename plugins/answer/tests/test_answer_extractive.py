"""Answers without a model: the best passages, quoted and cited, in Chinese and English; or that nothing was found."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx.testing import ScriptedBackend

OFFICE = (
    Document(id="p", title="打印机卡纸怎么办", text="先关电源，再打开后盖取纸。取完纸后合上后盖，重新开机。"),
    Document(id="r", title="Resetting the office router", text="Hold the button for ten seconds. The lamp goes off."),
    Document(id="e-zh", title="差旅报销流程", text="发票在出差结束后三十天内提交。逾期不予报销。"),
    Document(
        id="e-en", title="Travel expenses", text="Hand in invoices within 30 days after the trip. Meals are paid."
    ),
    Document(id="m", title="会议室预订", text="会议室在日历里预订。投影仪在前台，用完放回原处。"),
    Document(id="l", title="Annual leave", text="Employees have 28 days of annual leave. It ends in March."),
)
ASKED = (
    ("how do I reset the office router", "r", "Hold the button for ten seconds."),
    ("When do I have to hand in invoices of a trip?", "e-en", "Hand in invoices within 30 days after the trip."),
    ("How many days of annual leave do employees have?", "l", "Employees have 28 days of annual leave."),
    ("打印机卡纸了怎么办", "p", "先关电源，再打开后盖取纸。"),
    ("发票什么时候提交", "e-zh", "发票在出差结束后三十天内提交。"),
    ("投影仪在哪里", "m", "投影仪在前台，用完放回原处。"),
)


@pytest.mark.parametrize(("question", "source", "sentence"), ASKED)
async def test_the_sentence_that_answers_is_quoted_and_cited(opened, question, source, sentence):
    async with opened(OFFICE) as engine:
        done = await engine.result("answer", {"question": question})
    first = done.claims[0]
    assert (first.source_id, first.quote) == (source, sentence)
    text = next(document.text for document in OFFICE if document.id == source)
    assert text[first.start : first.end] == first.quote
    assert done.answer.splitlines()[0].rstrip("[1] ") == sentence.rstrip()
    assert "[1]" in done.answer
    assert done.sources[0].id == source
    assert done.stopped_because == "answered"


async def test_every_sentence_stands_in_its_source(opened):
    async with opened(OFFICE) as engine:
        done = await engine.result("answer", {"question": "invoices and annual leave of employees"})
    texts = {document.id: document.text for document in OFFICE}
    assert all(claim.quote in texts[claim.source_id] for claim in done.claims)


@pytest.mark.parametrize(
    "question", ["Who is the king of Atlantis?", "亚特兰蒂斯的国王是谁", "How fast is the Zephyr-9 printer?", "zzz qqq"]
)
async def test_what_is_not_there_is_not_answered(opened, question):
    async with opened(OFFICE) as engine:
        done = await engine.result("answer", {"question": question})
    assert (done.claims, done.sources, done.stopped_because) == ((), (), "nothing found")
    assert done.answer == ("Nothing found." if question.isascii() else "没有找到答案。")
    assert done.budget.rounds.used <= 3


async def test_a_long_document_gives_a_short_answer(opened):
    filler = "The yard is swept every week. Nobody parks there. " * 200
    long = Document(id="long", title="House rules", text=f"{filler}The bicycle cellar closes at nine. {filler}")
    async with opened([long, *OFFICE]) as engine:
        done = await engine.result("answer", {"question": "When does the bicycle cellar close?"})
    assert [claim.quote for claim in done.claims] == ["The bicycle cellar closes at nine."]
    assert long.text[done.claims[0].start : done.claims[0].end] == done.claims[0].quote


async def test_of_two_sources_the_newer_one_comes_first(opened):
    old = Document(id="old", title="Fee", text="The entry fee is 5 euros.", metadata={"published": "2019-01-01"})
    new = Document(id="new", title="Fee", text="The entry fee is 8 euros.", metadata={"published": "2025-01-01"})
    async with opened([old, new]) as engine:
        done = await engine.result("answer", {"question": "How much is the entry fee?"})
    assert done.claims[0].source_id == "new"


async def test_two_engines_may_use_one_id(opened):
    first = {"id": "r", "title": "Router", "text": "The office router resets by its button."}
    second = {"id": "r", "title": "Router", "text": "A reset of the office router takes two minutes."}
    backends = {name: {"type": "fake", "documents": [one]} for name, one in (("one", first), ("two", second))}
    async with opened((), search={"backends": backends}) as engine:
        done = await engine.result("answer", {"question": "office router reset"})
    assert {claim.source_id: claim.quote for claim in done.claims} == {"r": first["text"], "two:r": second["text"]}


HANDBOOK = (
    Document(
        id="leave",
        title="员工手册：请假",
        text="员工入职满一年后，每年享有十二天带薪年假。病假期间工资按百分之八十发放。",
    ),
    Document(id="vpn", title="VPN 连不上怎么办", text="先确认网络正常。然后退出客户端，重新登录。不要重装系统。"),
    Document(id="meals", title="员工手册：报销", text="餐补标准为每天一百元，无需发票。"),
    Document(
        id="backups", title="Backups", text="The database is backed up every six hours. Backups are kept for 35 days."
    ),
)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("年假有几天", "员工入职满一年后，每年享有十二天带薪年假。"),
        ("how many days of annual leave", "员工入职满一年后，每年享有十二天带薪年假。"),
        ("VPN连不上怎么办", "先确认网络正常。"),
        ("餐补多少钱", "餐补标准为每天一百元，无需发票。"),
        ("数据库多久备份一次", "The database is backed up every six hours."),
        ("How often is the database backed up?", "The database is backed up every six hours."),
    ],
)
async def test_questions_and_sources_of_two_languages(opened, question, quote):
    async with opened(HANDBOOK) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims[0].quote == quote


HOUSE = (
    Document(id="zh", title="消防须知", text="发生火警时请走楼梯，不要使用电梯。集合地点在北门停车场。"),
    Document(id="en", title="Fire", text="In case of fire leave by the stairs. Do not use the lift. Meet at the gate."),
    Document(id="hours", title="Library", text="The library closes at nine when there is no event."),
    Document(id="lost", title="门禁", text="工牌丢失须当日报告保安室。"),
)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("着火了能坐电梯吗？", "发生火警时请走楼梯，不要使用电梯。"),
        ("失火的时候可以用电梯吗", "发生火警时请走楼梯，不要使用电梯。"),
        ("Can I use the elevator when there is a fire?", "Do not use the lift."),
        ("When does the library close?", "The library closes at nine when there is no event."),
        ("门禁卡丢了要告诉谁？", "工牌丢失须当日报告保安室。"),
    ],
)
async def test_near_words_and_conditions(opened, question, quote):
    async with opened(ScriptedBackend(default=HOUSE)) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims, done.answer
    assert quote in done.claims[0].quote


@pytest.mark.parametrize(
    "question",
    ["谁是公司的创始人", "what is the wifi password", "公司的股票代码是什么", "how many days of parental leave"],
)
async def test_a_word_in_common_is_no_answer(opened, question):
    async with opened(HANDBOOK) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == ()


async def test_a_premise_that_nobody_shares_is_said_to_be_doubtful(opened):
    corpus = (
        Document(id="drone", title="Zephyr-9", text="The Zephyr-9 is a cargo drone. It carries five kilograms."),
        Document(id="star", title="星图X1", text="星图X1是一款望远镜，重三公斤。"),
    )
    async with opened(corpus) as engine:
        english = await engine.result("answer", {"question": "When was the submarine version of the Zephyr-9 sunk?"})
        chinese = await engine.result("answer", {"question": "星图X1在哪一年爆炸？"})
    assert english.claims == chinese.claims == ()
    assert "perhaps the question takes something for granted" in english.answer
    assert "前提" in chinese.answer


@pytest.mark.parametrize(
    ("question", "text", "statement"),
    [
        (
            "How many lockers has the locker room?",
            "<p>The locker&nbsp;room has <b>120</b> lockers.</p>",
            "The locker room has 120 lockers.",
        ),
        ("更衣室有多少个柜子？", "<p>更衣室有<b>120</b>个柜子。</p>", "更衣室有120个柜子。"),
    ],
)
async def test_markup_of_a_text_is_quoted_and_not_read_out(opened, question: str, text: str, statement: str):
    async with opened([Document(id="room", title="Room 更衣室", text=text)]) as engine:
        done = await engine.result("answer", {"question": question})
    (claim,) = done.claims
    assert (claim.statement, claim.verdict) == (statement, "verified")
    assert text[claim.start : claim.end] == claim.quote
