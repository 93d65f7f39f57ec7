"""A web of loopback servers under names of our own, as a fetcher sees it that the operator allows loopback."""

import gzip
from collections.abc import Awaitable, Callable, Mapping, Sequence
from ipaddress import ip_network

import pytest
from aiohttp import web

from qx.errors import ScrapeError
from qx.fetch import Page

LOOPBACK = (ip_network("127.0.0.0/8"),)
ARTICLE = """<html lang="en"><head><title>Tea in autumn</title><meta name="author" content="Lin Yao">
<meta property="article:published_time" content="2026-10-02T08:00:00Z"></head><body><nav>Home | Shop</nav><article>
<h1>Tea in autumn</h1><p>Autumn oolong is picked late in October, when nights are cold and the leaves grow slowly.</p>
<p>It is rolled by hand and roasted twice, which takes the better part of a week in a small workshop.</p></article>
</body></html>"""


class Web:
    """Sites on one port of 127.0.0.1, told apart by their ``Host``; what is not there is 404.

    Attributes:
        asked: ``(host, path)`` of every request, but for ``robots.txt``.
        headers: Of the last request.
    """

    def __init__(self) -> None:
        self.pages: dict[str, Callable[[web.Request], Awaitable[web.StreamResponse]]] = {}
        self.robots = ""
        self.robots_status = 404
        self.robots_asked = 0
        self.robots_page = False
        self.asked: list[tuple[str, str]] = []
        self.headers: Mapping[str, str] = {}
        self.names: dict[str, Sequence[str]] = {}
        self.port = 0

    def url(self, path: str, host: str = "tea.example") -> str:
        self.names.setdefault(host, ["127.0.0.1"])
        return f"http://{host}:{self.port}{path}"

    def page(self, path: str, body: str | bytes = ARTICLE, status: int = 200, **headers: str) -> str:
        data = body.encode() if isinstance(body, str) else body
        named = {"Content-Type": "text/html", **{k.replace("_", "-"): v for k, v in headers.items()}}

        async def answer(request: web.Request) -> web.StreamResponse:
            return web.Response(body=data, status=status, headers=named)

        self.pages[path] = answer
        return self.url(path)

    def zipped(self, path: str, body: bytes, encoding: str = "gzip") -> str:
        return self.page(path, gzip.compress(body) if encoding == "gzip" else body, Content_Encoding=encoding)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        if host not in self.names:
            raise OSError("no such name")
        return self.names[host]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/robots.txt" and not self.robots_page:
            self.robots_asked += 1
            return web.Response(text=self.robots, status=self.robots_status)
        self.asked.append((request.host.rpartition(":")[0], request.path_qs))
        self.headers = dict(request.headers)
        found = self.pages.get(request.path)
        return web.Response(status=404) if found is None else await found(request)


Fetch = Callable[..., Awaitable[Page]]


async def kind_of(work: Awaitable[Page]) -> str:
    """The kind of the ``ScrapeError`` that ``work`` raises."""
    with pytest.raises(ScrapeError) as caught:
        await work
    return caught.value.kind
