"""A fetcher that reads what the test wrote: pages by address, and the reasons why there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from qx.errors import ScrapeError
from qx.fetch import FetchRequest, Page
from qx.hookspecs import Services
from qx.http import place
from qx.model import Model

Found = Page | str | Exception
"""A page, its text alone, or what is raised."""


class Settings(Model):
    """The settings of ``type: fake``: ``instance`` (see ``FakeFetcher.named``), or texts by address."""

    instance: str | None = None
    pages: Mapping[str, str] = Field(default_factory=dict[str, str])


class FakeFetcher:
    """Implements ``Fetcher``; an address that is not there is a ``ScrapeError`` of kind ``status`` (404).

    Args:
        pages: Address -> what is there.
        delay: Seconds that each page takes.

    Attributes:
        requests: Every request so far.
        running, peak: Pages being read, and the most that ever were at once.
        closed: Whether ``aclose`` was called.
    """

    Settings = Settings
    _instances: ClassVar[dict[str, FakeFetcher]] = {}

    def __init__(self, pages: Mapping[str, Found] | None = None, *, delay: float = 0.0) -> None:
        self.pages: dict[str, Found] = dict(pages or {})
        self._delay = delay
        self.requests: list[FetchRequest] = []
        self.running = 0
        self.peak = 0
        self.closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> FakeFetcher:
        if settings.instance is not None:
            return cls._instances[settings.instance]
        return cls(settings.pages)

    def named(self, name: str) -> FakeFetcher:
        """Make this one what ``fetch: {type: fake, instance: name}`` means in profiles of this process; returns itself."""
        self._instances[name] = self
        return self

    async def fetch(self, request: FetchRequest, /) -> Page:
        self.requests.append(request)
        self.running += 1
        self.peak = max(self.peak, self.running)
        try:
            await asyncio.sleep(self._delay)
        finally:
            self.running -= 1
        found = self.pages.get(request.url)
        if found is None:
            raise ScrapeError(f"{place(request.url)} answered 404", kind="status", status=404)
        if isinstance(found, Exception):
            raise found
        return Page(url=request.url, text=found) if isinstance(found, str) else found

    async def aclose(self) -> None:
        self.closed = True
