# ruff: noqa: S101 - tests, though they lie in the package
"""Writing: what a call returns as indexed is findable, once, and by its own id."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
import pytest_asyncio

from qx.backend import Document, SearchBackend, SupportsIndexing
from qx.errors import BadRequest, NotAllowed
from qx.testing.conformance.backend_case import CORPUS, STRANGE_IDS, BackendCase, ask, hits, ids
from qx.testing.services import TestServices

KEPT: tuple[Document, ...] = (
    Document(id="Names", title="Kept NAMES: one\n%%\n\ttwo ", text=" kept words\r\nid: 7\n\n[x]\n", metadata={
        "a: b": 1, "a": "b: 1", "title": "another", "id": 7, "text": "no text", "url": None, "Brand": "Upper",
        "brand": "lower", "+id": "plus", "a, b": [], "a=b;#c": "", "[x]": " spaces ", "%%": "\n", "名称": "耳机",
    }),
    Document(id="values", title="kept 2021", text="007", url="https://e.org/a?b=1#c", metadata={
        "nested": {"A: b": {"id": ["x", {"y": None}]}, "empty": {}}, "list": [1, "1", 1.5, True, None, [2]],
        "number": "12", "truth": "true", "nothing": "null", "json": '{"a": 1}', "quoted": '"', "commas": "a, b",
        "float": 2.0, "yes": True, "none": None, "large": 2**53, "lines": "a\rb\u2028c\x85d",
    }),
    Document(id="bare", title="kept"),
    Document(id=" 1: ", text="kept"),
)  # fmt: skip
"""Documents whose names and values are easily lost on their way to a file and back; each has the word ``kept``."""


def told(document: Any) -> dict[str, object]:
    """Return what must be the same of a document and its hit; ``1``, ``1.0`` and ``True`` differ here."""
    named = {name: getattr(document, name) for name in ("title", "text", "url")}
    return {**named, "metadata": {name: repr(value) for name, value in _plain(document.metadata).items()}}


def _plain(value: Any) -> Any:
    if hasattr(value, "items"):
        return {name: _plain(value[name]) for name in sorted(value)}
    return [_plain(item) for item in cast("list[Any]", value)] if isinstance(value, (list, tuple)) else value


class IndexingConformance(BackendCase):
    """For backends that can be written.  Override ``foreign`` too: one whose index qx did not make.

    Attributes:
        keeps: Whether what is written is there for another instance of the same settings.
    """

    keeps = True

    async def reopened(self, backend: SearchBackend, services: TestServices) -> SearchBackend:
        """Return a second instance, made from the same settings; override it unless ``backend.settings`` has them."""
        settings = getattr(backend, "settings", None)
        if settings is None:
            pytest.skip("it has no attribute `settings`: override `reopened`")
        return await cast("Any", type(backend)).create(settings, services)

    async def _read_again(self, backend: SearchBackend, services: TestServices) -> dict[str, dict[str, object]]:
        again = await self.reopened(backend, services)
        try:
            assert isinstance(again, SupportsIndexing)
            held = sorted(await again.ids())
            found = {hit.id: told(hit) for hit in hits(await again.search(ask("kept", limit=50)))}
            assert sorted(found) == held, "its `ids` and its hits, opened again"
            return found
        finally:
            await again.aclose()

    async def test_what_is_written_is_there_when_it_is_opened_again(
        self, backend: SearchBackend, services: TestServices
    ) -> None:
        assert isinstance(backend, SupportsIndexing)
        if not self.keeps:
            pytest.skip("`keeps = False`: what is written ends with the instance")
        report = await backend.upsert(KEPT)
        assert (report.indexed, report.failed) == (len(KEPT), ())
        assert await self._read_again(backend, services) == {document.id: told(document) for document in KEPT}

    async def test_what_is_replaced_or_deleted_is_so_when_it_is_opened_again(
        self, backend: SearchBackend, services: TestServices
    ) -> None:
        assert isinstance(backend, SupportsIndexing)
        if not self.keeps:
            pytest.skip("`keeps = False`: what is written ends with the instance")
        await backend.upsert(KEPT)
        instead = Document(id="Names", title="kept", metadata={"Brand": "other"})
        await backend.upsert([instead])
        await backend.delete([document.id for document in KEPT if document.id not in ("Names", "bare")])
        wanted = {document.id: told(document) for document in (instead, KEPT[2])}
        assert await self._read_again(backend, services) == wanted

    @pytest_asyncio.fixture
    async def foreign(self) -> AsyncIterator[SearchBackend]:
        """A backend, not prepared yet, whose index exists and was made by somebody else."""
        pytest.skip("no fixture `foreign`: a backend whose index qx did not make")
        yield  # pragma: no cover

    async def test_what_is_indexed_is_findable(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        report = await backend.upsert(CORPUS)
        assert (report.indexed, report.failed) == (len(CORPUS), ())
        assert sorted(await backend.ids()) == sorted(d.id for d in CORPUS)
        assert (await ids(backend, "red shoes"))[0] == "red-1"

    async def test_an_id_is_there_once_as_it_was_written_last(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        await backend.upsert([Document(id="a", title="old words"), Document(id="b", title="other")])
        await backend.upsert([Document(id="a", title="new words"), Document(id="c", text="c")])
        await backend.upsert([Document(id="c", title="first"), Document(id="c", title="second")])
        assert sorted(await backend.ids()) == ["a", "b", "c"]
        assert await ids(backend, "old") == []
        assert await ids(backend, "words") == ["a"]
        assert await ids(backend, "first") == []
        assert await ids(backend, "second") == ["c"]

    async def test_deleting_counts_what_was_there(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        await backend.upsert([Document(id=id, title="same words") for id in STRANGE_IDS])
        assert await backend.delete(["A", "unheard of", "A", "a b"]) == 2
        assert await backend.delete(["A"]) == 0
        assert await backend.delete([]) == 0
        assert sorted(await backend.ids()) == sorted(set(STRANGE_IDS) - {"A", "a b"})
        assert set(await ids(backend, "same")) == set(STRANGE_IDS) - {"A", "a b"}

    async def test_nothing_to_write_is_no_error(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        assert (await backend.upsert([])).indexed == 0
        assert list(await backend.ids()) == []

    async def test_an_empty_index_answers(self, backend: SearchBackend) -> None:
        response = await backend.search(ask("red shoes"))
        assert response.ids == ()

    async def test_a_long_document_is_findable_by_its_last_word(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        report = await backend.upsert([Document(id="long", text="plain words " * 20_000 + "omega 尾巴")])
        assert report.failed == ()
        assert await ids(backend, "omega") == ["long"]
        assert await ids(backend, "尾巴") == ["long"]

    async def test_one_bad_document_is_named_and_takes_no_other_along(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        broken = Document(id="bad", title="lone \ud800 surrogate", metadata={"a": "\udfff"})
        report = await backend.upsert([Document(id="good", title="fine words"), broken])
        assert await ids(backend, "fine") == ["good"]
        assert report.indexed + len(report.failed) == 2
        assert all(id == "bad" and reason for id, reason in report.failed)

    async def test_preparing_again_keeps_what_is_there(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        await backend.upsert([Document(id="a", title="kept words")])
        await backend.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions)
        assert await ids(backend, "kept") == ["a"]

    async def test_many_documents_in_one_call(self, backend: SearchBackend) -> None:
        assert isinstance(backend, SupportsIndexing)
        report = await backend.upsert([Document(id=f"d{i}", title=f"number w{i}") for i in range(1500)])
        assert report.indexed == 1500
        assert len(await backend.ids()) == 1500
        assert await ids(backend, "w1499") == ["d1499"]

    async def test_an_index_that_qx_did_not_make_is_left_alone_unless_adopted(self, foreign: SearchBackend) -> None:
        assert isinstance(foreign, SupportsIndexing)
        with pytest.raises(NotAllowed):
            await foreign.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions)
        await foreign.prepare(fingerprint=self.fingerprint, dimensions=self.dimensions, adopt=True)
        assert (await foreign.upsert([Document(id="a", title="adopted words")])).indexed == 1
        assert await foreign.delete(["a"]) == 1

    async def test_nothing_is_written_to_or_deleted_from_an_index_that_qx_did_not_make(
        self, foreign: SearchBackend
    ) -> None:
        assert isinstance(foreign, SupportsIndexing)
        refused = (NotAllowed, BadRequest)  # the latter: what is there is no index at all
        with pytest.raises(refused):
            await foreign.delete(["theirs", "unheard of"])
        with pytest.raises(refused):
            await foreign.upsert([Document(id="theirs", title="written over")])
