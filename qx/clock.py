"""Time as an effect: everything that waits or asks the time does it through a ``Clock``, so that tests need not."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What time it is, and waiting: the only source of both, so that tests and recordings have their own."""

    def now(self) -> datetime:
        """The wall clock, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that only grow; the same time line as ``asyncio.timeout_at``."""
        ...

    async def sleep(self, seconds: float, /) -> None: ...


class SystemClock:
    """The real time.  ``monotonic`` is the running loop's, which a virtual-time loop replaces."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float, /) -> None:
        await asyncio.sleep(seconds)
