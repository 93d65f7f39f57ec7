"""Every rule of ``docs/security.md`` names tests that exist, or the part that will bring it; and tests of a few rules."""

from __future__ import annotations

import ast
import pickle
import re
import time
from pathlib import Path
from typing import Any

import pytest

from engines import analysis, asked, engine, queries, stage
from qx import Engine, Profile
from qx.cache import CacheStats, Key
from qx.domain import DomainPack, PatternRule, merge
from qx.observer import Event
from qx.packs import load_pack
from qx.testing import ScriptedLLM

from .pages import ROOT, in_the_tree

PAGE = ROOT / "docs" / "security.md"
NAMED = re.compile(r"`((?:tests|plugins)/[\w/.-]+\.py)::(\w+)`")
COMES = "comes with"
MISSING = re.compile(r"What is not there yet:\*\* ([^;.]*)")
TEXT = "Python里怎么把列表里的重复元素去掉"


def rows() -> list[tuple[str, str]]:
    """The rules of the page: (rule, proof)."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [(line[0], line[1]) for line in cells if line[1] != "proof"]


def test_every_rule_has_its_tests_or_says_when_it_comes() -> None:
    assert len(rows()) >= 50
    unproved = [rule for rule, proof in rows() if not NAMED.search(proof) and not proof.startswith(COMES)]
    assert unproved == []


@in_the_tree
def test_what_comes_is_what_the_readme_lists_as_missing() -> None:
    """A part that is there has tests for its rules."""
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    said = MISSING.search(text)
    missing = said[1] if said is not None else ""
    coming = {proof.removeprefix(COMES).strip() for _, proof in rows() if proof.startswith(COMES)}
    assert {part for part in coming if part not in missing} == set()


@in_the_tree
def test_every_named_test_exists() -> None:
    named = NAMED.findall(PAGE.read_text("utf-8"))
    assert named
    missing = [f"{file}::{test}" for file, test in named if test not in _tests(file)]
    assert missing == []


def _tests(file: str) -> set[str]:
    path = ROOT / file
    if not path.exists():
        return set()
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def model(request: Any) -> str:
    return analysis() if stage(request) == "understand" else queries("Python 列表去重 方法")


async def test_templates_are_compiled_when_the_engine_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    import jinja2

    async with engine(ScriptedLLM(model)) as opened:

        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("a template was compiled for a request")

        monkeypatch.setattr(jinja2.Environment, "compile", refuse)
        monkeypatch.setattr(jinja2.Environment, "from_string", refuse)
        expansion = await opened.expand(TEXT)
    assert expansion.understanding.source == "llm"
    assert expansion.degraded == ()


def test_a_hostile_pattern_takes_no_time() -> None:
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from qx import Query
    from qx.rules.understand import RuleUnderstanding

    general = load_pack("qx.builtin:general/pack.yaml")
    hostile = PatternRule(name="hostile", pattern="(a+)+$", type="thing")
    pack = DomainPack(schema_version=1, name="p", taxonomy=general.taxonomy, patterns=(hostile,))
    rules = RuleUnderstanding(merge([pack]))
    began = time.perf_counter()
    rules.understand(Query(text="a" * 5000 + "!"), now=datetime(2026, 3, 4, tzinfo=UTC), zone=ZoneInfo("UTC"))
    assert time.perf_counter() - began < 5  # a backtracking engine would need longer than the age of the universe


async def test_examples_come_from_packs_alone() -> None:
    llm = ScriptedLLM(model)
    async with engine(llm) as opened:
        for text in ("打印机 连不上 无线网络 怎么办", "打印机 连不上 无线网络 的解决办法"):
            await opened.expand(text)
        known = {example.text for example in opened.knowledge.examples}
    shown = [
        asked_of(message.content)
        for request in llm.requests
        for message in request.messages[1:-1]
        if message.role == "user"
    ]
    assert shown
    assert set(shown) <= known
    assert asked(llm.requests[0])["query"] not in shown


def asked_of(content: str) -> str:
    import json

    return json.loads(content)["query"]


class Watching:
    """An observer that keeps what it is told."""

    def __init__(self, wants_content: bool) -> None:
        self.wants_content = wants_content
        self.events: list[Event] = []

    def on_event(self, event: Event, /) -> None:
        self.events.append(event)

    async def aclose(self) -> None: ...


async def test_observers_get_text_only_where_they_ask_for_it() -> None:
    quiet, curious = Watching(False), Watching(True)
    async with engine(ScriptedLLM(["no JSON at all"] * 4), understand={"mode": "llm"}) as opened:
        opened._parts.resources.observers.extend([quiet, curious])
        await opened.expand("印表機 连不上 canary-text")
    assert {event.name for event in quiet.events} >= {"span", "degraded"}
    assert "canary-text" not in repr(quiet.events)
    assert all(not event.content for event in quiet.events)
    assert any(event.content for event in curious.events)


class Bomb:
    """What a pickle could do."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (Path.touch, (Path("exploded"),))


class Poisoned:
    """A cache that always has an answer, and never a good one."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.kept: list[bytes] = []

    async def get(self, key: Key, /) -> bytes | None:
        return self.data

    async def set(self, key: Key, data: bytes, /, *, ttl: float) -> None:
        self.kept.append(data)

    async def clear(self, tenant: str | None, /) -> int:
        return 0

    async def stats(self, tenant: str | None, /) -> CacheStats:
        return CacheStats(entries=1, bytes=len(self.data))

    async def aclose(self) -> None: ...


@pytest.mark.parametrize(
    "data", [pickle.dumps(Bomb()), b"", b"{}", b"[1]", b'{"queries": "rm -rf /"}', b"\xff\xfe"], ids=range(6)
)
async def test_a_poisoned_cache_entry_is_made_again(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    poisoned = Poisoned(data)
    async with Engine.opened(Profile.model_validate({"understand": {"mode": "rules"}})) as opened:
        opened.memo._cache = poisoned
        expansion = await opened.expand(TEXT)
    assert expansion.queries[0].text == TEXT
    assert len(expansion.queries) > 1
    assert poisoned.kept
    assert all(kept.startswith(b"{") for kept in poisoned.kept)
    assert not Path("exploded").exists()
