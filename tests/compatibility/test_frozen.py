"""A plugin that was frozen at 0.1 keeps running, and what it stands on may gain fields and never loses one."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import pytest_asyncio
from click.testing import CliRunner
from pydantic import BaseModel

from qx import Engine, Profile
from qx.backend import Document
from qx.hookspecs import HookSpecs
from qx.plugins import Plugins

HERE = Path(__file__).parent
FROZEN = HERE / "contracts-0.1.json"
VALUES = (
    "qx.types:Query Turn Entity Constraint Sentiment Sense SubQuery Understanding Dropped Degraded Usage Expansion "
    "Understood Found Highlight Hit SortBy SearchOptions ListReport SearchResult",
    "qx.backend:SearchRequest SearchResponse Sort Boost Document IndexReport Health",
    "qx.llm:CompletionRequest Completion Message Tool ToolCall Delta Capabilities",
    "qx.embedder:EmbedRequest Embeddings",
    "qx.cache:Key CacheStats",
    "qx.observer:Event",
    "qx.ranking:Ranking",
    "qx.budget:Cost",
    "qx.hookspecs:Contribution",
    "qx.fetch:FetchLimits FetchRequest Page",
    "qx.operation:Principal",
    "qx.filters:And Or Not Compare Exists",
    "qx.syntax:Terms Phrase And Or Not Field Site FileType Range",
)
PROTOCOLS = (
    "qx.hookspecs:Services",
    "qx.context:Context",
    "qx.budget:Budget",
    "qx.backend:SearchBackend SupportsBatch SupportsFilter SupportsVectors SupportsIndexing SupportsVocabulary "
    "SupportsSpelling SupportsCount SupportsHealth",
    "qx.llm:LLMProvider SupportsStream",
    "qx.embedder:Embedder",
    "qx.processor:QueryProcessor HitProcessor",
    "qx.strategy:Strategy",
    "qx.ranking:Fusion",
    "qx.cache:Cache",
    "qx.observer:Observer",
    "qx.fetch:Fetcher",
    "qx.operation:Operation SupportsText",
)
PACKS = "qx.domain:DomainPack Taxonomy Intent EntityType ConstraintField Need SynonymSet PatternRule Template SiteRule Cue Example"
PLUGIN_CALLS = ("Services", "Context", "Budget")
"""What a plugin calls may gain methods; what a plugin implements may not, or the frozen one would lack them."""


def listed(places: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for place in places:
        module, _, names = place.partition(":")
        for name in names.split():
            yield f"{module}.{name}", getattr(importlib.import_module(module), name)


def contracts() -> dict[str, Any]:
    """What plugins stand on, as data: fields (and whether each has a default), methods, hooks."""
    values = {
        name: {
            f.name: f.default is not dataclasses.MISSING or f.default_factory is not dataclasses.MISSING
            for f in dataclasses.fields(kind)
        }
        for name, kind in listed(VALUES)
    }
    protocols = {
        name: {label: _parameters(item) for label, item in vars(kind).items() if not label.startswith("_")}
        for name, kind in listed(PROTOCOLS)
    }
    packs = {
        name: {label: not field.is_required() for label, field in kind.model_fields.items()}
        for name, kind in listed((PACKS,))
        if issubclass(kind, BaseModel)
    }
    hooks = sorted(name for name in vars(HookSpecs) if name.startswith("qx_"))
    return {"values": values, "protocols": protocols, "packs": packs, "hooks": hooks}


def _parameters(item: Any) -> list[str] | None:
    """The arguments of a method that have to be given; None for a property."""
    if isinstance(item, property):
        return None
    found = [p for p in inspect.signature(item).parameters.values() if p.name != "self"]
    return [p.name for p in found if p.default is p.empty]


NOW = contracts()
THEN: dict[str, Any] = json.loads(FROZEN.read_text("utf-8")) if FROZEN.exists() else NOW


def broken(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What of ``then`` does not hold any more: lost names, new fields without a default, methods that ask for more."""
    said = [f"the hook {name} is lost" for name in then["hooks"] if name not in now["hooks"]]
    for group in ("values", "packs"):
        for name, fields in then[group].items():
            there = now[group].get(name, {})
            said += [f"{name}.{label} is lost" for label in fields if label not in there]
            needed = [label for label, has_default in there.items() if not has_default]
            said += [f"{name}.{label} needs a default" for label in needed if fields.get(label, True)]
    for name, methods in then["protocols"].items():
        there = now["protocols"].get(name, {})
        said += [f"{name}.{label} is lost" for label in methods if label not in there]
        said += [f"{name}.{label} asks for more" for label in methods if there.get(label) != methods[label]]
        if name.rpartition(".")[2] not in PLUGIN_CALLS:
            new = [label for label in there if label not in methods]
            said += [f"{name}.{label}: put what is new into a protocol of its own (`Supports…`)" for label in new]
    return said


def test_what_plugins_stand_on_may_grow_and_is_never_lost() -> None:
    assert broken(THEN, NOW) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda now: now["hooks"].remove("qx_caches"), "the hook qx_caches is lost"),
        (lambda now: now["values"]["qx.types.Hit"].pop("title"), "qx.types.Hit.title is lost"),
        (lambda now: now["values"]["qx.types.Hit"].update(new=False), "qx.types.Hit.new needs a default"),
        (lambda now: now["values"]["qx.types.Hit"].update(title=False), "qx.types.Hit.title needs a default"),
        (lambda now: now["packs"]["qx.domain.Intent"].pop("cues"), "qx.domain.Intent.cues is lost"),
        (lambda now: now["protocols"]["qx.cache.Cache"].pop("stats"), "qx.cache.Cache.stats is lost"),
        (lambda now: now["protocols"]["qx.cache.Cache"].update(get=["key", "now"]), "qx.cache.Cache.get asks for more"),
        (lambda now: now["protocols"]["qx.cache.Cache"].update(touch=[]), "qx.cache.Cache.touch: put"),
    ],
)
def test_a_loss_is_told(change: Any, said: str) -> None:
    now = copy.deepcopy(NOW)
    change(now)
    assert any(said in line for line in broken(THEN, now))


