"""A loopback server that answers what a real Qdrant answered, and what one would never answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from aiohttp import web

Exchange = Mapping[str, Any]


@cache
def exchanges() -> Mapping[str, Exchange]:
    """Return the recordings by name."""
    lines = (Path(__file__).with_name("exchanges.jsonl")).read_text(encoding="utf-8").splitlines()
    return {found["name"]: found for found in map(json.loads, lines)}


class Replay:
    """Answers requests in the order of ``script``: names of exchanges, (status, body, headers), or None to hang."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.requests: list[tuple[str, str, Any, Mapping[str, str]]] = []
        self.url = ""
        self._leave = asyncio.Event()

    async def _answer(self, request: web.Request) -> web.Response:
        text = await request.text()
        self.requests.append((request.method, request.path, json.loads(text) if text else None, request.headers))
        step = self.script.pop(0)
        if step is None:
            await self._leave.wait()
            return web.Response(status=500)
        if isinstance(step, str):
            response = exchanges()[step]["response"]
            body = response["body"]
            return web.Response(status=response["status"], text=json.dumps(body), content_type="application/json")
        status, body, headers = step
        return web.Response(status=status, body=body, headers=headers)

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[Replay]:
        """Listen on a free port of 127.0.0.1."""
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            yield self
        finally:
            self._leave.set()
            await runner.cleanup()
