"""A secret that the model server throws back in every way it can is found nowhere that qx writes."""

from __future__ import annotations

import base64
import json
import logging
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from engines import analysis, queries
from qx import Engine, Expansion, load_profile
from qx.errors import QxError
from qx.plugins import Plugins
from qx.serial import to_json
from qx.testing import ModelServer, Reaction

CANARY = "sk-canary-7f3A+9/zQ=="
FORMS = [CANARY, quote(CANARY, safe=""), base64.b64encode(CANARY.encode()).decode(), CANARY[10:]]
TEXT = "怎么给自行车换轮胎"
PROFILE = """
tenant: canary
deadline: 5s
llm:
  {provider}
cache: {{type: sqlite, path: cache.db}}
observers: [log, {{type: jsonl, path: events.jsonl, wants_content: true}}]
understand: {{mode: llm}}
"""
ENDPOINT = """provider: openai
  api_base: {url}
  api_key: {key}
  model: m
  retries: 0
"""
CASSETTE = """provider: cassette
  retries: 0
  options:
    path: tape.jsonl
    mode: record
    inner: {{provider: openai, api_base: "{url}", api_key: "{key}", model: m}}
"""


def holds(text: str) -> bool:
    return any(form in text or form in json.dumps(text) for form in FORMS)


def chain(error: BaseException) -> str:
    """Everything that a traceback of ``error`` and of all behind it would print."""
    return "".join(traceback.format_exception(error)) + repr(error)


def reactions() -> list[Reaction]:
    """Failures that quote the key, then answers that do."""
    quoting = {"error": {"message": f"key {CANARY} is {quote(CANARY)}", "code": CANARY, "type": "x"}}
    bad = [Reaction(kind=kind, body=quoting) for kind in ("wrong-key", "error", "quota", "rate-limit", "too-long")]
    return [*bad, Reaction(kind="malformed", text=f"<{CANARY}"), Reaction(text=f"no JSON, but {CANARY}")]


async def request(folder: Path, text: str) -> tuple[Expansion | None, str]:
    """Expand ``text`` and return the expansion and whatever an error says."""
    profile = load_profile(folder / "canary.yaml", plugins=Plugins.load(allow=()))
    try:
        async with Engine.opened(profile, plugins=Plugins.load(allow=())) as engine:
            return await engine.expand(text), repr(engine.profile)
    except QxError as error:
        return None, chain(error)


@pytest.mark.parametrize("block", [ENDPOINT, CASSETTE], ids=["openai", "cassette"])
async def test_a_canary_is_in_no_output_log_trace_cache_cassette_or_error(
    block: str, model_server: ModelServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    written = block.format(url=model_server.url, key=CANARY)
    (tmp_path / "canary.yaml").write_text(PROFILE.format(provider=written.strip()), encoding="utf-8")
    outputs: list[str] = []
    for number, reaction in enumerate(reactions()):
        model_server.react(default=reaction)
        expansion, told = await request(tmp_path, f"{TEXT}{number}")
        outputs += [told, to_json(expansion) if expansion else ""]
        assert expansion is not None
        assert expansion.degraded, reaction
    model_server.react(Reaction(text=analysis()), Reaction(text=queries(f"{TEXT} 教程", "自行车 换胎 步骤")))
    expansion, told = await request(tmp_path, TEXT)
    assert expansion is not None
    assert expansion.degraded == ()
    assert any(CANARY in str(dict(headers)) for _, headers, _ in model_server.calls), "the server never got the key"
    outputs += [told, to_json(expansion), caplog.text]
    files = [path for path in tmp_path.iterdir() if path.name != "canary.yaml"]
    assert {"cache.db", "events.jsonl"} <= {path.name for path in files}
    assert (tmp_path / "tape.jsonl").exists() == (block is CASSETTE)
    outputs += [path.read_bytes().decode("utf-8", "replace") for path in files]
    assert [text for text in outputs if holds(text)] == []


async def test_a_canary_is_in_no_error_of_a_profile_that_does_not_open(tmp_path: Path):
    problems: dict[str, Any] = {
        "timeout": "llm: {{provider: openai, model: m, api_key: {k}, timeout: never}}",
        "unknown": "llm: {{provider: openai, model: m, api_key: {k}, optoins: {{}}}}",
        "option": "llm: {{provider: openai, model: m, api_key: {k}, options: {{nonsense: {k}}}}}",
        "provider": "llm: {{provider: nobody, model: m, api_key: {k}}}",
        "place": "llm: {{provider: openai, model: m, api_base: 'http://user:{k}@127.0.0.1:1/v1'}}\nexpand: {{limit: x}}",
    }
    for name, text in problems.items():
        (tmp_path / "canary.yaml").write_text(text.format(k=f'"{CANARY}"' if "'" not in text else CANARY), "utf-8")
        try:
            expansion, told = await request(tmp_path, TEXT)
        except QxError as error:
            expansion, told = None, chain(error)
        assert expansion is None, name
        assert not holds(told), name
