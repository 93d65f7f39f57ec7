"""Single flight: concurrent callers of one key share one run of the work.

The run is a task of its own: a caller that leaves does not cancel it for the others.  Callers of one key get the same
result or the same error; only the first is told that it led.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")

Work = Callable[[], Awaitable[T]]


class Flights(Generic[T]):
    """The runs under way, by key.  Belongs to one event loop.

    Args:
        afterwards: What is done with a result once its callers have it (keeping it).  Until that is over, further
            callers of the key are given the result, so that none finds neither the run nor what it left.  Must not raise.
    """

    def __init__(self, afterwards: Callable[[Any, T], Coroutine[Any, Any, None]] | None = None) -> None:
        self._afterwards = afterwards
        self._landings: dict[object, asyncio.Future[T]] = {}
        self._tasks: dict[asyncio.Task[None], asyncio.Future[T] | None] = {}

    async def join(self, key: object, work: Work[T]) -> tuple[T, bool]:
        """Return the result of ``work`` for ``key``, and whether this caller began it."""
        landing = self._landings.get(key)
        led = landing is None
        if landing is None:
            landing = self._landings[key] = asyncio.get_running_loop().create_future()
            self._start(self._fly(key, work, landing), landing)
        return await asyncio.shield(landing), led

    async def alone(self, key: object, work: Work[T]) -> T:
        """Return the result of ``work``, shared with nobody: it ends when its caller leaves."""
        result = await work()
        if self._afterwards is not None:
            self._start(self._afterwards(key, result), None)
        return result

    async def aclose(self) -> None:
        """Cancel the work still under way, and wait for its end and for what is done with results."""
        for task, landing in self._tasks.items():
            if landing is not None and not landing.done():
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _fly(self, key: object, work: Work[T], landing: asyncio.Future[T]) -> None:
        try:
            result = await work()
            landing.set_result(result)
            if self._afterwards is not None:
                await self._afterwards(key, result)
        except asyncio.CancelledError:
            landing.cancel()
            raise
        except Exception as error:  # noqa: BLE001 it is the callers', whatever it is
            landing.set_exception(error)
            landing.exception()  # so that a failure nobody waits for any more is not reported as unretrieved
        finally:
            self._landings.pop(key, None)

    def _start(self, work: Coroutine[Any, Any, None], landing: asyncio.Future[T] | None) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = landing
        task.add_done_callback(self._tasks.pop)
