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


class _Run(Generic[T]):
    """One run: the callers that wait for it, each by a future of its own, and how it ended."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[T]] = []
        self._end: Callable[[asyncio.Future[T]], object] | None = None
        self.made: tuple[T] | None = None
        """The result, once there is one."""
        self.closed = False
        """Whether a cancellation is that of ``aclose``."""

    @property
    def ended(self) -> bool:
        return self._end is not None

    def wait(self) -> asyncio.Future[T]:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self._end is None:
            self._waiting.append(future)
        else:
            self._end(future)
        return future

    async def do(self, work: Work[T]) -> None:
        """Do the work; its result or error goes to the callers, and a cancellation to the one who runs this as well.

        What is cancelled though nobody closes has come to the end of its caller's time: nobody has cancelled the others.
        """
        try:
            result = await work()
        except asyncio.CancelledError:
            if self.closed:
                self._ended(lambda future: future.cancel())
            else:
                self._ended(lambda future: future.set_exception(TimeoutError("the shared run was out of time")))
            raise
        except Exception as error:  # noqa: BLE001 it is the callers', whatever it is
            failure = error
            self._ended(lambda future: future.set_exception(failure))
        else:
            self.made = (result,)
            self._ended(lambda future: future.set_result(result))

    def _ended(self, how: Callable[[asyncio.Future[T]], object]) -> None:
        """End as ``how`` says, which sets a future's result or error, or cancels it; callers that left have cancelled theirs."""
        self._end = how
        for future in self._waiting:
            if not future.done():
                how(future)


class Flights(Generic[T]):
    """The runs under way, by key.  Belongs to one event loop.

    Args:
        afterwards: What is done with a result once its callers have it (keeping it).  Until that is over, further
            callers of the key are given the result, so that none finds neither the run nor what it left.  Must not raise.
    """

    def __init__(self, afterwards: Callable[[Any, T], Coroutine[Any, Any, None]] | None = None) -> None:
        self._afterwards = afterwards
        self._runs: dict[object, _Run[T]] = {}
        self._tasks: dict[asyncio.Task[None], _Run[T] | None] = {}

    async def join(self, key: object, work: Work[T]) -> tuple[T, bool]:
        """Return the result of ``work`` for ``key``, and whether this caller began it."""
        run = self._runs.get(key)
        if run is not None:
            return await run.wait(), False
        run = self._runs[key] = _Run()
        if asyncio.current_task() not in self._tasks:
            self._start(self._fly(key, work, run), run)
            return await run.wait(), True
        try:  # the caller is a run itself, which ends by ``aclose`` or its own time: another task would only cost time
            await run.do(work)
        finally:
            self._start(self._fly(key, None, run), run)
        return await run.wait(), True

    async def alone(self, key: object, work: Work[T]) -> T:
        """Return the result of ``work``, shared with nobody: it ends when its caller leaves."""
        result = await work()
        if self._afterwards is not None:
            self._start(self._afterwards(key, result), None)
        return result

    async def aclose(self) -> None:
        """Cancel the work still under way, and wait for its end and for what is done with results."""
        for run in self._runs.values():
            run.closed = True
        for task, run in self._tasks.items():
            if run is not None and not run.ended:
                task.cancel()
        while self._tasks:  # a run within one leaves a task behind that keeps its result
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await asyncio.sleep(0)  # a task that is done leaves in the next turn, which nothing else may wait for

    async def _fly(self, key: object, work: Work[T] | None, run: _Run[T]) -> None:
        """Do the work (None: it is done), and what is done with its result."""
        try:
            if work is not None:
                await run.do(work)
            if run.made is not None and self._afterwards is not None:
                await self._afterwards(key, run.made[0])
        finally:
            self._runs.pop(key, None)

    def _start(self, work: Coroutine[Any, Any, None], run: _Run[T] | None) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = run
        task.add_done_callback(self._tasks.pop)
