"""An engine that throws its key back, in whatever it says: the key is in no error, report, log or trace."""

from __future__ import annotations

import base64
import json
import logging
import traceback
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio
from aiohttp import web
from pydantic import SecretStr

from backends import Knowing, block
from engines import engine
from qx import Engine, Profile
from qx.backend import SearchRequest
from qx.errors import AuthError, BadRequest, QxError, Unavailable
from qx.plugins import Plugins
from qx.serial import to_json
from qx.testing.backend import ScriptedBackend

CANARY = "engine-canary-7f3A+9/zQ=="
FORMS = (CANARY, quote(CANARY, safe=""), base64.b64encode(CANARY.encode()).decode())
REACHED = "reached the engine"


class Echo:
    """A server that refuses every call and quotes its headers and the key, in the shape of each engine's errors."""

    def __init__(self) -> None:
        self.status, self.calls, self.url = 400, 0, ""

    async def answer(self, request: web.Request) -> web.Response:
        self.calls += 1
        said = f"{REACHED}: {dict(request.headers)} {CANARY} {quote(CANARY)} {request.path_qs}"
        cause = {"type": "illegal_argument_exception", "reason": said}
        body = {
            "error": {**cause, "root_cause": [cause]} if self.status != 403 else said,
            "message": said, "code": "index_not_found", "type": "invalid_request", "link": "",
            "status": {"error": said}, "detail": said,
        }  # fmt: skip
        return web.json_response(body, status=self.status, headers={"X-Elastic-Product": "Elasticsearch"})


@pytest_asyncio.fixture
async def echo() -> AsyncIterator[Echo]:
    made = Echo()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield made
    await runner.cleanup()


def blocks(url: str) -> dict[str, dict[str, Any]]:
    key = SecretStr(CANARY)
    return {
        "elasticsearch": {"type": "elasticsearch", "hosts": [url], "index": "shop", "api_key": key},
        "meilisearch": {"type": "meilisearch", "url": url, "index": "shop", "api_key": key},
        "qdrant": {"type": "qdrant", "url": url, "collection": "shop", "api_key": key},
        "web": {
            "type": "web",
            "url": f"{url}/search?q={{query}}",
            "api_key": key,
            "headers": {"Authorization": "Bearer {api_key}"},
            "response": {"hits": "items", "id": "id", "title": "title", "error": "message"},
        },
    }


@pytest.mark.parametrize("status", [400, 401, 403, 500])
@pytest.mark.parametrize("kind", ["elasticsearch", "meilisearch", "qdrant", "web"])
async def test_the_key_of_an_engine_is_nowhere(
    kind: str,
    status: int,
    echo: Echo,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    if kind != "web":
        pytest.importorskip(f"qx_{kind}")
    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)
    echo.status = status
    profile = Profile.model_validate(
        {"understand": {"mode": "rules"}, "deadline": 5, "search": {"backends": {"shop": blocks(echo.url)[kind]}}}
    )
    try:
        async with Engine.opened(profile, plugins=Plugins.load()) as opened:
            said = to_json(await opened.search("red shoes", limit=5))
    except QxError as error:
        said = "".join(traceback.format_exception(error)) + repr(error)
    assert echo.calls
    assert status != 400 or REACHED in said, "what the engine says is told"
    logged = [record for record in caplog.records if record.name.split(".")[0] == "qx"]  # a client's own is its own
    for text in (said, *(record.getMessage() + repr(record.__dict__) for record in logged)):
        assert not any(form in text or json.dumps(form)[1:-1] in text for form in FORMS), text


class Quoting(Knowing):
    """Quotes its key in everything that it raises: for a list, and for what it holds."""

    def __init__(self, failure: QxError, **options: Any) -> None:
        super().__init__(lambda _: failure, broken=failure, **options)
        self.many = 0


class QuotingMany(Quoting):
    async def search_many(self, requests: Sequence[SearchRequest], /) -> Any:
        self.many += 1
        return [BadRequest(f"the key {CANARY} is wrong") for _ in requests]


@pytest.mark.virtual_time
@pytest.mark.parametrize("kind", [Quoting, QuotingMany])
@pytest.mark.parametrize("failure", [BadRequest, AuthError, Unavailable])
async def test_no_connection_lets_a_key_through(
    kind: type[Quoting], failure: type[QxError], caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    backend = kind(failure(f"the key {CANARY} is wrong"))
    engines = {"a": block(backend), "b": block(ScriptedBackend(default=["1"]))}
    llm = {"provider": "openai", "model": "m", "api_base": "http://127.0.0.1:9/v1", "api_key": SecretStr(CANARY)}
    async with engine(None, search={"backends": engines, "min_results": 0}, llm=llm) as opened:
        said = to_json(await opened.search("red shoes for running"))
    assert "is wrong" in said
    assert CANARY not in said + caplog.text
    assert kind is Quoting or backend.many
