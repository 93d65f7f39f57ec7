# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of a fetcher, as tests: above all, where it does not go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import get_args

import pytest
import pytest_asyncio

from qx.errors import ScrapeError, ScrapeKind
from qx.fetch import Fetcher, FetchLimits, FetchRequest, Page
from qx.testing.conformance.processor import check_factory

NOWHERE = (
    *("file:///etc/passwd", "ftp://example.org/x", "gopher://example.org/", "data:text/plain,x", "javascript:1"),
    *("", "example.org", "http://", "http://[::1", "http://user:canary@example.org/"),
    *("ftp://user:canary@example.org/x", "http://user:canary@[::1", "user:canary@example.org", "?api_key=canary"),
    *("http:user:canary@example.org/", "http://user:canary@example.org:99999/", "ftp://example.org/?api_key=canary"),
)
"""Addresses of no page."""

INSIDE = (
    *("127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "[::ffff:127.0.0.1]"),
    *("0.0.0.0", "[::1]"),  # noqa: S104 they are asked for, nothing is bound to them
)
"""Ways to write this very machine, where what is only meant for itself can be had."""


class _Listener:
    """Counts who connects to a port of 127.0.0.1, and says nothing."""

    def __init__(self) -> None:
        self.connections = 0
        self.port = 0

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        writer.close()


class FetcherConformance:
    """Subclass it, and override the fixture ``fetcher`` (with nothing allowed that is not public).

    Needs ``asyncio_mode = "auto"``.
    """

    @pytest.fixture
    def fetcher(self) -> Fetcher:
        raise NotImplementedError("override the fixture `fetcher`")

    @pytest.fixture
    def page(self) -> str:
        pytest.skip("no fixture `page`: the address of a page that the fetcher must be able to read")

    @pytest_asyncio.fixture
    async def listener(self) -> AsyncIterator[_Listener]:
        made = _Listener()
        server = await asyncio.start_server(made.connected, "127.0.0.1", 0)
        made.port = server.sockets[0].getsockname()[1]
        yield made
        server.close()
        await server.wait_closed()

    async def test_it_has_the_shape_of_the_contract(self, fetcher: Fetcher) -> None:
        assert isinstance(fetcher, Fetcher)
        check_factory(type(fetcher))

    async def test_a_page_is_read(self, fetcher: Fetcher, page: str) -> None:
        read = await fetcher.fetch(FetchRequest(url=page, limits=FetchLimits(seconds=10)))
        assert isinstance(read, Page)
        assert read.url.startswith(("http://", "https://")), "the address that it came from"
        assert read.text.strip(), "its text"

    @pytest.mark.parametrize("url", NOWHERE)
    async def test_what_is_no_page_is_refused(self, fetcher: Fetcher, url: str) -> None:
        with pytest.raises(ScrapeError) as caught:
            await fetcher.fetch(FetchRequest(url=url, limits=FetchLimits(seconds=2)))
        assert caught.value.kind in get_args(ScrapeKind)
        assert "canary" not in str(caught.value)

    @pytest.mark.parametrize("host", INSIDE)
    async def test_this_machine_is_not_asked(self, fetcher: Fetcher, listener: _Listener, host: str) -> None:
        with pytest.raises(ScrapeError):
            await fetcher.fetch(FetchRequest(url=f"http://{host}:{listener.port}/", limits=FetchLimits(seconds=2)))
        assert listener.connections == 0

    async def test_closing_twice_is_harmless(self, fetcher: Fetcher) -> None:
        await fetcher.aclose()
        await fetcher.aclose()
