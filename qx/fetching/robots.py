"""What sites ask of robots: ``robots.txt`` by RFC 9309, read once a day for a site, and tried once a minute."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from yarl import URL

from qx.errors import AddressNotAllowed, ScrapeError

MOST_BYTES = 512_000
"""Of a ``robots.txt``; RFC 9309 wants 500 KiB to be read."""

KEPT_SECONDS = 86_400.0
FAILED_SECONDS = 60.0
"""For which a site whose ``robots.txt`` could not be read is not asked for it again."""
KEPT_SITES = 1_000

Read = Callable[[URL], Awaitable[str]]
"""Fetches the text of a ``robots.txt``; raises ``ScrapeError``."""


class Robots:
    """The rules of the sites that were asked lately.

    Args:
        agent: The name of the robot, by which rules are looked up.
        monotonic: The clock by which they age.
    """

    def __init__(self, agent: str, monotonic: Callable[[], float]) -> None:
        self._agent = agent
        self._monotonic = monotonic
        self._known: OrderedDict[str, tuple[float, Any]] = OrderedDict()
        self._reading: dict[str, asyncio.Lock] = {}

    async def check(self, url: URL, read: Read) -> None:
        """Say whether the site lets ``url`` be fetched.

        Raises:
            ScrapeError: it does not, or cannot be asked (RFC 9309, 2.3.1.4: then nothing may be fetched).
        """
        site = str(url.origin())
        rules = await self._rules(site, url, read)
        if isinstance(rules, ScrapeError):
            raise _again(rules)
        if rules is not None and not rules.can_fetch(str(url), self._agent):
            raise ScrapeError(f"{site}: robots.txt asks robots to leave this page alone", kind="robots")

    async def _rules(self, site: str, url: URL, read: Read) -> Any:
        if (known := self._fresh(site)) is not None:
            return known[1]
        lock = self._reading.setdefault(site, asyncio.Lock())
        try:
            async with lock:
                if (known := self._fresh(site)) is not None:
                    return known[1]
                rules: Any
                try:
                    rules = await self._read(site, url, read)
                except ScrapeError as error:  # whoever waits is told the same
                    rules = error
                self._known[site] = (self._monotonic(), rules)
                while len(self._known) > KEPT_SITES:
                    self._known.popitem(last=False)
                return rules
        finally:
            if not lock.locked():
                self._reading.pop(site, None)

    def _fresh(self, site: str) -> tuple[float, Any] | None:
        known = self._known.get(site)
        if known is None:
            return None
        kept = FAILED_SECONDS if isinstance(known[1], ScrapeError) else KEPT_SECONDS
        return known if self._monotonic() - known[0] < kept else None

    async def _read(self, site: str, url: URL, read: Read) -> Any:
        """The site's rules; None: it has none."""
        from protego import Protego  # only where a page is fetched

        try:
            text = await read(url.origin() / "robots.txt")
        except ScrapeError as error:
            if (
                error.kind == "status"
                and error.status is not None
                and 400 <= error.status < 500
                and error.status != 429
            ):
                return None
            if error.kind in ("redirects", "media-type"):
                return None  # RFC 9309, 2.3.1.2: what leads nowhere counts as not there
            if error.kind in ("address", "timeout"):
                raise
            raise ScrapeError(f"{site}: robots.txt cannot be read: {error}", kind="robots") from None
        parse: Any = Protego.parse  # pyright: ignore[reportUnknownMemberType]
        return parse(text)


def _again(error: ScrapeError) -> ScrapeError:
    """The same for another caller: an exception that is raised twice gathers what both had on the stack."""
    if isinstance(error, AddressNotAllowed):
        return AddressNotAllowed(str(error))
    return ScrapeError(str(error), kind=error.kind, status=error.status, retry_after=error.retry_after)
