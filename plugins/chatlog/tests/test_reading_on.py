"""Answers that share no word with the question stand beside what it speaks of, and are found there."""

import time
from datetime import timedelta
from typing import Any

import pytest

from qx.embedder import EmbedRequest
from qx.testing import FakeEmbedder
from qx_chatlog.asking import adjacency, attribution, kinds
from qx_chatlog.asking.adjacency import beside

from .saying import people_of

said = people_of("kim")

LOG = (
    said("p1", "sale", "2026-11-02T10:00", "The piano is gone at last", "Ida"),
    said("p2", "sale", "2026-11-02T10:02", "Gone to whom?", "Rolf"),
    said("p3", "sale", "2026-11-02T10:05", "A music student from upstairs, 900 euros in cash", "Ida"),
    said("p4", "sale", "2026-11-04T09:00", "Has anybody watered the ferns?", "Rolf"),
    said("s1", "shop", "2026-11-05T09:00", "收银机今天又死机了", "小邱"),
    said("s2", "shop", "2026-11-05T09:20", "是散热扇的问题，灰太多", "阿彬"),
    said("s3", "shop", "2026-11-05T09:30", "先拿吹风机吹一下", "小邱"),
    said("r1", "race", "2026-11-06T18:00", "I twisted my knee on the gravel", "Tess"),
    said("r2", "race", "2026-11-06T18:01", "No marathon for me this year", "Tess"),
    said("t1", "load", "2026-11-07T15:00", "打印测试第一轮每分钟 40 页", "阿彬"),
    said("t2", "load", "2026-11-07T15:05", "换硒鼓了吗？", "小邱"),
    said("t3", "load", "2026-11-07T15:20", "换完上到 55 页了", "阿彬"),
    said("d1", "dinner", "2026-11-08T12:00", "下周四我升职，请大家吃烤鱼，六点", "小邱"),
    said("d2", "dinner", "2026-11-10T12:00", "烤鱼改到六点半，要等位", "小邱"),
    said("g1", "dog", "2026-11-09T08:00", "Pixel has been to the vet", "Tess"),
    said("g2", "dog", "2026-11-09T08:10", "The receptionist was 25 minutes late", "Tess"),
    said("h1", "visit", "2026-11-11T08:00", "Uncle Theo is coming over from Malta", "Ida"),
    said("h2", "visit", "2026-11-11T08:05", "Terminal B, he says", "Rolf"),
    said("m1", "bins", "2026-11-13T08:00", "Bulky waste comes on the 20th", "Rolf"),
    said("m2", "bins", "2026-11-15T08:00", "The bulky waste is cancelled, they are on strike", "Rolf"),
    said("m3", "bins", "2026-11-15T08:10", "New date?", "Tess"),
    said("m4", "bins", "2026-11-15T08:30", "Friday next week", "Rolf"),
    said("y1", "flat", "2026-11-16T08:00", "谁把阳台门开着了", "小邱"),
    said("y2", "flat", "2026-11-16T08:20", "我，晾完衣服忘了", "阿彬"),
    said("e1", "school", "2026-11-17T08:00", "Admission letter is here!", "Tess"),
    said("e2", "school", "2026-11-17T08:01", "What subject?", "Ida"),
    said("e3", "school", "2026-11-17T08:02", "Marine biology", "Tess"),
    said("c1", "cost", "2026-11-12T08:00", "The greenhouse has been delivered", "Rolf"),
    said("c2", "kite", "2026-11-12T09:00", "Shall we fly the kite?", "Tess"),
)


async def _ids(chats: Any, question: str) -> list[str]:
    await chats.store.append(LOG)
    answer = await chats.ask(question, user="kim", need="always")
    return [claim.message_id for claim in answer.claims]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who bought the piano?", "p3"),  # somebody asks so in the log, and is answered
        ("How much did the piano bring?", "p3"),  # a price beside it
        ("收银机为什么死机", "s2"),  # a reason after it
        ("Why is there no marathon for Tess?", "r1"),  # and before it
        ("打印测试最后到了多少页", "t3"),  # the last number said in one breath
        ("When is the bulky waste collected?", "m4"),  # named after it was cancelled
        ("谁开着阳台门", "y2"),  # the log asks it, with no question mark
        ("What subject is Tess admitted to?", "e3"),
    ],
)
async def test_what_stands_beside_it_answers_first(chats: Any, question: str, first: str):
    assert (await _ids(chats, question))[0] == first


