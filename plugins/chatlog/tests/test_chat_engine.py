"""Operations of a chat log on an engine: conformance, what is kept, what observers hear, trouble that comes back."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
import qx_chatlog
from qx import Engine, Principal
from qx.errors import NotAllowed, UsageError
from qx.plugins import Plugins
from qx.serial import replace
from qx.testing import FakeObserver, OperationConformance, ScriptedLLM, SectionConformance
from qx_chatlog import federated
from qx_chatlog.asking.operation import Ask
from qx_chatlog.asking.recall import Recall
from qx_chatlog.beside.fact_operation import Fact
from qx_chatlog.beside.highlights import Highlights, Tag
from qx_chatlog.beside.recurrence_operation import Recurrences
from qx_chatlog.embedding import embed
from qx_chatlog.section import ChatSection
from qx_chatlog.tools import operations

from .conftest import LOG

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_chatlog])
ANN, BOB = Principal(tenant="t", user="ann"), Principal(tenant="t", user="bob")
NOW = datetime.now(UTC)


@asynccontextmanager
async def opened(folder: Path, more: str = "", rows: tuple[Any, ...] = LOG) -> AsyncIterator[Engine]:
    """An engine on a log of its own."""
    folder.mkdir(exist_ok=True)
    profile = f"tenant: t\ntimezone: Asia/Shanghai\nchat: {{store: {{type: sqlite, path: chat.db}}}}\n{more}\n"
    (folder / "p.yaml").write_text(profile)
    async with Engine.opened(folder / "p.yaml", plugins=PLUGINS) as engine:
        await (await engine.section("chat")).store.append(rows)
        yield engine


@pytest.fixture
async def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    async with opened(tmp_path) as made:
        yield made


OPERATIONS: dict[str, tuple[Any, dict[str, Any]]] = {
    "chat.search": (operations.Search, {"text": "预算"}),
    "chat.around": (operations.Around, {"message": "b2"}),
    "chat.keyword-search": (operations.KeywordSearch, {"text": "预算"}),
    "chat.hybrid-search": (operations.HybridSearch, {"text": "预算"}),
    "chat.search-around": (operations.SearchAround, {"message": "b2"}),
    "chat.list-sessions": (operations.ListSessions, {}),
    "chat.read-session": (operations.ReadSession, {"session": "money"}),
    "chat.ask": (Ask, {"question": "老王说的预算是多少"}),
    "chat.recall": (Recall, {"question": "老王说的预算是多少"}),
    "chat.fact": (Fact, {"action": "list"}),
    "chat.highlights": (Highlights, {}),
    "chat.tag": (Tag, {}),
    "chat.recurrences": (Recurrences, {}),
}


@pytest.mark.parametrize("name", OPERATIONS)
class TestOperations(OperationConformance):
    principal = ANN

    @pytest.fixture
    def operation(self, name: str) -> Any:
        self.name, self.requests = name, [OPERATIONS[name][1]]
        return OPERATIONS[name][0]

    @pytest.fixture
    def engine(self, engine: Engine) -> Engine:
        return engine


class TestSection(SectionConformance):
    @pytest.fixture
    def section(self) -> Any:
        return ChatSection


async def test_the_tools_are_an_engines_tools(engine: Engine):
    names = {tool.name for tool in engine.tools()}
    assert {"chat_keyword_search", "chat_search_around", "chat_ask", "chat_recall", "chat_list_sessions"} <= names
    assert not any("reveal" in name or "delete" in name or "import" in name for name in names)


async def test_nobody_in_particular_is_refused_and_a_request_cannot_say_who_asks(engine: Engine):
    for name, (_, request) in OPERATIONS.items():
        for who in (None, Principal(tenant="t"), Principal(tenant="t", user="")):
            with pytest.raises(NotAllowed):
                await engine.result(name, request, principal=who)
        for field in ("user", "tenant", "principal", "sessions"):
            with pytest.raises(UsageError):
                await engine.result(name, {**request, field: "ann"}, principal=BOB)


SAID = [row.content for row in LOG if row.user == "ann"]


@pytest.mark.parametrize("user", ["bob", "an", "ann ", "ANN", "%", "ann' OR '1'='1", "test1"])
async def test_nobody_else_learns_anything(engine: Engine, user: str):
    who = Principal(tenant="t", user=user)
    requests: list[tuple[str, dict[str, Any]]] = [(name, one[1]) for name, one in OPERATIONS.items()]
    for text in ("预算", "登录页面", "Bali", "' OR 1=1 --", "user:ann", '"ann" OR *', "ann AND 预算"):
        requests += [
            ("chat.search", {"text": text}),
            ("chat.search", {"text": text, "session": "money", "participants": ["老王"], "metadata": {"a' --": 1}}),
            ("chat.ask", {"question": f"我上次说的{text}", "history": "always"}),
        ]
    requests += [("chat.around", {"message": row.id}) for row in LOG if row.user == "ann"]
    requests += [("chat.search-around", {"time": "2026-11-20 20:05"}), ("chat.search", {"text": "", "speaker": "老王"})]
    for name, request in requests:
        written = (await engine.result(name, request, principal=who)).model_dump_json()
        assert not any(content in written for content in SAID if content not in str(request)), (name, request)


async def test_by_meaning_nobody_else_learns_anything_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    more = "embedder: {provider: fake}\nchat:\n  vectors: {every: 1h}\n  store: {type: sqlite, path: chat.db}"
    (tmp_path / "p.yaml").write_text(f"tenant: t\n{more}\n")
    asked = [
        (f"chat.{how}-search", {"text": text, **fields})
        for how in ("semantic", "hybrid")
        for text in ("老王 预算", "登录页面加载特别慢")
        for fields in ({}, {"session": "money"}, {"participants": ["老王"]})
    ]
    async with Engine.opened(tmp_path / "p.yaml", plugins=PLUGINS) as engine:
        store = (await engine.section("chat")).store
        await store.append([row for row in LOG if row.user == "bob"])
        await embed(store, engine.begin("x", step="chat.embed"), tenant="t")
        before = [(await engine.result(name, one, principal=BOB)).model_dump() for name, one in asked]
        await store.append(LOG)
        await embed(store, engine.begin("x", step="chat.embed"), tenant="t")
        (found,) = {one.id for one in (await engine.result(*asked[0], principal=ANN)).messages} & {"b2"}
        assert found
        assert [(await engine.result(name, one, principal=BOB)).model_dump() for name, one in asked] == before
        await store.delete(ANN)
        assert [(await engine.result(name, one, principal=BOB)).model_dump() for name, one in asked] == before


async def test_a_principal_of_some_sessions_reads_only_those(engine: Engine):
    who = Principal(tenant="t", user="ann", sessions=frozenset(["books"]))
    for name, request in [(name, request) for name, (_, request) in OPERATIONS.items()]:
        assert "26 万" not in (await engine.result(name, request, principal=who)).model_dump_json()
    found = await engine.result("chat.search", {"text": "书"}, principal=who)
    assert {one.session for one in found.messages} == {"books"}


async def test_a_result_is_kept_until_the_users_log_changes(engine: Engine):
    chat = await engine.section("chat")
    first = await engine.result("chat.search", {"text": "书"}, principal=ANN)
    assert await engine.result("chat.search", {"text": "书"}, principal=ANN) == first
    assert chat.kept.hits == 1
    assert (await engine.result("chat.search", {"text": "书"}, principal=BOB)).messages == ()
    few = Principal(tenant="t", user="ann", sessions=frozenset(["money"]))
    assert (await engine.result("chat.search", {"text": "书"}, principal=few)).messages == ()
    assert chat.kept.hits == 1
    await chat.store.append([replace(LOG[0], id="new", content="书架上的书")])
    assert "new" in {one.id for one in (await engine.result("chat.search", {"text": "书"}, principal=ANN)).messages}
    await chat.store.append([replace(LOG[0], id="bobs", user="bob", content="书")])
    await engine.result("chat.search", {"text": "书"}, principal=ANN)
    assert chat.kept.hits == 2, "another user's message drops nothing of Ann's"
    await chat.store.delete(ANN)
    assert (await engine.result("chat.search", {"text": "书"}, principal=ANN)).messages == ()


async def test_a_profile_switches_the_controls(tmp_path: Path):
    async with opened(tmp_path, "", LOG) as engine:
        beside = [
            one
            for one in (await engine.result("chat.search", {"text": "26 万"}, principal=ANN)).messages
            if one.context
        ]
        assert beside
    profile = (
        (tmp_path / "p.yaml")
        .read_text()
        .replace("path: chat.db}", "path: chat.db}, controls: {window: 0, near: false}")
    )
    (tmp_path / "p.yaml").write_text(profile)
    async with Engine.opened(tmp_path / "p.yaml", plugins=PLUGINS) as engine:
        found = (await engine.result("chat.search", {"text": "26 万"}, principal=ANN)).messages
        assert found
        assert not any(one.context for one in found)


async def test_an_answer_is_kept_with_the_conversation_it_was_for(tmp_path: Path):
    plan = '{"needed": true, "notes": "", "calls": [], "done": true}'
    reply = (
        '{"found": true, "answer": "26 万", "claims": [{"statement": "26 万", "message_id": "b3", "quote": "26 万"}]}'
    )
    model = ScriptedLLM(lambda request: plan if request.tools else reply).named("kept")
    async with opened(tmp_path, "llm: {provider: scripted, model: m, options: {instance: kept}}") as engine:
        asked = {"question": "老王最后说的预算是多少"}
        first = await engine.result("chat.ask", asked, principal=ANN)
        assert first.claims[0].message_id == "b3"
        calls = model.calls
        assert await engine.result("chat.ask", asked, principal=ANN) == first
        assert model.calls == calls
        await engine.result("chat.ask", {**asked, "context": [{"role": "user", "content": "说说预算"}]}, principal=ANN)
        assert model.calls > calls


async def test_observers_hear_of_finds_and_only_those_that_ask_hear_what(tmp_path: Path):
    deaf, keen = FakeObserver().named("deaf"), FakeObserver(wants_content=True).named("keen")
    more = "observers: [{type: fake, instance: deaf}, {type: fake, instance: keen, wants_content: true}]"
    async with opened(tmp_path, more) as engine:
        await engine.result("chat.search", {"text": "预算 26 万"}, principal=ANN)
    (bare,) = [event for event in deaf.events if event.name == "chat.found"]
    (full,) = [event for event in keen.events if event.name == "chat.found"]
    assert bare.attributes["tool"] == "search"
    assert bare.content == {}
    assert "b3" in {one["id"] for one in full.content["messages"]}


def _report(id: str, session: str, ago: float, role: str, content: str) -> Any:
    return replace(LOG[0], id=id, session=session, role=role, content=content, time=NOW - timedelta(days=ago))


TROUBLE = (
    _report("t1", "s1", 20, "user", "导出报表总是失败，提示 500 错误"),
    _report("t2", "s1", 19.9, "assistant", "解决了吗？我再看看"),
    _report("t3", "s1", 19, "assistant", "导出报表的问题已解决，是权限配置丢了"),
    _report("t4", "s2", 2, "user", "导出报表又失败了，还是 500 错误"),
    _report("t5", "s3", 1, "user", "打印机卡住了"),
    _report("t6", "s4", 0.5, "user", "报表导出再次失败，500 错误"),
)


async def test_trouble_that_comes_back_is_told_once_with_both_histories_and_opens_a_ticket(tmp_path: Path):
    heard = FakeObserver(wants_content=True).named("heard")
    more = "observers: [{type: fake, instance: heard, wants_content: true}, {type: chat-tickets, path: tickets.jsonl}]"
    async with opened(tmp_path, more, TROUBLE) as engine:
        listed = (await engine.result("chat.recurrences", {}, principal=ANN)).recurrences
        assert {(one.report, one.earlier, one.solved) for one in listed} >= {("t4", "t1", "t3")}
        assert "t5" not in {one.report for one in listed}
        assert [one.id for one in listed[0].history] == ["t1", "t2", "t3"]
        assert (await engine.result("chat.recurrences", {}, principal=ANN)).recurrences == ()
        assert (await engine.result("chat.recurrences", {"again": True}, principal=ANN)).recurrences == listed
        assert (await engine.result("chat.recurrences", {}, principal=BOB)).recurrences == ()
    events = [event for event in heard.events if event.name == "chat.recurrence"]
    assert events[0].content["earlier"] == "t1"
    assert "权限配置丢了" in json.dumps(events[0].content, ensure_ascii=False)
    tickets = [json.loads(line) for line in (tmp_path / "tickets.jsonl").read_text().splitlines()]
    assert [one["action"] for one in tickets[:2]] == ["opened", "updated"]
    assert {one["ticket"] for one in tickets} == {"ann/t1"}


async def test_several_logs_are_searched_each_as_its_own_principal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    team = (replace(LOG[0], id="team1", user="crew", content="团队的预算是 40 万"),)
    async with opened(tmp_path / "a") as own, opened(tmp_path / "b", rows=team) as shared:
        sources = {
            "own": federated.Source(engine=own, principal=ANN),
            "team": federated.Source(engine=shared, principal=Principal(tenant="t", user="crew")),
            "closed": federated.Source(engine=shared, principal=Principal(tenant="t")),
        }
        found = await federated.search(sources, {"text": "预算 万"}, limit=3)
        assert {one.source for one in found.messages} == {"own", "team"}
        assert {"team1"} == {one.message.id for one in found.messages if one.source == "team"}
        assert "say whose" in found.failed["closed"]
        with pytest.raises(NotAllowed):
            await federated.search({"closed": sources["closed"]}, {"text": "预算"})
        assert (await federated.search({}, {"text": "预算"})).messages == ()
