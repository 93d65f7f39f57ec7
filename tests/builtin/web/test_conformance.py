"""The suite of every backend, over an API that is a local index behind HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import pytest_asyncio

from qx.backend import Document, SearchBackend, SearchRequest
from qx.builtin.local.backend import LocalBackend
from qx.builtin.web.backend import WebSearch
from qx.errors import QxError
from qx.syntax import parse
from qx.testing import TestServices
from qx.testing.conformance.backend import SHORT_FIELDS, BackendConformance, HealthConformance


class TestWeb(BackendConformance, HealthConformance):
    """It is only read: what is found was put into the index behind the API."""

    traditional = True

    @pytest_asyncio.fixture
    async def index(self, services: TestServices) -> AsyncIterator[LocalBackend]:
        settings = LocalBackend.Settings.model_validate({"name": "index", "path": "index", "fields": SHORT_FIELDS})
        made = await LocalBackend.create(settings, services)
        await made.prepare(fingerprint=None, dimensions=0)
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def backend(self, api: Any, index: LocalBackend, services: TestServices) -> SearchBackend:
        async def reply(asked: Any) -> Any:
            text = asked.body["q"]
            request = SearchRequest(text=text, expression=parse(text), limit=asked.body["n"], offset=asked.body["from"])
            try:
                found = await index.search(request)
            except QxError as error:
                return 500, {"message": str(error)}
            listed = [found.hit(i) for i in range(len(found.ids))]
            return {"hits": [{**_plain(hit), "key": hit.id} for hit in listed], "count": found.total}

        api.reply = reply
        settings = {
            "name": "web",
            "url": api.url + "/search",
            "method": "POST",
            "body": {"q": "{query}", "n": "{limit}", "from": "{offset}"},
            "dialect": "google",
            "page_size": 5,
            "pages": 100,
            "response": {"hits": "hits", "id": "key", "metadata": "metadata", "total": "count"},
        }
        return await WebSearch.create(WebSearch.Settings.model_validate(settings), services)

    @pytest.fixture
    async def broken(self, services: TestServices) -> SearchBackend:  # type: ignore[override]
        settings = {"url": "http://127.0.0.1:9/s?q={query}", "response": {"hits": "hits"}}
        return await WebSearch.create(WebSearch.Settings.model_validate(settings), services)

    async def fill(self, backend: SearchBackend, documents: Sequence[Document]) -> None:
        index: LocalBackend = self.index_behind
        report = await index.upsert(documents)
        assert not report.failed

    @pytest.fixture(autouse=True)
    def _behind(self, index: LocalBackend) -> None:
        self.index_behind = index


def _plain(hit: Any) -> dict[str, Any]:
    return {"title": hit.title, "text": hit.text, "url": hit.url, "metadata": dict(hit.metadata)}
