"""How fast a profile's engines answer: whether it costs anything to wait for them; and what was not waited for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable
from typing import Literal, Protocol, TypeVar

from qx.clock import Clock

T = TypeVar("T")
Waiting = Literal["auto", "always", "never"]
"""Whether an expansion that is there waits for the raw query's hits, which may make it needless or add to it: ``auto``
where they come soon, by the pace so far; the others do not depend on how busy the machine is, for evaluations."""
FAST = 0.015
"""Seconds: an index in process, or an engine next door."""
LATE = "the engines took longer than the expansion"
"""Why the first hits were not read."""
_LEARN = 0.3
KEPT = 600.0
"""Seconds for which a search is done as it was done before."""
_MOST = 2048


class Decisions(Protocol):
    """Where it is written down what was there in time: what a recording was left to chance, its replay is not."""

    def find(self, question: str, /) -> bool | None:
        """Return what ``keep`` was told of ``question``; None: nothing."""
        ...

    def keep(self, question: str, came: bool, /) -> None:
        """Write it down."""
        ...


class Pace:
    """A moving average of what a first pass takes; unknown at first.

    Args:
        waiting: Whether to go by it.
        nearby: The engines are in this process, which is quick from the first request on.
        decisions: What is written down is decided already.
    """

    def __init__(self, waiting: Waiting = "auto", *, nearby: bool = False, decisions: Decisions | None = None) -> None:
        self.waiting: Waiting = waiting
        self._decisions = decisions
        self._seconds: float | None = 0.0 if nearby else None
        self._decided = OrderedDict[str, tuple[bool, float]]()

    def decided(self, question: str, clock: Clock) -> bool | None:
        """Whether what ``question`` names had come in time when it was asked for before; None: nobody asked, or long ago.

        Who turns a page, or asks the same again, is to find the same list, however busy the machine is by then.
        """
        if self.waiting != "auto":
            return None
        if self._decisions is not None and (kept := self._decisions.find(question)) is not None:
            return kept
        if question not in self._decided:
            return None
        came, at = self._decided[question]
        return came if clock.monotonic() - at < KEPT else None

    def decide(self, question: str, clock: Clock, *, came: bool, remember: bool = True) -> None:
        """Write it down, and remember it; not of an engine that nobody knows yet, whose first request waits for nothing.

        Args:
            remember: False: it made no difference, so that the next one who asks need not wait for it.
        """
        if self.waiting == "auto" and self._decisions is not None:
            self._decisions.keep(question, came)
        if remember and self.waiting == "auto" and (came or self._seconds is not None):
            self._decided[question] = (came, clock.monotonic())
            self._decided.move_to_end(question)
            while len(self._decided) > _MOST:
                self._decided.popitem(last=False)

    def noted(self, question: str) -> bool | None:
        """Return what a recording says of something that is of no use to the next who asks the same; None: nothing."""
        return self._decisions.find(question) if self._decisions is not None and self.waiting == "auto" else None

    def note(self, question: str, *, came: bool) -> None:
        """Write it down where something is recorded."""
        if self._decisions is not None and self.waiting == "auto":
            self._decisions.keep(question, came)

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
