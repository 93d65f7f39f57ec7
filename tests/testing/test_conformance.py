"""The suites that third parties inherit, over qx's own and over the fakes; and that each can fail."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
import pytest_asyncio

import qx.testing.plugin
from qx import Engine, Profile
from qx.builtin import qx_fusions, qx_observers, qx_post_processors, qx_steps
from qx.describer import Describer, DescribeRequest, Description
from qx.domain import Intent, Taxonomy
from qx.errors import BudgetExceeded
from qx.llm import CompletionRequest
from qx.observer import Observer
from qx.packs import load_taxonomy
from qx.plugins import Plugins
from qx.processor import HitProcessor, QueryProcessor
from qx.ranking import Fusion, Ranking
from qx.strategy import Strategy, reads_hits
from qx.testing import (
    CommandConformance,
    DescriberConformance,
    FakeDescriber,
    FakeObserver,
    FusionConformance,
    HitProcessorConformance,
    ObserverConformance,
    PackConformance,
    QueryProcessorConformance,
    ScriptedLLM,
    StrategyConformance,
    TaxonomyConformance,
    TestContext,
    TestServices,
    ranked,
)
from qx.testing.conformance.processor import HITS
from qx.types import Expansion, Hit, SubQuery


def classes(contributions: Sequence[Any], duty: str) -> dict[str, Any]:
    found = {}
    for contribution in contributions:
        module, _, name = contribution.target.partition(":")
        target = getattr(import_module(module), name)
        if hasattr(target, duty):
            found[contribution.name] = target
    return found


STRATEGIES = {n: t for n, t in classes(qx_steps(), "expand").items() if not reads_hits(t)}
HIT_PROCESSORS = classes(qx_post_processors(), "process_hits")
QUERY_PROCESSORS = classes(qx_post_processors(), "process_queries")
FUSIONS = classes(qx_fusions(), "fuse")
OPTIONS: dict[str, dict[str, Any]] = {
    "allow": {"domains": ["a.example"]},
    "block": {"domains": ["b.example"]},
    "filter": {"where": "price < 1000"},
}


async def made(kind: Any, name: str, services: TestServices) -> Any:
    return await kind.create(kind.Settings.model_validate(OPTIONS.get(name, {})), services)


@pytest.mark.parametrize("name", ["synonym", "refine"])
class TestStrategies(StrategyConformance):
    expands = "cheap noise-cancelling headphones for the plane"

    @pytest.fixture
    def strategy(self, name: str) -> Strategy:
        return STRATEGIES[name]()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(STRATEGIES) - {"synonym", "refine"}))
class TestAllStrategies(StrategyConformance):
    @pytest.fixture
    def strategy(self, name: str) -> Strategy:
        return STRATEGIES[name]()


@pytest.mark.parametrize("name", sorted(HIT_PROCESSORS))
class TestHitProcessors(HitProcessorConformance):
    @pytest_asyncio.fixture
    async def processor(self, name: str, services: TestServices) -> HitProcessor:
        return await made(HIT_PROCESSORS[name], name, services)


@pytest.mark.parametrize("name", sorted(QUERY_PROCESSORS))
class TestQueryProcessors(QueryProcessorConformance):
    @pytest_asyncio.fixture
    async def processor(self, name: str, services: TestServices) -> QueryProcessor:
        return await made(QUERY_PROCESSORS[name], name, services)


@pytest.mark.parametrize("name", sorted(FUSIONS))
class TestFusions(FusionConformance):
    @pytest_asyncio.fixture
    async def fusion(self, name: str, services: TestServices) -> Fusion:
        return await made(FUSIONS[name], name, services)


class TestDescriber(DescriberConformance):
    @pytest_asyncio.fixture
    async def describer(self, services: TestServices) -> Describer:
        return await made(FakeDescriber, "fake", services)


class TestLog(ObserverConformance):
    @pytest_asyncio.fixture
    async def observer(self, services: TestServices) -> Observer:
        kind = classes(qx_observers(), "on_event")["log"]
        return await kind.create(kind.Settings(), services)


class TestJsonl(ObserverConformance):
    @pytest_asyncio.fixture
    async def observer(self, services: TestServices) -> AsyncIterator[Observer]:
        kind = classes(qx_observers(), "on_event")["jsonl"]
        observer = await kind.create(kind.Settings(path="events.jsonl"), services)
        yield observer
        await observer.aclose()


class TestFakeObserver(ObserverConformance):
    @pytest.fixture
    def observer(self) -> Observer:
        return FakeObserver()


async def test_what_an_engine_tells_is_kept() -> None:
    kept = FakeObserver().named("kept")
    profile = Profile.model_validate(
        {"understand": {"mode": "rules"}, "observers": [{"type": "fake", "instance": "kept"}]}
    )
    async with Engine.opened(profile, plugins=Plugins.load(allow=(), modules=[qx.testing.plugin])) as engine:
        await engine.expand("red shoes")
    assert "span" in kept.names
    assert not any(event.content for event in kept.events)
    assert kept.closed


def test_the_suite_of_a_command_leaves_it_as_it_was() -> None:
    command = click.Command("shout", help="Say it loudly.")
    CommandConformance().test_its_help_needs_nothing(command)
    CommandConformance().test_an_unknown_option_is_a_usage_error(command)
    assert "-h, --help" in command.get_help(click.Context(command, help_option_names=["-h", "--help"]))


class TestACommand(CommandConformance):
    @pytest.fixture
    def command(self) -> click.Command:
        from qx.cli.commands.plugins import command

        return command


@pytest.mark.slow
class TestGeneral(PackConformance):
    pack = "general"
    least = 0.65

    def test_it_has_rows_in_every_language(self) -> None:
        """They say what is read, and not of what language each is."""
        assert self.rows()


class TestATaxonomy(TaxonomyConformance):
    @pytest.fixture
    def taxonomy(self) -> Taxonomy:
        return load_taxonomy("qx.builtin:general/pack.yaml")


# ---- each suite can fail ----


@pytest.mark.parametrize(("limit", "reads"), [(20, True), (30, False)])
async def test_a_pack_that_reads_another_limit_than_its_rows_fails(
    limit: int, reads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop" / "eval").mkdir(parents=True)
    (tmp_path / "shop" / "pack.yaml").write_text("schema_version: 1\nname: shop\ntaxonomy: general\n")
    wanted = {"text": "kettle under $20", "constraints": [{"field": "price", "op": "le", "value": limit}]}
    (tmp_path / "shop" / "eval" / "own.jsonl").write_text(json.dumps(wanted) + "\n")
    suite = type("Shop", (PackConformance,), {"pack": "./shop", "least": 1.0})()
    if reads:
        await suite.test_rules_read_its_own_rows()
    else:
        with pytest.raises(AssertionError, match=r"own\.jsonl:1: kettle under \$20: price le 30"):
            await suite.test_rules_read_its_own_rows()


async def test_a_describer_that_raises_its_vendors_exception_or_mixes_files_up_fails() -> None:
    class Vendor(FakeDescriber):
        async def describe(self, request: DescribeRequest, /) -> Description:
            if not request.content:
                raise KeyError("choices")
            made = await super().describe(request)
            return replace(made, text=f"{made.text} {len(self.requests)}")

    suite = DescriberConformance()
    with pytest.raises(KeyError):
        await suite.test_what_is_broken_is_an_error_of_qx_or_described(Vendor())
    with pytest.raises(AssertionError):
        await suite.test_many_at_once_are_not_mixed_up(Vendor())


def test_a_taxonomy_of_one_language_fails() -> None:
    half = Taxonomy(name="t", intents=(Intent(id="a", labels={"en": "A"}, definition={"en": "To do a."}),))
    with pytest.raises(AssertionError, match="labels of the intent a"):
        TaxonomyConformance().test_its_words_are_there_in_every_language(half)


class Silent:
    """A processor that takes hits out and does not say why, and puts the keys of the rest before other hits."""

    Settings = HIT_PROCESSORS["mmr"].Settings

    async def create(self) -> None: ...

    async def process_hits(self, ranking: Ranking, context: Any, /) -> Ranking:
        return replace(ranking, keys=ranking.keys[1:3], scores=ranking.scores[:2])

    async def aclose(self) -> None: ...


async def test_a_processor_that_drops_in_silence_fails() -> None:
    suite = HitProcessorConformance()
    with pytest.raises(AssertionError, match=r"belong together"):
        await suite.test_what_it_leaves_are_hits_of_the_list_each_once(Silent())
    with pytest.raises(AssertionError, match="nobody is told why"):
        await suite.test_what_it_takes_out_has_a_reason(Silent())


async def test_a_processor_that_loses_the_original_fails() -> None:
    class Losing(Silent):
        async def process_queries(self, expansion: Expansion, context: Any, /) -> Expansion:
            return replace(expansion, queries=expansion.queries[1:])

    with pytest.raises(AssertionError):
        await QueryProcessorConformance().test_the_original_stays_first(Losing(), "red shoes")


async def test_a_strategy_that_gives_no_reason_fails() -> None:
    class Mute:
        async def expand(self, *_: Any) -> list[SubQuery]:
            return [SubQuery(text="x", strategy="mute")]

    with pytest.raises(AssertionError, match="why a query is there"):
        await StrategyConformance().test_what_it_makes_are_queries_with_a_reason(Mute(), "red shoes")


async def test_a_strategy_that_does_nothing_fails() -> None:
    class Idle:
        async def expand(self, *_: Any) -> list[SubQuery]:
            return []

    class Suite(StrategyConformance):
        expands = "red shoes"

    with pytest.raises(AssertionError, match="nothing of 'red shoes'"):
        await Suite().test_it_makes_something_of_the_query_that_it_is_for(Idle())
    with pytest.raises(pytest.skip.Exception, match="no attribute `expands`"):
        await StrategyConformance().test_it_makes_something_of_the_query_that_it_is_for(Idle())


@pytest.mark.parametrize("said", ["yes", lambda self: True])
async def test_a_strategy_that_says_unclearly_whether_it_reads_hits_fails(said: Any) -> None:
    with pytest.raises(AssertionError, match="True or False"):
        await StrategyConformance().test_it_says_whether_it_reads_hits(type("Odd", (), {"reads_hits": said})())


def test_a_fusion_that_forgets_weights_fails() -> None:
    class Even:
        def fuse(self, rankings: Sequence[Ranking], weights: Sequence[float], /) -> Ranking:
            return FUSIONS["rrf"]().fuse(rankings, [1.0] * len(rankings))

    with pytest.raises(AssertionError):
        FusionConformance().test_weights_count(Even())
    with pytest.raises(pytest.fail.Exception):
        FusionConformance().test_weights_that_mean_nothing_are_an_error(Even(), [0.0, 0.0])


# ---- the context ----


async def test_the_context_asks_spends_and_reports() -> None:
    llm = ScriptedLLM(default="an answer")
    context = TestContext("red shoes", llm=llm, calls=1)
    assert context.understood().language == "en"
    assert (await context.complete(CompletionRequest(model="", messages=()))).text == "an answer"
    with pytest.raises(BudgetExceeded):
        await context.complete(CompletionRequest(model="", messages=()))
    with context.span("work", size=3):
        context.emit("seen", size=3)
    context.degrade("expand", "rules", "no model")
    context.degrade("expand", "rules", "no model")
    assert [name for name, _ in context.events].count("degraded") == 1
    assert len(context.degraded) == 1
    assert context.usage.calls == 1
    assert ("seen", {"size": 3}) in context.events
    assert [span.name for span in context.report.spans] == ["work"]
    assert context.report.degraded[0].reason == "no model"
    with pytest.raises(LookupError):
        await TestContext().complete(CompletionRequest(model="", messages=()))


def test_a_ranked_list_has_its_hits() -> None:
    listed = ranked(*HITS[:2], Hit(id="9", backend="main"), scores=(3, 2, 1))
    assert listed.keys == ("1", "2", "9")
    assert listed.hit(2).id == "9"
