"""The suites of a search backend, on the embedded engine and on a server where ``QX_TEST_QDRANT_URL`` names one."""

import os
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

pytest.importorskip("qx_qdrant", reason="the plugin qx-query-qdrant is not installed")

from qdrant_client import models

from qx.backend import SearchBackend, SearchRequest
from qx.syntax import Terms
from qx.testing import TestServices
from qx.testing.conformance.backend import (
    SHORT_FIELDS,
    BackendConformance,
    BatchConformance,
    CountConformance,
    FilterConformance,
    HealthConformance,
    IndexingConformance,
    SortingConformance,
    VectorConformance,
    VocabularyConformance,
)
from qx_qdrant.backend import Qdrant, Settings

URL = os.environ.get("QX_TEST_QDRANT_URL")
KEY = os.environ.get("QX_TEST_QDRANT_API_KEY")


def settings(place: str, **more: Any) -> Settings:
    where = {"path": ":memory:"} if place == "embedded" else {"url": URL, "api_key": KEY}
    fields = {"name": "mine", "collection": f"qx-test-{uuid.uuid4().hex[:8]}", "fields": SHORT_FIELDS}
    return Settings.model_validate(fields | where | more)


async def remove(backend: Qdrant) -> None:
    """Delete what a test left on a server."""
    connection = backend._connection
    if connection.embedded or connection._closed:
        return
    names = await connection.call("get_collections", seconds=10)
    for item in names.collections:
        if item.name.startswith(backend._settings.collection):
            await connection.call("delete_collection", collection_name=item.name, seconds=10)


class Suite(
    BackendConformance,
    FilterConformance,
    IndexingConformance,
    SortingConformance,
    VocabularyConformance,
    CountConformance,
    HealthConformance,
    BatchConformance,
    VectorConformance,
):
    traditional = True
    by_id = True
    by_values = True
    partial_dates = False  # its datetime index reads whole days and moments
    place = "embedded"

    @pytest_asyncio.fixture
    async def backend(self, services: TestServices) -> AsyncIterator[Qdrant]:
        made = await Qdrant.create(settings(self.place), services)
        await made.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions)
        yield made
        await remove(made)
        await made.aclose()

    @pytest_asyncio.fixture
    async def broken(self, services: TestServices) -> AsyncIterator[Qdrant]:
        nowhere = Settings.model_validate({"name": "mine", "url": "http://user:pass@127.0.0.1:9", "collection": "docs"})
        made = await Qdrant.create(nowhere, services)
        assert "pass" not in made.endpoint
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def foreign(self, services: TestServices) -> AsyncIterator[Qdrant]:
        made = await Qdrant.create(settings(self.place), services)
        await made._connection.call(
            "create_collection",
            collection_name=made._settings.collection,
            vectors_config={"theirs": models.VectorParams(size=2, distance=models.Distance.DOT)},
            seconds=10,
        )
        yield made
        await remove(made)
        await made.aclose()

    async def reopened(self, backend: SearchBackend, services: TestServices) -> Qdrant:
        assert isinstance(backend, Qdrant)
        return await Qdrant.create(backend._settings, services)

    def bad_request(self) -> SearchRequest:
        return SearchRequest(text="x", expression=Terms(words=("x",)), target="vector", vector=b"\0\0\0\0")


class TestEmbedded(Suite):
    keeps = False


if URL:

    class TestServer(Suite):
        place = "server"

else:

    @pytest.mark.skip(reason="QX_TEST_QDRANT_URL names no server: the same suites run on one")
    def test_on_a_server() -> None: ...
