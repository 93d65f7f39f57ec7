"""What a question takes to answer it: a day within a stretch, an age within a range, money, a number to call, the thing numbered."""

from __future__ import annotations

import pytest

from qx.backend import Document
from qx.testing import ScriptedBackend
from qx_answer import ages, comparing, days, kinds
from qx_answer.facts import fact
from qx_answer.hops import decompose
from qx_answer.naming import labels
from qx_answer.shares import prepared, share
from qx_answer.terms import terms

POOL = (
    Document(id="hours", title="Opening hours", text="The ice rink opens at 6 am from Tuesday to Friday. At weekends the rink opens at 8 am. On Mondays the rink is closed."),
    Document(id="prices", title="Prices of the ice rink", text="Children from four to fifteen pay £3. Adults pay £6."),
    Document(id="people", title="People", text="The chair is Pia Nand, and her deputy is Bo Hadd."),
    Document(id="rules", title="Rules", text="Rabbits may not be kept on a plot. Hens may be kept, up to six on a plot."),
    Document(id="shi", title="冰场时间", text="冰场周二至周五早上六点开门。周末早上八点开门。每周一冰场闭馆。"),
    Document(id="jia", title="冰场票价", text="4至15岁儿童20元，成人40元。年满三岁方可入场。"),
    Document(id="ren", title="冰场人员", text="初级班由周敏教练授课，提高班由何启明教练授课。"),
    Document(id="gui", title="园规", text="农园内禁止焚烧秸秆。"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("When does the ice rink open on Saturdays?", "At weekends the rink opens at 8 am."),
        ("When does the ice rink open on Thursday?", "The ice rink opens at 6 am from Tuesday to Friday."),
        ("冰场星期六几点开门？", "周末早上八点开门。"),
        ("冰场周四几点开门？", "冰场周二至周五早上六点开门。"),
        ("How much does a ten-year-old pay at the ice rink?", "Children from four to fifteen pay £3."),
        ("五岁的孩子冰场票价多少钱？", "4至15岁儿童20元，成人40元。"),
        ("How many rabbits may be kept on a plot?", "Rabbits may not be kept on a plot."),
        ("农园里什么时候可以焚烧秸秆？", "农园内禁止焚烧秸秆。"),
    ],
)
async def test_the_sentence_of_that_kind_is_quoted(opened, question: str, quote: str):
    async with opened(ScriptedBackend(default=POOL)) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims, done.answer
    assert done.claims[0].quote == quote


@pytest.mark.parametrize(
    "question",
    ["What is Pia Nand's phone number?", "Pia Nand的电话是多少？", "How much does the ice rink cost on Sunday?"],
)
async def test_what_has_none_of_the_kind_is_no_answer(opened, question: str):
    async with opened(ScriptedBackend(default=POOL)) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == (), done.answer


@pytest.mark.parametrize("n", [1, 4, 10, 13])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Locker number {n} holds {m} kg.", "How many kg does locker number {n} hold?"),
        ("Plot {n} has {m} trees.", "How many trees are on plot {n}?"),
        ("{n}号柜可放{m}公斤。", "{n}号柜可以放多少公斤？"),
        ("第{n}条规定押金{m}元。", "第{n}条规定押金多少元？"),
    ],
)
async def test_another_number_is_another_thing(opened, text: str, question: str, n: int):
    def made(missing: int) -> list[Document]:
        return [Document(id=f"d{i}", text=text.format(n=i, m=i + 100)) for i in range(1, 15) if i != missing]

    async with opened(ScriptedBackend(default=made(0))) as engine:
        done = await engine.result("answer", {"question": question.format(n=n)})
    assert [claim.source_id for claim in done.claims] == [f"d{n}"]
    async with opened(ScriptedBackend(default=made(n))) as engine:
        done = await engine.result("answer", {"question": question.format(n=n)})
    assert done.claims == (), "another one's is none"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who sits at desk 12?", ["12"]),
        ("第三条说什么", ["三"]),
        ("二号泳池几点开", ["二"]),
        ("in 2024 we had 12 desks", []),
        ("电话号码12", []),
    ],
)
def test_numbers_that_tell_one_from_another(question: str, said: list[str]):
    assert [question[start:end] for start, end in labels(question)] == said


