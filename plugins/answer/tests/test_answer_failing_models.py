"""A recorded answer whose model failed in any way is repeated byte for byte: its tries, waits and open circuits too."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
import qx_answer
from qx import Engine, Profile
from qx.backend import Document
from qx.calls import retrying
from qx.calls.breaker import Breaker
from qx.errors import AuthError, RateLimited, Unavailable
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.recording import Recording
from qx.testing import Answer, ModelServer, Reaction, ScriptedBackend, ScriptedLLM
from qx.testing.server import Kind

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin, qx_answer])
DOCUMENTS = (
    Document(id="returns", title="Returns", text="A jacket can be returned within 60 days."),
    Document(id="tui", title="退货", text="外套可以在六十天内退货。穿过的不退。"),
)
QUESTIONS = ("How long do I have to return a jacket, and what is the Zephyr-9?", "外套 jacket 多久之内可以退货？")
_names = count()


def _true(request: CompletionRequest) -> str:
    """What a model answers that works."""
    properties = (request.schema or {}).get("properties", {})
    quote = "A jacket can be returned within 60 days."
    if "claims" in properties:
        return json.dumps({"claims": [{"statement": "You have 60 days.", "source_id": "returns", "quote": quote}]})
    if "parts" in properties:
        return '{"parts": [{"text": "How long do I have to return a jacket?"}, {"text": "What is the Zephyr-9?"}]}'
    if "questions" in properties:
        first = {"id": "1", "answered": True, "quote": quote, "source_id": "returns"}
        return json.dumps({"questions": [first, {"id": "2", "answered": False}], "next": [{"query": "Zephyr"}]})
    return json.dumps(dict.fromkeys(properties, "follows"))


def _mixed(seed: int) -> Callable[[CompletionRequest], Any]:
    """A model that works now and then; the same question may get another answer the second time."""
    rng = random.Random(seed)

    def say(request: CompletionRequest) -> Any:
        failing = (Unavailable("down"), RateLimited("slow", retry_after=0.3), Answer(delay=100.0), '{"claims": [', "")
        return rng.choice((*failing, _true(request), Answer(text=_true(request), delay=1.5)))

    return say


FAILINGS: dict[str, Callable[[CompletionRequest], Any]] = {
    "hang": lambda request: Answer(delay=100.0),
    "500": lambda request: Unavailable("the server had an error"),
    "401": lambda request: AuthError("wrong key"),
    "429": lambda request: RateLimited("too many", retry_after=2.0),
    "cut": lambda request: 'I am sorry {"claims": [{"statement": "You',
    "garbage": lambda request: "\x00 你好 ]]",
}
MATRIX = [
    (failing, retries, failures) for failing in (*FAILINGS, *range(6)) for retries in (0, 2) for failures in (2, 50)
]
TOGETHER = [("hang", 2, 2), ("500", 2, 50), ("401", 0, 2), ("cut", 2, 2), ("garbage", 0, 50), (0, 0, 2), (3, 2, 2)]
"""What shows each kind of failure at least once."""


def profile(llm: ScriptedLLM, retries: int, mode: str, **instead: Any) -> Profile:
    name = f"failing-{next(_names)}"
    ScriptedBackend(lambda request: DOCUMENTS if "jacket" in request.text else ()).named(name)
    llm.named(name)
    block = {"provider": "scripted", "model": "m", "options": {"instance": name}, "timeout": 2.0, "retries": retries}
    return Profile.model_validate(
        {
            "tenant": "test",
            "understand": {"mode": mode},
            "search": {"backends": {"docs": {"type": "scripted", "instance": name}}, "min_results": 0},
            "llm": {**instead, "retries": retries} if instead else block,
        }
    )


async def told(recording: Recording, made: Profile, request: dict[str, Any]) -> list[str]:
    """Every event of a call as JSON, the result last."""
    async with Engine.opened(made, plugins=recording.over(PLUGINS)) as engine:
        call = partial(engine.call, "answer", request)
        return [event.model_dump_json() async for event in recording.call("answer", request, made, call)]


def open_after(failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let circuits open after so many failures in a row."""
    monkeypatch.setattr(Breaker.__init__, "__kwdefaults__", {"failures": failures, "recovery": 30.0})


async def same_again(made: Profile, tape: Path, request: dict[str, Any]) -> None:
    first = await told(Recording(tape, "record"), made, request)
    assert await told(Recording(tape, "replay"), made, request) == first


@pytest.mark.virtual_time
@pytest.mark.parametrize(
    ("failing", "retries", "failures"),
    [*TOGETHER, *(pytest.param(*one, marks=pytest.mark.slow) for one in MATRIX if one not in TOGETHER)],
)
async def test_a_replay_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str | int, retries: int, failures: int
):
    open_after(failures, monkeypatch)
    for number, (question, mode) in enumerate(zip(QUESTIONS, ("llm", "auto"), strict=True)):
        llm = ScriptedLLM(_mixed(failing) if isinstance(failing, int) else FAILINGS[failing])
        await same_again(
            profile(llm, retries, mode), tmp_path / f"{number}.jsonl", {"question": question, "budget": {"seconds": 12}}
        )
        assert llm.calls > 0


@pytest.mark.slow
@pytest.mark.parametrize(("retries", "failures"), [(0, 50), (2, 2), (2, 50)])
@pytest.mark.parametrize("kind", ["hang", "error", "wrong-key", "drop", "malformed", "not-json-object"])
async def test_so_is_that_of_a_server_over_http(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind, retries: int, failures: int
):
    open_after(failures, monkeypatch)
    monkeypatch.setattr(retrying, "SHORTEST_WAIT", 0.02)
    async with ModelServer() as server:
        server.react(default=Reaction(kind=kind))
        llm = {"provider": "openai", "model": "m", "api_base": server.url, "timeout": 0.2}
        made = profile(ScriptedLLM(), retries, "auto", **llm)
        await same_again(made, tmp_path / "tape.jsonl", {"question": QUESTIONS[0], "budget": {"seconds": 3}})
        assert server.calls
