"""The requests of an engine that are under way, so that closing it ends each of them with ``Closed``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from qx.errors import CassetteMiss, Closed, QxError

ENDING_SECONDS = 5.0
"""Seconds that closing waits for requests that do not end when they are told to."""


Missed = list[CassetteMiss]
"""What was asked of a replay in vain, in order."""

_missed: ContextVar[Missed | None] = ContextVar("missed", default=None)
"""Of the request that is under way; tasks that it starts share its list."""


def tell_missed(error: CassetteMiss) -> None:
    """Note a miss for the request under way, which ends with it whoever catches the error on its way.

    Much goes on without an answer, and rightly (one engine of several, a reranker): not where it is a hole in a recording.
    """
    known = _missed.get()
    if known is not None:
        known.append(error)


class UnderWay:
    """Belongs to one engine, that is to one event loop."""

    def __init__(self) -> None:
        self._scopes: dict[asyncio.Timeout, asyncio.Task[Any] | None] = {}
        self._stopping = False
        self._left = asyncio.Event()

    @asynccontextmanager
    async def request(self, missed: Missed | None = None) -> AsyncGenerator[None]:
        """Count the body as a request.

        Args:
            missed: Where a request that has several such bodies keeps its misses.

        Raises:
            Closed: the engine was closed meanwhile.  A cancellation by the caller stays a ``CancelledError``.
            CassetteMiss: a cassette lacks something that the request asked for, also where the body went on without it.
        """
        outer = _missed.get()
        missed = outer if outer is not None else [] if missed is None else missed
        token = _missed.set(missed)
        try:
            async with self._counted():
                yield
        except QxError:
            if missed:
                raise missed[0] from None
            raise
        finally:
            _missed.reset(token)
        if missed:
            raise missed[0]

    @asynccontextmanager
    async def _counted(self) -> AsyncGenerator[None]:
        task = asyncio.current_task()
        scope = asyncio.timeout(None)
        try:
            async with scope:
                self._scopes[scope] = task
                try:
                    yield
                finally:
                    del self._scopes[scope]
                    self._left.set()
        except (TimeoutError, asyncio.CancelledError):
            mine = task is None or not task.cancelling()  # else it is the caller who cancels
            if self._stopping and mine:
                raise Closed("the engine was closed while this request was under way: open another one") from None
            raise

    async def ended(self) -> None:
        """Wait until there is none."""
        while self._scopes:
            self._left.clear()
            await self._left.wait()

    async def stop(self, but: asyncio.Task[Any] | None) -> None:
        """End every request but those of the task ``but`` (which itself waits for this), and wait for them to end."""
        self._stopping = True
        now = asyncio.get_running_loop().time()
        told = [scope for scope, task in self._scopes.items() if task is not but]
        for scope in told:
            scope.reschedule(now)
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                while any(scope in self._scopes for scope in told):
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            return  # their clients are closed under them
