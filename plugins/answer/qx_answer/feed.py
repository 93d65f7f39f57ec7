"""Events to any number of subscribers, none of whom can delay the answer or another one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from qx_answer.events import Claim, Done, Event, Warning

LIMIT = 2_000
"""Events that are kept for a subscriber who does not come to read them."""


class Subscription:
    """One subscriber's events, in order.  Iterate over it; it ends with the answer.

    Whoever is slower than ``limit`` events loses the oldest that are neither claim nor result, and is told how many.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting = deque[Event | Done]()
        self._missed = 0
        self._came = asyncio.Event()
        self._ended = False

    def put(self, event: Event | Done) -> None:
        """Take ``event``; never waits."""
        if len(self._waiting) >= self._limit:
            self._drop()
        self._waiting.append(event)
        self._came.set()

    def end(self) -> None:
        """Nothing comes any more."""
        self._ended = True
        self._came.set()

    def _drop(self) -> None:
        lesser = next((i for i, one in enumerate(self._waiting) if not isinstance(one, (Claim, Done))), None)
        if lesser is not None:
            del self._waiting[lesser]
            self._missed += 1

    def __aiter__(self) -> AsyncIterator[Event | Done]:
        return self

    async def __anext__(self) -> Event | Done:
        while True:
            if self._missed:
                missed, self._missed = self._missed, 0
                return Warning(kind="missed", text=f"{missed} events were dropped, since nobody came to read them")
            if self._waiting:
                return self._waiting.popleft()
            if self._ended:
                raise StopAsyncIteration
            self._came.clear()
            await self._came.wait()


class Feed:
    """Tells every subscriber; who comes later hears only what comes later."""

    def __init__(self) -> None:
        self._subscriptions: list[Subscription] = []
        self._ended = False

    def subscribe(self, limit: int = LIMIT) -> Subscription:
        """Return a new subscriber's events from now on."""
        made = Subscription(limit)
        self._subscriptions.append(made)
        if self._ended:
            made.end()
        return made

    def tell(self, event: Event | Done) -> None:
        """Pass ``event`` on; never waits."""
        for one in self._subscriptions:
            one.put(event)

    def end(self) -> None:
        """Tell every subscriber that nothing comes any more."""
        self._ended = True
        for one in self._subscriptions:
            one.end()


class InOrder:
    """The events of pieces of work that are done at once, told in the order of the pieces, whichever is done first.

    Args:
        count: Pieces of work.
    """

    def __init__(self, feed: Feed, count: int) -> None:
        self._feed = feed
        self._done: list[tuple[Event, ...] | None] = [None] * count
        self._next = 0

    def tell(self, n: int, *events: Event) -> None:
        """Take all events of piece ``n``, and tell those before which nothing is missing."""
        self._done[n] = events
        while self._next < len(self._done) and (ready := self._done[self._next]) is not None:
            for event in ready:
                self._feed.tell(event)
            self._next += 1
