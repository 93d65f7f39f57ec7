"""The contract's suites over documents in memory, and over a file in a format of the test's own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Iterable
from pathlib import Path

import pytest
import pytest_asyncio

from qx.backend import BackendSettings, Document, SearchBackend
from qx.errors import Unavailable
from qx.in_memory import WritableFileBackend
from qx.serial import from_plain, to_plain
from qx.testing import (
    BackendConformance,
    CountConformance,
    FakeBackend,
    FilterConformance,
    HealthConformance,
    IndexingConformance,
    SortingConformance,
    SpellingConformance,
    TestServices,
    VocabularyConformance,
)
from qx.testing.conformance.backend import FIELDS, SHORT_FIELDS

NAMES = {name: item if isinstance(item, str) else item["name"] for name, item in SHORT_FIELDS.items()}  # type: ignore[index]


class Suites(
    BackendConformance,
    FilterConformance,
    SortingConformance,
    SpellingConformance,
    VocabularyConformance,
    CountConformance,
    HealthConformance,
    IndexingConformance,
):
    traditional = True
    by_id = True
    by_values = True
    filters = 20


class TestInMemory(Suites):
    keeps = False

    @pytest_asyncio.fixture
    async def backend(self) -> AsyncIterator[SearchBackend]:
        made = FakeBackend(fields=FIELDS)
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def broken(self) -> SearchBackend:
        return FakeBackend(failure=Unavailable("backend fake (memory): down"))


class Lines(WritableFileBackend):
    """One JSON document a line."""

    def read(self, path: Path) -> Iterable[Document]:
        return [from_plain(Document, json.loads(line)) for line in path.read_bytes().splitlines()]

    def write(self, path: Path, documents: Collection[Document]) -> None:
        path.write_bytes(b"".join(json.dumps(to_plain(d)).encode() + b"\n" for d in documents))


async def opened(services: TestServices, path: str, fields: object = SHORT_FIELDS) -> Lines:
    settings = Lines.Settings.model_validate({"name": "mine", "path": path, "fields": fields})
    return await Lines.create(settings, services)


class TestFile(IndexingConformance, HealthConformance):
    traditional = True

    @pytest_asyncio.fixture
    async def backend(self, services: TestServices) -> AsyncIterator[SearchBackend]:
        made = await opened(services, "new/lines")
        await made.prepare(fingerprint=None, dimensions=0)
        yield made
        await made.aclose()

    @pytest_asyncio.fixture
    async def broken(self, services: TestServices) -> SearchBackend:
        return await opened(services, "nowhere")

    @pytest_asyncio.fixture
    async def foreign(self, services: TestServices) -> SearchBackend:
        (services.folder / "theirs").write_text('{"id": "theirs", "title": "theirs"}\n')
        return await opened(services, "theirs")


@pytest.mark.slow
class TestWithoutTypes(FilterConformance):
    """Types are read from the documents."""

    filters = 40

    @pytest_asyncio.fixture
    async def backend(self) -> SearchBackend:
        return FakeBackend(fields=BackendSettings.model_validate({"fields": NAMES}).fields)
