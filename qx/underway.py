"""The requests of an engine that are under way, so that closing it ends each of them with ``Closed``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from qx.errors import Closed

ENDING_SECONDS = 5.0
"""Seconds that closing waits for requests that do not end when they are told to."""


class UnderWay:
    """Belongs to one engine, that is to one event loop."""

    def __init__(self) -> None:
        self._scopes: dict[asyncio.Timeout, asyncio.Task[Any] | None] = {}
        self._stopping = False
        self._left = asyncio.Event()

    @asynccontextmanager
    async def request(self) -> AsyncGenerator[None]:
        """Count the body as a request.

        Raises:
            Closed: the engine was closed meanwhile.  A cancellation by the caller stays a ``CancelledError``.
        """
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