async def test_what_was_said_next_is_shown_and_nothing_of_another_day(chats: Any):
    ids = await _ids(chats, "What became of the piano?")
    assert ids[0] == "p1"
    assert {"p2", "p3"} <= set(ids)
    assert "p4" not in ids


async def test_a_correction_names_the_anchors_words_and_none_of_the_question(chats: Any):
    ids = await _ids(chats, "升职那顿几点开始")
    assert ids[0] == "d2"
    assert "d1" in ids


@pytest.mark.parametrize("question", ["How much does the greenhouse kite cost?", "What colour is the greenhouse kite?"])
async def test_what_is_nowhere_said_together_is_declined(chats: Any, question: str):
    await chats.store.append(LOG)
    answer = await chats.ask(question, user="kim", need="always")
    assert answer.stopped_because == "nothing found", answer.answer


async def test_any_number_beside_it_does_not_lead(chats: Any):
    assert (await _ids(chats, "How old is Pixel?"))[:1] != ["g2"]


async def test_who_speaks_of_somebody_is_not_said_to_have_been_taken_for_them(chats: Any):
    await chats.store.append([*LOG, said("h9", "visit", "2026-11-12T08:05", "Thanks, Ida", "Theo")])
    answer = await chats.ask("Where does Theo come from?", user="kim", need="always")
    assert "not Theo" not in answer.answer
    assert "h1" in [claim.message_id for claim in answer.claims]


def test_spoken_of_and_spoken_to():
    spoken_of = said("x", "s", "2026-11-11T08:00", "Theo is coming over", "Ida")
    spoken_to = said("x", "s", "2026-11-11T08:00", "Thanks, Theo! I moved to Malta", "Ida")
    assert attribution.tells_otherwise("What does Theo do?", "Theo", [spoken_of], "Ida")
    assert not attribution.tells_otherwise("What does Theo do?", "Theo", [spoken_to], "Ida")
    assert attribution.tells_otherwise("How much did Theo pay?", "Theo", [spoken_to], "Ida"), "no price in it"
    assert not attribution.tells_otherwise(
        "小陈喜欢什么", "小陈", [said("y", "s", "2026-11-11T08:00", "小陈，我喜欢茶", "老方")], "老方"
    )


@pytest.mark.parametrize(
    ("question", "kind", "tells", "not_"),
    [
        ("How much did the sofa cost?", "price", "we paid 430 euros", "on Friday at nine"),
        ("沙发多少钱", "price", "花了八百块", "周五到的"),
        ("When is the match?", "date", "next Saturday", "at the stadium"),
        ("有几个人没来", "number", "缺了3个", "一共 300 元"),
        ("How many seats are there?", "number", "we have 14", "we have some"),
        ("What colour is the door?", "colour", "a dark green one", "quite heavy"),
        ("为什么停电", "reason", "因为跳闸了", "晚上八点"),
        ("Why was it closed?", "reason", "because of the storm", "at noon"),
        ("Who fixed it?", "person", "my brother did", "on Monday"),
        ("他住在哪里", "place", "搬到城南了", "三点"),
    ],
)
def test_kinds_of_answers(question: str, kind: str, tells: str, not_: str):
    assert kinds.asked(question) == kind
    assert kinds.tells(kind, tells, question)  # type: ignore[arg-type]
    assert not kinds.tells(kind, not_, question)  # type: ignore[arg-type]
    assert not kinds.tells(kind, f"{tells}?", question), "a question states nothing"  # type: ignore[arg-type]


@pytest.mark.parametrize("question", ["tell me about the trip", "讲讲那次旅行"])
def test_a_question_of_no_kind(question: str):
    assert kinds.asked(question) is None


@pytest.mark.parametrize("text", ["谁把我的伞拿走了", "电费怎么这么多", "房间怎么办", "Who has it?", "好了吗"])
def test_what_asks(text: str):
    assert kinds.poses(text)


@pytest.mark.parametrize(
    "text", ["谁都不知道", "没什么事", "什么都好吃", "好几个人来了", "I know who did it", "今天下雨"]
)
def test_what_asks_nothing(text: str):
    assert not kinds.poses(text)


