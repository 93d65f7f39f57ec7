"""Engines over a scripted model, for the tests."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import qx.testing.plugin
from qx import Engine, Profile
from qx.llm import CompletionRequest
from qx.plugins import Plugins
from qx.testing import ScriptedLLM

_names = count()
PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin])

ANALYSIS: dict[str, Any] = {
    "intent": ["how-to"],
    "entities": [],
    "constraints": [],
    "implicit_needs": [],
    "sentiment": {"label": "curious", "intensity": 0.4},
    "stance": "neutral",
    "keywords": [],
    "negations": [],
    "senses": [],
    "kind": "simple",
    "standalone": None,
}


def analysis(**parts: Any) -> str:
    """A model's analysis as JSON."""
    return json.dumps(ANALYSIS | parts, ensure_ascii=False)


def queries(*texts: str, strategy: str = "synonym", target: str = "any", **parts: Any) -> str:
    """A model's list of queries as JSON, with ``parts`` beside it."""
    listed = [{"text": text, "strategy": strategy, "target": target, "why": "as people say"} for text in texts]
    return json.dumps(parts | {"queries": listed}, ensure_ascii=False)


def stage(request: CompletionRequest) -> str:
    """Which stage a request is for."""
    properties = (request.schema or {}).get("properties", {})
    if "items" in properties:
        return "batch"
    if "aspects" in properties:
        return "iterate"
    both = {"intent", "queries"} <= set(properties)
    return "single" if both else "expand" if "queries" in properties else "understand"


def asked(request: CompletionRequest) -> dict[str, Any]:
    """The data of a request's last message."""
    return json.loads(request.messages[-1].content)


def profile(llm: ScriptedLLM | None = None, /, **settings: Any) -> Profile:
    """A profile over ``llm`` (None: no model)."""
    blocks: dict[str, Any] = {"name": "test", "tenant": "test", "understand": {"mode": "llm"}}
    if llm is not None:
        name = f"engine-{next(_names)}"
        llm.named(name)
        blocks["llm"] = {"provider": "scripted", "model": "m", "options": {"instance": name}, "retries": 0}
    else:
        blocks["understand"] = {"mode": "rules"}
    for key, part in settings.items():
        blocks[key] = blocks.get(key, {}) | part if isinstance(part, dict) else part
    return Profile.model_validate(blocks)


@asynccontextmanager
async def engine(llm: ScriptedLLM | None = None, /, **settings: Any) -> AsyncIterator[Engine]:
    """An open engine over ``llm``."""
    async with Engine.opened(profile(llm, **settings), plugins=PLUGINS) as opened:
        yield opened
