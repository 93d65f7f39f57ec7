"""A cache in one SQLite file that several processes share: ``cache: {type: sqlite, path: cache.db}``.

``SqliteFile`` speaks SQL, in one thread; ``SqliteCache`` keeps it away from the event loop and turns whatever goes
wrong with the file into a miss and a warning.  Values are bytes, never pickles.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from qx.builtin.own_file import place
from qx.builtin.sqlite_file import SqliteFile
from qx.cache import CacheStats, Key
from qx.durations import Duration

if TYPE_CHECKING:
    import logging

    from qx.clock import Clock
    from qx.hookspecs import Services

T = TypeVar("T")

_FAILURES = (sqlite3.Error, OSError, ValueError)
_PAUSE = 1.0
"""Seconds for which a file that could not be used is left alone, so that no request waits for it again and again."""


class SqliteCacheSettings(BaseModel):
    """``path`` is relative to the profile's folder; without it the file lies in the tenant's data folder.

    ``busy`` is how long a call waits for another process's lock before it is a miss.  ``max_pending`` calls may wait
    for the thread; more are misses.
    """

    model_config = ConfigDict(extra="forbid")
    path: Path | None = None
    max_bytes: Annotated[int, Field(ge=65_536)] = 256_000_000
    busy: Duration = 0.25
    max_pending: Annotated[int, Field(ge=1)] = 256


class SqliteCache:
    """The asynchronous face of a ``SqliteFile``.

    Args:
        settings: Bounds and waiting times.
        path: The file.
        clock: Its wall clock decides what has expired, the same for every process.
        log: Where warnings go.
    """

    Settings = SqliteCacheSettings

    def __init__(self, settings: SqliteCacheSettings, path: Path, clock: Clock, log: logging.Logger) -> None:
        self._file = SqliteFile(path, max_bytes=settings.max_bytes, busy=settings.busy, log=log)
        self._max_pending = settings.max_pending
        self._clock = clock
        self._log = log
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qx-cache")
        self._pending = 0
        self._resume = 0.0
        self._closed = False

    @classmethod
    async def create(cls, settings: SqliteCacheSettings, services: Services, /) -> SqliteCache:
        """Open the cache.

        Raises:
            NotAllowed: ``path`` is not allowed.
        """
        path = place(settings.path, services, default="cache.db")
        return cls(settings, path, services.clock, services.log)

    async def get(self, key: Key, /) -> bytes | None:
        now = self._clock.now().timestamp()
        return await self._run(lambda: self._file.get(key, now), None)

    async def set(self, key: Key, data: bytes, /, *, ttl: float) -> None:
        if ttl > 0:
            now = self._clock.now().timestamp()
            await self._run(lambda: self._file.set(key, data, now, now + ttl), None)

    async def clear(self, tenant: str | None, /) -> int:
        return await self._run(lambda: self._file.clear(tenant), 0)

    async def stats(self, tenant: str | None, /) -> CacheStats:
        now = self._clock.now().timestamp()
        return await self._run(lambda: self._file.stats(tenant, now), CacheStats(entries=0, bytes=0))

    async def aclose(self) -> None:
        """Write the counters, close the file and end the thread."""
        if self._closed:
            return
        self._closed = True
        try:
            await asyncio.get_running_loop().run_in_executor(self._executor, self._file.close)
        except _FAILURES as error:
            self._log.warning("cache %s: not closed properly: %s", self._file.path, error)
        finally:
            self._executor.shutdown(wait=True)

    async def _run(self, call: Callable[[], T], otherwise: T) -> T:
        """Run ``call`` in the thread; ``otherwise`` where the file is unusable, too slow for now, or closed."""
        if self._closed or self._pending >= self._max_pending or self._clock.monotonic() < self._resume:
            return otherwise
        self._pending += 1
        try:
            future = asyncio.get_running_loop().run_in_executor(self._executor, call)
            future.add_done_callback(self._done)
        except RuntimeError:  # the executor is shut down: closed meanwhile
            self._pending -= 1
            return otherwise
        try:
            return await future
        except _FAILURES as error:
            self._resume = self._clock.monotonic() + _PAUSE
            self._log.warning("cache %s: going on without it for now: %s", self._file.path, error)
            return otherwise

    def _done(self, future: asyncio.Future[T]) -> None:
        self._pending -= 1
        if not future.cancelled():
            future.exception()  # a caller that was cancelled never asks
