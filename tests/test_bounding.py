"""Awaiting within a limit: what never waits sets no timer, what waits is ended in time."""

import asyncio
import time
from typing import Any

import pytest

from qx.bounding import bounded, settled


async def _at_once(result: str) -> str:
    return result


async def _slow(seconds: float, result: str, seen: list[str] | None = None) -> str:
    try:
        await asyncio.sleep(seconds)
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        if seen is not None:
            seen.append("cancelled")
        raise
    return result


async def test_what_never_waits_sets_no_timer(monkeypatch: pytest.MonkeyPatch):
    def refused(*args: Any) -> None:
        raise AssertionError("a timer was set")

    monkeypatch.setattr(asyncio.get_running_loop(), "call_at", refused)
    assert await bounded(_at_once("done"), 5) == "done"
    assert await bounded(_at_once("done"), 0) == "done"


async def test_what_waits_gets_its_result_in_time():
    assert await bounded(_slow(0.001, "done"), 5) == "done"
    assert await bounded(_slow(0.001, "done"), None) == "done"
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(future.set_result, "from a future")
    assert await bounded(future, 5) == "from a future"


async def test_what_waits_too_long_is_cancelled():
    seen: list[str] = []
    with pytest.raises(TimeoutError):
        await bounded(_slow(60, "late", seen), 0.01)
    assert seen == ["cancelled"]


async def test_a_cancellation_from_outside_stays_one():
    seen: list[str] = []
    task = asyncio.create_task(bounded(_slow(60, "late", seen), 50))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]


@pytest.mark.parametrize("waits", [False, True])
async def test_an_error_of_the_work_comes_through(waits: bool):
    async def failing() -> str:
        if waits:
            await asyncio.sleep(0)
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        await bounded(failing(), 5)


async def test_work_may_catch_what_is_thrown_into_it_and_go_on():
    async def stubborn() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            return "finished its sentence"
        return "never"

    with pytest.raises(TimeoutError):
        await bounded(_slow(60, "late"), 0)
    assert await asyncio.gather(bounded(stubborn(), 0.01), return_exceptions=True) == ["finished its sentence"]


async def test_timeouts_inside_of_the_work_end_the_work_alone():
    async def inner() -> str:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(60)
        except TimeoutError:
            return "inner"
        return "never"

    assert await bounded(inner(), 50) == "inner"


async def test_work_that_is_closed_midway_is_closed_too():
    closed: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            closed.append("closed")

    running = bounded(work(), 50)
    running.send(None)
    running.close()
    assert closed == ["closed"]


async def _in_a_thread() -> str:
    await asyncio.get_running_loop().run_in_executor(None, time.sleep, 0.005)
    return await asyncio.create_task(_at_once("done"))


async def test_an_answer_that_is_here_when_the_time_is_over_is_not_dropped():
    task = asyncio.create_task(bounded(_in_a_thread(), 0.02))
    await asyncio.sleep(0)
    time.sleep(0.05)  # noqa: ASYNC251 a machine that is busy with something else
    assert await task == "done"


async def test_tasks_whose_answer_is_here_are_not_late():
    ready, never = asyncio.create_task(_in_a_thread()), asyncio.create_task(_slow(60, "late"))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(settled([ready, never], 0.02))
    await asyncio.sleep(0)
    time.sleep(0.05)  # noqa: ASYNC251 as above
    await waiting
    assert ready.done()
    assert not never.done()
    never.cancel()