def test_nothing_is_beside_a_message_that_is_not_there():
    assert beside("Who?", ["x"], LOG[0], LOG[3:5]) == adjacency.Beside(lead=None, after=())
    found = beside("How much?", ["piano"], LOG[0], LOG[:4])
    assert [one.id for one in found.after] == ["p2", "p3"]
    assert LOG[3].time - LOG[2].time > adjacency.PAUSE > timedelta(hours=1)


@pytest.mark.parametrize("text", ["9" * 300_000, "1," * 150_000, "what " * 50_000, "是" * 200_000, "my a b " * 40_000])
def test_a_very_long_message_is_looked_at_quickly(text: str):
    began = time.process_time()
    for kind in kinds.EVERY:
        kinds.tells(kind, text, "几个")
    kinds.poses(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "question",
    ["When does Rolf fly to Delhi?", "How much does the greenhouse kite cost?", "What colour is the piano?"],
)
async def test_where_meaning_finds_something_for_anything_what_is_nowhere_said_is_declined_too(
    chats: Any, question: str
):
    await chats.store.append(LOG)
    embedder = FakeEmbedder()
    rows = await chats.store.unembedded("t", limit=1000)
    made = await embedder.embed(EmbedRequest(texts=tuple(row.text for row in rows), kind="document"))
    vectors = {(row.user, row.id): vector for row, vector in zip(rows, made.vectors, strict=True)}
    await chats.store.put_vectors("t", vectors, fingerprint=embedder.fingerprint)
    answer = await chats.ask(question, user="kim", need="always", embedder=embedder)
    assert answer.stopped_because == "nothing found", answer.answer
    kept = await chats.ask("What became of the piano in the end?", user="kim", need="always", embedder=embedder)
    assert kept.claims
    short = await chats.ask("Who brought the BBQ kite and the ferns?", user="kim", need="always", embedder=embedder)
    assert short.claims, "letters that stand for words are no name: the log may say them"


async def test_what_is_made_of_it_is_shown_with_it(chats: Any):
    await chats.store.append(
        [
            said("w1", "night", "2026-11-18T02:30", "Alarm in hall 3", "Rolf"),
            said("w2", "night", "2026-11-18T02:31", "A cat on the sensor", "Rolf"),
        ]
    )
    answer = await chats.ask("What was the alarm?", user="kim", need="always")
    assert [claim.message_id for claim in answer.claims] == ["w1", "w2"]


async def _answered(chats: Any, question: str, *talk: tuple[str, str, str]) -> list[str]:
    """Claims of an answer from a talk of (time, speaker, content), by the number of its message."""
    said = people_of("lou")
    await chats.store.append([said(f"{n}", "talk", when, content, who) for n, (when, who, content) in enumerate(talk)])
    answer = await chats.ask(question, user="lou", need="always")
    return [claim.message_id for claim in answer.claims]


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("How much do the Subaru tyres cost?", "The Subaru needs new tyres", "The cake for Rolf was 45 euros"),
        ("Why is the marathon off for Tess?", "The marathon is off for Tess", "The router is broken"),
        ("体检报告什么时候出来", "体检报告还没出来", "快递周三到"),
        ("空调多少钱", "空调装好了", "蛋糕花了三百块"),
    ],
)
@pytest.mark.parametrize("before", [True, False])
async def test_what_was_said_on_another_day_is_no_answer(
    chats: Any, question: str, told: str, other: str, before: bool
):
    day = "2026-11-02" if before else "2026-11-08"
    first = await _answered(chats, question, ("2026-11-05T10:00", "Ida", told), (f"{day}T10:00", "Tess", other))
    assert first[:1] != ["1"]


@pytest.mark.parametrize(
    ("question", "theirs", "others"),
    [
        ("How much did Ben say the rent is?", "I had a look at the flat's rent today", "My rent is 700 euros"),
        ("小邱说房租多少钱", "房租的事我问了房东", "我那边房租三千"),
    ],
)
async def test_what_another_one_says_beside_it_does_not_lead(chats: Any, question: str, theirs: str, others: str):
    who = "Ben" if question.isascii() else "小邱"
    talk = [("2026-11-05T10:00", who, theirs), ("2026-11-05T10:01", "Nora", others)]
    assert (await _answered(chats, question, *talk))[:1] == ["0"]


