"""Cache and single flight around the steps: a slow or hanging cache costs an entry, never the answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from engines import PLUGINS, analysis, engine, profile, queries, stage
from qx import Engine, Query, Steps
from qx.cache import Key
from qx.llm import CompletionRequest
from qx.testing import ScriptedLLM

TEXT = "how to repair a bicycle wheel with a broken spoke"


def model(request: CompletionRequest) -> str:
    return analysis() if stage(request) == "understand" else queries(f"{TEXT} guide")


class Slow:
    """A cache that takes its time."""

    def __init__(self, *, reading: float = 0.0, writing: float = 0.0) -> None:
        self.reading, self.writing = reading, writing
        self.held: dict[Key, bytes] = {}

    async def get(self, key: Key, /) -> bytes | None:
        await asyncio.sleep(self.reading)
        return self.held.get(key)

    async def set(self, key: Key, value: bytes, /, *, ttl: float | None = None) -> None:
        await asyncio.sleep(self.writing)
        self.held[key] = value


def put(opened: Any, cache: Slow) -> Slow:
    opened.memo._cache = cache
    return cache


async def test_a_slow_write_costs_neither_the_answer_nor_its_time():
    llm = ScriptedLLM(model)
    async with engine(llm, deadline=1.0) as opened:
        cache = put(opened, Slow(writing=1.5))
        began = asyncio.get_running_loop().time()
        expansion = await opened.expand(TEXT)
        assert asyncio.get_running_loop().time() - began < 0.5
        assert (expansion.degraded, cache.held) == ((), {})
        await opened.expand(TEXT)  # while it is still being written
        assert llm.calls == 2
    assert {key.kind for key in cache.held} == {"understand", "expand"}  # closing waits for what is being written


async def test_a_request_with_a_budget_of_its_own_is_kept_too():
    from qx.budget import Cost, RequestBudget

    llm = ScriptedLLM(model)
    async with engine(llm) as opened:
        cache = put(opened, Slow(writing=0.5))
        budget = RequestBudget(Cost(seconds=5), asyncio.get_running_loop().time)
        await opened.expand(TEXT, budget=budget)
        assert cache.held == {}
        await asyncio.sleep(1)
        await opened.expand(TEXT)
    assert llm.calls == 2


async def test_a_cache_that_hangs_on_reading_leaves_the_request_its_time(caplog: pytest.LogCaptureFixture):
    llm = ScriptedLLM(model)
    async with engine(llm, deadline=5.0) as opened:
        put(opened, Slow(reading=60))
        expansion = await opened.expand(TEXT)
    assert (expansion.degraded, expansion.understanding.source) == ((), "llm")
    assert "counts as empty" in caplog.text


@pytest.mark.parametrize(("zone", "calls"), [("UTC", 4), ("America/New_York", 2)])
async def test_a_new_year_makes_expansions_anew_where_it_has_begun(zone: str, calls: int):
    """Templates write the year into queries, so what was kept in December is wrong in January."""
    llm = ScriptedLLM(model)
    async with engine(llm) as opened:
        for now in (datetime(2026, 12, 31, 12, tzinfo=UTC), datetime(2027, 1, 1, 3, tzinfo=UTC)):
            await opened.expand(Query(text=TEXT, now=now, timezone=zone))
    assert llm.calls == calls


async def test_rules_write_the_year_that_it_is():
    async with engine() as opened:
        texts = [
            " ".join(q.text for q in (await opened.expand(Query(text="机器学习书籍推荐", now=now))).queries)
            for now in (datetime(2026, 12, 31, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
        ]
    assert ["2026" in texts[0], "2027" in texts[0], "2026" in texts[1], "2027" in texts[1]] == [
        True,
        False,
        False,
        True,
    ]


async def test_a_step_that_outlasts_the_first_request_cancels_no_second_one():
    class Slowly:
        fingerprint = "slowly"

        def __init__(self, own: Any) -> None:
            self._own = own

        async def __call__(self, value: Any, context: Any, /) -> Any:
            await asyncio.sleep(1.3)
            return await self._own(value, context)

    def slowed(steps: Steps) -> Steps:
        return replace(steps, understand=Slowly(steps.understand))

    settings = profile(ScriptedLLM(model), deadline=1.0)
    async with Engine.opened(settings, plugins=PLUGINS, steps=slowed) as opened:
        first = asyncio.create_task(opened.expand(TEXT))
        await asyncio.sleep(0.6)
        second = asyncio.create_task(opened.understand(TEXT))
        expansion, understanding = await asyncio.gather(first, second)
    assert expansion.degraded
    assert understanding.source == "rules"
