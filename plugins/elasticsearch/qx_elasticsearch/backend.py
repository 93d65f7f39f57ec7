"""The backend ``elasticsearch``: one index, alias or pattern of an Elasticsearch cluster, versions 8 and 9."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, cast

from qx.backend import Document, Health, IndexReport, SearchRequest, SearchResponse
from qx.errors import AuthError, BadRequest, BadResponse, NotAllowed, ProfileError, QxError, UsageError
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap, StoredField
from qx.filters.worded import BEHIND
from qx.hookspecs import Services
from qx.types import Target
from qx_elasticsearch import vocabulary
from qx_elasticsearch.answer import nothing, response
from qx_elasticsearch.body import WINDOW, Body, search_body
from qx_elasticsearch.catalog import Catalog
from qx_elasticsearch.connection import Connection
from qx_elasticsearch.documents import mapped_id
from qx_elasticsearch.filtering import ALL, compiled, inexpressible
from qx_elasticsearch.preparing import Preparer
from qx_elasticsearch.query import QueryCompiler
from qx_elasticsearch.reading import read_catalog
from qx_elasticsearch.schema import FOREIGN
from qx_elasticsearch.settings import Settings
from qx_elasticsearch.writing import Writer

_ASKING = 10.0
_PREFERENCE = "qx"
"""The same copy of a shard for every page: copies may order equal scores differently."""

_UNSEEN = Catalog(indices=(), layout=FOREIGN)


class Elasticsearch:
    """Implements every protocol of ``qx.backend``."""

    Settings = Settings
    bm25 = True
    conformance: ClassVar[Mapping[str, bool]] = {"by_id": True, "by_values": True, "traditional": True}
    """What `qx plugins check` has to know of the engine; the suites say what each means."""

    def __init__(self, settings: Settings, connection: Connection) -> None:
        self.name = settings.name
        self.endpoint = connection.endpoint
        self._settings = settings
        self._connection = connection
        self._writer = Writer(connection, settings.index, timeout=settings.indexing_timeout)
        self._catalog: Catalog | None = None
        self._fields: Mapping[str, StoredField] = settings.fields
        self._reading = asyncio.Lock()

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Elasticsearch:
        """Make the client and look at the index.  A cluster that is down now may be up when it is asked.

        Raises:
            ProfileError: the settings cannot work, or the installed client does not speak to the server.
        """
        made = cls(settings, await Connection.create(settings, services))
        try:
            async with asyncio.timeout(services.looking):
                await made._open(services.looking)
            for told in made._behind():
                services.log.warning("%s: %s", made._connection.place, told)
        except TimeoutError:
            services.log.warning("%s: no answer yet", made._connection.place)
        except QxError as error:
            if isinstance(error, ProfileError):
                await made.aclose()
                raise
            services.log.warning("%s", error)
        except BaseException:
            await made.aclose()
            raise
        return made

    @property
    def accepts(self) -> frozenset[Target]:
        """``vector`` where the index holds vectors."""
        vectors = self._catalog is not None and self._catalog.dimensions > 0
        return frozenset(("any", "lexical", "vector") if vectors else ("any", "lexical"))

    @property
    def fields(self) -> FieldMap:
        """The profile's field map, types filled in from the mapping or the data."""
        return self._fields

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Run one request by ``_search``."""
        catalog = await self._known(timeout=request.timeout)
        body = self._body(request, catalog)
        if body.query is None:
            return nothing(body)
        answer = await self._connection.call(
            lambda client: client.search(
                index=self._settings.index,
                body=body.query,
                preference=_PREFERENCE,
                allow_partial_search_results=False,
            ),
            timeout=request.timeout,
        )
        return self._response(answer, body, request, catalog)

    async def search_many(self, requests: Sequence[SearchRequest], /) -> list[SearchResponse | QxError]:
        """Run requests by one ``_msearch``.  One that is wrong gets its error, the others their answers."""
        if not requests:
            return []
        timeout = min(request.timeout for request in requests)
        catalog = await self._known(timeout=timeout)
        found: list[SearchResponse | QxError] = []
        bodies: list[Body | None] = []
        for request in requests:
            try:
                body = self._body(request, catalog)
                bodies.append(body if body.query is not None else None)
                found.append(nothing(body))
            except QxError as error:
                bodies.append(None)
                found.append(error)
        asked = [(index, body) for index, body in enumerate(bodies) if body is not None]
        answers = await self._answers(asked, requests, catalog, timeout=timeout) if asked else []
        for (index, _), answer in zip(asked, answers, strict=True):
            found[index] = answer
        return found

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        """Return the parts that name a text without exact values."""
        return inexpressible(filter, self._catalog or _UNSEEN)

    async def stored_fingerprint(self) -> str | None:
        """Return the fingerprint in the index's marker."""
        catalog = await self._look(timeout=_ASKING)
        return catalog.fingerprint if catalog is not None and catalog.dimensions else None

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        """Make the index, or see that it fits: see ``qx_elasticsearch.preparing``."""
        preparer = Preparer(self._connection, self._settings)
        await preparer.prepare(fingerprint=fingerprint, dimensions=dimensions, adopt=adopt)
        self._catalog = None
        await self._known(timeout=self._settings.indexing_timeout)

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        """Write documents by ``_bulk``; the index is refreshed at the end."""
        catalog = await self._writable()
        report = await self._writer.upsert(documents, catalog, self._fields)
        if catalog.unknown(self._settings.fields):
            self._catalog = None  # their types may be known by now
        return report

    async def delete(self, ids: Sequence[str], /) -> int:
        """Remove documents by ``_bulk``."""
        return await self._writer.delete(ids, await self._writable())

    async def ids(self) -> Sequence[str]:
        """Return the ids of all documents, read at one point in time."""
        await self._known(timeout=self._settings.indexing_timeout)
        return await self._writer.ids()

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        """Return in how many documents each term occurs."""
        catalog = await self._known(timeout=_ASKING)
        return await vocabulary.frequencies(
            terms, self._connection, self._settings.index, catalog, self._compiler(catalog), timeout=_ASKING
        )

    async def spellings(self, terms: Sequence[str], /, *, limit: int) -> Mapping[str, Sequence[str]]:
        """Return words near each term by fuzzy queries, as the documents found write them."""
        catalog = await self._known(timeout=_ASKING)
        return await vocabulary.spellings(
            terms, limit, self._connection, self._settings.index, catalog, self._fields, self._compiler(catalog),
            timeout=_ASKING,
        )  # fmt: skip

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        """Return the values of a stored field by a terms aggregation."""
        catalog = await self._known(timeout=_ASKING)
        return await vocabulary.values(field, limit, self._connection, self._settings.index, catalog, timeout=_ASKING)

    async def count(self, filter: Filter | None, /) -> int:
        """Return how many documents pass."""
        catalog = await self._known(timeout=_ASKING)
        query = ALL if filter is None else compiled(filter, catalog, mapped_id=mapped_id)
        answer = await self._connection.call(
            lambda client: client.count(index=self._settings.index, body={"query": query}), timeout=_ASKING
        )
        with self._connection.reading("count"):
            return int(answer["count"])

    async def health(self) -> Health:
        """Return how the cluster and the index are; never raises for a reason of theirs."""
        try:
            version, status = await self._state()
            documents = await self.count(None)
        except QxError as error:
            return Health(ok=False, detail=str(error))
        return Health(
            ok=status != "red",
            detail="; ".join((f"{self._connection.place}: {status}", *self._behind())),
            version=version,
            documents=documents,
            ours=None if self._catalog is None else self._catalog.ours,
        )

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._connection.aclose()

    # ---- what is known of the index ----

    async def _open(self, seconds: float) -> None:
        with suppress(AuthError):  # a key for one index may not ask for the cluster's version
            await self._connection.check_version(timeout=seconds)
        await self._look(timeout=seconds)

    def _behind(self) -> list[str]:
        """What is to be done about each keyword field that was declared since the index was made."""
        found = self._catalog.behind(self._settings.fields) if self._catalog is not None else ()
        return [f"metadata.{path} {BEHIND}" for path in found]

    async def _state(self) -> tuple[str, str]:
        """The server's version and the index's colour, as far as the credentials may know them."""
        try:
            version = await self._connection.check_version(timeout=_ASKING)
            answer = await self._connection.call(
                lambda client: client.cluster.health(index=self._settings.index, timeout="1s"), timeout=_ASKING
            )
        except AuthError:
            return "", "its state is not for these credentials to see (privilege monitor)"
        with self._connection.reading("state of an index"):
            return version, str(answer["status"])

    async def _look(self, *, timeout: float) -> Catalog | None:  # noqa: ASYNC109 the client's own
        found = await read_catalog(self._connection, self._settings.index, self._settings.fields, timeout=timeout)
        self._catalog = found
        if found is not None:
            self._fields = found.complete(self._settings.fields)
        return found

    async def _known(self, *, timeout: float) -> Catalog:  # noqa: ASYNC109 the client's own
        if self._catalog is not None:
            return self._catalog
        async with self._reading:
            found = self._catalog or await self._look(timeout=timeout)
        if found is None:
            raise BadRequest(
                f"{self._connection.place} has no index '{self._settings.index}': check `index`, or make it with "
                "`qx index`"
            )
        return found

    async def _writable(self) -> Catalog:
        try:
            catalog = await self._known(timeout=self._settings.indexing_timeout)
        except BadRequest as error:
            raise UsageError(f"{error} (`prepare` makes it)") from error
        if not catalog.ours:
            raise NotAllowed(
                f"{self._connection.place}: the index '{self._settings.index}' was not made by qx and is not written "
                "to: `qx index --adopt` allows it"
            )
        return catalog

    # ---- requests and answers ----

    def _compiler(self, catalog: Catalog) -> QueryCompiler:
        return QueryCompiler(catalog, self._fields, match=self._settings.match, mapped_id=mapped_id)

    def _body(self, request: SearchRequest, catalog: Catalog) -> Body:
        try:
            return search_body(
                request,
                catalog,
                self._fields,
                match=self._settings.match,
                highlight=self._settings.highlight,
                window=self._settings.window or WINDOW,
            )
        except (BadRequest, UsageError) as error:
            raise type(error)(f"{self._connection.place}: {error}") from error

    def _response(self, answer: Any, body: Body, request: SearchRequest, catalog: Catalog) -> SearchResponse:
        return response(answer, body, request, catalog, self._fields, backend=self.name, place=self._connection.place)

    async def _answers(
        self,
        asked: Sequence[tuple[int, Body]],
        requests: Sequence[SearchRequest],
        catalog: Catalog,
        *,
        timeout: float,  # noqa: ASYNC109 the client's own
    ) -> list[SearchResponse | QxError]:
        searches: list[Any] = []
        for _, body in asked:
            searches += [{"preference": _PREFERENCE, "allow_partial_search_results": False}, body.query]
        try:
            answer = await self._connection.call(
                lambda client: client.msearch(index=self._settings.index, searches=searches), timeout=timeout
            )
        except BadRequest as error:
            if len(asked) == 1:
                return [error]
        else:
            return [
                self._one_of_many(part, body, requests[index], catalog)
                for part, (index, body) in zip(self._parts(answer, len(asked)), asked, strict=True)
            ]
        # a body that cannot even be parsed fails the whole call: ask one by one
        return list(await asyncio.gather(*(self._alone(requests[index]) for index, _ in asked)))

    async def _alone(self, request: SearchRequest) -> SearchResponse | QxError:
        try:
            return await self.search(request)
        except QxError as error:
            return error

    def _parts(self, answer: Mapping[str, Any], wanted: int) -> Sequence[Mapping[str, Any]]:
        parts: Any = answer.get("responses", [])
        if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in cast("list[Any]", parts)):
            raise BadResponse(f"{self._connection.place} answered something that is no list of search results")
        if len(parts) != wanted:
            raise BadResponse(f"{self._connection.place} answered {len(parts)} of {wanted} searches")
        return parts

    def _one_of_many(
        self, answer: Mapping[str, Any], body: Body, request: SearchRequest, catalog: Catalog
    ) -> SearchResponse | QxError:
        if "error" in answer:
            status: Any = answer.get("status")
            return self._connection.refused(status if isinstance(status, int) else 400, answer)
        try:
            return self._response(answer, body, request, catalog)
        except QxError as error:
            return error
