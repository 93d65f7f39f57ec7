"""A recorded answer is repeated byte for byte, with nobody asked; one that was left midway leaves a record that reads."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
import qx_answer
from qx import Engine, Profile
from qx.backend import Document
from qx.errors import CassetteMiss, ScrapeError, Unavailable
from qx.fetch import Page
from qx.plugins import Plugins
from qx.recording import Recording
from qx.testing import Answer, FakeFetcher, Listing, ScriptedBackend, ScriptedLLM

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_answer])
QUESTION = "How long do I have to return a jacket, and what is the Zephyr-9?"
URLS = ("https://shop.example/returns", "https://shop.example/gone")
PAGES = {URLS[0]: Page(url=URLS[0], text="A jacket can be returned within 60 days.", title="Returns")}
HITS = [Document(id=url[-4:], title="Returns of a jacket", text="A jacket …", url=url) for url in URLS]


def profile(
    name: str, backend: ScriptedBackend, pages: FakeFetcher, llm: ScriptedLLM | None = None, understand: str = "rules"
) -> Profile:
    backend.named(name)
    pages.named(name)
    blocks: dict[str, Any] = {
        "tenant": "test",
        "understand": {"mode": understand},
        "search": {"backends": {"docs": {"type": "scripted", "instance": name}}, "min_results": 0},
        "fetch": {"type": "fake", "instance": name},
    }
    if llm is not None:
        llm.named(name)
        blocks["llm"] = {"provider": "scripted", "model": "m", "options": {"instance": name}, "retries": 0}
    return Profile.model_validate(blocks)


async def told(recording: Recording, made: Profile, request: dict[str, Any]) -> list[str]:
    """Every event of a call as JSON, the result last."""
    async with Engine.opened(made, plugins=recording.over(PLUGINS)) as engine:
        call = partial(engine.call, "answer", request)
        return [event.model_dump_json() async for event in recording.call("answer", request, made, call)]


async def test_a_replay_is_the_same_and_asks_nobody(tmp_path: Path):
    backend = ScriptedBackend(lambda request: HITS if "jacket" in request.text else ())
    pages = FakeFetcher({**PAGES, URLS[1]: ScrapeError("gone", kind="status", status=410)})
    made, tape = profile("recorded", backend, pages), tmp_path / "tape.jsonl"
    first = await told(Recording(tape, "record"), made, {"question": QUESTION})
    asked = len(backend.requests), len(pages.requests)
    second = await told(Recording(tape, "replay"), made, {"question": QUESTION})
    assert second == first
    assert (len(backend.requests), len(pages.requests)) == asked
    assert "60 days" in first[-1]


async def test_so_is_one_that_a_model_wrote(tmp_path: Path):
    claim = (
        '{"claims": [{"statement": "You have 60 days.", "source_id": "urns", '
        '"quote": "A jacket can be returned within 60 days."}]}'
    )

    def say(request: Any) -> str:
        properties = (request.schema or {}).get("properties", {})
        if "claims" in properties:
            return claim
        if "parts" in properties:
            return '{"parts": [{"text": "How long do I have to return a jacket?"}]}'
        return '{"questions": [{"id": "1", "answered": true, "quote": "within 60 days", "source_id": "urns"}]}'

    llm = ScriptedLLM(say)
    made = profile("written", ScriptedBackend(default=HITS[:1]), FakeFetcher(PAGES), llm)
    tape = tmp_path / "tape.jsonl"
    first = await told(Recording(tape, "record"), made, {"question": "How long do I have to return a jacket?"})
    calls = llm.calls
    second = await told(Recording(tape, "replay"), made, {"question": "How long do I have to return a jacket?"})
    assert second == first
    assert llm.calls == calls > 2
    assert "You have 60 days." in first[-1]


@pytest.mark.virtual_time
async def test_what_was_not_there_in_time_is_not_there_in_a_replay_either(tmp_path: Path):
    backend = ScriptedBackend(lambda request: HITS[:1] if "jacket" in request.text else Listing(hang=True))
    made, tape = profile("late", backend, FakeFetcher(PAGES, delay=1)), tmp_path / "tape.jsonl"
    request = {"question": QUESTION, "budget": {"seconds": 5}}
    first = await told(Recording(tape, "record"), made, request)
    second = await told(Recording(tape, "replay"), made, request)
    assert second == first


@pytest.mark.virtual_time
@pytest.mark.parametrize("question", ["How long do I have to return a jacket?", "外套 jacket 多久之内可以退货？"])
@pytest.mark.parametrize("delay", [3.0, 6.0, 1000.0])
async def test_a_call_for_which_no_time_was_left_is_not_made_in_a_replay_either(
    tmp_path: Path, question: str, delay: float
):
    """A model that hangs eats the time of those after it: they are not asked, and so in no record."""
    llm = ScriptedLLM(lambda request: Answer(text="{}", delay=delay))
    backend = ScriptedBackend(default=HITS[:1])
    made = profile(f"hung-{delay}", backend, FakeFetcher(PAGES, delay=1), llm, "auto")
    tape, request = tmp_path / "tape.jsonl", {"question": question, "budget": {"seconds": 12}}
    first = await told(Recording(tape, "record"), made, request)
    calls = llm.calls
    second = await told(Recording(tape, "replay"), made, request)
    assert second == first
    assert llm.calls == calls


async def test_left_midway_the_record_can_be_read(tmp_path: Path):
    backend = ScriptedBackend(lambda request: HITS if "jacket" in request.text else Listing(hang=True))
    made, tape = profile("left", backend, FakeFetcher(PAGES)), tmp_path / "tape.jsonl"
    recording = Recording(tape, "record")
    before = asyncio.all_tasks()
    async with Engine.opened(made, plugins=recording.over(PLUGINS)) as engine:
        call = partial(engine.call, "answer", {"question": QUESTION})
        events = recording.call("answer", {"question": QUESTION}, made, call)
        async for event in events:
            if type(event).__name__ == "Action":
                break
        await events.aclose()
        assert backend.running == 0
    assert not {task for task in asyncio.all_tasks() - before if not task.done()}
    assert all(json.loads(line) for line in tape.read_text("utf-8").splitlines()), "every line is whole"
    with pytest.raises(CassetteMiss, match=r"another question") as missed:
        await told(Recording(tape, "replay"), made, {"question": "another question"})
    assert "jacket" in str(missed.value), "what was recorded is read, and named"


@pytest.mark.virtual_time
@pytest.mark.parametrize("found", [True, False])
async def test_pages_and_failures_are_told_in_one_order_whichever_came_first(tmp_path: Path, found: bool):
    """A replay waits for nothing: what came late the first time comes at once then."""

    class Uneven(FakeFetcher):
        async def fetch(self, request: Any, /) -> Page:
            await asyncio.sleep(3 - int(request.url[-1]))
            return await super().fetch(request)

    urls = [f"https://shop.example/{n}" for n in range(3)]
    gone = {url: ScrapeError(f"{url} is gone", kind="status", status=410) for url in urls}
    pages = Uneven(
        gone if not found else {url: f"A jacket can be returned within 60 days, says {url}." for url in urls}
    )
    hits = [Document(id=url[-1], title=f"Returns {url[-1]}", text="A jacket …", url=url) for url in urls]
    made, tape = profile(f"uneven-{found}", ScriptedBackend(default=hits), pages), tmp_path / "tape.jsonl"
    request = {"question": "How long do I have to return a jacket?", "budget": {"rounds": 1}}
    first = await told(Recording(tape, "record"), made, request)
    assert await told(Recording(tape, "replay"), made, request) == first


@pytest.mark.virtual_time
async def test_failed_searches_are_told_in_one_order_whichever_failed_first(tmp_path: Path):
    slow = ScriptedBackend(
        lambda request: Listing(delay=3 if "jacket" in request.text else 1, error=Unavailable("down"))
    )
    made, tape = profile("failing", slow, FakeFetcher()), tmp_path / "tape.jsonl"
    request = {"question": QUESTION, "budget": {"rounds": 1, "seconds": 20}}
    first = await told(Recording(tape, "record"), made, request)
    assert await told(Recording(tape, "replay"), made, request) == first
