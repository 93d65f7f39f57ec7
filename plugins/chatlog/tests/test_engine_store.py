"""A store with an engine beside it: the local index of the core, and one that fails."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from qx import Engine, Principal, Profile
from qx.errors import ProfileError, Unavailable
from qx.plugins import Plugins
from qx.serial import replace
from qx_chatlog.engine.documents import document_id
from qx_chatlog.engine.store import EngineStore
from qx_chatlog.message import Message
from qx_chatlog.sqlite.store import SqliteStore
from qx_chatlog.store import Controls, Filters, Search

from .proposing import ProposingEngine

T0 = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
ANN = Principal(tenant="t", user="ann")
BOB = Principal(tenant="t", user="bob")
OWN = {"qdrant": {"collection": "chat"}}
ALONE = Controls(window=0)


def said(content: str, n: int, user: str = "ann", session: str = "s1") -> Message:
    time = T0 + timedelta(minutes=n)
    return Message(id=f"m{n}", tenant="t", user=user, session=session, role="user", time=time, content=content)


@asynccontextmanager
async def opened(folder: Path, type: str) -> AsyncIterator[EngineStore]:
    chat = {
        "store": {"type": "sqlite", "path": str(folder / "chat.db")},
        "search": {"backend": {"type": type, "path": str(folder / "index"), **OWN.get(type, {})}},
    }
    profile = Profile.model_validate({"tenant": "t", "understand": {"mode": "rules"}, "chat": chat})
    async with Engine.opened(profile) as engine:
        yield (await engine.section("chat")).store


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("QX_ALLOW_PATHS", str(tmp_path))


@pytest.mark.parametrize("type", ["local", pytest.param("qdrant", marks=pytest.mark.slow)])
async def test_the_engine_proposes_and_the_store_decides(tmp_path: Path, type: str) -> None:
    if type not in Plugins.load().registry("backends"):
        pytest.skip(f"the plugin {type} is not installed")
    async with opened(tmp_path, type) as store:
        await store.append([said("the budget meeting", 0), said("会议改到周六", 1, session="s2"), said("budget", 2)])
        await store.append([said("budget budget meeting", n, user="bob") for n in range(60)])
        result = await store.search(ANN, Search(text="budget meeting", controls=ALONE))
        assert [one.message.id for one in result.found] == ["m0", "m2"]
        assert result.degraded == ()
        late = Filters(since=T0 + timedelta(minutes=1), sessions=("s1",))
        found = await store.search(ANN, Search(text="budget", filters=late, controls=ALONE))
        assert [one.message.id for one in found.found] == ["m2"]
        assert [one.message.id for one in (await store.search(ANN, Search(text="会议", controls=ALONE))).found] == [
            "m1"
        ]
        assert (await store.search(replace(ANN, user="nobody"), Search(text="budget"))).found == ()
        only = replace(ANN, sessions=frozenset({"s2"}))
        assert (await store.search(only, Search(text="budget"))).found == ()
        assert await store.delete(ANN) == 3
        assert len((await store.search(BOB, Search(text="budget", limit=100, controls=ALONE))).hits) == 60
        assert (await store.search(ANN, Search(text="budget"))).found == ()


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[tuple[EngineStore, ProposingEngine]]:
    engine = ProposingEngine()
    store = EngineStore(
        await SqliteStore.open(tmp_path / "chat.db"), engine, timeout=1.0, log=logging.getLogger("qx.test")
    )
    yield store, engine
    await store.aclose()


async def test_what_an_engine_proposes_is_counted_as_at_least(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, engine = pair
    await store.append([said("tea", n) for n in range(300)])
    result = await store.search(ANN, Search(text="tea", limit=5))
    assert not result.exact
    assert 5 <= result.total <= 300
    engine.down = True
    alone = await store.search(ANN, Search(text="tea", limit=5))
    assert (alone.exact, alone.total) == (True, 300)


async def test_an_engine_that_is_down_leaves_the_store(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, engine = pair
    await store.append([said("tea", 0)])
    engine.down = True
    result = await store.search(ANN, Search(text="tea"))
    assert len(result.found) == 1
    assert "without the engine broken: connection refused" in result.degraded[0]
    await store.append([said("more tea", 1)])
    engine.down = False
    behind = await store.search(ANN, Search(text="tea", controls=ALONE))
    assert len(behind.found) == 2
    assert "synchronise" in behind.degraded[0]
    assert await store.synchronise(ANN) == 2
    assert engine.messages == {document_id("t", "ann", "m0"), document_id("t", "ann", "m1")}
    assert (await store.search(ANN, Search(text="tea"))).degraded == ()


async def test_nothing_is_deleted_while_the_engine_cannot(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, engine = pair
    await store.append([said("tea", 0)])
    engine.down = True
    with pytest.raises(Unavailable, match="nothing was deleted"):
        await store.delete(ANN)
    assert await store.count(ANN, Filters()) == 1
    engine.down = False
    assert await store.delete(ANN) == 1
    assert engine.messages == set()


async def test_what_an_engine_says_of_others_is_not_believed(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, engine = pair
    await store.append([said("tea", 0), said("coffee", 1), said("secret tea", 5, user="bob")])
    engine.extra = (document_id("t", "bob", "m5"), "m5", "[]", '["t", "ann", "m5"]', '{"x": 1}')
    result = await store.search(ANN, Search(text="tea", controls=ALONE))
    assert [one.message.id for one in result.found] == ["m0", "m1"]  # what only the engine's words find comes last
    assert result.found[0].score > result.found[1].score


async def test_only_new_messages_are_sent(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, engine = pair
    await store.append([said("tea", 0)])
    engine.sent.clear()
    done = await store.append([said("tea", 0), said("other", 0), said("new", 1)])
    assert (done.added, done.known) == (1, 2)
    assert engine.sent == [document_id("t", "ann", "m1")]


async def test_an_engine_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    class ReadOnly:
        name = "reader"

    store = await SqliteStore.open(tmp_path / "chat.db")
    with pytest.raises(ProfileError, match="cannot be written to"):
        EngineStore(store, ReadOnly(), timeout=1.0, log=logging.getLogger("qx.test"))  # type: ignore[arg-type]
    await store.aclose()


async def test_what_was_there_before_the_engine_is_found_and_said_to_be_missing_there(tmp_path: Path) -> None:
    alone = await SqliteStore.open(tmp_path / "chat.db")
    await alone.append([said("tea of old", 0)])
    engine = ProposingEngine()
    store = EngineStore(alone, engine, timeout=1.0, log=logging.getLogger("qx.test"))
    await store.append([said("tea of today", 1), said("tea", 2, user="bob")])
    assert engine.messages == {document_id("t", "bob", "m2")}, "hers are not asked for there before they are sent"
    found = await store.search(ANN, Search(text="tea", controls=ALONE))
    assert {one.message.id for one in found.found} == {"m0", "m1"}
    assert "synchronise" in found.degraded[0]
    assert (await store.search(BOB, Search(text="tea"))).degraded == ()
    assert (await store.search(replace(ANN, user="nobody"), Search(text="tea"))).degraded == ()
    assert (await store.stats(ANN)).notes == (await store.stats(BOB)).notes == 0
    assert await store.synchronise(ANN) == 2
    found = await store.search(ANN, Search(text="tea", controls=ALONE))
    assert (len(found.found), found.degraded) == (2, ())
    await store.aclose()


async def test_an_engine_that_was_emptied_is_told_from_one_that_finds_nothing(
    pair: tuple[EngineStore, ProposingEngine],
) -> None:
    store, engine = pair
    await store.append([said("tea", 0)])
    engine.down = True
    await store.search(ANN, Search(text="tea"))
    engine.documents.clear()
    engine.down = False
    for _ in range(2):
        found = await store.search(ANN, Search(text="tea"))
        assert len(found.found) == 1
        assert "synchronise" in found.degraded[0]
        await store.append([said("news", 5, user="bob")])  # another's messages fill the new index
    assert await store.synchronise(ANN) == 1
    found = await store.search(ANN, Search(text="tea"))
    assert (len(found.found), found.degraded) == (1, ())


async def test_killed_while_it_sends_it_goes_on_where_it_stopped(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, engine = pair
    await store.append([said("tea", 0)])
    engine.dying = True
    with pytest.raises(KeyboardInterrupt):
        await store.append([said("tea again", 1)])
    engine.dying = False
    assert (await store.append([said("tea", 0), said("tea again", 1)])).added == 1
    assert len(engine.messages) == 2
    found = await store.search(ANN, Search(text="tea", controls=ALONE))
    assert (len(found.found), found.degraded) == (2, ())


async def test_the_newest_is_the_newest_of_all(pair: tuple[EngineStore, ProposingEngine]) -> None:
    store, _ = pair
    await store.append([said(f"tea {n}", n) for n in range(250)])
    newest = Search(text="tea", order="newest", limit=1, controls=ALONE)
    assert [one.message.id for one in (await store.search(ANN, newest)).found] == ["m249"]


async def test_more_than_the_engine_proposes_is_found_where_that_is_too_little(
    pair: tuple[EngineStore, ProposingEngine],
) -> None:
    store, engine = pair
    rows = [said(f"tea {n}", n) for n in range(300)]
    rows[299] = replace(rows[299], speaker="Li", metadata={"k": 1})
    await store.append([*rows, said("bergamot", 300, session="s2")])
    by_speaker = Search(text="tea", filters=Filters(speakers=("Li",)), controls=ALONE)
    assert [one.message.id for one in (await store.search(ANN, by_speaker)).found] == ["m299"]
    by_metadata = Search(text="tea", filters=Filters(metadata={"k": 1}), controls=ALONE)
    assert [one.message.id for one in (await store.search(ANN, by_metadata)).found] == ["m299"]
    engine.whatever = False
    slip = Search(text="bergamott", fuzzy=True, controls=ALONE)
    found = await store.search(ANN, slip)
    assert ([one.message.id for one in found.found], found.degraded) == (["m300"], ())


async def test_all_users_are_sent_whose_messages_are_missing(tmp_path: Path) -> None:
    alone = await SqliteStore.open(tmp_path / "chat.db")
    await alone.append([said("tea", 0), said("tea", 1, user="bob"), replace(said("tea", 2, user="eve"), tenant="u")])
    engine = ProposingEngine()
    store = EngineStore(alone, engine, timeout=1.0, log=logging.getLogger("qx.test"))
    await store.append([said("tea", 3, user="cleo")])
    told: list[int] = []
    engine.down = True
    with pytest.raises(Unavailable):
        await store.synchronise_all("t", tell=told.append)
    engine.down = False
    done = await store.synchronise_all("t", tell=told.append)
    assert (done.sent, done.users, done.whole, told) == (2, 2, 1, [1, 2])
    for who in (ANN, BOB, replace(ANN, user="cleo")):
        assert (await store.search(who, Search(text="tea"))).degraded == ()
    assert document_id("u", "eve", "m2") not in engine.messages, "another tenant's"
    again = await store.synchronise_all("t")
    assert (again.sent, again.users, again.whole) == (0, 0, 3)
    await store.aclose()
