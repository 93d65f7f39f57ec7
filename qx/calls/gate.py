"""What stands before one endpoint of one tenant: circuit breaker, rate, places, time limit, and the retry around them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from qx.calls.breaker import Breaker
from qx.clock import Clock
from qx.errors import ProviderTimeout, QxError

if TYPE_CHECKING:
    import tenacity
    from aiolimiter import AsyncLimiter

T = TypeVar("T")

USEFUL = 0.05
"""Seconds below which a call is not worth starting."""

PATIENCE = 2.0
"""Seconds that a retry waits at most while another endpoint could answer at once."""

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

    async def run(self, call: Callable[[float], Awaitable[T]], *, timeout: float, within: float | None) -> T:  # noqa: ASYNC109
        """Run ``call``, which is told how many seconds it has.

        Args:
            timeout: Seconds that the endpoint may take.
            within: Seconds that are left for the request, waiting for a place included; None: no limit.

        Raises:
            ProviderTimeout: no place, or no answer, in time.
            QxError: what ``call`` raised, or the circuit is open.
        """
        deadline = None if within is None else self._clock.monotonic() + within
        granted = 0.0
        with self.breaker.guard(fair=lambda: granted >= min(FAIR, timeout)):
            await self._enter(within)
            try:
                left = timeout if deadline is None else deadline - self._clock.monotonic()
                granted = min(timeout, left)
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
            async with asyncio.timeout(seconds):
                return await call(seconds)
        except TimeoutError:
            pass
        raise ProviderTimeout(f"{self.name} did not answer within {seconds:.3g} s")


def _limiter(rate: float) -> AsyncLimiter:
    from aiolimiter import AsyncLimiter

    # Bursts of at most one second's worth; below one request a second, one request in 1/rate seconds.
    return AsyncLimiter(rate, 1.0) if rate >= 1 else AsyncLimiter(1, 1 / rate)


async def retried(
    attempt: Callable[[int], Awaitable[T]],
    *,
    clock: Clock,
    retries: int,
    remaining: Callable[[], float | None],
    alternative: bool,
    on_wait: Callable[[float, QxError], None],
) -> T:
    """Run ``attempt`` (told its number, from 1) and again while its error is retryable and time is left.

    Waits grow from 0.25 s with jitter, to 8 s at most, and are never shorter than the ``Retry-After`` of the error.
    With an ``alternative`` endpoint a timeout is not retried (the same wait again would leave no time for the other
    one) and no wait is longer than ``PATIENCE``.

    Raises:
        QxError: the last attempt's.
    """
    number = 0
    first: QxError | None = None

    async def numbered() -> T:
        nonlocal number, first
        number += 1
        if number == 1 and first is not None:
            raise first
        return await attempt(number)

    def worthwhile(error: BaseException) -> bool:
        return (
            isinstance(error, QxError) and error.retryable and not (alternative and isinstance(error, ProviderTimeout))
        )

    try:  # most calls succeed at once: they do not pay for the machinery
        return await attempt(1)
    except QxError as error:
        if not worthwhile(error):
            raise
        first = error

    import tenacity

    growing = tenacity.wait_exponential(multiplier=0.25, max=8.0) + tenacity.wait_random(0, 0.25)

    def wait(state: tenacity.RetryCallState) -> float:
        error = _error(state)
        return max(growing(state), (error.retry_after or 0.0) if error else 0.0)

    def late(state: tenacity.RetryCallState) -> bool:
        left, pause = remaining(), state.upcoming_sleep
        return (left is not None and pause + USEFUL >= left) or (alternative and pause > PATIENCE)

    def before_sleep(state: tenacity.RetryCallState) -> None:
        error = _error(state)
        if error is not None:
            on_wait(state.upcoming_sleep, error)

    retrying = tenacity.AsyncRetrying(
        sleep=clock.sleep,
        stop=lambda state: state.attempt_number > retries or late(state),
        wait=wait,
        retry=tenacity.retry_if_exception(worthwhile),
        before_sleep=before_sleep,
        reraise=True,
    )
    return await retrying(numbered)


def _error(state: tenacity.RetryCallState) -> QxError | None:
    error = state.outcome.exception() if state.outcome is not None else None
    return error if isinstance(error, QxError) else None
