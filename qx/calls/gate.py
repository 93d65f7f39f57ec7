"""What stands before one endpoint of one tenant: circuit breaker, rate, places, time limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from qx.bounding import bounded
from qx.calls.breaker import Breaker
from qx.calls.course import Course
from qx.clock import Clock
from qx.errors import ProviderTimeout

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

T = TypeVar("T")

FAIR = 1.0
"""A timeout after less than this (and less than the endpoint's own) is not held against the endpoint."""


class Gate:
    """Lets calls through to one endpoint.  Belongs to one event loop.

    Args:
        name: Of the endpoint, as messages show it.
        clock: Measures every wait.
        requests_per_second: The rate; None: no limit.
        concurrency: Calls under way at once.
    """

    def __init__(
        self,
        name: str,
        clock: Clock,
        *,
        requests_per_second: float | None = None,
        concurrency: int = 64,
        breaker: Breaker | None = None,
    ) -> None:
        self.name = name
        self._clock = clock
        self._places = asyncio.Semaphore(concurrency)
        self._limiter = None if requests_per_second is None else _limiter(requests_per_second)
        self.breaker = breaker or Breaker(name, clock.monotonic)

    async def run(
        self,
        call: Callable[[float], Awaitable[T]],
        *,
        timeout: float,  # noqa: ASYNC109 the endpoint's
        within: float | None,
        course: Course | None = None,
    ) -> T:
        """Run ``call``, which is told how many seconds it has.

        Args:
            timeout: Seconds that the endpoint may take.
            within: Seconds that are left for the request, waiting for a place included; None: no limit.
            course: Of a recording: the call that this is an attempt of.

        Raises:
            ProviderTimeout: no place, or no answer, in time.
            QxError: what ``call`` raised, or the circuit is open.
        """
        if course is not None and course.is_replayed:
            return await course.repeat(lambda: call(timeout))
        deadline = None if within is None else self._clock.monotonic() + within
        granted = 0.0
        with self.breaker.guard(fair=lambda: granted >= min(FAIR, timeout)):
            await self._enter(within)
            try:
                left = timeout if deadline is None else deadline - self._clock.monotonic()
                granted = min(timeout, left)
                if granted <= 0:
                    raise ProviderTimeout(f"{self.name} was not asked: the request's time was over")
                if course is not None:
                    course.ask()
                return await self._bounded(call, granted)
            finally:
                self._places.release()

    async def _enter(self, within: float | None) -> None:
        if self._limiter is None and not self._places.locked():
            await self._places.acquire()
            return
        try:
            async with asyncio.timeout(within):
                if self._limiter is not None:
                    await self._limiter.acquire()
                await self._places.acquire()
                return
        except TimeoutError:
            pass
        raise ProviderTimeout(
            f"{self.name}: no free place within {within or 0:.2g} s; raise `concurrency` or `requests_per_second`"
        )

    async def _bounded(self, call: Callable[[float], Awaitable[T]], seconds: float) -> T:
        try:
            return await bounded(call(seconds), seconds)
        except TimeoutError:
            pass
        raise ProviderTimeout(f"{self.name} did not answer within {seconds:.3g} s")


def _limiter(rate: float) -> AsyncLimiter:
    from aiolimiter import AsyncLimiter

    # Bursts of at most one second's worth; below one request a second, one request in 1/rate seconds.
    return AsyncLimiter(rate, 1.0) if rate >= 1 else AsyncLimiter(1, 1 / rate)
