"""Reads pages through a profile's fetcher: so many at once, within the budget, without secrets in an error."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import cast

from qx.budget import Budget
from qx.errors import BudgetExceeded, ProviderError, ProviderTimeout, ScrapeError
from qx.failures import cleaned, guarded
from qx.fetch import Fetcher, FetchLimits, FetchRequest, Page
from qx.http import place


class Fetching:
    """The fetcher of one engine.  There is no second try: a page is one of many, and who asks knows another.

    Args:
        make: Makes the fetcher, when the first page is wanted.
        concurrency: Pages that are read at once.
        redact: Takes known secrets out of messages.
    """

    def __init__(
        self, make: Callable[[], Awaitable[Fetcher]], *, concurrency: int, redact: Callable[[str], str]
    ) -> None:
        self._make = make
        self._fetcher: Fetcher | None = None
        self._opening = asyncio.Lock()
        self._places = asyncio.Semaphore(concurrency)
        self._redact = redact

    async def open(self) -> Fetcher:
        """Return the fetcher, made on first use: most engines read no page, and what reads one takes long to import.

        Raises:
            QxError: it cannot be made.
        """
        async with self._opening:
            if self._fetcher is None:
                self._fetcher = await self._make()
        return self._fetcher

    async def fetch(self, url: str, limits: FetchLimits, *, budget: Budget) -> Page:
        """Fetch and read one page.

        Raises:
            ScrapeError: there is none; ``kind`` says why.
            BudgetExceeded: no time is left.
        """
        left = budget.remaining().seconds
        if left is not None and left <= 0:
            raise BudgetExceeded("the request's budget of seconds does not allow another page: none are left")
        seconds = limits.seconds if left is None else min(limits.seconds, left)
        failure: ProviderError
        try:
            async with asyncio.timeout(seconds), self._places:
                fetcher = self._fetcher or await self.open()
                page = await guarded("the fetcher", fetcher.fetch(FetchRequest(url=url, limits=limits)))
            if isinstance(cast("object", page), Page):
                return page
            failure = ScrapeError(f"the fetcher returned no Page but {type(page).__name__}", kind="unreadable")
        except (TimeoutError, ProviderTimeout):
            failure = ScrapeError(f"{place(url)}: not read in time ({seconds:.3g} s at most)", kind="timeout")
        except ScrapeError as error:
            failure = error
        except ProviderError as error:  # what a fetcher should not raise
            failure = ScrapeError(str(error), kind="unreadable")
        cleaned(failure, self._redact)
        raise failure