@pytest.mark.parametrize(
    ("text", "age", "covered"),
    [
        ("children from four to fifteen pay half", 4, True),
        ("children from four to fifteen pay half", 16, False),
        ("4至15岁儿童半价", 15, True),
        ("4至15岁儿童半价", 3, False),
        ("12岁以下免费", 11, True),
        ("12岁以下免费", 12, False),
        ("adults over 67 pay less", 70, True),
        ("adults over 67 pay less", 60, False),
        ("年满十八岁可以报名", 20, True),
        ("open from 4 to 15 o'clock", 10, False),
    ],
)
def test_an_age_within_a_range(text: str, age: float, covered: bool):
    assert ages.covers(text, age) is covered


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("plot 17 has a shed", True),
        ("plots 16 and 17 are dry", True),
        ("plot no. 17 is dry", True),
        ("the 17th plot is dry", True),
        ("plot 16 has 17 trees", False),
        ("plot 117 is dry", False),
        ("plot 1 weighs 17 kg", False),
    ],
)
def test_the_number_of_a_thing_and_another_number(text: str, is_it: bool):
    (term,) = [term for term in terms("Who gardens on plot 17?") if term.text == "17"]
    assert (share(term, prepared(text)) == 1) is is_it


def test_days_within_a_stretch():
    wednesday = days.wordings(frozenset({2}))
    assert {"tuesday to friday", "weekdays", "周二至周五", "every day"} <= set(wednesday)
    assert not {"weekend", "saturday to sunday", "周六至周日"} & set(wednesday)
    assert "friday to monday" in days.wordings(frozenset({6})), "over the end of the week"


@pytest.mark.parametrize(
    ("question", "sentence", "missing"),
    [
        ("How much is a ticket?", "A ticket is valid for a day.", True),
        ("How much is a ticket?", "Children swim for free.", False),
        ("门票多少钱？", "农园共有三块地。", True),
        ("门票多少钱？", "儿童免费。", False),
        ("Who invented the telephone?", "Bell did.", False),
        ("What is her e-mail address?", "She lives in Wex.", True),
    ],
)
def test_kinds_of_answers(question: str, sentence: str, missing: bool):
    assert kinds.missing(question, sentence) is missing


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Is a full plot or a half plot cheaper, and by how much?", ["price of a full plot", "price of a half plot"]),
        ("成人票和晚场票哪个便宜？", ["成人票的价格", "晚场票的价格"]),
        ("东园和西园哪个排队时间更长？", ["东园的排队时间", "西园的排队时间"]),
    ],
)
def test_which_of_two_is_asked_of_each(question: str, parts: list[str]):
    found = comparing.parts(question)
    assert len(found) == 2
    assert all(part in text for part, text in zip(parts, found, strict=True))


SHED = (
    Document(id="shed", title="Sheds", text="A shed may be up to 6 square metres. The big cabin is heated to 90 degrees. No one may sleep in a shed."),
    Document(id="wood", title="Woodland Camp", text="Woodland Camp opens at noon. Ada Ruiz qualified in Utrecht in 2003."),
    Document(id="lin", title="云杉营地须知", text="云杉营地下午两点开始入住。每个营位最多住四人。"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("How big may a shed be?", "A shed may be up to 6 square metres."),
        ("Where did Ada Ruiz qualify?", "Ada Ruiz qualified in Utrecht in 2003."),
    ],
)
async def test_a_measure_and_the_past_of_a_verb_say_it(opened, question: str, quote: str):
    async with opened(ScriptedBackend(default=SHED)) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims, done.answer
    assert done.claims[0].quote == quote


@pytest.mark.parametrize(
    "question", ["云杉营地的海拔是多少？", "云杉营地有停车场吗？", "Who operates the tower at Woodland Camp?"]
)
async def test_what_only_its_title_speaks_of_is_not_offered(opened, question: str):
    async with opened(ScriptedBackend(default=SHED)) as engine:
        done = await engine.result("answer", {"question": question})
    assert done.claims == (), done.answer


def test_a_fact_is_no_word_of_the_question():
    assert fact("云杉营地的管理员是谁？", "营地管理员是卢海生。", "person") == "卢海生"


def test_the_fact_is_of_the_clause_that_is_asked_for():
    quote = "初级班由周敏教练授课，提高班由何启明教练授课。"
    assert fact("教提高班的教练是谁？", quote, "person") == "何启明"
    assert fact("教初级班的教练是谁？", quote, "person") == "周敏"


def test_who_does_it_is_asked_first():
    plan = decompose("Where does the person who mends old radios live?")
    assert [part.text for part in plan.parts] == ["Who mends old radios?", "Where does {1} live?"]


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("The office is on the second floor.", True),
        ("It is on level 3.", True),
        ("You find it in the basement.", True),
        ("办公室在三楼。", True),
        ("在地下一层。", True),
        ("The floor is made of oak.", False),
        ("Water levels are high.", False),
        ("办公室在教学楼旁边。", False),
        ("涂层很厚。", False),
        ("坐地下铁去。", False),
    ],
)
def test_a_floor_is_one_of_a_building_and_not_any(text: str, tells: bool):
    question = "办公室在几楼？" if text[0] > "\u3000" else "Which floor is the office on?"
    assert kinds.missing(question, text) is not tells
