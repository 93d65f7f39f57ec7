# ruff: noqa: S101 - tests, though they lie in the package
"""The contracts of processors, as tests: of queries before they are searched, of hits after."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from qx.errors import QxError
from qx.processor import HitProcessor, QueryProcessor
from qx.ranking import Ranking
from qx.testing.conformance.texts import ODD, QUERIES
from qx.testing.context import TestContext, ranked
from qx.testing.embedder import FakeEmbedder
from qx.testing.llm import ScriptedLLM
from qx.types import Expansion, Hit, SubQuery

HITS: tuple[Hit, ...] = (
    Hit(id="1", backend="main", title="How to clear a paper jam", text="Switch the printer off first.", url="https://a.example/1"),
    Hit(id="2", backend="main", title="打印机卡纸怎么处理", text="打开后盖，取出纸张，重新开机。", url="https://b.example/2"),
    Hit(id="3", backend="web", title="Printers of 2026", text="Ten of them in a long test.", url="https://a.example/3?utm_source=x",
        metadata={"price": 129.5, "tags": ["printer"], "published": "2026-05-01"}),
    Hit(id="4", backend="web", title="", text="", url=None),
    Hit(id="a/b c#😀", backend="main", title="an odd one \ud800", text="x" * 5000, metadata={"deep": {"er": [1, None]}}),
    Hit(id="6", backend="main", title="How to clear a paper jam", text="Switch the printer off first.", url="https://a.example/1"),
)  # fmt: skip
"""Hits of two backends: alike ones, an empty one, one with odd characters."""


class _ProcessorCase:
    answer = "[]"
    """What the model says to a processor that asks one."""

    def context(self, text: str = QUERIES[0]) -> TestContext:
        """Return a context with a model and an embedder."""
        return TestContext(text, llm=ScriptedLLM(default=self.answer), embedder=FakeEmbedder())


class HitProcessorConformance(_ProcessorCase):
    """Subclass it, and override the fixture ``processor``.  Needs ``asyncio_mode = "auto"``."""

    @pytest.fixture
    def processor(self) -> HitProcessor:
        raise NotImplementedError("override the fixture `processor`")

    async def processed(self, processor: HitProcessor, hits: Sequence[Hit]) -> Ranking:
        """Return what the processor makes of a list; an error of qx, which the engine goes on without it from, skips."""
        try:
            return await processor.process_hits(ranked(*hits), self.context())
        except QxError as error:
            pytest.skip(f"it cannot do without what the tests lack: {error}")

    def test_it_has_the_shape_of_the_contract(self, processor: HitProcessor) -> None:
        assert isinstance(processor, HitProcessor)
        check_factory(type(processor))
        assert getattr(processor, "reorders", False) in (True, False)
        assert getattr(processor, "calls", False) in (True, False)

    async def test_what_it_leaves_are_hits_of_the_list_each_once(self, processor: HitProcessor) -> None:
        done = await self.processed(processor, HITS)
        given = {hit.id: hit for hit in HITS}
        assert len(done.keys) == len(done.scores) == len(set(done.keys))
        assert set(done.keys) <= set(given)
        for index, key in enumerate(done.keys):
            assert done.hit(index).id == key, "keys and hits belong together: use `ranking.pick`"
        assert all(map(math.isfinite, done.scores))
        assert list(done.scores) == sorted(done.scores, reverse=True), "scores never rise"

    async def test_what_it_takes_out_has_a_reason(self, processor: HitProcessor) -> None:
        done = await self.processed(processor, HITS)
        told = dict(done.dropped)
        for hit in HITS:
            assert hit.id in done.keys or told.get(hit.id), f"{hit.id} is gone, and nobody is told why"

    async def test_no_list_breaks_it(self, processor: HitProcessor) -> None:
        for size in (0, 1, 2):
            assert len((await self.processed(processor, HITS[:size])).keys) <= size

    async def test_the_list_it_was_given_stays_as_it_was(self, processor: HitProcessor) -> None:
        before = ranked(*HITS)
        keys, scores = before.keys, before.scores
        await self.processed(processor, HITS)
        assert (before.keys, before.scores) == (keys, scores)

    async def test_the_same_list_gives_the_same_list(self, processor: HitProcessor) -> None:
        first, second = [await self.processed(processor, HITS) for _ in range(2)]
        assert first.keys == second.keys

    async def test_closing_twice_is_harmless(self, processor: HitProcessor) -> None:
        await processor.aclose()
        await processor.aclose()


class QueryProcessorConformance(_ProcessorCase):
    """Subclass it, and override the fixture ``processor``.  Needs ``asyncio_mode = "auto"``."""

    @pytest.fixture
    def processor(self) -> QueryProcessor:
        raise NotImplementedError("override the fixture `processor`")

    async def processed(self, processor: QueryProcessor, text: str, *others: str) -> Expansion:
        """Return what the processor makes of a query and its wordings."""
        context = self.context(text)
        queries = [SubQuery(text=text, strategy="original")]
        queries += [SubQuery(text=other, strategy="synonym", why="said otherwise") for other in others]
        given = Expansion(original=text, queries=tuple(queries), understanding=context.understood())
        try:
            return await processor.process_queries(given, context)
        except QxError as error:
            pytest.skip(f"it cannot do without what the tests lack: {error}")

    def test_it_has_the_shape_of_the_contract(self, processor: QueryProcessor) -> None:
        assert isinstance(processor, QueryProcessor)
        check_factory(type(processor))

    @pytest.mark.parametrize("text", QUERIES)
    async def test_the_original_stays_first(self, processor: QueryProcessor, text: str) -> None:
        others = (f"{text} review", f"{text}", "something else altogether")
        done = await self.processed(processor, text, *others)
        assert done.original == text
        assert done.queries[0] == SubQuery(text=text, strategy="original")
        assert all(query.text.strip() and query.weight > 0 for query in done.queries)
        gone = {other for other in others if other not in {query.text for query in done.queries}}
        added = len(done.queries) > len(others) + 1
        assert added or gone <= {dropped.text for dropped in done.dropped}, "what is cut is told under `dropped`"

    @pytest.mark.parametrize("text", ODD)
    async def test_no_text_breaks_it(self, processor: QueryProcessor, text: str) -> None:
        assert (await self.processed(processor, text, text, "other")).queries[0].text == text

    async def test_no_other_queries_no_harm(self, processor: QueryProcessor) -> None:
        done = await self.processed(processor, QUERIES[0])
        assert replace(done.queries[0]) == SubQuery(text=QUERIES[0], strategy="original")

    async def test_closing_twice_is_harmless(self, processor: QueryProcessor) -> None:
        await processor.aclose()
        await processor.aclose()


def check_factory(made: type) -> None:
    """Assert that a class can be made by an engine: ``Settings`` that know their keys, and ``create``."""
    assert inspect.iscoroutinefunction(getattr(made, "create", None)), "a factory is needed: async classmethod create"
    settings = getattr(made, "Settings", None)
    assert settings is not None, "a factory is needed: the class attribute Settings"
    assert settings.model_config.get("extra") == "forbid", "unknown settings must be errors: subclass qx.model.Model"
