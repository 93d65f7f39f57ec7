"""The backend ``meilisearch``: one index of one Meilisearch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from qx.backend import Document, Health, IndexReport, SearchRequest, SearchResponse
from qx.errors import BadRequest, ProviderError, ProviderTimeout, QxError, UsageError
from qx.filters import NOTHING, Filter, simplify
from qx.filters.fieldmap import FieldMap
from qx.filters.worded import BEHIND
from qx.hookspecs import Services
from qx.text.segment import Segmenter
from qx.types import Target
from qx_meilisearch.connection import Connection
from qx_meilisearch.filters import compile_filter
from qx_meilisearch.identifiers import stored_id
from qx_meilisearch.indexing import Writer, not_ours, searched
from qx_meilisearch.searching import Prepared, Searcher, failed_query
from qx_meilisearch.settings import Settings
from qx_meilisearch.state import State, read_state
from qx_meilisearch.words import phrase

_OPENING = 5.0
_ASKING = 30.0
_PAGE = 1000
_TERMS = 50


class Meilisearch:
    """Implements ``SearchBackend`` and every ``Supports…`` protocol."""

    Settings = Settings
    bm25 = False
    conformance: ClassVar[Mapping[str, bool]] = {"stems": False, "by_id": True, "by_values": True}
    """What `qx plugins check` has to know of the engine; the suites say what each means."""

    def __init__(self, settings: Settings, connection: Connection, services: Services) -> None:
        self._settings = settings
        self._connection = connection
        self._writer = Writer(settings, connection, services.clock)
        self._segmenter = Segmenter()
        self._state = State()
        self._searcher: Searcher | None = None

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Meilisearch:
        """Open the client.  A Meilisearch that is not there yet is no error before it is asked."""
        connection = await asyncio.to_thread(Connection.open, settings)
        made = cls(settings, connection, services)
        await asyncio.to_thread(made._segmenter.words, "词典 dictionary")  # loads it now, not within a request
        try:
            async with asyncio.timeout(services.looking):
                await made._refresh(services.looking)
            for told in made._behind():
                services.log.warning("backend %s: %s: %s", made.name, made.endpoint, told)
        except TimeoutError:
            services.log.info("%s: no answer yet", made.endpoint)
        except ProviderError as error:
            services.log.info("%s", error)
        return made

    @property
    def name(self) -> str:
        return self._settings.name

    @property
    def endpoint(self) -> str:
        return self._connection.endpoint

    @property
    def accepts(self) -> frozenset[Target]:
        vectors: frozenset[Target] = frozenset({"vector"} if self._settings.embedder in self._state.embedders else ())
        return frozenset({"any", "lexical"}) | vectors

    @property
    def fields(self) -> FieldMap:
        return self._state.typed(self._settings.fields)

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        (answer,) = await self.search_many((request,))
        if isinstance(answer, QxError):
            raise answer
        return answer

    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]:
        """Run requests in one round trip, and in one more for each that Meilisearch refuses."""
        if not requests:
            return ()
        clock = asyncio.get_running_loop().time
        deadline = clock() + min(request.timeout for request in requests)
        answers: dict[int, SearchResponse | QxError] = {}
        prepared: dict[int, Prepared] = {}
        try:
            searcher = await self._ready(deadline - clock())
            for number, request in enumerate(requests):
                try:
                    found = searcher.prepare(request, share=len(requests))
                except BadRequest as error:
                    answers[number] = error
                    continue
                if isinstance(found, Prepared):
                    prepared[number] = found
                else:
                    answers[number] = found
            while prepared:
                await self._round(searcher, prepared, answers, deadline - clock())
        except QxError as error:
            answers |= dict.fromkeys((n for n in range(len(requests)) if n not in answers), error)
        return tuple(answers[number] for number in range(len(requests)))

    async def _round(
        self,
        searcher: Searcher,
        prepared: dict[int, Prepared],
        answers: dict[int, SearchResponse | QxError],
        seconds: float,
    ) -> None:
        """Ask for all of ``prepared`` at once; what is answered, or to blame for a failure, is taken out."""
        queries: list[Mapping[str, Any]] = []
        places: dict[str, int] = {}
        for found in prepared.values():
            for query in found.queries:
                if places.setdefault(repr(query), len(queries)) == len(queries):
                    queries.append(query)
        try:
            results = await self._multi_search(queries, seconds)
        except BadRequest as error:
            blamed = failed_query(error)
            bad = [
                number
                for number, found in prepared.items()
                if blamed is None or any(places[repr(query)] == blamed for query in found.queries)
            ]
            for number in bad or list(prepared):
                answers[number] = error
                prepared.pop(number)
            return
        for number, found in prepared.items():
            lists = [results[places[repr(query)]] for query in found.queries]
            try:
                answers[number] = searcher.respond(found, lists)
            except UsageError as error:
                answers[number] = error
        prepared.clear()

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        return self._state.filters().inexpressible(filter)

    async def stored_fingerprint(self) -> str | None:
        await self._ready(_ASKING)
        return self._state.fingerprint

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        await self._refresh(_ASKING)
        await self._writer.prepare(
            self._state, self._settings.fields, fingerprint=fingerprint, dimensions=dimensions, adopt=adopt
        )
        await self._refresh(_ASKING)

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        if not documents:
            return IndexReport(indexed=0)
        await self._writable()
        layout = self._state.layout(self._settings.fields)
        report = await self._writer.upsert(documents, layout, self._state)
        if report.indexed:
            await self._refresh(_ASKING)
        return report

    async def delete(self, ids: Sequence[str], /) -> int:
        if not ids:
            return 0
        await self._writable()
        gone = await self._writer.delete(list(dict.fromkeys(stored_id(id) for id in ids)))
        if gone:
            await self._refresh(_ASKING)
        return gone

    async def ids(self) -> Sequence[str]:
        await self._ready(_ASKING)
        layout = self._state.layout(self._settings.fields)
        found: list[str] = []
        wanted = [layout.key, "qx.id"]
        while True:
            offset = len(found)
            page = await self._connection.call(
                lambda at=offset: self._connection.index.get_documents(offset=at, limit=_PAGE, fields=wanted), _ASKING
            )
            found += [layout.id(document) for document in page.results]
            if not page.results or len(found) >= page.total:
                return found

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        """Return in how many documents each term occurs: exactly as it is, as a phrase."""
        asked = {term: text for term in dict.fromkeys(terms) if (text := phrase(term))}
        counts = dict.fromkeys(terms, 0)
        names = list(asked)
        for start in range(0, len(names), _TERMS):
            part = names[start : start + _TERMS]
            queries = [self._counting(asked[name]) for name in part]
            results = await self._multi_search(queries, _ASKING)
            counts |= {n: int(r.estimated_total_hits or 0) for n, r in zip(part, results, strict=True)}
        return counts

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        searcher = await self._ready(_ASKING)
        facet = searcher.facet(field)
        (result,) = await self._multi_search([self._counting("") | {"facets": [facet]}], _ASKING)
        return searcher.readable((result.facet_distribution or {}).get(facet, {}))[:limit]

    async def count(self, filter: Filter | None, /) -> int:
        await self._ready(_ASKING)
        wanted = simplify(filter)
        if wanted == NOTHING:
            return 0
        condition = compile_filter(wanted, self._state.filters().leaf) if wanted is not None else None
        index = self._connection.index
        page = await self._connection.call(lambda: index.get_documents(limit=0, filter=condition or None), _ASKING)
        return int(page.total)

    async def health(self) -> Health:
        client = self._connection.client
        try:
            await self._connection.call(client.health, _OPENING)
            await self._refresh(_OPENING)
        except QxError as error:
            return Health(ok=False, detail=str(error))
        try:
            version = (await self._connection.call(client.get_version, _OPENING)).pkg_version
        except QxError:
            version = ""  # a search key may not ask
        if self._state.made == "missing":
            return Health(ok=False, detail=f"there is no index at {self.endpoint}: run `qx index`", version=version)
        detail = "; ".join((f"asked {self.endpoint}; the index is {self._state.made}", *self._behind()))
        return Health(
            ok=True, detail=detail, version=version, documents=self._state.documents, ours=self._state.made != "foreign"
        )

    async def aclose(self) -> None:
        await self._connection.aclose()

    def _behind(self) -> list[str]:
        """What is to be done about each field that was declared since the index got its settings."""
        wanted = searched(self.fields, self._state.layout(self._settings.fields))
        return [f"{name} {BEHIND}" for name in self._state.unsearched(wanted)]

    def _counting(self, q: str) -> dict[str, Any]:
        return {"index_uid": self._settings.index, "q": q, "limit": 0, "matching_strategy": "all"}

    async def _multi_search(self, queries: Sequence[Mapping[str, Any]], seconds: float) -> Sequence[Any]:
        from meilisearch_python_sdk.models.search import SearchParams

        if seconds <= 0:
            raise ProviderTimeout(f"no time left for the backend '{self.name}' at {self.endpoint}")
        asked = [SearchParams.model_validate(query) for query in queries]
        found = await self._connection.call(lambda: self._connection.client.multi_search(asked), seconds)
        return list(found)

    async def _ready(self, seconds: float) -> Searcher:
        """Return what translates for the index; one that was not there is asked for again."""
        if self._searcher is None or self._state.made == "missing":
            return await self._refresh(seconds)
        return self._searcher

    async def _writable(self) -> None:
        """Look at the index anew: somebody else may have made another one in its place.

        Raises:
            NotAllowed: qx neither made nor adopted it.
            UsageError: it is not there; Meilisearch would make one that bears no mark.
        """
        await self._refresh(_ASKING)
        if self._state.made == "missing":
            raise UsageError(f"there is no index at {self.endpoint}: make it with `qx index` (`prepare` makes it)")
        if self._state.made == "foreign":
            raise not_ours(self.endpoint)

    async def _refresh(self, seconds: float) -> Searcher:
        self._state = await read_state(self._connection, seconds)
        self._searcher = Searcher(self._settings, self.fields, self._state, self._segmenter)
        return self._searcher
