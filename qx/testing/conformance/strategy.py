# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of an expansion strategy, as tests."""

from __future__ import annotations

import inspect
import math
from contextlib import suppress

import pytest

from qx.errors import QxError, Unavailable
from qx.strategy import Strategy, reads_hits
from qx.testing.conformance.texts import ODD, QUERIES
from qx.testing.context import TestContext
from qx.testing.llm import ScriptedLLM
from qx.types import SubQuery


class StrategyConformance:
    """Subclass it, and override the fixture ``strategy``.  Needs ``asyncio_mode = "auto"``.

    Attributes:
        answer: What the model says to a strategy that asks one.
        expands: A query of which the strategy must make something.
    """

    answer = "[]"
    expands = ""

    @pytest.fixture
    def strategy(self) -> Strategy:
        raise NotImplementedError("override the fixture `strategy`")

    async def expanded(self, strategy: Strategy, text: str, context: TestContext | None = None) -> list[SubQuery]:
        """Return what the strategy makes of a query, understood by rules."""
        context = context or TestContext(text, llm=ScriptedLLM(default=self.answer))
        return list(await strategy.expand(context.query, context.understood(), context))

    def test_it_has_the_shape_of_the_contract(self, strategy: Strategy) -> None:
        assert isinstance(strategy, Strategy)
        assert inspect.iscoroutinefunction(strategy.expand)
        assert callable(type(strategy)), "strategies are made without arguments"
        assert not [p for p in inspect.signature(type(strategy)).parameters.values() if p.default is p.empty]

    @pytest.mark.parametrize("text", QUERIES)
    async def test_what_it_makes_are_queries_with_a_reason(self, strategy: Strategy, text: str) -> None:
        for made in await self.expanded(strategy, text):
            assert isinstance(made, SubQuery)
            assert made.text.strip()
            assert made.strategy not in ("", "original"), "it names itself"
            assert made.why, "people read why a query is there"
            assert math.isfinite(made.weight)
            assert made.weight > 0
            assert made.target in ("any", "lexical", "vector", "web")

    async def test_it_makes_something_of_the_query_that_it_is_for(self, strategy: Strategy) -> None:
        if not self.expands:
            pytest.skip("no attribute `expands`: a query of which the strategy must make something")
        assert await self.expanded(strategy, self.expands), f"it makes nothing of {self.expands!r}"

    @pytest.mark.parametrize("text", ODD)
    async def test_no_text_breaks_it(self, strategy: Strategy, text: str) -> None:
        await self.expanded(strategy, text)

    async def test_the_same_query_gives_the_same_queries(self, strategy: Strategy) -> None:
        for text in QUERIES:
            assert await self.expanded(strategy, text) == await self.expanded(strategy, text)

    async def test_without_a_model_or_hits_it_goes_on(self, strategy: Strategy) -> None:
        """It makes fewer queries, or none: it never needs what a profile may not have."""
        for text in QUERIES[:3]:
            await self.expanded(strategy, text, TestContext(text))

    async def test_a_model_that_fails_is_an_error_of_qx_or_is_done_without(self, strategy: Strategy) -> None:
        context = TestContext(QUERIES[0], llm=ScriptedLLM(default=Unavailable("down")))
        with suppress(QxError):  # anything else is nobody's to handle
            await self.expanded(strategy, QUERIES[0], context)

    async def test_it_says_whether_it_reads_hits(self, strategy: Strategy) -> None:
        said = getattr(strategy, "reads_hits", False)
        assert isinstance(said, bool), "`reads_hits` is True or False, and no method"
        assert reads_hits(strategy) is said
