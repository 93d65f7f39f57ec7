"""How fast a profile's engines answer: whether it costs anything to wait for them."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from qx.clock import Clock

T = TypeVar("T")
FAST = 0.015
"""Seconds: an index in process, or an engine next door."""
_LEARN = 0.3


class Pace:
    """A moving average of what a first pass takes; unknown at first."""

    def __init__(self) -> None:
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
