"""A search backend over documents that are held in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from qx.backend import BackendSettings, Document, Health, SearchRequest, SearchResponse
from qx.errors import Closed
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap
from qx.filters.matching import evaluate, values
from qx.filters.worded import worded
from qx.in_memory.entry import Entry, searched
from qx.in_memory.matching import Matcher
from qx.in_memory.ranking import Ranker, frequencies
from qx.in_memory.sorting import counted, in_order
from qx.in_memory.types import typed
from qx.in_memory.words import terms
from qx.syntax import asks_nothing, negated, words
from qx.text.near import may_be_misspelt, words_near
from qx.types import Hit, Target


class InMemoryBackend:
    """Implements ``SearchBackend``, and can filter, count, tell its vocabulary and near words, and say how it is.

    What is held is replaced as a whole, never changed: a search that runs goes on with what was there when it began.

    Args:
        settings: The profile's block: the backend's name and its fields.
        documents: What is held; of one id the last.
        endpoint: Where they come from, for messages.

    Attributes:
        settings: What it was made with; a subclass with a ``Settings`` of its own reads its fields there.
    """

    accepts: frozenset[Target] = frozenset(("any", "lexical"))
    bm25 = True
    conformance: ClassVar[Mapping[str, bool]] = {"traditional": True, "by_id": True, "by_values": True}
    """What `qx plugins check` has to know of the engine; the suites say what each means."""

    def __init__(self, settings: BackendSettings, documents: Iterable[Document] = (), *, endpoint: str) -> None:
        self.name = settings.name
        self.settings: Any = settings  # Any: of the subclass's own class
        self.endpoint = endpoint
        self._fields: FieldMap = settings.fields
        self.fields: FieldMap = settings.fields
        self._searched = searched(settings.fields)
        self._paths = tuple(path for path, _ in self._searched)
        self._apart = frozenset(worded(settings.fields))
        self._held: Mapping[str, Entry] = {}
        self._closed = False
        self.hold(documents)

    def hold(self, documents: Iterable[Document]) -> None:
        """Hold these documents instead of those before."""
        self.replace({document.id: self.entry(document) for document in documents})

    def replace(self, held: Mapping[str, Entry]) -> None:
        """Hold these entries, by id, and read from them the types that the profile leaves open."""
        self.fields = typed(self._fields, held.values())
        self._held = held

    def entry(self, document: Document) -> Entry:
        """Return a document as it is held."""
        return Entry(document, self._paths, self._apart)

    @property
    def documents(self) -> tuple[Document, ...]:
        """What is held."""
        return tuple(entry.document for entry in self._held.values())

    def current(self) -> Mapping[str, Entry]:
        """Return what is to be searched, by id; called in a thread.  A subclass looks here whether it has changed.

        Raises:
            ProviderError: it is not there, or cannot be read.
        """
        return self._held

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Run one request in a thread.

        Raises:
            Closed: after ``aclose``.
            ProviderError: the documents are not there, or cannot be read.
        """
        return await asyncio.to_thread(self._found, request)

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        """Return nothing: a filter of any shape can be asked."""
        return ()

    async def count(self, filter: Filter | None, /) -> int:
        """Return how many documents pass."""
        entries = await self._entries()
        return sum(evaluate(filter, entry.record) for entry in entries)

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        """Return in how many documents each word occurs."""
        entries = await self._entries()
        return await asyncio.to_thread(frequencies, terms, entries)

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        """Return the values of a stored field with their counts."""
        return counted(await self._entries(), field)[:limit]

    async def spellings(self, terms: Sequence[str], /, *, limit: int) -> Mapping[str, Sequence[str]]:
        """Return words of the documents that are written nearly like each term."""
        entries = await self._entries()
        texts = [text for entry in entries for text in (entry.document.title, entry.document.text)]
        unsure = [term for term in terms if may_be_misspelt(term)]
        return await asyncio.to_thread(lambda: {term: words_near(term, texts)[:limit] for term in unsure})

    async def health(self) -> Health:
        """Say how it is; never raises."""
        try:
            entries = await self._entries()
        except Exception as error:  # noqa: BLE001 - whatever is wrong is the answer
            return Health(ok=False, detail=str(error))
        return Health(ok=True, detail=self.endpoint, documents=len(entries))

    async def aclose(self) -> None:
        """Let go of the documents."""
        self._closed = True
        self._held = {}

    async def _entries(self) -> tuple[Entry, ...]:
        return await asyncio.to_thread(self._now)

    def _now(self) -> tuple[Entry, ...]:
        if self._closed:
            raise Closed(f"backend {self.name} ({self.endpoint}) is closed")
        return tuple(self.current().values())

    def _found(self, request: SearchRequest) -> SearchResponse:
        entries = self._now()
        matcher = Matcher(self._paths, self.fields)
        found = self._passing(request, entries, matcher)
        ranker = Ranker(request.expression, entries, [boost for _, boost in self._searched])
        scores = {id(entry): ranker.score(entry) for entry in found}
        found.sort(key=lambda entry: -scores[id(entry)])  # stable: equal ones stay as they are held
        if request.sort:
            found, scores = in_order(found, request.sort, self.fields), dict[int, float]()
        page = found[request.offset : request.offset + request.limit]

        def hit(index: int) -> Hit:
            return Hit(backend=self.name, **page[index].record)

        known = {word: ranker.counts[of[0]] for word, of in _words(request) if of[0] in ranker.counts}
        return SearchResponse(
            ids=tuple(entry.document.id for entry in page),
            scores=tuple(scores.get(id(entry), 0.0) for entry in page),
            hit=hit,
            identities=tuple(self._identity(entry, request.identity) for entry in page),
            total=len(found),
            facets={field: counted(found, field) for field in request.facets},
            frequencies=known,
            documents=len(entries),
            unexpressed=tuple(matcher.missing),
        )

    def _passing(self, request: SearchRequest, entries: Sequence[Entry], matcher: Matcher) -> list[Entry]:
        """The documents that match words and filter; what asks for nothing finds nothing, unless there is a filter."""
        wanted = request.expression
        browsing = asks_nothing(wanted)
        if browsing and request.filter is None:
            return []
        passing = [entry for entry in entries if evaluate(request.filter, entry.record)]
        return [e for e in passing if matcher(wanted, e)] if not browsing or negated(wanted) else passing

    def _identity(self, entry: Entry, field: str | None) -> str | None:
        if field is None or field == "url":
            return entry.document.url
        found = values(entry.record, field)
        return str(found[0]) if found else None


def _words(request: SearchRequest) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The words of a request that are one term, with it: what is known of their frequency is of use to others."""
    found = ((word, terms(word)) for word in dict.fromkeys(words(request.expression)))
    return ((word, of) for word, of in found if len(of) == 1)
