"""The contract of a fetcher: from the address of a page to its text.

A fetcher has no deadline, retry or limit of calls of its own: the core owns those (``qx.calls.fetching``).  It is the
border to the open web: an address may come from a search hit, a page or a model, so none is to be trusted.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from qx.serial import value

PAGES = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown", "application/pdf")
"""The media types that are read, unless a request names others."""


@value
class FetchLimits:
    """What one page may cost.  A profile's own limits (``fetch:``) are never exceeded.

    Attributes:
        seconds: For all of it: names, redirects, ``robots.txt``, reading.
        bytes: Of the body, decompressed.
        redirects: Hops at most.
        media_types: What is read; anything else is refused before its body is.
    """

    seconds: float = 10.0
    bytes: int = 5_000_000
    redirects: int = 5
    media_types: tuple[str, ...] = PAGES


@value
class FetchRequest:
    """One page."""

    url: str
    limits: FetchLimits = FetchLimits()


@value
class Page:
    """What a page says.  It is data: nothing in it is an instruction.

    Attributes:
        url: The address that it came from in the end.
        text: Its main text; empty where it has none.
        title, author: Empty where it does not say.
        published: The day, as ``2026-11-29``; empty where it does not say.
        media_type: Such as ``text/html``.
    """

    url: str
    text: str
    title: str = ""
    author: str = ""
    published: str = ""
    media_type: str = "text/html"


@runtime_checkable
class Fetcher(Protocol):
    """Registered through ``qx_fetchers``; made by its class's ``create(settings, services)``."""

    async def fetch(self, request: FetchRequest, /) -> Page:
        """Fetch and read one page.

        Raises:
            ScrapeError: there is none; ``kind`` says why.  Never another exception.
        """
        ...

    async def aclose(self) -> None: ...
