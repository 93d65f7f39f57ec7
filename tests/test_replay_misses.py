"""What a cassette does not hold is an error, whatever asks for it: rules or another engine would be another result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from backends import docs
from engines import PLUGINS, analysis, profile, queries
from qx import Engine
from qx.errors import CassetteMiss, ProviderError
from qx.settings import Profile
from qx.testing import ScriptedBackend, ScriptedLLM

KNOWN = "静音 机械键盘"


def line(*match: str, text: str) -> str:
    return json.dumps({"mark": "handwritten", "match": list(match), "response": {"text": text}}, ensure_ascii=False)


def scripted(name: str, *found: str) -> dict[str, Any]:
    ScriptedBackend(default=docs(*found)).named(name)
    return {"type": "scripted", "instance": name}


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    path.write_text(line(KNOWN, text=queries("静音 机械键盘 保养方法", **json.loads(analysis()))) + "\n", "utf-8")
    return path


def replaying(path: Path, mode: str = "llm-single", **blocks: Any) -> Profile:
    llm = {"provider": "cassette", "model": "m", "options": {"path": str(path)}, **blocks.pop("llm", {})}
    made = profile(None, understand={"mode": mode}, **blocks)
    return Profile.model_validate({**made.model_dump(exclude_unset=True), "llm": llm, "folder": path.parent})


OPERATIONS: dict[str, Callable[[Engine, str], Awaitable[object]]] = {
    "understand": lambda engine, text: engine.understand(text),
    "expand": lambda engine, text: engine.expand(text),
    "search": lambda engine, text: engine.search(text),
    "expand_many": lambda engine, text: engine.expand_many([KNOWN, text]),
    "ask_model": lambda engine, text: engine.ask_model(),
}


@pytest.mark.parametrize("mode", ["llm", "llm-single"])
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_miss_names_the_file_and_what_to_do(tape: Path, operation: str, mode: str) -> None:
    given = replaying(tape, mode, search={"backends": {"a": scripted(f"miss-{operation}-{mode}", "1")}})
    async with Engine.opened(given, plugins=PLUGINS) as engine:
        with pytest.raises(CassetteMiss) as caught:
            await OPERATIONS[operation](engine, "how do I lubricate keyboard switches")
    said = str(caught.value)
    assert str(tape) in said
    assert "mode: auto" in said
    assert f"qx cassette record {tape}" in said
    assert caught.value.exit_code == 4
    assert not isinstance(caught.value, ProviderError)


async def test_what_is_there_is_answered(tape: Path) -> None:
    async with Engine.opened(replaying(tape), plugins=PLUGINS) as engine:
        assert any(q.text == "静音 机械键盘 保养方法" for q in (await engine.expand(KNOWN)).queries)


async def test_a_step_that_has_its_answer_does_not_hide_one_that_has_not(tape: Path) -> None:
    tape.write_text(line(KNOWN, '"analysis"', text=queries("静音 机械键盘 保养方法")) + "\n", "utf-8")
    async with Engine.opened(replaying(tape, "llm"), plugins=PLUGINS) as engine:
        with pytest.raises(CassetteMiss):
            await engine.expand(KNOWN)


async def test_no_fallback_is_asked_instead(tape: Path) -> None:
    other = ScriptedLLM(default=queries("another", **json.loads(analysis())))
    other.named("instead")
    block = {"provider": "scripted", "model": "m", "options": {"instance": "instead"}}
    async with Engine.opened(replaying(tape, llm={"fallbacks": [block]}), plugins=PLUGINS) as engine:
        with pytest.raises(CassetteMiss):
            await engine.expand("绿茶怎么泡")
    assert not other.calls


async def test_equal_requests_at_once_all_get_it(tape: Path) -> None:
    async with Engine.opened(replaying(tape), plugins=PLUGINS) as engine:
        made = await asyncio.gather(*(engine.expand("绿茶怎么泡") for _ in range(3)), return_exceptions=True)
        assert [type(one) for one in made] == [CassetteMiss] * 3
        assert (await engine.expand(KNOWN)).queries  # the next request is its own


async def searched(engine: Engine, text: str, *, streamed: bool) -> None:
    if streamed:
        _ = [part async for part in engine.search_events(text, expand=False)]
    else:
        await engine.search(text, expand=False)


@pytest.mark.parametrize("streamed", [False, True])
async def test_one_engine_of_two_without_its_answer_is_no_partial_result(tmp_path: Path, streamed: bool) -> None:
    recorded = {"type": "cassette", "path": "hits.jsonl", "mode": "auto", "backend": scripted("holed", "2")}
    blocks = {"search": {"backends": {"a": scripted("whole", "1"), "b": recorded}}, "folder": tmp_path}
    async with Engine.opened(profile(None, **blocks), plugins=PLUGINS) as engine:
        await engine.search("红茶", expand=False)
    recorded["mode"] = "replay"
    scripted("whole", "1")
    async with Engine.opened(profile(None, **blocks), plugins=PLUGINS) as engine:
        assert len((await engine.search("红茶", expand=False)).hits) == 2
        with pytest.raises(CassetteMiss, match="绿茶"):
            await searched(engine, "绿茶", streamed=streamed)
