"""A second round has what is left of the deadline, and costs nothing of what is there already."""

from __future__ import annotations

import asyncio

import pytest

from backends import ids, searching
from qx.backend import Document, SearchRequest
from qx.testing.backend import Listing, ScriptedBackend

pytestmark = pytest.mark.virtual_time
NARROW = "5000元以下、轻薄、续航好的笔记本电脑"
DEADLINE = 4.0


def is_narrow(request: SearchRequest) -> bool:
    return "轻薄" in request.text


@pytest.mark.parametrize(("seconds", "found"), [(0.5, ["1", "9"]), (60.0, ["1"])], ids=["in time", "slow"])
async def test_few_results_within_the_deadline(seconds: float, found: list[str]):
    def answer(request: SearchRequest) -> Listing:
        narrow = is_narrow(request)
        return Listing(documents=(Document(id="1" if narrow else "9"),), delay=0.1 if narrow else seconds)

    backend = ScriptedBackend(answer)
    settings = {"min_results": 5}
    async with searching(backend, search=settings, expand={"strategies": ["refine"]}, deadline=DEADLINE) as opened:
        began = asyncio.get_running_loop().time()
        result = await opened.search(NARROW)
        took = asyncio.get_running_loop().time() - began
    assert took <= DEADLINE
    assert ids(result) == found
    assert any(note.startswith("few hits: tried") for note in result.notes)
    late = [report for report in result.rankings if report.status == "timeout"]
    assert bool(late) is bool(result.partial) is (seconds > DEADLINE)
    assert not late or "did not answer" in str(result.partial)


async def test_nothing_is_begun_where_no_time_is_left():
    def answer(request: SearchRequest) -> Listing:
        return Listing(documents=(Document(id="1"),), delay=0.1 if is_narrow(request) else 60.0)

    async with searching(
        ScriptedBackend(answer), search={"min_results": 5}, expand={"strategies": ["refine"]}, deadline=0.2
    ) as opened:
        began = asyncio.get_running_loop().time()
        result = await opened.search(NARROW)
    assert asyncio.get_running_loop().time() - began <= 0.21
    assert ids(result) == ["1"]