@pytest.mark.parametrize(
    ("question", "theirs", "others"),
    [
        ("How much did Rolf pay for his bike?", "My new bike is here", "Mine was 300 euros"),
        ("Rolf 的自行车多少钱", "我的新自行车到了", "我那辆三百块"),
        ("What colour is Rolf's tent?", "I have a tent at last", "I bought a green one"),
    ],
)
async def test_what_another_one_says_of_their_own_does_not_lead(chats: Any, question: str, theirs: str, others: str):
    talk = [("2026-11-05T10:00", "Rolf", theirs), ("2026-11-05T10:01", "Ida", others)]
    assert (await _answered(chats, question, *talk))[:1] != ["1"]


async def test_what_another_one_says_of_theirs_leads(chats: Any):
    talk = [("2026-11-05T10:00", "Rolf", "My new bike is here"), ("2026-11-05T10:01", "Ida", "He paid 300 euros!")]
    assert (await _answered(chats, "How much did Rolf pay for his bike?", *talk))[:1] == ["1"]


@pytest.mark.parametrize(
    ("question", "asks", "evades", "answers"),
    [
        ("Who took the umbrella?", "Who took my umbrella?", "Not me", "Me, sorry"),
        ("谁喝了酸奶", "谁把我的酸奶喝了", "不是我", "我喝的，不好意思"),
        ("What subject is Tess admitted to?", "Tess is admitted! What subject?", "No idea", "Marine biology"),
        ("谁修打印机", "打印机谁修", "不知道", "我来修"),
    ],
)
async def test_who_evades_a_question_does_not_answer_it(
    chats: Any, question: str, asks: str, evades: str, answers: str
):
    talk = [
        ("2026-11-05T10:00", "Ida", asks),
        ("2026-11-05T10:01", "Rolf", evades),
        ("2026-11-05T10:02", "Tess", answers),
    ]
    assert (await _answered(chats, question, *talk))[:1] == ["2"]


@pytest.mark.parametrize(
    ("question", "told", "cancelled", "other"),
    [
        ("When is yoga?", "Yoga is on Tuesday", "Yoga is cancelled", "Shame. The plumber comes on Thursday"),
        ("瑜伽课什么时候上", "瑜伽课周二上", "瑜伽课取消了", "可惜，水管工周四来"),
    ],
)
async def test_what_is_dated_after_a_cancellation_is_not_what_holds_instead(
    chats: Any, question: str, told: str, cancelled: str, other: str
):
    talk = [
        ("2026-11-05T10:00", "Ida", told),
        ("2026-11-06T10:00", "Ida", cancelled),
        ("2026-11-06T10:05", "Rolf", other),
    ]
    assert (await _answered(chats, question, *talk))[:2] == ["1", "0"]


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("发布会最后定在哪天", "发布会定在周五", "我周一要看牙"),
        ("When is the launch in the end?", "The launch is on Friday", "My dentist is on Monday"),
    ],
)
async def test_another_days_business_is_not_the_last_word(chats: Any, question: str, told: str, other: str):
    talk = [("2026-11-05T10:00", "Ida", told), ("2026-11-05T10:05", "Rolf", other)]
    assert (await _answered(chats, question, *talk))[:1] == ["0"]


@pytest.mark.parametrize("text", ["千万别丢", "千万不要忘了", "万一下雨就不去了"])
def test_by_no_means_is_no_price(text: str):
    assert not kinds.tells("price", text)
    assert kinds.tells("price", "一千万的合同")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What colour is the boathouse door?", "The boathouse door is teal now"),
        ("What color was the boathouse sofa?", "We took the boathouse sofa in charcoal"),
        ("窗帘是什么颜色", "窗帘选了米色"),
        ("窗帘是什么颜色", "窗帘换成卡其的"),
        ("窗帘是什么颜色", "窗帘是藏青"),
    ],
)
async def test_a_colour_that_is_told_is_not_declined(chats: Any, question: str, told: str):
    assert await _answered(chats, question, ("2026-11-05T10:00", "Ida", told)) == ["0"]


@pytest.mark.parametrize("text", ["他的角色很特别", "今天景色真好", "表现出色", "脸色不好", "The tan lines", "角色"])
def test_words_that_look_like_colours(text: str):
    assert not kinds.tells("colour", text)
