"""Single flight: concurrent callers of one key share one run of the work.

The run is a task of its own: a caller that leaves does not cancel it for the others.  Callers of one key get the same
result or the same error; only the first is told that it led.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Flights(Generic[T]):
    """The runs under way, by key.  Belongs to one event loop."""

    def __init__(self) -> None:
        self._tasks: dict[object, asyncio.Task[T]] = {}

    async def join(self, key: object, work: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """Return the result of ``work`` for ``key``, and whether this caller began it."""
        task = self._tasks.get(key)
        led = task is None
        if task is None:
            task = asyncio.ensure_future(_run(work))
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._landed(key, done))
        return await asyncio.shield(task), led

    def _landed(self, key: object, task: asyncio.Task[T]) -> None:
        self._tasks.pop(key, None)
        if not task.cancelled():
            task.exception()  # so that a failure nobody waits for any more is not reported as unretrieved

    async def aclose(self) -> None:
        """Cancel what is still under way and wait for its end."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run(work: Callable[[], Awaitable[T]]) -> T:
    return await work()
