# ruff: noqa: S101 - tests, though they lie in the package
"""Counting, vocabulary, health, batches and vectors: one class for each ``Supports…`` protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from qx.backend import (
    SearchBackend,
    SearchRequest,
    SearchResponse,
    SupportsBatch,
    SupportsCount,
    SupportsHealth,
    SupportsIndexing,
    SupportsSpelling,
    SupportsVectors,
    SupportsVocabulary,
)
from qx.errors import QxError
from qx.filters import Compare, Exists
from qx.testing.conformance.backend_case import CORPUS, BackendCase, ask, ids
from qx.testing.embedder import FakeEmbedder


class VocabularyConformance(BackendCase):
    """What the index holds."""

    async def test_frequencies_count_documents(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsVocabulary)
        found = await filled.frequencies(["red", "running", "unheard", "会议", "youer"])
        assert {term: found.get(term, 0) for term in ("red", "running", "unheard", "会议", "youer")} == {
            "red": 2, "running": 2, "unheard": 0, "会议": 1, "youer": 1,
        }  # fmt: skip

    async def test_no_term_breaks_it(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsVocabulary)
        found = await filled.frequencies(["", "*", '"', "a)*", "\ud800", "x" * 5000, "running shoes"])
        assert all(count >= 0 for count in found.values())

    async def test_values_come_with_counts_most_frequent_first(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsVocabulary)
        found = await filled.values(filled.fields["brand"].name, limit=100)
        assert dict(found) == {
            "HP": 2, "小米": 2, "Asics": 1, "asics": 1, "Ｇucci": 1, "Lenovo": 1, "惠普": 1, 'a"b\\c': 1, "AND": 1,
        }  # fmt: skip
        assert [count for _, count in found] == sorted((count for _, count in found), reverse=True)
        assert len(await filled.values(filled.fields["brand"].name, limit=3)) == 3
        assert list(await filled.values(filled.fields["tags"].name, limit=1)) == [("laptop", 2)] or list(
            await filled.values(filled.fields["tags"].name, limit=1)
        ) == [("running", 2)]


class SpellingConformance(BackendCase):
    """Words of the index near a word that it does not hold."""

    async def test_words_near_a_misspelt_one(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsSpelling)
        slips = {"handbga": "handbag", "keybord": "keyboard", "grafics": None, "Jackett": "jacket", "laptopp": "laptop"}
        found = await filled.spellings(list(slips), limit=5)
        for slip, meant in slips.items():
            assert [word.casefold() for word in found.get(slip, ())][:1] == ([meant] if meant else []), slip

    async def test_a_word_of_another_kind_has_none(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsSpelling)
        nothing = ["", "*", "a)*", "\ud800", "x" * 5000, "rde", "zzzzqqqq", "0x80070058", "running shoes", "会义"]
        found = await filled.spellings(nothing, limit=5)
        assert not any(found.get(term) for term in nothing)

    async def test_there_are_no_more_than_asked_for(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsSpelling)
        assert all(len(words) <= 1 for words in (await filled.spellings(["rund", "lapto"], limit=1)).values())
        assert await filled.spellings([], limit=5) == {}


class CountConformance(BackendCase):
    """How many documents pass."""

    async def test_counts(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsCount)
        assert await filled.count(None) == len(CORPUS)
        assert await filled.count(self.lowered(filled, Compare(field="brand", op="eq", value="HP"))) == 2
        assert await filled.count(self.lowered(filled, Exists(field="price"))) == 10

    async def test_an_empty_index_has_none(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsCount)
        await self.fill(backend, [])  # what only reads may have no file before
        assert await backend.count(None) == 0


class HealthConformance(BackendCase):
    """How the engine is: an answer, never an exception.  Override ``broken`` as for ``BackendConformance``."""

    @pytest_asyncio.fixture
    async def broken(self) -> AsyncIterator[SearchBackend]:
        pytest.skip("no fixture `broken`: a backend whose engine cannot be reached")
        yield  # pragma: no cover

    async def test_it_is_well(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsHealth)
        found = await filled.health()
        assert found.ok, found.detail
        assert found.documents in (None, len(CORPUS))

    async def test_what_cannot_be_reached_is_not_well(self, broken: SearchBackend) -> None:
        assert isinstance(broken, SupportsHealth)
        found = await broken.health()
        assert not found.ok
        assert found.detail


class BatchConformance(BackendCase):
    """Several requests in one round trip.  Override ``bad_request`` if the engine can be made to refuse one."""

    def bad_request(self) -> SearchRequest:
        pytest.skip("no `bad_request`: one that the engine refuses")

    async def test_a_batch_is_its_requests_one_by_one(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsBatch)
        requests = [ask("red running"), ask("会议"), ask(""), ask("laptop", limit=1), ask("laptop", limit=1, offset=1)]
        answers = await filled.search_many(requests)
        assert len(answers) == len(requests)
        for request, answer in zip(requests, answers, strict=True):
            assert isinstance(answer, SearchResponse)
            assert answer.ids == (await filled.search(request)).ids
            assert [answer.hit(i).id for i in range(len(answer.ids))] == list(answer.ids)

    async def test_an_empty_batch(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsBatch)
        assert list(await filled.search_many([])) == []

    async def test_a_bad_one_takes_no_other_along(self, filled: SearchBackend) -> None:
        assert isinstance(filled, SupportsBatch)
        answers = await filled.search_many([ask("red"), self.bad_request(), ask("laptop")])
        assert isinstance(answers[1], QxError)
        for answer in (answers[0], answers[2]):
            assert isinstance(answer, SearchResponse)
            assert answer.ids


class VectorConformance(BackendCase):
    """Vectors.  The fixture ``backend`` prepares its index with ``fingerprint`` and ``dimensions``."""

    fingerprint: str | None = "fake-64"
    dimensions = 64

    @pytest_asyncio.fixture
    async def embedded(self, backend: SearchBackend) -> SearchBackend:
        """The backend with the corpus and its vectors; the last document has none."""
        vectors = FakeEmbedder(dimensions=self.dimensions).vectors([f"{d.title} {d.text}" for d in CORPUS[:-1]])
        documents = [replace(d, vector=v) for d, v in zip(CORPUS[:-1], vectors, strict=True)]
        await self.fill(backend, [*documents, CORPUS[-1]])
        return backend

    def vector(self, text: str) -> bytes:
        """Return the vector of a query."""
        return FakeEmbedder(dimensions=self.dimensions).vectors([text])[0]

    async def test_the_stored_fingerprint(self, embedded: SearchBackend) -> None:
        assert isinstance(embedded, SupportsVectors)
        assert await embedded.stored_fingerprint() == self.fingerprint

    async def test_the_nearest_come_first(self, embedded: SearchBackend) -> None:
        assert "vector" in embedded.accepts
        for document in CORPUS[:-1]:
            text = f"{document.title} {document.text}"
            found = await ids(embedded, "zzz", target="vector", vector=self.vector(text), limit=5)
            assert found[0] == document.id
            assert "bare" not in found

    async def test_pages_of_vectors_make_up_the_list(self, embedded: SearchBackend) -> None:
        vector = self.vector("red running shoes")
        whole = await ids(embedded, "zzz", target="vector", vector=vector, limit=6)
        pages = [await ids(embedded, "zzz", target="vector", vector=vector, limit=2, offset=at) for at in (0, 2, 4)]
        assert [id for page in pages for id in page] == whole

    async def test_the_filter_holds_for_vectors_too(self, embedded: SearchBackend) -> None:
        cheap = self.lowered(embedded, Compare(field="brand", op="eq", value="HP"))
        found = await ids(embedded, "zzz", target="vector", vector=self.vector("red shoes"), filter=cheap)
        assert set(found) == {"white-1", "lap-1"}

    async def test_deleted_and_replaced_vectors_are_gone(self, embedded: SearchBackend) -> None:
        assert isinstance(embedded, SupportsIndexing)
        vector = self.vector("Gaming laptop 16GB Fast graphics, error 0x80070057 solved.")
        assert (await ids(embedded, "zzz", target="vector", vector=vector))[0] == "lap-1"
        await embedded.delete(["lap-1"])
        await embedded.upsert([replace(CORPUS[5], vector=vector)])
        found = await ids(embedded, "zzz", target="vector", vector=vector)
        assert found[0] == "lap-2"
        assert "lap-1" not in found
        assert len(found) == len(set(found))
