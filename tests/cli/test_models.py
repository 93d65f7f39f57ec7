"""The command line with a model: it answers, it fails, it is recorded; the key shows nowhere."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from qx.testing import ModelServer, Reaction

from .conftest import Result, Run

KEY = "canary-41b7e0d2"
ANSWER = {
    "intent": ["recommendation"],
    "entities": [{"text": "shoes", "type": "product"}],
    "constraints": [],
    "implicit_needs": ["sizes"],
    "sentiment": {"label": "curious", "intensity": 0.5},
    "stance": "neutral",
    "keywords": ["red", "shoes"],
    "negations": [],
    "kind": "simple",
    "standalone": None,
    "queries": [
        {"text": "red shoes care instructions", "strategy": "refine", "why": "looking after them"},
        {"text": "red shoes size guide", "strategy": "refine", "why": "sizes"},
    ],
}

RunInThread = Callable[..., Awaitable[Result]]


@pytest.fixture
def profile(own_folder: Path, model_server: ModelServer) -> Path:
    os.environ["ACME_API_KEY"] = KEY
    text = (
        f"tenant: acme\nllm: {{model: tiny, api_base: '{model_server.url}', api_key: '${{ACME_API_KEY}}', retries: 0}}\n"
        "understand: {mode: llm-single}\n"
    )
    path = own_folder / "p.yaml"
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def qx(run: Run) -> RunInThread:
    """Run the program in a thread, so that the server of this test's loop can answer; the key must show nowhere."""

    async def program(*arguments: str) -> Result:
        result = await asyncio.get_running_loop().run_in_executor(None, lambda: run(*arguments))
        assert KEY not in result.out + result.err
        return result

    return program


async def test_a_model_answers(qx: RunInThread, profile: Path, model_server: ModelServer) -> None:
    model_server.react(default=Reaction(text=json.dumps(ANSWER)))
    result = await qx("expand", "red shoes", "--json", "-p", "p.yaml")
    assert (result.code, result.err) == (0, "")
    expansion = json.loads(result.out)
    assert expansion["understanding"]["source"] == "llm-single"
    assert "red shoes care instructions" in [query["text"] for query in expansion["queries"]]
    assert expansion["usage"]["calls"] == 1
    story = (await qx("explain", "red shoes", "-p", "p.yaml")).out
    assert "understanding: the model, in one call" in story
    assert "spent: 1 call, " in story
    assert "red shoes size guide (refine, " in story


@pytest.mark.parametrize("kind", ["error", "wrong-key", "quota", "malformed"])
async def test_a_model_that_fails_is_a_degraded_result(
    qx: RunInThread, profile: Path, model_server: ModelServer, kind: str
) -> None:
    model_server.react(default=Reaction(kind=kind))
    result = await qx("expand", "red shoes", "--json", "-p", "p.yaml", "-v")
    assert result.code == 0, result.err
    expansion = json.loads(result.out)
    assert expansion["understanding"]["source"] == "rules"
    assert {item["step"] for item in expansion["degraded"]} >= {"understand"}
    assert "warning: " in result.err
    assert "Traceback" not in result.err


async def test_what_fell_back_is_told_once(qx: RunInThread, profile: Path, model_server: ModelServer) -> None:
    (profile.parent / "docs.jsonl").write_text('{"_id": "1", "title": "red shoes", "text": "leather"}\n', "utf-8")
    text = profile.read_text("utf-8") + "observers: [log]\nsearch: {backends: {a: {type: local, path: index}}}\n"
    profile.write_text(text, "utf-8")
    assert (await qx("index", "docs.jsonl", "-p", "p.yaml")).code == 0
    model_server.react(default=Reaction(kind="wrong-key"))
    for command in ("search", "expand"):
        told = [line for line in (await qx(command, "red shoes", "-p", "p.yaml")).err.splitlines() if "fell" in line]
        assert told
        assert len({line.partition(": ")[2] for line in told}) == len(told), told
        assert all(line.startswith("warning: ") for line in told)


async def test_the_mode_overrides_the_profile(qx: RunInThread, profile: Path, model_server: ModelServer) -> None:
    result = await qx("understand", "red shoes", "--mode", "rules", "-p", "p.yaml")
    assert (result.code, result.err, model_server.calls) == (0, "", [])
    assert "made by: rules (mode rules)" in result.out


async def test_prompts_are_shown_without_a_call(qx: RunInThread, profile: Path, model_server: ModelServer) -> None:
    result = await qx("explain", "red shoes", "--prompt", "-p", "p.yaml")
    assert (result.code, result.err, model_server.calls) == (0, "", [])
    assert '{"query": "red shoes"' in result.out
    both = json.loads((await qx("explain", "红鞋", "--prompt", "--mode", "llm", "--json", "-p", "p.yaml")).out)
    assert [prompt["step"] for prompt in both] == ["understand", "expand"]
    assert all(prompt["tokens"]["system"] > 0 for prompt in both)


async def test_the_doctor_asks_the_model(qx: RunInThread, profile: Path, model_server: ModelServer) -> None:
    report = json.loads((await qx("doctor", "--json", "-p", "p.yaml")).out)
    assert (report["code"], report["model"]["answers"], len(model_server.calls)) == (0, True, 1)
    assert "answers" in (await qx("doctor", "-p", "p.yaml")).out
    model_server.react(default=Reaction(kind="wrong-key"))
    result = await qx("doctor", "--json", "-p", "p.yaml")
    assert result.code == 4
    assert json.loads(result.out)["model"]["problem"]


async def test_a_cassette_is_recorded_anew(
    qx: RunInThread, profile: Path, model_server: ModelServer, own_folder: Path
) -> None:
    tape = own_folder / "tape.jsonl"
    recorder = own_folder / "recorder.yaml"
    inner = f"{{provider: openai, model: tiny, api_base: '{model_server.url}', api_key: '${{ACME_API_KEY}}'}}"
    recorder.write_text(
        "understand: {mode: llm-single}\n"
        f"llm: {{provider: cassette, model: tiny, options: {{path: tape.jsonl, mode: auto, inner: {inner}}}}}\n",
        "utf-8",
    )
    model_server.react(default=Reaction(text=json.dumps(ANSWER)))
    assert (await qx("expand", "red shoes", "-p", "recorder.yaml")).code == 0
    assert tape.is_file()
    changed = {**ANSWER, "queries": [{"text": "red shoes laces", "strategy": "refine", "why": "new"}]}
    model_server.react(default=Reaction(text=json.dumps(changed)))
    result = await qx("cassette", "record", "tape.jsonl", "-p", "recorder.yaml")
    assert (result.code, result.err) == (0, "")
    assert result.out == "tape.jsonl: 1 asked anew, 1 changed, 0 written by hand and kept\n"
    assert "laces" in tape.read_text("utf-8")
    assert KEY not in tape.read_text("utf-8")
    model_server.react(default=Reaction(kind="error"))
    failed = await qx("cassette", "record", "tape.jsonl", "-p", "recorder.yaml")
    assert failed.code == 4
    assert "1 of 1 kept their old answer" in failed.err
    assert "laces" in tape.read_text("utf-8")
