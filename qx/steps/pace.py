"""How fast a profile's engines answer: whether it costs anything to wait for them."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Literal, TypeVar

from qx.clock import Clock

T = TypeVar("T")
Waiting = Literal["auto", "always", "never"]
"""Whether an expansion that is there waits for the raw query's hits, which may make it needless or add to it: ``auto``
where they come soon, by the pace so far; the others do not depend on how busy the machine is, for evaluations."""
FAST = 0.015
"""Seconds: an index in process, or an engine next door."""
_LEARN = 0.3


class Pace:
    """A moving average of what a first pass takes; unknown at first.

    Args:
        waiting: Whether to go by it.
    """

    def __init__(self, waiting: Waiting = "auto") -> None:
        self.waiting: Waiting = waiting
        self._seconds: float | None = None

    async def timed(self, work: Awaitable[T], clock: Clock) -> T:
        """Await ``work`` and learn from it."""
        began = clock.monotonic()
        done = await work
        took = clock.monotonic() - began
        self._seconds = took if self._seconds is None else self._seconds + _LEARN * (took - self._seconds)
        return done

    @property
    def patience(self) -> float:
        """How long it is worth to wait for them, in seconds: not at all where they are slow, or nobody knows."""
        return 0.0 if self._seconds is None or self._seconds > FAST else 2 * FAST
