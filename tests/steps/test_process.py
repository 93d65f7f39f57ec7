"""The step ``process``: processors in their order; one that fails or hangs costs its own work only."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from rankings import hit, listed

from qx.budget import Cost
from qx.errors import Unavailable
from qx.ranking import Ranking
from qx.steps.process import ProcessStep
from qx.types import SearchOptions

pytestmark = pytest.mark.virtual_time


class Context:
    """As much of a request as the step uses."""

    options = SearchOptions()

    def __init__(self, seconds: float | None = 10.0) -> None:
        self.budget = SimpleNamespace(remaining=lambda: Cost(seconds=seconds))
        self.degraded: list[tuple[str, str, str]] = []
        self.spans: dict[str, dict[str, Any]] = {}

    def degrade(self, step: str, rung: str, reason: str, /) -> None:
        self.degraded.append((step, rung, reason))

    @contextmanager
    def span(self, name: str, /, **attributes: Any) -> Any:
        self.spans[name] = attributes
        yield SimpleNamespace(set=attributes.update)


class Processor:
    def __init__(self, change: Any) -> None:
        self.change = change

    async def process_hits(self, ranking: Ranking, context: Any, /) -> Ranking:
        return await self.change(ranking)

    async def aclose(self) -> None: ...


async def backwards(ranking: Ranking) -> Ranking:
    return ranking.pick(range(len(ranking.keys) - 1, -1, -1))


async def first(ranking: Ranking) -> Ranking:
    return ranking.pick([0])


async def none(ranking: Ranking) -> Ranking:
    return ranking.pick([])


async def hangs(ranking: Ranking) -> Ranking:
    await asyncio.Event().wait()
    return ranking


async def bug(ranking: Ranking) -> Ranking:
    raise KeyError("bug")


async def down(ranking: Ranking) -> Ranking:
    raise Unavailable("service is down")


async def odd(ranking: Ranking) -> Any:
    return None


def step(*changes: Any) -> ProcessStep:
    return ProcessStep([(change.__name__, Processor(change)) for change in changes])


LIST = listed(hit("1"), hit("2"), hit("3"))


async def test_processors_run_in_their_order_and_are_timed():
    context = Context()
    done = await step(backwards, first)(LIST, context)  # type: ignore[arg-type]
    assert done.keys == ("3",)
    assert context.spans == {"processor backwards": {"hits": 3, "left": 3}, "processor first": {"hits": 3, "left": 1}}


async def test_nothing_is_processed_once_nothing_is_left():
    context = Context()
    assert (await step(none, bug)(LIST, context)).keys == ()  # type: ignore[arg-type]
    assert context.degraded == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [(hangs, "no answer before the deadline"), (bug, "KeyError"), (down, "service is down"), (odd, "")],
)
async def test_one_that_fails_costs_its_own_work_only(change: Any, reason: str):
    context = Context(seconds=1.0)
    done = await step(change, backwards)(LIST, context)  # type: ignore[arg-type]
    assert done.keys == ("3", "2", "1")
    (told,) = context.degraded
    assert told[:2] == ("process", f"without processor {change.__name__}")
    assert reason in told[2]
