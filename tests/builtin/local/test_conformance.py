"""The contract's suites over the local backend."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest_asyncio

from qx.backend import SearchBackend, SearchRequest
from qx.builtin.local.backend import LocalBackend
from qx.testing import (
    BackendConformance,
    BatchConformance,
    CountConformance,
    FilterConformance,
    HealthConformance,
    IndexingConformance,
    SortingConformance,
    SpellingConformance,
    TestServices,
    VectorConformance,
    VocabularyConformance,
)
from qx.testing.conformance.backend import SHORT_FIELDS, ask


async def opened(services: TestServices, path: str, **settings: object) -> LocalBackend:
    made = LocalBackend.Settings.model_validate({"name": "mine", "path": path, "fields": SHORT_FIELDS, **settings})
    return await LocalBackend.create(made, services)


class TestLocal(
    BackendConformance,
    FilterConformance,
    IndexingConformance,
    SortingConformance,
    SpellingConformance,
    VocabularyConformance,
    CountConformance,
    HealthConformance,
    BatchConformance,
    VectorConformance,
):
    traditional = True
    by_id = True
    by_values = True

    @pytest_asyncio.fixture
    async def backend(self, services: TestServices) -> AsyncIterator[LocalBackend]:
        made = await opened(services, "index")
        await made.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions)
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def broken(self, services: TestServices) -> AsyncIterator[LocalBackend]:
        made = await opened(services, "nowhere")
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def foreign(self, services: TestServices, tmp_path: Path) -> AsyncIterator[LocalBackend]:
        (tmp_path / "theirs").mkdir()
        (tmp_path / "theirs" / "letter.txt").write_text("mine")
        made = await opened(services, "theirs")
        yield made
        await made.aclose()
        assert (tmp_path / "theirs" / "letter.txt").read_text() == "mine"

    async def reopened(self, backend: SearchBackend, services: TestServices) -> LocalBackend:
        return await opened(services, "index")

    def bad_request(self) -> SearchRequest:
        return replace(ask("red"), target="vector", vector=b"1234")


class TestLocalWithoutTypes(FilterConformance):
    """Types are read from the data."""

    traditional = True

    @pytest_asyncio.fixture
    async def backend(self, services: TestServices) -> AsyncIterator[LocalBackend]:
        names = {name: item if isinstance(item, str) else item["name"] for name, item in SHORT_FIELDS.items()}
        made = await opened(services, "index", fields=names)
        await made.prepare(fingerprint=None, dimensions=0)
        yield made
        await made.aclose()
