"""A tenant's ledger in one SQLite file that several processes share (``$QX_HOME/data/TENANT/ledger.db``)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar

from qx.cache import Key
from qx.clock import Clock
from qx.errors import Closed
from qx.ledger import DayLimit, UsageRow
from qx.spending.ledger_file import LedgerFile
from qx.types import Usage

T = TypeVar("T")

NAME = "ledger.db"
_log = logging.getLogger("qx")


class SqliteLedger:
    """The asynchronous face of a ``LedgerFile``: implements ``Ledger`` and ``SupportsCounters``.

    What is being written is written to its end, also when the caller leaves.

    Args:
        path: The file; a function is asked on first use, so that a tenant who spends nothing has none.
        clock: Its wall clock decides which counters are over, the same for every process.
    """

    def __init__(self, path: Path | Callable[[], Path], clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._file: LedgerFile | None = None
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="qx-ledger")
        self._used = self._closed = False

    async def open(self) -> None:
        """Open the file now.

        Raises:
            ProfileError, NotAllowed: it cannot be used, or belongs to another tenant.
        """
        await self._run(lambda file: file.open())

    async def add(self, key: Key, amount: int, /, *, ttl: float, ceiling: int | None) -> int | None:
        now = self._clock.now().timestamp()
        return await self._run(lambda file: file.add(key, amount, now=now, ttl=ttl, ceiling=ceiling))

    async def record(self, tenant: str, usage: Usage, at: datetime, /, *, model: str = "") -> None:
        await self._run(lambda file: file.record(tenant, at.date(), model, usage))

    async def report(self, tenant: str, since: datetime, /) -> list[UsageRow]:
        return await self._run(lambda file: file.report(since.date(), tenant))

    async def limits(self, day: date, /) -> list[DayLimit]:
        """Return how far the budgets of a day are spent."""
        return await self._run(lambda file: file.limits(day))

    async def aclose(self) -> None:
        """Close the file and end the thread, once what was begun is written."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._used:  # after what is being written, without holding up the loop
                await asyncio.get_running_loop().run_in_executor(self._executor, self._close)
        finally:
            self._executor.shutdown(wait=True)

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()

    async def _run(self, work: Callable[[LedgerFile], T]) -> T:
        def run() -> T:
            if self._file is None:
                path = self._path() if callable(self._path) else self._path
                if path.exists() and not path.stat().st_size:
                    _log.warning(
                        "the ledger %s was empty (0 bytes): usage and what is spent of today's budget begin anew; "
                        "if it was cut off, stop and restore it from a backup",
                        path,
                    )
                self._file = LedgerFile(path)
            return work(self._file)

        if self._closed:
            raise Closed("the ledger is closed, with its engine")
        self._used = True
        writing = asyncio.get_running_loop().run_in_executor(self._executor, run)
        writing.add_done_callback(lambda future: future.cancelled() or future.exception())  # who left never asks
        return await asyncio.shield(writing)
