"""The parts of an engine are closed one by one, whatever one of them does."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from engines import engine
from qx.closing import CLOSING_SECONDS, GRACE, close_part, left_behind, shut_down
from qx.engine import Engine
from qx.errors import Closed
from qx.testing import Answer, ScriptedLLM

pytestmark = pytest.mark.virtual_time


async def fail() -> None:
    raise KeyError("bug")


async def quit_program() -> None:
    sys.exit(3)


async def interrupt() -> None:
    raise asyncio.CancelledError


async def hang() -> None:
    await asyncio.Event().wait()


async def hang_for_ever() -> None:
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            continue


@pytest.mark.parametrize(
    ("close", "said", "seconds"),
    [
        (fail, "could not be closed: KeyError: 'bug'", 0),
        (quit_program, "SystemExit: 3", 0),
        (interrupt, "CancelledError", 0),
        (hang, f"within {CLOSING_SECONDS:g} s", CLOSING_SECONDS),
        (hang_for_ever, f"within {CLOSING_SECONDS:g} s", CLOSING_SECONDS + GRACE),
    ],
)
async def test_a_part_that_does_not_close_is_logged_and_left(
    close: Callable[[], Awaitable[None]], said: str, seconds: float, caplog: pytest.LogCaptureFixture
):
    began = asyncio.get_running_loop().time()
    with caplog.at_level(logging.WARNING, "qx"):
        await close_part("cache 'tape'", close)
    assert asyncio.get_running_loop().time() - began == pytest.approx(seconds, abs=0.01)
    assert caplog.messages
    assert "cache 'tape'" in caplog.text
    assert said in caplog.text
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_one_that_closes_is_not_spoken_of(caplog: pytest.LogCaptureFixture):
    closed: list[int] = []

    async def close() -> None:
        closed.append(1)

    with caplog.at_level(logging.DEBUG, "qx"):
        await close_part("x", close)
    assert (closed, caplog.messages) == ([1], [])


async def test_whoever_closes_may_be_cancelled():
    task = asyncio.ensure_future(close_part("x", hang))
    await asyncio.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_threads_are_waited_for():
    ended = threading.Event()
    executor = ThreadPoolExecutor(max_workers=1)
    executor.submit(ended.wait, 0.05)
    await shut_down(executor)
    assert not left_behind()
    with pytest.raises(RuntimeError):
        executor.submit(ended.set)


TEXT = "how to fix a squeaky bicycle brake"
REQUESTS: dict[str, Callable[[Engine], Awaitable[object]]] = {
    "understand": lambda engine: engine.understand(TEXT),
    "expand": lambda engine: engine.expand(TEXT),
    "expand_many": lambda engine: engine.expand_many([TEXT, "another bicycle"]),
    "ask_model": lambda engine: engine.ask_model(),
}


def slow() -> ScriptedLLM:
    return ScriptedLLM([], default=Answer(text="late", delay=8))


@pytest.mark.parametrize("name", REQUESTS)
async def test_requests_under_way_are_told_that_the_engine_was_closed(name: str):
    async with engine(slow()) as opened:
        tasks = [asyncio.ensure_future(REQUESTS[name](opened)) for _ in range(3)]
        await asyncio.sleep(1)
        began = asyncio.get_running_loop().time()
        await asyncio.gather(opened.aclose(), opened.aclose())  # the second waits for the first
        assert asyncio.get_running_loop().time() - began < 1
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(error) for error in found] == [Closed] * 3
        assert "while this request was under way" in str(found[0])
        await opened.aclose()
        for ask in REQUESTS.values():
            with pytest.raises(Closed, match="open another one"):
                await ask(opened)


async def test_a_callers_own_cancellation_stays_one():
    async with engine(slow()) as opened:
        task = asyncio.ensure_future(opened.expand(TEXT))
        other = asyncio.ensure_future(opened.expand(TEXT))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        other.cancel()
        closing = asyncio.ensure_future(opened.aclose())
        with pytest.raises(asyncio.CancelledError):  # it was cancelled before the engine was closed
            await other
        await closing
        with pytest.raises(TimeoutError):
            await _late()


async def _late() -> None:
    async with engine(slow()) as opened, asyncio.timeout(1):
        await opened.expand(TEXT)


async def test_a_cancelled_closing_goes_on():
    async with engine(slow()) as opened:
        request = asyncio.ensure_future(opened.expand(TEXT))
        await asyncio.sleep(1)
        closing = asyncio.ensure_future(opened.aclose())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        with pytest.raises(Closed):
            await request
        await opened.aclose()


def test_another_loop_may_not_close_it():
    async def open_one() -> Engine:
        return await engine().__aenter__()

    with asyncio.Runner() as first, asyncio.Runner() as second:
        opened = first.run(open_one())
        with pytest.raises(Closed, match="another event loop"):
            second.run(opened.aclose())
        first.run(opened.aclose())
        second.run(opened.aclose())  # nothing is left to do


def test_a_thread_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.setattr("qx.closing.CLOSING_SECONDS", 0.05)
    left: list[ThreadPoolExecutor] = []
    monkeypatch.setattr("qx.closing._left", left)
    ended = threading.Event()
    executor = ThreadPoolExecutor(max_workers=1)
    executor.submit(ended.wait, 20)
    with caplog.at_level(logging.WARNING, "qx"), asyncio.Runner() as runner:
        runner.run(shut_down(executor))
        assert left_behind()
        assert "did not end within 0.05 s" in caplog.text
        ended.set()
        executor.shutdown()
