"""Awaiting for so many seconds at most, for nothing where nothing is waited for.

Most of what a request awaits is there at once: a cache in memory, a strategy of rules, a processor that reckons.  A
timer would cost more than those, so it is set only once the work really waits.

On a busy machine an answer and the end of the time are often seen at the same moment, though the answer came first: it
goes before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Generator
from typing import Any, TypeVar

T = TypeVar("T")
TURNS = 8
"""Turns of the loop, once the time is over, in which an answer that is already here still gets through to who waits:
from the socket, or from a thread, by way of the futures between."""


async def bounded(work: Awaitable[T], seconds: float | None) -> T:
    """Await ``work`` for ``seconds`` at most; None: without a limit.

    Work that never waits ends, however long it takes.

    Raises:
        TimeoutError: it was not done in time, and has been cancelled.
    """
    end = None if seconds is None else asyncio.get_running_loop().time() + seconds
    if not hasattr(work, "__await__"):  # what else can be awaited, or is no awaitable at all
        async with asyncio.timeout_at(end):
            return await work
    steps = work.__await__()
    try:
        waits_for = next(steps)
    except StopIteration as done:
        return done.value
    if end is None:
        return await _Begun(steps, waits_for)
    async with asyncio.timeout(None) as limit:
        last = _LastTurns(end, limit)
        try:
            return await _Begun(steps, waits_for)
        finally:
            last.end()


class _LastTurns:
    """Ends a time limit some turns of the loop after the time is over."""

    def __init__(self, end: float, limit: asyncio.Timeout) -> None:
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._left = TURNS
        self._next: asyncio.Handle = self._loop.call_at(end, self._turn)

    def _turn(self) -> None:
        if self._left:
            self._left -= 1
            self._next = self._loop.call_soon(self._turn)
        else:
            self._limit.reschedule(self._loop.time())

    def end(self) -> None:
        self._next.cancel()


async def settled(tasks: Collection[asyncio.Task[Any]], seconds: float | None) -> None:
    """Wait until all tasks are done, for ``seconds`` at most; one whose answer is already here by then gets its end."""
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for _ in range(2 * TURNS):  # the limits of the calls within end some turns late themselves
        if all(task.done() for task in late):
            return
        await asyncio.sleep(0)


class _Begun:
    """Goes on with work that has come to where it waits, as ``yield from`` does."""

    def __init__(self, steps: Generator[Any, Any, Any], waits_for: Any) -> None:
        self._steps = steps
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, Any]:
        steps, waits_for = self._steps, self._waits_for
        try:
            while True:
                try:
                    sent = yield waits_for
                except GeneratorExit:
                    steps.close()
                    raise
                except BaseException as error:  # noqa: BLE001 a cancellation, as a rule: it is the work's
                    waits_for = steps.throw(error)
                else:
                    waits_for = steps.send(sent)
        except StopIteration as done:
            return done.value


__all__ = ["bounded", "settled"]
