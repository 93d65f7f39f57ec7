"""The contract of a search backend, as tests: one class for each ability.

Subclass those that your backend has, in one class, and override the async fixture ``backend``::

    class TestMine(BackendConformance, FilterConformance, IndexingConformance):
        @pytest_asyncio.fixture
        async def backend(self, services):
            settings = Mine.Settings(name="mine", fields=SHORT_FIELDS, ...)
            made = await Mine.create(settings, services)
            await made.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions)
            yield made
            await made.aclose()

Needs ``asyncio_mode = "auto"``.
"""

from qx.testing.conformance.backend_abilities import (
    BatchConformance,
    CountConformance,
    HealthConformance,
    SpellingConformance,
    VectorConformance,
    VocabularyConformance,
)
from qx.testing.conformance.backend_case import (
    CORPUS,
    FIELDS,
    NASTY,
    SHORT_FIELDS,
    STRANGE_IDS,
    BackendCase,
    ask,
    hits,
    ids,
    record,
)
from qx.testing.conformance.backend_filters import FilterConformance, generated
from qx.testing.conformance.backend_indexing import IndexingConformance
from qx.testing.conformance.backend_search import BackendConformance
from qx.testing.conformance.backend_sorting import SortingConformance

__all__ = [
    "CORPUS",
    "FIELDS",
    "NASTY",
    "SHORT_FIELDS",
    "STRANGE_IDS",
    "BackendCase",
    "BackendConformance",
    "BatchConformance",
    "CountConformance",
    "FilterConformance",
    "HealthConformance",
    "IndexingConformance",
    "SortingConformance",
    "SpellingConformance",
    "VectorConformance",
    "VocabularyConformance",
    "ask",
    "generated",
    "hits",
    "ids",
    "record",
]
