"""Calls of operations, kept in a file and repeated from it: without a model, an engine or the web."""

import json
import sys
import types
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import qx.testing.plugin
from backends import block
from engines import profile
from qx import Contribution, Engine, Profile, hookimpl
from qx.errors import ScrapeError, UsageError
from qx.fetch import FetchRequest, Page
from qx.hookspecs import Services
from qx.llm import CompletionRequest, Message
from qx.model import Model
from qx.operation import Principal
from qx.plugins import Plugins
from qx.recording import Recording
from qx.testing import ScriptedBackend, ScriptedLLM


class Reader:
    """Read what is found and say when."""

    class Request(Model):
        text: str
        urls: tuple[str, ...] = ("http://a.example/", "http://gone.example/", "http://127.0.0.1/")

    class Result(Model):
        when: str
        said: str
        hits: tuple[str, ...]
        pages: tuple[str, ...]

    async def run(self, engine: Engine, request: Any, principal: Principal, /) -> AsyncIterator[Any]:
        context = engine.begin(request.text, step="read")
        found = await context.search(request.text)
        pages: list[str] = []
        for url in request.urls:
            try:
                pages.append((await context.fetch(url)).text)
            except ScrapeError as error:
                pages.append(f"{error.kind} {error}")
        messages = (Message(role="user", content=" ".join(pages)),)
        said = "".join([d.text async for d in context.stream(CompletionRequest(model="", messages=messages))])
        yield self.Result(
            when=context.clock.now().isoformat(), said=said, hits=tuple(h.id for h in found.hits), pages=tuple(pages)
        )


class Shelf:
    """Implements ``Fetcher``; counts what it is asked."""

    class Settings(Model):
        pass

    asked: ClassVar[list[str]] = []

    @classmethod
    async def create(cls, settings: Any, services: Services, /) -> "Shelf":
        return cls()

    async def fetch(self, request: FetchRequest, /) -> Page:
        self.asked.append(request.url)
        if "gone" in request.url:
            raise ScrapeError("it is gone", kind="status", status=410)
        if "127" in request.url:
            from qx.errors import AddressNotAllowed

            raise AddressNotAllowed("not public")
        return Page(url=request.url, text=f"page of {request.url}", title="茶")

    async def aclose(self) -> None: ...


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Plugins:
    module = types.ModuleType("recorded_operations")
    module.Reader, module.Shelf = Reader, Shelf  # type: ignore[attr-defined]

    def qx_operations() -> list[Any]:
        return [Contribution(name="read", target="recorded_operations:Reader")]

    def qx_fetchers() -> list[Any]:
        return [Contribution(name="shelf", target="recorded_operations:Shelf")]

    module.qx_operations, module.qx_fetchers = hookimpl(qx_operations), hookimpl(qx_fetchers)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "recorded_operations", module)
    Shelf.asked.clear()
    return Plugins.load(allow=(), modules=[qx.testing.plugin, module])


async def call(recording: Recording, plugins: Plugins, made: Profile, request: Any) -> str:
    async with Engine.opened(made, plugins=recording.over(plugins)) as engine:
        events = recording.call("read", request, made, partial(engine.call, "read", request))
        return [event.model_dump_json() async for event in events][-1]


async def test_a_replay_is_the_same_and_asks_nobody(plugins: Plugins, tmp_path: Path):
    llm, backend = ScriptedLLM(["it says so", "another answer"]), ScriptedBackend(lambda request: ["a", "b"])
    search = {"backends": {"main": block(backend)}}
    made = profile(llm, understand={"mode": "rules"}, fetch={"type": "shelf"}, search=search)
    tape = tmp_path / "tape.jsonl"
    first = await call(Recording(tape, "record"), plugins, made, {"text": "tea"})
    asked = (llm.calls, len(backend.requests), len(Shelf.asked))
    assert asked == (1, len(backend.requests), 3)
    assert json.loads(first)["pages"] == ["page of http://a.example/", "status it is gone", "address not public"]
    second = await call(Recording(tape, "replay"), plugins, made, {"text": "tea"})
    assert second == first
    assert (llm.calls, len(backend.requests), len(Shelf.asked)) == asked


async def test_another_call_is_not_there_and_those_that_are_there_are_named(plugins: Plugins, tmp_path: Path):
    backend = ScriptedBackend(lambda request: ["a"])
    made = profile(ScriptedLLM(default="yes"), understand={"mode": "rules"}, fetch={"type": "shelf"},
                   search={"backends": {"main": block(backend)}})  # fmt: skip
    tape = tmp_path / "tape.jsonl"
    await call(Recording(tape, "record"), plugins, made, {"text": "tea"})
    with pytest.raises(Exception, match=r"holds no call .*coffee.*it has: .*tea"):
        await call(Recording(tape, "replay"), plugins, made, {"text": "coffee"})


async def test_a_page_that_was_not_read_then_is_an_error_of_the_replay(plugins: Plugins, tmp_path: Path):
    """Though the operation itself would get by without it."""
    backend = ScriptedBackend(lambda request: ["a"])
    made = profile(ScriptedLLM(default="yes"), understand={"mode": "rules"}, fetch={"type": "shelf"},
                   search={"backends": {"main": block(backend)}})  # fmt: skip
    tape = tmp_path / "tape.jsonl"
    await call(Recording(tape, "record"), plugins, made, {"text": "tea"})
    lines = [line for line in tape.read_text("utf-8").splitlines() if "gone.example" not in line or "moment" in line]
    tape.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(Exception, match=r"holds no exchange for this request \(call: .*http://gone\.example/"):
        await call(Recording(tape, "replay"), plugins, made, {"text": "tea"})


async def test_what_the_operation_raises_passes(plugins: Plugins, tmp_path: Path):
    made = profile(ScriptedLLM(), understand={"mode": "rules"})
    with pytest.raises(UsageError, match="text is missing"):
        await call(Recording(tmp_path / "tape.jsonl", "record"), plugins, made, {})


class Patient:
    """A section that remembers what it was given, and makes nothing else."""

    class Settings(Model):
        pass

    made: ClassVar[list[Services]] = []

    @classmethod
    async def create(cls, settings: Any, services: Services, /) -> "Patient":
        cls.made.append(services)
        return cls()

    async def aclose(self) -> None: ...


async def test_a_section_writes_down_what_was_there_in_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    module = types.ModuleType("recorded_section")
    module.Patient = Patient  # type: ignore[attr-defined]

    def qx_profile_sections() -> list[Any]:
        return [Contribution(name="patient", target="recorded_section:Patient")]

    module.qx_profile_sections = hookimpl(qx_profile_sections)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "recorded_section", module)
    plain, tape = Plugins.load(allow=(), modules=[qx.testing.plugin, module]), tmp_path / "tape.jsonl"

    async def decisions(plugins: Plugins) -> Any:
        async with Engine.opened(profile(None), plugins=plugins) as opened:
            await opened.section("patient")
        return Patient.made[-1].decisions

    recorded = await decisions(Recording(tape, "record").over(plain))
    recorded.keep("the page was read", False)
    recorded.keep("the other one", True)
    replayed = await decisions(Recording(tape, "replay").over(plain))
    found = [replayed.find(one) for one in ("the page was read", "the other one", "a third")]
    assert found == [False, True, None]
    assert await decisions(plain) is None