def test_growth_is_none() -> None:
    now = copy.deepcopy(NOW)
    now["hooks"].append("qx_new")
    now["values"]["qx.types.Hit"]["new"] = True
    now["protocols"]["qx.context.Context"]["new"] = ["query"]
    assert broken(THEN, now) == []


# ---- the plugin itself ----


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(HERE))
    yield importlib.import_module("qx_frozen_0_1")
    for name in [name for name in sys.modules if name.startswith("qx_frozen_0_1")]:
        del sys.modules[name]


DOCUMENTS = [
    Document(id="1", title="How to brew black tea", text="Ninety-five degrees.", metadata={"minutes": 3}),
    Document(id="2", title="红茶怎么泡", text="水温九十五度，三分钟。", metadata={"minutes": 3}),
    Document(id="3", title="Tea gossip", text="Who drinks black tea?", metadata={"minutes": 9}),
]
PROFILE = {
    "tenant": "frozen",
    "domains": ["frozen-pack"],
    "understand": {"mode": "rules"},
    "llm": {"provider": "frozen-model", "model": "m", "api_key": "k", "options": {"answer": "[]"}},
    "embedder": {"provider": "frozen-embedder", "dimensions": 8},
    "expand": {"strategies": ["frozen-strategy", "synonym", "refine"], "processors": ["frozen-queries"]},
    "search": {
        "backends": {"tea": {"type": "frozen-engine", "fields": {"title": "title^2", "text": "text",
                                                                 "minutes": {"name": "metadata.minutes", "type": "number"}}}},
        "fusion": "frozen-fusion",
        "processors": [{"type": "frozen-hits", "without": "gossip"}],
    },
    "cache": {"type": "frozen-cache"},
    "fetch": {"type": "frozen-pages"},
    "frozen": {"name": "tea shelf"},
    "observers": ["frozen-observer"],
}  # fmt: skip


@pytest_asyncio.fixture
async def engine(frozen: ModuleType) -> AsyncIterator[Engine]:
    plugins = Plugins.load(allow=(), modules=[frozen], strict=True)
    async with Engine.opened(Profile.model_validate(PROFILE), plugins=plugins) as opened:
        yield opened


async def test_it_runs_as_it_did(engine: Engine, frozen: ModuleType) -> None:
    await engine.backend("tea").upsert(DOCUMENTS)
    expansion = await engine.expand("红茶怎么泡")
    assert expansion.understanding.intent[0] == "brew"
    assert ("红茶", "tea") in [(e.text, e.type) for e in expansion.understanding.entities]
    assert any(q.strategy == "frozen-strategy" for q in expansion.queries)
    assert any("水温" in q.text for q in expansion.queries)
    assert "frozen queries" in expansion.notes
    result = await engine.search("black tea")
    assert [hit.id for hit in result.hits] == ["1"]
    assert [(gone.text, gone.reason) for gone in result.dropped] == [("tea:3", "its title holds gossip")]
    assert result.degraded == ()
    assert (await engine.cache.stats("frozen")).entries > 0
    parts = sys.modules["qx_frozen_0_1.parts"]
    assert parts.Observer.seen
    assert {tenant for _, tenant, *_ in parts.Observer.seen} == {"frozen"}


async def test_its_operation_and_its_section_do(engine: Engine) -> None:
    await engine.backend("tea").upsert(DOCUMENTS)
    events = [event async for event in engine.call("frozen.count", {"text": "black tea"})]
    assert [event.model_dump() for event in events] == [{"said": "frozen looks"}, {"shelf": "tea shelf", "found": 1}]
    context = engine.begin("x", step="read")
    assert (await context.fetch("https://tea.example/a")).text == "what it says"


async def test_its_model_is_asked(frozen: ModuleType) -> None:
    plugins = Plugins.load(allow=(), modules=[frozen], strict=True)
    profile = Profile.model_validate({**PROFILE, "understand": {"mode": "llm"}, "search": {}})
    async with Engine.opened(profile, plugins=plugins) as opened:
        assert (await opened.ask_model()).text == "[]"
        expansion = await opened.expand("black tea")
    assert expansion.usage.calls > 0
    assert {d.rung for d in expansion.degraded} == {"rules"}  # "[]" is no analysis


async def test_what_it_contributes_is_told(frozen: ModuleType) -> None:
    plugins = Plugins.load(allow=(), modules=[frozen], strict=True)
    [told] = [info for info in plugins.report() if info.name == "qx_frozen_0_1"]
    assert told.status == "ok"
    assert len(told.contributions) == 15
    command = plugins.registry("commands").get("frozen-command")
    assert CliRunner().invoke(command, ["--loud"]).output == "HELLO\n"
    assert plugins.registry("taxonomies").get("frozen-taxonomy").intents[0].id == "brew"


def test_the_folder_is_as_it_was_frozen() -> None:
    """Its digest stands beside the contracts: a change of the plugin would make this test prove nothing."""
    assert THEN.get("digest") == digest()


def digest() -> str:
    import hashlib

    files = sorted((HERE / "qx_frozen_0_1").glob("*.*"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


if __name__ == "__main__":  # at a release: freeze what is there as it is
    FROZEN.write_text(json.dumps(contracts() | {"digest": digest()}, indent=1, ensure_ascii=False) + "\n", "utf-8")
