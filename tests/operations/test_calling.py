import asyncio
import types
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import notebook
import pytest
from notebook import Ask, Notes
from pydantic import BaseModel, Field, SecretStr

import qx.testing.plugin
from backends import block
from engines import profile
from qx import Contribution, Engine, Engines, hookimpl
from qx.budget import Cost
from qx.errors import BudgetExceeded, Closed, NotAllowed, PluginError, ProfileError, Unavailable, UsageError
from qx.model import Model
from qx.operation import Principal
from qx.plugins import Plugins
from qx.settings import Named
from qx.testing import ScriptedBackend, ScriptedLLM

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, notebook])
ANN = Principal(tenant="test", user="ann")


@pytest.fixture(autouse=True)
def _fresh():
    Notes.opened.clear()
    Ask.left.clear()


@asynccontextmanager
async def engine(llm: ScriptedLLM | None = None, plugins: Plugins = PLUGINS, **settings: Any) -> AsyncIterator[Engine]:
    async with Engine.opened(profile(llm, **settings), plugins=plugins) as opened:
        yield opened


async def events(engine: Engine, name: str, request: object = (), principal: Principal | None = None) -> list[Any]:
    asked = {} if request == () else request
    return [event async for event in engine.call(name, asked, principal=principal)]


async def test_an_operation_yields_its_events_then_its_result():
    llm = ScriptedLLM(default="three words here")
    backend = ScriptedBackend(lambda request: ["a", "b", "c"])
    async with engine(llm, understand={"mode": "rules"}, search={"backends": {"main": block(backend)}}) as opened:
        found = await events(opened, "notes.ask-all", {"question": "red shoes"})
    assert [type(one).__name__ for one in found] == ["Reading", "Reading", "Result"]
    assert found[-1] == Ask.Result(answer="three words here", hits=("a", "b"), calls=1)
    assert Ask.left == ["red shoes"]


async def test_its_result_alone_and_by_the_name_of_its_tool():
    async with engine() as opened:
        assert (await opened.result("notes_add", {"text": "x"}, principal=ANN)).count == 1
        assert (await opened.result("notes.add", notebook.Add.Request(text="y"), principal=ANN)).count == 2
        assert [tool.name for tool in opened.tools()] == ["count", "notes_add", "notes_ask_all"]
        assert [tool.name for tool in opened.tools("count")] == ["count"]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({}, "text is missing"),
        ({"text": "x", "colour": "red"}, "colour: unknown key"),
        ({"text": 3}, "text: input should be a valid string"),
        ({"text": "x", "tags": 7}, "tags: should be a list"),
        ("words", "takes a mapping or its Request, not a str"),
        (None, "not a NoneType"),
    ],
)
async def test_a_request_that_does_not_fit(request_: object, said: str):
    async with engine() as opened:
        with pytest.raises(UsageError, match=said):
            await opened.result("notes.add", request_, principal=ANN)


async def test_a_wrong_value_is_not_shown():
    async with engine() as opened:
        with pytest.raises(UsageError) as caught:
            await opened.result("count", {"to": "sk-secret"})
    assert "sk-secret" not in str(caught.value)


async def test_who_asks_is_checked():
    async with engine() as opened:
        with pytest.raises(NotAllowed, match="tenant 'other', this engine serves 'test'"):
            await opened.result("count", {}, principal=Principal(tenant="other"))
        for nobody in (None, Principal(tenant="test"), Principal(tenant="test", user="")):
            with pytest.raises(NotAllowed, match="about one user's data"):
                await opened.result("notes.add", {"text": "x"}, principal=nobody)
        with pytest.raises(UsageError, match=r"is a qx\.Principal"):
            await opened.result("count", {}, principal="ann")  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="user: unknown key"):
            await opened.result("notes.add", {"text": "x", "user": "bob"}, principal=ANN)


async def test_users_are_apart():
    bob = Principal(tenant="test", user="bob")
    async with engine() as opened:
        await opened.result("notes.add", {"text": "x"}, principal=ANN)
        assert (await opened.result("notes.add", {"text": "y"}, principal=bob)).count == 1


