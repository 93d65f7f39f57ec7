"""QueryGym's methods through the profile's model, over a stand-in of its public classes: it is no dependency."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import qx.testing.plugin
from qx.errors import ProviderTimeout, Unavailable, UsageError
from qx.eval.baselines import names, steps
from qx.eval.silence import silent
from qx.plugins import Plugins
from qx.testing import ScriptedLLM
from qx.testing.llm import Answer

PLUGINS = Plugins.load(allow=(), modules=[qx.testing.plugin])


@dataclass
class Made:
    reformulated: str
    metadata: dict[str, Any] = field(default_factory=dict)


class Method:
    """As QueryGym's base class: ``reformulate_batch`` calls ``reformulate`` with a query's contexts."""

    REQUIRES_CONTEXT = False

    def __init__(self, config: Any, llm: Any, prompts: Any) -> None:
        self.cfg, self.llm, self.prompts = config, llm, prompts

    def reformulate_batch(self, queries: list[Any], contexts: dict[str, list[str]]) -> list[Made]:
        return [self.reformulate(query, contexts.get(query.qid)) for query in queries]

    def reformulate(self, query: Any, contexts: Any) -> Made:
        said = self.llm.chat([{"role": "user", "content": query.text}], temperature=self.cfg.llm["temperature"])
        return Made(f"{query.text} {said}")


class Reading(Method):
    REQUIRES_CONTEXT = True

    def reformulate(self, query: Any, contexts: Any) -> Made:
        more = self.cfg.params["searcher"].search("desk lamp", k=1)
        return Made(f"{query.text} {len(contexts)} {more[0].docid}")


class Swallowing(Method):
    def reformulate(self, query: Any, contexts: Any) -> Made:
        try:
            return super().reformulate(query, contexts)
        except Exception as error:  # noqa: BLE001 as QueryGym's own methods do
            return Made(query.text, {"error": str(error)})


class Several(Method):
    def reformulate(self, query: Any, contexts: Any) -> Made:
        made = self.llm.client.chat.completions.create(
            model=self.llm.model, messages=[{"role": "user", "content": query.text}], n=2, max_tokens=9
        )
        return Made(" ".join(choice.message.content for choice in made.choices))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "defaults.yaml").write_text("plain: {llm: {temperature: 0.25}}\n")
    module, core = ModuleType("querygym"), ModuleType("querygym.core.base")
    vars(module).update(
        __file__=str(tmp_path / "__init__.py"),
        METHODS={"plain": Method, "reading": Reading, "swallowing": Swallowing, "several": Several},
        MethodConfig=SimpleNamespace,
        PromptBank=lambda path: path,
        QueryItem=SimpleNamespace,
        SearchHit=SimpleNamespace,
        BaseSearcher=object,
    )
    monkeypatch.setitem(sys.modules, "querygym", module)
    monkeypatch.setitem(sys.modules, "querygym.core", ModuleType("querygym.core"))
    monkeypatch.setitem(sys.modules, "querygym.core.base", core)
    module.__spec__ = SimpleNamespace(name="querygym")  # type: ignore[assignment]
    yield module
    vars(sys.modules[__name__]).pop("print", None)


def with_model(opened: Any, name: str, model: ScriptedLLM) -> Any:
    llm = {"provider": "scripted", "model": "m", "options": {"instance": "querygym"}, "retries": 0}
    model.named("querygym")
    return opened(steps(name), plugins=PLUGINS, llm=llm, understand={"mode": "llm"})


async def test_a_method_asks_the_profiles_model_and_its_text_is_searched(opened: Any, library: Any):
    model = ScriptedLLM(['roller tray -printer site:x "desk"'])
    async with with_model(opened, "querygym:plain", model) as engine:
        result = await engine.search("printer jam")
    assert [request.messages[-1].content for request in model.requests] == ["printer jam"]
    assert model.requests[0].temperature == 0.25
    sub = result.expansion.queries[1]
    assert (sub.strategy, sub.text) == ("querygym:plain", "printer jam roller tray printer site x desk")
    assert {"jam-1", "jam-2", "doc-tray"} <= {hit.id for hit in result.hits}
    assert result.usage.calls == 1


async def test_a_method_reads_hits_and_searches_itself(opened: Any, library: Any):
    async with with_model(opened, "querygym:reading", ScriptedLLM([])) as engine:
        result = await engine.search("printer jam")
    assert result.expansion.queries[1].text == "printer jam 2 doc-lamp"


async def test_several_answers_are_several_calls(opened: Any, library: Any):
    model = ScriptedLLM(["one", "two"])
    async with with_model(opened, "querygym:several", model) as engine:
        assert (await engine.search("printer jam")).expansion.queries[1].text == "one two"
    assert len(model.requests) == 2
    assert model.requests[0] != model.requests[1]  # what keeps answers must not give the first one twice


@pytest.mark.parametrize("name", ["plain", "swallowing"])
async def test_a_model_that_fails_is_told_and_the_raw_query_is_searched(opened: Any, library: Any, name: str):
    async with with_model(opened, f"querygym:{name}", ScriptedLLM([ProviderTimeout("no answer")])) as engine:
        result = await engine.search("printer jam")
    assert [d.rung for d in result.degraded] == ["the raw query"]
    assert len(result.expansion.queries) == 1
    assert result.hits[0].id.startswith("jam")


async def test_a_model_that_does_not_answer_leaves_a_list_that_is_not_the_methods(opened: Any, library: Any):
    async with with_model(opened, "querygym:plain", ScriptedLLM([Unavailable("refused")])) as engine:
        result = await engine.search("printer jam")
    assert silent(result) == "refused"


async def test_without_a_model_or_the_package_it_says_so(opened: Any, library: Any, monkeypatch: pytest.MonkeyPatch):
    async with opened(steps("querygym:plain")) as engine:
        with pytest.raises(UsageError, match="needs a model"):
            await engine.search("printer jam")
    with pytest.raises(UsageError, match="no method 'x'; known: plain"):
        steps("querygym:x")
    assert names()[2:] == ("querygym:plain", "querygym:reading", "querygym:several", "querygym:swallowing")
    monkeypatch.setitem(sys.modules, "querygym", None)
    with pytest.raises(UsageError, match="pip install querygym"):
        steps("querygym:plain")


async def test_a_search_that_is_left_leaves_no_thread(opened: Any, library: Any):
    asked = asyncio.Event()

    def answer(_: Any) -> Answer:
        asked.set()
        return Answer(text="late", delay=3600)

    async with with_model(opened, "querygym:plain", ScriptedLLM(answer)) as engine:
        work = asyncio.ensure_future(engine.search("printer jam"))
        await asked.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
