"""Awaiting for so many seconds at most, for nothing where nothing is waited for.

Most of what a request awaits is there at once: a cache in memory, a strategy of rules, a processor that reckons.  A
timer would cost more than those, so it is set only once the work really waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from typing import Any, TypeVar

T = TypeVar("T")


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
    async with asyncio.timeout_at(end):
        return await _Begun(steps, waits_for)


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


__all__ = ["bounded"]