async def test_a_broken_one_takes_no_other_tool_along(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(notebook.Count, "__doc__", None)
    async with engine() as opened:
        assert [tool.name for tool in opened.tools()] == ["notes_add", "notes_ask_all"]
        assert "'count' is not made as operations are" in caplog.text
        with pytest.raises(PluginError, match="no docstring"):
            opened.tools("count")


async def test_an_unknown_operation_has_its_nearest_name():
    async with engine() as opened:
        with pytest.raises(PluginError, match=r"did you mean 'notes\.add'"):
            await opened.result("notes.ad", {})


@pytest.mark.virtual_time
async def test_leaving_early_ends_it():
    llm = ScriptedLLM(default="words", delay=50)
    backend = ScriptedBackend(lambda request: ["a"])
    async with engine(llm, understand={"mode": "rules"}, search={"backends": {"main": block(backend)}}) as opened:
        async with aclosing(opened.call("notes.ask-all", {"question": "red shoes"})) as found:
            async for _ in found:
                break
        assert Ask.left == ["red shoes"]


@pytest.mark.virtual_time
async def test_a_consumer_that_is_cancelled_ends_it():
    llm = ScriptedLLM(default="words", delay=50)
    backend = ScriptedBackend(lambda request: ["a"])
    async with engine(llm, understand={"mode": "rules"}, search={"backends": {"main": block(backend)}}) as opened:
        task = asyncio.ensure_future(opened.result("notes.ask-all", {"question": "red shoes"}))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (llm.running, llm.cancelled) == (0, 1)
        assert Ask.left == ["red shoes"]


@pytest.mark.virtual_time
async def test_closing_the_engine_ends_it():
    async with engine() as opened:
        task = asyncio.ensure_future(opened.result("count", {"to": 1000}))
        await asyncio.sleep(2)
        await opened.aclose()
        with pytest.raises(Closed):
            await task
        with pytest.raises(Closed):
            await opened.result("count", {})
        with pytest.raises(Closed):
            await opened.section("notes")
        with pytest.raises(Closed):
            opened.begin("x", step="mine")


# ---- what a plugin does wrong stays with it ----


class _Wrong:
    """Do something."""

    class Request(Model):
        pass

    class Result(Model):
        text: str = ""

    how: ClassVar[Any] = None

    async def run(self, engine: Engine, request: Any, principal: Principal, /) -> Any:
        async for item in self.how():
            yield item


async def _raises() -> Any:
    yield _Wrong.Result()
    raise ValueError("sk-canary-1234567890")


async def _nothing() -> Any:
    return
    yield


async def _twice() -> Any:
    yield _Wrong.Result()
    yield _Wrong.Result()


async def _foreign() -> Any:
    yield {"answer": 42}


async def _exits() -> Any:
    raise SystemExit(3)
    yield


async def _late() -> Any:
    raise TimeoutError
    yield


async def _own() -> Any:
    raise Unavailable("the library is down")
    yield


def wrong(how: Any, **declared: Any) -> Plugins:
    module = types.ModuleType("wrong_operations")
    module.Odd = type("Odd", (_Wrong,), {"how": staticmethod(how), "__doc__": "Do something.", **declared})  # type: ignore[attr-defined]
    import sys

    sys.modules["wrong_operations"] = module

    def qx_operations() -> list[Any]:
        return [Contribution(name="odd", target="wrong_operations:Odd")]

    module.qx_operations = hookimpl(qx_operations)  # type: ignore[attr-defined]
    return Plugins.load(allow=(), modules=[qx.testing.plugin, notebook, module])


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        (_raises, PluginError, r"operation odd failed: ValueError: \[redacted\]"),
        (_nothing, PluginError, "ended without a result"),
        (_twice, PluginError, "yields more after its result"),
        (_foreign, PluginError, "yields a dict"),
        (_exits, PluginError, "tried to end the program"),
        (_late, PluginError, "failed: TimeoutError"),
        (_own, Unavailable, "the library is down"),
        (lambda: 3, PluginError, "operation odd failed: TypeError"),
    ],
)
async def test_whatever_an_operation_does_wrong_is_its_failure(how: Any, kind: type[Exception], said: str):
    notes = {"store": {"token": SecretStr("sk-canary-1234567890")}}  # a section's secrets are known like any other
    async with engine(plugins=wrong(how), notes=notes) as opened:
        with pytest.raises(kind, match=said) as caught:
            await opened.result("odd")
        assert caught.value.__context__ is None or how is _exits


