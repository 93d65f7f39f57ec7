"""A loopback API that answers what a test wants, and remembers what it was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from qx.builtin.web.backend import WebSearch
from qx.testing import TestServices

Reply = tuple[int, Any, Mapping[str, str]]


class Asked:
    """One request as the API saw it."""

    def __init__(self, request: web.Request, body: Any) -> None:
        self.method = request.method
        self.path = request.rel_url.raw_path
        self.query = [(name, text) for name, text in request.rel_url.query.items()]
        self.headers = request.headers
        self.body = body

    @property
    def params(self) -> dict[str, str]:
        return dict(self.query)


class Api:
    """Answers with ``reply``: a JSON value, ``(status, value)``, ``(status, value, headers)``, or a function of the request."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.reply: Any = {"hits": []}
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        asked = Asked(request, json.loads(raw) if raw else None)
        self.asked.append(asked)
        reply = self.reply(asked) if callable(self.reply) else self.reply
        if hasattr(reply, "__await__"):
            reply = await reply
        if isinstance(reply, web.StreamResponse):
            return reply
        status, value, headers = (*reply, {})[:3] if isinstance(reply, tuple) else (200, reply, {})
        if isinstance(value, (str, bytes)):
            body = value.encode() if isinstance(value, str) else value
            return web.Response(status=status, body=body, headers={"Content-Type": "text/html", **headers})
        return web.json_response(value, status=status, headers=headers)


@pytest_asyncio.fixture
async def api() -> AsyncIterator[Api]:
    found = Api()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", found.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    found.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield found
    await runner.cleanup()


@pytest.fixture
def make(api: Api, services: TestServices) -> Callable[..., Any]:
    """Make a backend of settings; ``url`` starts at the loopback API."""

    async def made(url: str = "/search", **settings: Any) -> WebSearch:
        return await WebSearch.create(WebSearch.Settings(**{"name": "web", "url": api.url + url, **settings}), services)

    return made
