"""Facts, tags and briefings: what is kept beside the log and made of it."""

from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from qx import Principal, Turn
from qx.errors import UsageError
from qx.serial import replace
from qx.testing import ScriptedLLM
from qx_chatlog.asking.recall import recall
from qx_chatlog.beside import facts, tags
from qx_chatlog.beside.highlights import Highlights, Tagging

from .conftest import said

ANN, BOB = Principal(tenant="t", user="ann"), Principal(tenant="t", user="bob")
DAY = datetime(2026, 11, 20, tzinfo=UTC)


async def test_a_fact_keeps_its_day_its_source_and_what_it_was_before(chats: Any):
    await facts.put(chats.store, ANN, "会议室", "301", now=DAY)
    await facts.put(chats.store, ANN, "会议室", "502", now=DAY + timedelta(days=2), message="k1")
    await facts.put(chats.store, ANN, "wifi password", "tea-house", now=DAY)
    room = (await facts.known(chats.store, ANN, "会议室"))[0]
    assert (room.value, room.message, room.time) == ("502", "k1", DAY + timedelta(days=2))
    assert room.before == (("301", DAY),)
    assert [fact.name for fact in await facts.known(chats.store, ANN)] == ["wifi password", "会议室"]
    assert await facts.known(chats.store, BOB) == ()
    assert await facts.known(chats.store, ANN, "nothing of that name") == ()


async def test_a_fact_of_nothing_or_of_anothers_message_is_refused(chats: Any):
    for name, text, message in (("", "x", None), ("a", " ", None), ("a", "x", "o1"), ("a", "x", "no-such-message")):
        with pytest.raises(UsageError):
            await facts.put(chats.store, ANN, name, text, now=DAY, message=message)


async def test_facts_go_with_their_user(chats: Any):
    await facts.put(chats.store, ANN, "会议室", "301", now=DAY)
    await chats.store.delete(ANN)
    assert await facts.known(chats.store, ANN) == ()


async def test_the_planner_is_shown_facts_and_the_answer_says_them_with_what_contradicts_them(chats: Any):
    await facts.put(chats.store, ANN, "聚餐", "周五晚上七点", now=DAY + timedelta(days=6), message="d1")
    plain = await chats.ask("聚餐是什么时候")
    assert "周五晚上七点" in plain.answer
    assert "改到周六" in plain.answer
    assert plain.answer.index("改到周六") < plain.answer.index("记下的"), "the later message wins"
    model = ScriptedLLM(lambda request: '{"needed": true, "notes": "", "calls": [], "done": true}')
    await chats.ask("聚餐是什么时候", llm=model)
    assert '"facts": [{"name": "聚餐"' in model.requests[0].messages[-1].content


@pytest.mark.parametrize(
    ("content", "kinds", "due"),
    [
        ("我们决定用 PostgreSQL 了", {"decision"}, None),
        ("We've decided to move to Berlin", {"decision"}, None),
        ("我明天下午三点前把报告发给你", {"promise"}, "2026-11-21"),
        ("I'll send you the slides tomorrow", {"promise"}, "2026-11-21"),
        ("记得下周一交房租", {"task"}, "2026-11-23"),
        ("Please book the hotel by Friday", {"task"}, None),
        ("妈妈的生日是12月3日", {"date"}, "2026-12-03"),
        ("The deadline is December 3", {"date"}, "2026-12-03"),
        ("聚餐改到周六了", {"correction"}, None),
        ("Actually the trip moved to January", {"correction"}, None),
        ("今天天气不错", set(), None),
        ("我们决定了吗？", set(), None),
        ("nice weather today", set(), None),
    ],
)
def test_rules_tag_what_they_are_for(content: str, kinds: set[str], due: str | None):
    from qx_chatlog.message import Message

    message = Message(
        id="1", tenant="t", user="ann", session="s", role="user", time=DAY, content=content, zone="Asia/Shanghai"
    )
    found = tags.tags_of(message)
    assert kinds <= {one.kind for one in found}
    assert kinds or not found
    if due is not None:
        assert {one.due and one.due[:10] for one in found} == {due}


async def test_tags_are_set_once_and_anew(chats: Any):
    made = await tags.tag(chats.store, ANN)
    assert made > 0
    assert await tags.tag(chats.store, ANN) == 0
    before = await chats.store.notes(ANN, "tag")
    assert {note.message for note in before if note.key == "correction"} >= {"d2", "e3"}
    assert not {"r2", "r6"} & {note.message for note in before}
    assert await tags.tag(chats.store, ANN, rebuild=True) == made
    assert len(await chats.store.notes(ANN, "tag")) == made
    assert await chats.store.notes(BOB, "tag") == ()