async def test_one_that_reads_pages_has_what_reads_them_made_ready(monkeypatch: pytest.MonkeyPatch):
    ready: list[int] = []

    async def note(self: object) -> None:
        ready.append(1)

    monkeypatch.setattr("qx.calls.fetching.Fetching.open", note)
    monkeypatch.setattr(notebook.Add, "reads_pages", True, raising=False)
    async with engine() as opened:
        await opened.result("notes.add", {"text": "x"}, principal=ANN)
    assert ready == [1]


async def test_observers_are_told_of_every_call_and_how_it_ended(monkeypatch: pytest.MonkeyPatch):
    told: list[Any] = []
    monkeypatch.setattr("qx.resources.Resources.tell", lambda self, event: told.append(event))
    async with engine() as opened:
        await opened.result("notes.add", {"text": "secret words"}, principal=ANN)
        with pytest.raises(NotAllowed):
            await opened.result("notes.add", {"text": "secret words"})
        async with aclosing(opened.call("notes.add", {"text": "x"}, principal=ANN)) as found:
            async for _ in found:
                break
    calls = [event for event in told if event.name == "operation"]
    assert [event.attributes["outcome"] for event in calls] == ["ok", "NotAllowed", "left"]
    assert {event.attributes["operation"] for event in calls} == {"notes.add"}
    assert "secret words" not in str(calls)
    assert "ann" not in str([event.attributes for event in calls])


# ---- sections ----


async def test_a_section_is_opened_once_on_first_use_and_closed_with_the_engine():
    async with engine(notes={"limit": 7}) as opened:
        assert Notes.opened == []
        one, other = await asyncio.gather(opened.section("notes"), opened.section("notes"))
        assert one is other
        assert (one.settings.limit, one.tenant, len(Notes.opened)) == (7, "test", 1)
        assert not one.closed
    assert one.closed


async def test_one_that_is_not_written_has_its_defaults_and_one_that_opens_nothing_gives_its_settings():
    async with engine(plain={"colour": "red"}) as opened:
        assert (await opened.section("notes")).settings.limit == 3
        assert (await opened.section("plain")).colour == "red"


async def test_one_that_cannot_be_opened_is_tried_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Notes, "failing", 1)
    async with engine() as opened:
        with pytest.raises(Unavailable, match="the store of the notes is down"):
            await opened.section("notes")
        assert await opened.section("notes")


async def test_a_profile_made_in_python_is_checked_too():
    with pytest.raises(ProfileError, match=r"nots: unknown key \(did you mean 'notes'\?\)"):
        async with engine(nots={}):
            pass
    async with engine(notes={"limit": 0}) as opened:
        with pytest.raises(ProfileError, match=r"limit: input should be greater than or equal to 1"):
            await opened.section("notes")
    with pytest.raises(PluginError, match="not in the profile's list"):
        async with engine(notes={}, plugins=Plugins.load(allow=(), modules=[qx.testing.plugin, notebook]).only([])):
            pass


async def test_a_section_may_begin_requests_of_its_own():
    """For work that no call waits for: vectors made in the background, events."""
    async with engine(ScriptedLLM(default="yes")) as opened:
        notes = await opened.section("notes")
        context = notes.services.begin("tidy up", step="notes.tidy")
        await context.complete(notebook.CompletionRequest(model="", messages=()))
        assert context.usage.calls == 1
        made = await notes.services.processor(Named(type="near-duplicates"))
        assert hasattr(made, "process_hits")
    with pytest.raises(Closed):
        notes.services.begin("tidy up", step="notes.tidy")


