"""Trying a call again: which errors deserve it, how long to wait before it, and when it is no use any more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from qx.calls.course import Course
from qx.clock import Clock
from qx.errors import ProviderTimeout, QxError

if TYPE_CHECKING:
    import tenacity

T = TypeVar("T")

USEFUL = 0.05
"""Seconds below which a call is not worth starting."""
WAIT_BESIDE_ANOTHER = 2.0
"""Seconds that a retry waits at most while another endpoint could answer at once."""
SHORTEST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Seconds of the first wait and of the longest; each is twice the one before, with jitter."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How one call may be tried again.

    Attributes:
        clock: Waits.
        retries: Further attempts, at most.
        remaining: Seconds that are left for the request; None: no limit.
        alternative: Another endpoint could answer.  Then a timeout is not retried (the same wait again would leave no
            time for the other one), and no wait is longer than ``WAIT_BESIDE_ANOTHER``.
        on_wait: Told the seconds of each wait and the error behind it.
        course: Of a recording: where the attempts are noted, or what they were; None: there is none.
    """

    clock: Clock
    retries: int
    remaining: Callable[[], float | None]
    alternative: bool = False
    on_wait: Callable[[float, QxError], None] = lambda pause, error: None
    course: Course | None = None

    async def run(self, attempt: Callable[[int], Awaitable[T]]) -> T:
        """Run ``attempt`` (told its number, from 1), and again while its error is retryable and time is left.

        No wait is shorter than the ``Retry-After`` of the error.

        Raises:
            QxError: the last attempt's.
        """
        course = self.course
        if course is None:
            return await self._run(attempt)
        if course.is_replayed:
            return await self._repeat(course, attempt)
        try:
            return await self._run(lambda number: course.run(number, attempt))
        finally:
            course.end()

    async def _run(self, attempt: Callable[[int], Awaitable[T]]) -> T:
        try:  # most calls succeed at once: they do not pay for the machinery
            return await attempt(1)
        except QxError as error:
            if not self._deserves(error):
                raise
            first = error
        return await self._again(attempt, first)

    async def _repeat(self, course: Course, attempt: Callable[[int], Awaitable[T]]) -> T:
        """Make the attempts that were made then, without a wait."""
        number = 1
        while True:
            try:
                return await course.run(number, attempt)
            except QxError as error:
                if course.is_over():
                    raise
                self.on_wait(0.0, error)
            number += 1

    async def _again(self, attempt: Callable[[int], Awaitable[T]], first: QxError) -> T:
        import tenacity

        growing = tenacity.wait_exponential(multiplier=SHORTEST_WAIT, max=LONGEST_WAIT) + tenacity.wait_random(
            0, SHORTEST_WAIT
        )
        retrying = tenacity.AsyncRetrying(
            sleep=self.clock.sleep,
            stop=self._is_over,
            wait=lambda state: max(growing(state), _error(state).retry_after or 0.0),
            retry=tenacity.retry_if_exception(self._deserves),
            before_sleep=lambda state: self.on_wait(state.upcoming_sleep, _error(state)),
            reraise=True,
        )

        async def numbered() -> T:
            number: int = retrying.statistics["attempt_number"]
            if number == 1:  # that one has been made
                raise first
            return await attempt(number)

        return await retrying(numbered)

    def _deserves(self, error: BaseException) -> bool:
        if self.alternative and isinstance(error, ProviderTimeout):
            return False
        return isinstance(error, QxError) and error.retryable

    def _is_over(self, state: tenacity.RetryCallState) -> bool:
        left, pause = self.remaining(), state.upcoming_sleep
        late = left is not None and pause + USEFUL >= left
        return state.attempt_number > self.retries or late or (self.alternative and pause > WAIT_BESIDE_ANOTHER)


def _error(state: tenacity.RetryCallState) -> QxError:
    error = state.outcome.exception() if state.outcome is not None else None
    return error if isinstance(error, QxError) else QxError("no error")  # only what is retried comes here: QxErrors
