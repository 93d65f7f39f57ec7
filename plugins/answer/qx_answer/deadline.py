"""Work with an end, whose being in time is written down in a recording, so that its replay goes the same way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from qx.clock import Clock

T = TypeVar("T")


class OutOfTime(Exception):
    """The work was not done in time.  It is caught within the answer, and never leaves it."""


class Decisions(Protocol):
    """Where it is written down what was there in time (``Services.decisions``)."""

    def find(self, question: str, /) -> bool | None: ...

    def keep(self, question: str, came: bool, /) -> None: ...


async def in_time(
    until: float, question: str, work: Callable[[], Awaitable[T]], clock: Clock, decisions: Decisions | None
) -> T:
    """Await ``work`` until the moment ``until`` of the monotonic clock.

    Args:
        question: What it is, in this recording once.

    Raises:
        OutOfTime: it was not done by then, or was not in the recording that is replayed.
    """
    kept = None if decisions is None else decisions.find(question)
    if kept is False:
        raise OutOfTime(question)
    came = False
    try:
        if kept is None and until <= clock.monotonic():
            raise OutOfTime(question)
        scope = asyncio.timeout_at(None if kept else until)
        try:
            async with scope:
                done = await work()
        except TimeoutError:
            if not scope.expired():
                raise
            raise OutOfTime(question) from None
        came = True
        return done
    except OutOfTime:
        if decisions is not None and kept is None:
            decisions.keep(question, False)
        raise
    finally:
        if came and decisions is not None and kept is None:
            decisions.keep(question, True)
