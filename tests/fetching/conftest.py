from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from fetching_web import LOOPBACK, Fetch, Web

from qx.fetch import FetchLimits, FetchRequest, Page
from qx.fetching.web_pages import Settings, WebPages
from qx.testing import TestServices


@pytest.fixture
async def sites() -> AsyncIterator[Web]:
    made = Web()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.port = runner.addresses[0][1]
    yield made
    await runner.cleanup()


@pytest.fixture
async def fetch(sites: Web, tmp_path: Path) -> AsyncIterator[Fetch]:
    services = TestServices(tmp_path)
    made: dict[str, WebPages] = {}

    async def get(url: str, *, allowed: Any = LOOPBACK, limits: FetchLimits | None = None, **settings: Any) -> Page:
        key = repr((settings, allowed))
        if key not in made:
            chosen = Settings.model_validate(settings)
            made[key] = WebPages(chosen, services, resolve=sites.resolve, allowed=allowed)
        return await made[key].fetch(FetchRequest(url=url, limits=limits or FetchLimits()))

    yield get
    await services.aclose()
