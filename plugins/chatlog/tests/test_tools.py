"""The tools: what they find, how times and order are taken, what is clipped, and that nobody sees another's log."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.embedder import EmbedRequest
from qx.errors import NotAllowed, Unavailable, UsageError
from qx.serial import replace
from qx.testing import FakeEmbedder
from qx.testing.context import general_knowledge
from qx.text.tokens import estimate
from qx_chatlog.clipping import GAP, clip, share
from qx_chatlog.tools import calling
from qx_chatlog.tools.calling import TOOLS
from qx_chatlog.tools.requests import Around, ListSessions, ReadSession, SearchFields, ToolSearch

from .conftest import LOG, NOW


async def _search(log: Any, text: str, how: str = "keyword", **fields: Any) -> Any:
    return await calling.search(log, SearchFields(text=text, **fields), how)  # pyright: ignore[reportArgumentType]


def _hits(called: Any) -> list[str]:
    return [one.id for one in called.shown.messages if not one.context]


async def test_what_is_found_says_who_and_when_in_the_users_zone(chats: Any):
    called = await _search(chats.log(), "预算 26 万", limit=1)
    plain = called.shown.model_dump(mode="json")
    assert list(plain) == ["messages", "total"]
    hit = next(one for one in plain["messages"] if not one["context"])
    assert list(hit) == ["id", "user", "session", "role", "speaker", "time", "content", "score", "context"]
    assert (hit["id"], hit["user"], hit["session"], hit["speaker"]) == ("b3", "ann", "money", "老王")
    assert hit["time"] == "2026-11-20T20:30:00+08:00"
    assert hit["score"] > 0
    beside = [one["id"] for one in plain["messages"] if one["context"]]
    assert beside == ["b1", "b2", "b4"]


async def test_the_total_says_whether_it_is_all(chats: Any):
    plain = (await _search(chats.log(), "预算", limit=1)).shown.model_dump(mode="json")
    assert (plain["total"], "at_least" in plain) == (4, False)
    embedder = FakeEmbedder()
    await _embedded(chats, embedder)
    named = chats.log(embedder=embedder)
    plain = (await _search(named, "预算", "semantic", limit=1)).shown.model_dump(mode="json")
    assert plain["total"] < 100
    assert "at_least" not in plain
    listed = (await calling.around(chats.log(), Around(message="b3"))).shown.model_dump(mode="json")
    assert "total" not in listed


async def test_who_has_no_messages_is_told_so_and_nothing_of_others(chats: Any):
    for user in ("nobody", "bob2"):
        shown = (await _search(chats.log(user=user), "登录页面")).shown
        assert shown.messages == ()
        (note,) = shown.notes
        assert "no messages of this user" in note
        assert "ann" not in note


async def test_a_time_in_the_users_words_comes_back_as_a_range(chats: Any):
    called = await _search(chats.log(), "书", when="上周三")
    assert _hits(called) == ["k1"]
    time = called.shown.time
    assert (time.start, time.end) == ("2026-11-18T00:00:00+08:00", "2026-11-19T00:00:00+08:00")
    assert time.timezone == "Asia/Shanghai"


async def test_a_time_that_cannot_be_read_is_said(chats: Any):
    with pytest.raises(UsageError, match="when: 'blurgh' is not a time"):
        await _search(chats.log(), "书", when="blurgh")


async def test_until_takes_the_day_in(chats: Any):
    assert "k1" in _hits(await _search(chats.log(), "书", until="2026-11-18"))
    assert "k1" not in _hits(await _search(chats.log(), "书", until="2026-11-17"))
    assert _hits(await _search(chats.log(), "书", since="2026-11-19")) == ["k3"]


async def test_where_the_likeliest_reading_has_nothing_the_next_one_is_searched_and_that_is_said(chats: Any):
    called = await _search(chats.log(), "书", when="last Wednesday")
    assert _hits(called) == ["k3"]
    called = await _search(chats.log(), "登录 CDN", when="last Wednesday")
    assert _hits(called) == ["r4"]
    assert "another one was searched" in called.shown.notes[0]
    assert called.shown.time.start.startswith("2026-11-18")


async def test_an_end_of_the_log_is_chosen_among_what_fits(chats: Any):
    assert _hits(await _search(chats.log(), "Bali trip", order="oldest"))[0] == "e1"
    assert _hits(await _search(chats.log(), "书", order="newest"))[0] == "k3"
    assert _hits(await _search(chats.log(), "书", when="最近"))[0] == "k3"
    newest = await _search(chats.log(), "", order="newest", limit=2)
    assert _hits(newest) == ["j1", "d2"]


async def test_filters(chats: Any):
    assert set(_hits(await _search(chats.log(), "预算", speaker="老王", limit=5))) == {"b2", "b3"}
    assert "b5" not in _hits(await _search(chats.log(), "预算", participants=("老王",)))
    assert _hits(await _search(chats.log(), "书", session="books", role="assistant")) == []
    assert _hits(await _search(chats.log(), "登录页面", type="summary")) == ["r6"]


async def test_noise_is_nobodys_words(chats: Any):
    called = await _search(chats.log(), "登录页面 加载 慢 latency")
    shown = [one.id for one in called.shown.messages]
    assert "r1" in shown
    assert not {"r2", "r6"} & set(shown), "neither found nor beside what was found"
    around = await calling.around(chats.log(), Around(message="r3"))
    assert not {"r2", "r6"} & {one.id for one in around.shown.messages}


async def test_the_horizon_widens_where_it_holds_less_than_was_asked_for(chats: Any):
    log = chats.log(horizon=timedelta(days=7))
    assert set(_hits(await _search(log, "书"))) == {"k1", "k3"}
    assert _hits(await _search(log, "书", limit=1)) == ["k3"]
    assert _hits(await _search(log, "Bali hotel"))[0] == "e2"


async def _embedded(chats: Any, embedder: FakeEmbedder) -> None:
    rows = await chats.store.unembedded("t", limit=1000)
    made = await embedder.embed(EmbedRequest(texts=tuple(row.text for row in rows), kind="document"))
    vectors = {(row.user, row.id): vector for row, vector in zip(rows, made.vectors, strict=True)}
    await chats.store.put_vectors("t", vectors, fingerprint=embedder.fingerprint)
    embedder.requests.clear()


async def test_by_meaning_only_where_words_find_little(chats: Any):
    embedder = FakeEmbedder(dimensions=256)
    await _embedded(chats, embedder)
    assert _hits(await _search(chats.log(embedder=embedder), "预算 26 万", "layered"))[0] == "b3"
    assert embedder.requests == [], "words were enough"
    assert _hits(await _search(chats.log(embedder=embedder), "缓存失效节点 zzqx qqzz vvxx", "layered"))[0] == "r4"
    assert len(embedder.requests) == 1
    assert _hits(await _search(chats.log(embedder=embedder), "CDN 节点缓存失效", "semantic"))[0] == "r4"


async def test_without_an_embedder_it_is_said_what_was_not_done(chats: Any):
    noted = await _search(chats.log(), "预算", "hybrid")
    assert "no embedder" in noted.shown.notes[0]
    with pytest.raises(LookupError):
        await _search(chats.log(), "预算", "semantic")


async def test_an_embedder_that_fails_costs_meaning_and_not_the_search(chats: Any):
    failing = FakeEmbedder(failures=[Unavailable("down")])
    called = await _search(chats.log(embedder=failing), "预算", "hybrid")
    assert "b3" in _hits(called)
    assert "did not answer" in called.shown.notes[0]
    assert chats.contexts[-1].degraded[0].rung == "keyword"


async def test_around_a_message_and_around_a_time(chats: Any):
    called = await calling.around(chats.log(), Around(message="b2", before=1, after=1))
    assert [(one.id, one.context) for one in called.shown.messages] == [("b1", True), ("b2", False), ("b3", True)]
    timed = await calling.around(chats.log(), Around(time="2026-11-20 20:05", before=0, after=0))
    assert [one.id for one in timed.shown.messages] == ["b2"]
    for wrong in (Around(), Around(message="b2", time="上周三")):
        with pytest.raises(UsageError, match="give one of them"):
            await calling.around(chats.log(), wrong)


async def test_conversations_are_listed_and_read(chats: Any):
    listed = await calling.list_sessions(chats.log(), ListSessions(when="上周三"))
    assert {one.id for one in listed.shown.sessions} == {"support", "books"}
    with_him = await calling.list_sessions(chats.log(), ListSessions(participants=("老王",)))
    assert [one.id for one in with_him.shown.sessions] == ["money"]
    assert with_him.shown.sessions[0].messages == 4
    read = await calling.read_session(chats.log(), ReadSession(session="money", limit=2, offset=1))
    assert [one.id for one in read.shown.messages] == ["b2", "b3"]


async def test_another_users_messages_do_not_exist(chats: Any):
    theirs, unknown = chats.log(user="bob"), "nobody-has-this-id"
    mine = await calling.around(theirs, Around(message="b2"))
    assert mine.shown == (await calling.around(theirs, Around(message=unknown))).shown
    assert (await calling.read_session(theirs, ReadSession(session="money"))).shown.messages == ()
    assert _hits(await _search(theirs, "预算 书 聚餐")) == []
    assert (await calling.list_sessions(theirs, ListSessions())).shown.sessions[0].id == "other"
    with pytest.raises(NotAllowed):
        await _search(chats.log(user=None), "预算")


@pytest.mark.parametrize(
    "text", ['"', "(", "*", "AND", "", "%", "_", "a:b", "广西 OR 桂林", "don't", "@nasa", "50%", "why?"]
)
async def test_no_text_is_syntax(chats: Any, text: str):
    for how in ("keyword", "layered"):
        found = _hits(await _search(chats.log(), text, how))
        # a mark is nobody's word, and no pattern for every word; no text at all is the newest messages
        assert not text or any(c.isalnum() for c in text) or found == []


async def test_long_results_are_cut_to_the_budget_and_the_rest_comes_as_ids(chats: Any):
    from qx_chatlog.message import Message

    first = (await chats.store.get(chats.log().principal, ["k1"]))[0]
    text = "无关的一句话。" * 60 + "钥匙放在花盆下面。" + "又是无关的话。" * 60
    long = [
        Message(id=f"L{n}", tenant="t", user="ann", session=f"s{n}", role="user", time=first.time, content=text)
        for n in range(12)
    ]
    await chats.store.append(long)
    called = await calling.search(
        chats.log(), ToolSearch(text="钥匙 花盆", tokens=300, limit=12), "keyword", tokens=300
    )
    shown = called.shown
    assert sum(estimate(one.content) for one in shown.messages) <= 330
    assert all("钥匙放在花盆下面" in one.content and one.clipped for one in shown.messages)
    assert shown.more
    assert {one.id for one in shown.messages} | set(shown.more) >= {one.id for one in long}


def test_every_tool_is_told_in_full():
    for spec in TOOLS.values():
        tool = spec.tool()
        assert tool.parameters["type"] == "object"
        assert tool.parameters["additionalProperties"] is False
        fields = tool.parameters["properties"]
        assert not {"user", "tenant", "principal", "sessions"} & set(fields)
        assert all(field.get("description") for field in fields.values()), spec.name


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=400), st.integers(1, 80), st.lists(st.text(min_size=1, max_size=6), max_size=3))
def test_what_is_kept_of_a_text_is_its_own_words(text: str, tokens: int, words: list[str]):
    kept = clip(text, tokens, words)
    if kept == text:
        return
    assert estimate(kept.replace(GAP.strip(), "")) <= tokens + 8
    for piece in kept.split(GAP.strip()):
        assert piece.strip() in text


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=200), st.booleans()), max_size=20), st.integers(100, 2000))
def test_a_budget_is_dealt_out_and_not_overdrawn(texts: list[tuple[str, bool]], tokens: int):
    limits = share(texts, tokens)
    assert len(limits) == len(texts)
    assert sum(limit or 0 for limit in limits) <= tokens
    assert not texts or limits[[first for _, first in texts].index(True) if any(f for _, f in texts) else 0] is not None


async def test_fuzzy_takes_slips_and_the_profiles_synonyms(chats: Any):
    assert _hits(await _search(chats.log(), "Balli hotle")) == []
    assert _hits(await _search(chats.log(), "Balli hotle", fuzzy=True))[0] == "e2"
    known = general_knowledge()
    known = replace(known, synonyms={**known.synonyms, "团建": (("聚餐", "profile"),)})
    assert "d1" not in _hits(await _search(chats.log(), "团建"))
    assert {"d1", "d2"} <= set(_hits(await _search(chats.log(knowledge=known), "团建", fuzzy=True)))


async def test_around_a_message_are_ten_before_and_ten_after(chats: Any):
    rows = [
        replace(LOG[0], id=f"w{n}", session="wide", content=f"word{n}", time=NOW + timedelta(minutes=n))
        for n in range(40)
    ]
    await chats.store.append(rows)
    shown = (await calling.around(chats.log(), Around(message="w20"))).shown
    assert [one.id for one in shown.messages] == [f"w{n}" for n in range(10, 31)]
    found = await _search(chats.log(), "word20", "keyword")
    near = [one.id for one in found.shown.messages if one.context]
    assert near[:4] == ["w18", "w19", "w21", "w22"]
