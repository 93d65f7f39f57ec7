"""The contract of a search backend, against a real node."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio

pytest.importorskip("qx_elasticsearch")

from qx.backend import Document, SearchBackend, SearchRequest, Sort
from qx.testing.conformance.backend import (
    SHORT_FIELDS,
    BackendConformance,
    BatchConformance,
    CountConformance,
    FilterConformance,
    HealthConformance,
    IndexingConformance,
    SortingConformance,
    SpellingConformance,
    VectorConformance,
    VocabularyConformance,
    ask,
)
from qx.testing.server import unused_port
from qx.testing.services import TestServices
from qx_elasticsearch.backend import Elasticsearch

pytestmark = [pytest.mark.timeout(400)]
if not os.environ.get("QX_TEST_ELASTICSEARCH_URL"):
    pytestmark.append(pytest.mark.slow)


async def made(services: TestServices, url: str, index: str, **settings: object) -> Elasticsearch:
    """A backend with the corpus' fields."""
    block = {"name": "es", "hosts": (url,), "index": index, "fields": SHORT_FIELDS, **settings}
    return await Elasticsearch.create(Elasticsearch.Settings.model_validate(block), services)


async def emptied(backend: Elasticsearch, *, fingerprint: str | None = None, dimensions: int = 0) -> Elasticsearch:
    """Prepared and empty; making an index takes seconds on a busy machine, so one serves many tests."""
    await backend.prepare(fingerprint=fingerprint, dimensions=dimensions)
    await backend.delete(await backend.ids())
    return backend


class Suites(
    BackendConformance,
    FilterConformance,
    IndexingConformance,
    SortingConformance,
    SpellingConformance,
    VocabularyConformance,
    CountConformance,
    HealthConformance,
    BatchConformance,
):
    """All that do not need vectors."""

    by_id = True
    by_values = True
    traditional = True

    @pytest_asyncio.fixture
    async def broken(self, services: TestServices) -> AsyncIterator[Elasticsearch]:
        backend = await made(services, f"http://127.0.0.1:{unused_port()}", "nothing")
        yield backend
        await backend.aclose()

    @pytest_asyncio.fixture
    async def foreign(self, services: TestServices, node_url: str, index: str) -> AsyncIterator[Elasticsearch]:
        name = f"{index}-foreign"
        other = await made(services, node_url, name)
        await other._connection.call(
            lambda client: client.options(ignore_status=404).indices.delete(index=name), timeout=60
        )
        await other._connection.call(lambda client: client.indices.create(index=name), timeout=60)
        await other.aclose()
        backend = await made(services, node_url, name)  # what it knows of the index is read when it is made
        yield backend
        await backend.aclose()

    async def reopened(self, backend: SearchBackend, services: TestServices) -> Elasticsearch:
        assert isinstance(backend, Elasticsearch)
        return await Elasticsearch.create(backend._settings, services)

    def bad_request(self) -> SearchRequest:
        return ask("red", limit=10, sort=(Sort(field="id"),))


class TestElasticsearch(Suites):
    @pytest_asyncio.fixture
    async def backend(self, services: TestServices, node_url: str, index: str) -> AsyncIterator[Elasticsearch]:
        backend = await emptied(await made(services, node_url, index))
        yield backend
        await backend.aclose()


class TestUntyped(FilterConformance):
    """Without types in the profile every attribute is open; types are read from the data."""

    fields = {  # noqa: RUF012
        name: item["name"] if isinstance(item, dict) else item for name, item in SHORT_FIELDS.items()
    }

    @pytest_asyncio.fixture
    async def backend(self, services: TestServices, node_url: str, index: str) -> AsyncIterator[Elasticsearch]:
        backend = await emptied(await made(services, node_url, f"{index}-open", fields=self.fields))
        yield backend
        await backend.aclose()

    async def fill(self, backend: SearchBackend, documents: Sequence[Document]) -> None:
        await super().fill(backend, documents)
        await backend.search(ask("red"))  # which reads the types of what is there now

    @pytest_asyncio.fixture
    async def filled(self, backend: Elasticsearch) -> Elasticsearch:
        from qx.testing.conformance.backend import CORPUS

        await self.fill(backend, CORPUS)
        assert {name: stored.type for name, stored in backend.fields.items() if name not in ("title", "text", "url")} == {
            "brand": "keyword", "tags": "keyword", "price": "number", "rating": "number", "released": "date",
            "used": "bool",
        }  # fmt: skip
        return backend


class TestVectors(VectorConformance):
    @pytest_asyncio.fixture
    async def backend(self, services: TestServices, node_url: str, index: str) -> AsyncIterator[Elasticsearch]:
        backend = await made(services, node_url, f"{index}-vectors")
        yield await emptied(backend, fingerprint=self.fingerprint, dimensions=self.dimensions)
        await backend.aclose()
