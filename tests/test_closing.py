"""The parts of an engine are closed one by one, whatever one of them does."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from qx.closing import GRACE, LONGEST, close_part, left_behind, shut_down

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
        (hang, f"within {LONGEST:g} s", LONGEST),
        (hang_for_ever, f"within {LONGEST:g} s", LONGEST + GRACE),
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
