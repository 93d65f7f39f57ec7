"""A loopback server that answers as the test says: status, headers, body, delay; plain or over TLS."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

PRODUCT = {"X-Elastic-Product": "Elasticsearch"}
MAPPING = {"shop": {"mappings": {"properties": {"title": {"type": "text"}, "text": {"type": "text"}}}}}
NO_HITS: Mapping[str, Any] = {
    "hits": {"hits": [], "total": {"value": 0, "relation": "eq"}},
    "_shards": {"total": 1},
}


@dataclass
class Reply:
    """One answer; ``body`` is JSON unless it is text or bytes."""

    status: int = 200
    body: Any = field(default_factory=lambda: dict(NO_HITS))
    headers: Mapping[str, str] = field(default_factory=lambda: dict(PRODUCT))
    hang: bool = False


class Server:
    """``async with Server() as server``; ``server.answers[PATH_END]`` says what a path is answered.

    Attributes:
        calls: (method, path, headers, body) so far.
        version: What ``GET /`` says.
    """

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self.calls: list[tuple[str, str, Mapping[str, str], str]] = []
        self.version = "9.0.0"
        self.answers: dict[str, Reply | Callable[[str], Reply]] = {"_mapping": Reply(body=MAPPING)}
        self._tls = tls
        self._port = 0
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"{'https' if self._tls else 'http'}://localhost:{self._port}"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        self.calls.append((request.method, request.path, dict(request.headers), text))
        if request.path == "/" and "/" not in self.answers:
            reply: Reply | Callable[[str], Reply] = Reply(body={"version": {"number": self.version}})
        else:
            reply = next((r for end, r in self.answers.items() if request.path.endswith(end)), Reply())
        if callable(reply):
            reply = reply(text)
        if reply.hang:
            await asyncio.Event().wait()
        headers = {"Content-Type": "application/json", **reply.headers}
        if isinstance(reply.body, bytes):
            return web.Response(status=reply.status, body=reply.body, headers=headers)
        body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        return web.Response(status=reply.status, body=body.encode(), headers=headers)