async def test_an_unknown_section():
    async with engine() as opened:
        with pytest.raises(PluginError, match="there is no section of profiles 'nots'"):
            await opened.section("nots")


# ---- requests of one's own ----


async def test_one_budget_for_all_that_a_request_does():
    llm = ScriptedLLM(default="ok")
    async with engine(llm) as opened:
        context = opened.begin("x", step="mine", budget=opened.budget(Cost(calls=1, seconds=30)))
        assert context.tenant == "test"
        assert context.trace
        assert 29 < (context.budget.remaining().seconds or 0) <= 30
        await context.complete(notebook.CompletionRequest(model="", messages=()))
        with pytest.raises(BudgetExceeded, match="budget of calls"):
            await context.complete(notebook.CompletionRequest(model="", messages=()))
        assert context.usage.calls == 1


async def test_tenants_have_sections_of_their_own_and_a_reload_closes_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QX_HOME", str(tmp_path / "home"))
    for tenant, limit in (("a", 3), ("b", 4)):
        (tmp_path / f"{tenant}.yaml").write_text(f"notes: {{limit: {limit}}}\nunderstand: {{mode: rules}}\n")
    async with Engines(tmp_path, plugins=PLUGINS, every=None, linger=0) as engines:
        for tenant in "ab":
            async with engines.use(tenant) as opened:
                who = Principal(tenant=tenant, user="ann")
                assert (await opened.result("notes.add", {"text": "x"}, principal=who)).count == 1
        (tmp_path / "a.yaml").write_text("notes: {limit: 9}\nunderstand: {mode: rules}\n")
        await engines.reload()
        async with engines.use("a") as opened:
            assert (await opened.section("notes")).settings.limit == 9
        (tmp_path / "a.yaml").write_text("notes: {limit: 99}\n")
        (change,) = await engines.reload()
        assert (change.what, "notes.limit" in change.reason) == ("refused", True)
    assert [(one.tenant, one.settings.limit, one.closed) for one in Notes.opened] == [
        ("a", 3, True), ("b", 4, True), ("a", 9, True),
    ]  # fmt: skip


class _Inner(Model):
    said: str = ""
    kept: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class _Told(Model):
    text: str
    inner: _Inner = _Inner()
    rest: list[_Inner] = Field(default_factory=list)


class _Loose(BaseModel):
    model_config = {"extra": "allow"}

    text: str


async def test_a_known_secret_is_in_no_event_and_no_result():
    secret = "sk-canary-1234567890"
    notes = {"store": {"token": SecretStr(secret)}}
    deep = _Inner(said=f"see {secret}", kept={secret: (secret, "x")})

    async def leaks() -> AsyncIterator[Any]:
        yield _Told(text=f"the key {secret}", inner=deep, rest=[deep])
        yield _Loose(text="fine", more={"key": secret})  # type: ignore[call-arg]
        yield _Wrong.Result(text=secret)

    plugins = wrong(leaks, Events=(_Told, _Loose))
    async with engine(plugins=plugins, notes=notes) as opened:
        found = await events(opened, "odd")
    assert secret not in "".join(event.model_dump_json() for event in found)
    assert secret not in repr(found)
    assert [type(event) for event in found[:2]] == [_Told, _Loose]
    assert found[0].text == "the key [redacted]"
    assert found[0].inner == found[0].rest[0] == _Inner(said="see [redacted]", kept={"[redacted]": ("[redacted]", "x")})
    assert found[1].model_dump() == {"text": "fine", "more": {"key": "[redacted]"}}
    assert found[2].text == "[redacted]"


async def test_an_event_without_a_secret_is_passed_on_as_it_is():
    notes = {"store": {"token": SecretStr("sk-canary-1234567890")}}
    one = _Told(text="fine", inner=_Inner(said="x", kept={"a": ("b",)}))

    async def says() -> AsyncIterator[Any]:
        yield one
        yield _Wrong.Result(text="y")

    async with engine(plugins=wrong(says, Events=(_Told,)), notes=notes) as opened:
        assert (await events(opened, "odd"))[0] is one
