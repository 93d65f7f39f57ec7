"""Corrections: the newest is said first, nothing later stands as what was before, and another matter's is none."""

from typing import Any

import pytest

from qx_chatlog.asking import prompts, wording

from .saying import people_of

said = people_of("dan")
LOG = (
    said("t1", "talk", "2026-11-11T09:00", "评审会定在下午三点", "小米"),
    said("t2", "talk", "2026-11-12T09:00", "评审会改到下午四点", "小米"),
    said("t3", "talk", "2026-11-13T09:00", "评审会又改回三点了", "小米"),
    said("l1", "lunch", "2026-11-11T09:00", "The picnic is on Saturday", "Gus"),
    said("l2", "lunch", "2026-11-12T09:00", "The picnic moved to Sunday", "Gus"),
    said("l3", "lunch", "2026-11-13T09:00", "We went back to Saturday for the picnic", "Gus"),
    said("c1", "cost", "2026-11-10T09:00", "装修的费用我们最多 7 万", "阿浩"),
    said("c2", "cost", "2026-11-10T09:10", "好吧，装修费用就 8 万", "小米"),
    said("w1", "web", "2026-11-14T09:00", "后台报表打不开", "阿浩"),
    said("w2", "web", "2026-11-14T09:02", "今天的聚会取消", "小米"),
    said("k1", "keys", "2026-11-15T09:00", "The garage door does not open", "Gus"),
    said("k2", "keys", "2026-11-15T09:05", "The concert was cancelled", "Gus"),
)


@pytest.mark.parametrize(
    ("question", "last", "rest"), [("评审会几点", "t3", {"t1", "t2"}), ("When is the picnic?", "l3", {"l1", "l2"})]
)
async def test_the_newest_correction_comes_first(chats: Any, question: str, last: str, rest: set[str]):
    await chats.store.append(LOG)
    answer = await chats.ask(question, user="dan", need="always")
    ids = [claim.message_id for claim in answer.claims]
    assert ids[0] == last
    assert rest <= set(ids)


async def test_a_correction_may_name_the_matter_in_one_word(chats: Any):
    rows = (
        said("v1", "plan", "2026-11-06T14:00", "今天定一下新版官网的上线时间，我的想法是 12 月 10 日", "周敏"),
        said("v2", "later", "2026-11-20T14:00", "正式通知，上线改到 12 月 24 日", "周敏"),
        said("v3", "later", "2026-11-21T14:00", "团建改到 12 月 20 日", "周敏"),
    )
    await chats.store.append(rows)
    answer = await chats.ask("新版官网最后定在哪天上线？", user="dan", need="always")
    assert [claim.message_id for claim in answer.claims] == ["v2", "v1"]


async def test_nothing_later_is_told_as_what_was_before(chats: Any):
    await chats.store.append((*LOG, said("t4", "talk", "2026-11-14T09:00", "评审会三点，别迟到", "小米")))
    answer = await chats.ask("评审会几点", user="dan", need="always")
    head = prompts.BEFORE["zh"]
    before = answer.answer.split(head)[1].split(prompts.FOLLOWED["zh"])[0] if head in answer.answer else ""
    assert "[t4]" in answer.answer
    assert "[t4]" not in before
    assert "[t3]" not in before


@pytest.mark.parametrize(
    ("question", "first", "never"),
    [
        ("装修费用最后定了多少", "c2", {"t2", "t3", "w2"}),
        ("后台报表为什么打不开", "w1", {"w2"}),
        ("Why does the garage door not open?", "k1", {"k2"}),
    ],
)
async def test_a_correction_of_another_matter_is_none(chats: Any, question: str, first: str, never: set[str]):
    await chats.store.append(LOG)
    answer = await chats.ask(question, user="dan", need="always")
    ids = [claim.message_id for claim in answer.claims]
    assert ids[0] == first
    assert not never & set(ids)
    assert prompts.CHANGED["zh"] not in answer.answer
    assert prompts.CHANGED["en"] not in answer.answer


@pytest.mark.parametrize(
    ("text", "corrects"),
    [
        ("I moved it to Friday", True),
        ("we moved to Friday", True),
        ("We moved to the 19th", True),
        ("she moved the picnic to Sunday", True),
        ("The picnic moved to Sunday", True),
        ("moved to room 4", True),
        ("I moved to Ghent", False),
        ("We moved to Berlin in May", False),
        ("she moved from Malta", False),
        ("they moved back to Porto", False),
    ],
)
def test_who_moves_house_corrects_nothing(text: str, corrects: bool) -> None:
    assert (wording.CORRECTION.search(text) is not None) == corrects
