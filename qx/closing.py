"""Closes the parts of an engine one by one: each within seconds, and whatever one of them does, the next is closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from qx.containment import contained, described

log = logging.getLogger("qx")

CLOSING_SECONDS = 5.0
"""Seconds that a part may take to close."""

GRACE = 0.5
"""Seconds that a part which took too long may still take to end once it is cancelled."""


async def close_part(name: str, close: Callable[[], Awaitable[object]]) -> None:
    """Close one part; that it fails or hangs is logged, never raised.

    Args:
        name: What it is, for the log: ``cache 'redis'``.
        close: Its ``aclose``.
    """

    async def run() -> None:
        with contained(name):
            await close()

    task = asyncio.ensure_future(run())
    try:
        await asyncio.wait({task}, timeout=CLOSING_SECONDS)
    finally:
        late = not task.done()
        if late:
            task.cancel()
    if late:
        await _abandon(name, task)
    elif not task.cancelled() and (error := task.exception()) is not None:
        log.warning("%s could not be closed: %s", name, described(error))


async def _abandon(name: str, task: asyncio.Task[None]) -> None:
    await asyncio.wait({task}, timeout=GRACE)
    log.warning("%s was not closed within %g s and is left as it is", name, CLOSING_SECONDS)
    if task.done():
        if not task.cancelled():
            task.exception()
        return
    # it does not let itself be cancelled: the program's end, which waits for all tasks, must not hang for it
    asyncio.tasks._unregister_task(task)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    task._log_destroy_pending = False  # pyright: ignore[reportAttributeAccessIssue]


async def shut_down(executor: ThreadPoolExecutor) -> None:
    """Let the executor's threads end, for ``CLOSING_SECONDS`` seconds; one that works longer is left behind and logged."""
    executor.shutdown(wait=False, cancel_futures=True)
    waiting = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qx-closing")
    ended = asyncio.get_running_loop().run_in_executor(waiting, executor.shutdown)
    waiting.shutdown(wait=False)
    done, _ = await asyncio.wait({ended}, timeout=CLOSING_SECONDS)
    if not done:
        _left.append(executor)
        log.warning("work in a thread did not end within %g s and is left running", CLOSING_SECONDS)


_left: list[ThreadPoolExecutor] = []


def left_behind() -> bool:
    """Whether a thread still works that nobody waits for: Python's own end would wait for it, perhaps for ever."""
    return bool(_left)
