"""``search_events`` takes what ``search`` takes, and ends with the same result."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backends import PRICE, TEXT, docs, ids, searching
from engines import analysis, queries, stage
from qx.budget import Cost, RequestBudget
from qx.errors import UsageError
from qx.testing import Answer, ScriptedLLM
from qx.testing.backend import ScriptedBackend
from qx.types import SortBy

pytestmark = pytest.mark.virtual_time
FOUND = tuple(docs(f"{n}", price=100 - n)[0] for n in range(5))


def model(delay: float = 0.5) -> ScriptedLLM:
    return ScriptedLLM(
        lambda r: Answer(text=analysis() if stage(r) == "understand" else queries("brake squeal"), delay=delay)
    )


@pytest.mark.parametrize(
    "options",
    [
        {"limit": 2},
        {"limit": 2, "offset": 1},
        {"sort": (SortBy(field="price"),), "limit": 3},
        {"facets": ("price",)},
        {"expand": False},
    ],
    ids=str,
)
async def test_the_last_event_is_the_result_of_search(options: dict[str, Any]):
    async with searching(ScriptedBackend(default=FOUND), llm=model(), search={"fields": PRICE}) as opened:
        whole = await opened.search(TEXT, **options)
    backend = ScriptedBackend(default=FOUND)
    async with searching(backend, llm=model(), search={"fields": PRICE}) as opened:
        seen = [result async for result in opened.search_events(TEXT, **options)]
    assert ids(seen[-1]) == ids(whole)
    assert seen[-1].facets == whole.facets
    assert all(len(result.hits) <= options.get("limit", 10) for result in seen)
    assert {request.sort for request in backend.requests} == {backend.requests[0].sort}


async def test_a_budget_of_the_callers_own_is_kept():
    llm = model()
    async with searching(ScriptedBackend(default=FOUND), llm=llm, search={"strong": 1.0}) as opened:
        budget = RequestBudget(Cost(calls=0), asyncio.get_running_loop().time)
        seen = [result async for result in opened.search_events(TEXT, budget=budget)]
    assert llm.requests == []
    assert seen[-1].degraded


async def test_wrong_options_are_told_at_the_first_event():
    async with searching(ScriptedBackend(default=FOUND)) as opened:
        with pytest.raises(UsageError):
            await anext(opened.search_events(TEXT, offset=-1))
