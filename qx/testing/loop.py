"""An event loop whose time is virtual: nothing ever waits, so a test of a ten-second deadline takes a millisecond.

``asyncio.sleep``, ``asyncio.timeout`` and everything else that asks the loop for the time follow it.  When nothing is
ready, time jumps to the next timer.  Real work still counts: while a job runs in an executor time stands still, and
sockets are given a moment to be ready before it jumps.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 0.01
"""Real seconds that open sockets get to become readable before time jumps."""

STUCK = 30.0
"""Real seconds without a timer, an event or a thread after which the loop counts as stuck."""


class _Jumping(selectors.BaseSelector):
    """A selector that moves the loop's clock instead of waiting for it."""

    def __init__(self) -> None:
        self._inner = selectors.DefaultSelector()
        self.now = 0.0
        self.jobs = 0

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._inner.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._inner.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._inner.modify(fileobj, events, data)

    def get_map(self) -> Any:
        return self._inner.get_map()

    def close(self) -> None:
        self._inner.close()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._inner.select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self.jobs or timeout is None:
            return self._wait()
        if len(self._inner.get_map() or ()) > 1:  # more than the loop's own wake-up socket
            ready = self._inner.select(GRACE)
        if not ready:
            self.now += timeout
        return ready

    def _wait(self) -> list[tuple[selectors.SelectorKey, int]]:
        began = time.monotonic()
        ready = self._inner.select(STUCK)
        if not ready and time.monotonic() - began >= STUCK:
            raise RuntimeError("the virtual-time loop is stuck: no timer, no ready socket and no finished thread")
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with virtual time, starting at 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)
        self._clock_resolution = 1e-6  # above a float's step after years of virtual time, else a jump may not arrive

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        self._jumping.jobs += 1
        job = super().run_in_executor(executor, func, *args)
        job.add_done_callback(lambda _: self._job_ended())
        return job

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 the base's name
        """Wait for the threads however long it takes: the base loop's limit (from 3.12 on) would be jumped over."""
        await super().shutdown_default_executor()

    def _job_ended(self) -> None:
        self._jumping.jobs -= 1


def run_virtual(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` to its end in a virtual-time loop of its own, for code without pytest-asyncio."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
