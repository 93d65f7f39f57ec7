"""The suites of every search backend, over the loopback server or a real Meilisearch."""

from __future__ import annotations

import pytest

pytest.importorskip("meilisearch_python_sdk")

import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from qx.backend import SearchBackend, SearchRequest
from qx.filters import Compare
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
    ask,
)
from qx.testing.services import TestServices
from qx_meilisearch.backend import Meilisearch


async def opened(place: Any, services: TestServices, **more: Any) -> Meilisearch:
    settings = Meilisearch.Settings.model_validate(place.settings(fields=SHORT_FIELDS, **more))
    return await Meilisearch.create(settings, services)


class Prepared:
    """The fixtures that the suites ask for."""

    stems = False
    by_id = True
    by_values = True
    fingerprint: str | None = None
    dimensions = 0

    @pytest_asyncio.fixture
    async def backend(self, place: Any, services: TestServices) -> AsyncIterator[Meilisearch]:
        made = await opened(place, services)
        await made.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions)
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def broken(self, services: TestServices) -> AsyncIterator[Meilisearch]:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
            settings = Meilisearch.Settings(name="broken", url=url, index="none")
            made = await Meilisearch.create(settings, services)
            yield made
            await made.aclose()


class TestMeilisearch(
    Prepared,
    BackendConformance,
    FilterConformance,
    IndexingConformance,
    SortingConformance,
    VocabularyConformance,
    CountConformance,
    HealthConformance,
    BatchConformance,
):
    """An index that qx made."""

    @pytest_asyncio.fixture
    async def foreign(self, place: Any, services: TestServices) -> AsyncIterator[Meilisearch]:
        from meilisearch_python_sdk import AsyncClient

        async with AsyncClient(place.url, place.key) as client:
            await client.create_index(place.index, "id")
        made = await opened(place, services)
        yield made
        await made.aclose()

    async def reopened(self, backend: SearchBackend, services: TestServices) -> Meilisearch:
        assert isinstance(backend, Meilisearch)
        return await Meilisearch.create(backend._settings, services)

    def bad_request(self) -> SearchRequest:
        # over a field whose text has no order: Meilisearch is never asked
        return ask("red", filter=Compare(field="metadata.brand", op="lt", value="x"))


class TestVectors(Prepared, VectorConformance):
    """With an embedder's vectors."""

    fingerprint: str | None = VectorConformance.fingerprint
    dimensions = VectorConformance.dimensions