async def test_new_messages_are_tagged_alone(chats: Any):
    await tags.tag(chats.store, ANN)
    message = (await chats.store.get(ANN, ["k1"]))[0]

    await chats.store.append([replace(message, id="new", content="我们决定去大理", time=DAY)])
    assert await tags.tag(chats.store, ANN) == 1


@pytest.mark.parametrize("rebuild", [True, False])
async def test_tagging_that_was_left_goes_on_and_sets_no_tag_twice(
    chats: Any, monkeypatch: pytest.MonkeyPatch, rebuild: bool
):
    monkeypatch.setattr(tags, "_BATCH", 5)
    made = await tags.tag(chats.store, ANN)
    before = [(note.key, note.message) for note in await chats.store.notes(ANN, "tag")]
    (message,) = await chats.store.get(ANN, ["k1"])
    new = [replace(message, id=f"new{n}", content="我们决定去大理", time=DAY) for n in range(20)]
    await chats.store.append(new)
    async with aclosing(tags.tagging(chats.store, ANN, rebuild=rebuild)) as left:
        await anext(left)
        await anext(left)
    set_again = await tags.tag(chats.store, ANN)
    assert set_again < made + 20, "what was done is not done again"
    after = [(note.key, note.message) for note in await chats.store.notes(ANN, "tag")]
    assert sorted(after) == sorted([*before, *(("decision", one.id) for one in new)])


async def test_a_long_first_tagging_says_how_far_it_is(chats: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tags, "_BATCH", 5)
    told = [(one.read, one.of) async for one in tags.tagging(chats.store, ANN)]
    assert told[:2] == [(5, told[0][1]), (10, told[0][1])]
    assert told[-1][0] == told[-1][1] == (await chats.store.stats(ANN)).messages
    assert [one async for one in tags.tagging(chats.store, ANN)] == []
    assert Highlights().text(Tagging(read=5000, of=50_000)) == "5,000 of 50,000 new messages read for tags"


async def test_a_search_for_what_is_tagged(chats: Any):
    from qx_chatlog.tools import calling
    from qx_chatlog.tools.requests import SearchFields

    await tags.tag(chats.store, ANN)
    called = await calling.search(chats.log(), SearchFields(text="聚餐", tag="correction"), "keyword")
    assert [one.id for one in called.shown.messages if not one.context] == ["d2"]


async def test_a_briefing_is_dated_attributed_and_within_its_tokens(chats: Any):
    found = await recall(chats.log(), "我上周反馈的登录页面后来修好了吗", tokens=300)
    assert found.needed
    assert "2026-11-17 09:10 user: 登录页面加载特别慢" in found.briefing
    assert "r1" in found.messages
    short = await recall(chats.log(), "我上周反馈的登录页面后来修好了吗", tokens=60)
    assert len(short.messages) < len(found.messages)


@pytest.mark.parametrize("text", ["你好", "3*4=?", "法国的首都叫什么", "how do I boil an egg"])
async def test_no_briefing_where_none_is_needed(chats: Any, text: str):
    found = await recall(chats.log(), text)
    assert not found.needed
    assert found.briefing == ""


async def test_a_briefing_of_the_current_conversation(chats: Any):
    talk = [Turn(role="user", content="老李昨天推荐了番茄工作法")]
    found = await recall(chats.log(), "他说的那个方法我试过吗", talk)
    assert "f1" in found.messages


async def test_tags_begin_anew_where_the_last_tagged_message_is_gone(chats: Any):
    made = await tags.tag(chats.store, ANN)
    only = Principal(tenant="t", user="ann", sessions=frozenset(["x"]))  # the last that was added
    assert await chats.store.delete(only) == 1
    message = (await chats.store.get(ANN, ["k1"]))[0]
    await chats.store.append([replace(message, id="new", content="我们决定去大理", time=DAY)])
    assert await tags.tag(chats.store, ANN) == made + 1
    assert len({(note.message, note.key) for note in await chats.store.notes(ANN, "tag")}) == made + 1


@pytest.mark.parametrize(
    ("text", "kind", "due"),
    [
        ("I will send you the lease by December 3", "promise", "2026-12-03"),
        ("我会在12月5日之前把合同发你", "promise", "2026-12-04"),
        ("安全补丁必须下周一之前上线", "task", "2026-12-06"),
        ("周报务必在12月2日前交", "task", "2026-12-01"),
    ],
)
def test_what_is_due_by_a_day_names_the_last_day(text: str, kind: str, due: str):
    message = said("x", "s", "user", "2026-11-30T10:00", text)
    found = {one.kind: one.due for one in tags.tags_of(message)}
    assert found[kind] == due
