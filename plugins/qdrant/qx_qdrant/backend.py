"""The backend ``qdrant``: searching, counting and writing one collection.  Start here."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field, SecretStr, model_validator

from qx.addresses import HttpAddress
from qx.backend import BackendSettings, Document, Health, IndexReport, SearchRequest, SearchResponse
from qx.errors import BadRequest, ProfileError, QxError
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap, StoredField
from qx.filters.worded import BEHIND, worded
from qx.hookspecs import Services
from qx.tenant_folder import own_path
from qx.types import Target
from qx_qdrant.analysis import Analysis
from qx_qdrant.collection import Collection, State
from qx_qdrant.connection import MEMORY, Connection
from qx_qdrant.filters import compiled, inexpressible
from qx_qdrant.indexing import Indexing
from qx_qdrant.searching import Searching
from qx_qdrant.vocabulary import Vocabulary

TITLE_BOOST = 2.0


class Settings(BackendSettings):
    """The keys of ``type: qdrant`` under ``search.backends``.

    One of ``url`` (a server) and ``path`` (embedded, for one process; ``:memory:`` keeps nothing) is needed.
    """

    url: HttpAddress | None = None
    path: str | None = None
    collection: str = Field(min_length=1)
    """Without a collection of this name one is made behind an alias of this name."""
    api_key: SecretStr | None = None
    https: bool | None = None
    """Null: as the url says."""
    dense: str = Field(default="dense", min_length=1)
    """Name of the vector that the profile's embedder makes."""
    sparse: str = Field(default="bm25", min_length=1)
    """Name of the sparse vector of words."""
    timeout: float = Field(default=10.0, gt=0)
    """Seconds of calls that no request limits: health, vocabulary."""
    lexicon: tuple[str, ...] = ()
    """Words that stay whole, besides those that ship; documents must be indexed anew when it changes."""

    @model_validator(mode="after")
    def _one_place(self) -> Settings:
        if (self.url is None) == (self.path is None):
            raise ValueError("give either `url` (a server) or `path` (embedded)")
        if self.path is not None and (self.api_key is not None or self.https is not None):
            raise ValueError("`api_key` and `https` belong to a `url`")
        return self


class Qdrant:
    """One collection (implements ``SearchBackend`` and every ``Supports…``)."""

    Settings = Settings
    conformance: ClassVar[Mapping[str, bool]] = {
        "traditional": True,
        "partial_dates": False,
        "by_id": True,
        "by_values": True,
    }
    """What `qx plugins check` has to know of the engine; the suites say what each means."""

    def __init__(self, settings: Settings, connection: Connection, services: Services) -> None:
        self._settings = settings
        self._services = services
        self._connection = connection
        self._analysis = Analysis(settings.lexicon)
        self._collection = Collection(connection, settings.collection, dense=settings.dense, sparse=settings.sparse)
        self._state: State | None = None
        self._fields = self._known_fields()

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Qdrant:
        """Connect, and look at the collection; a server that is down now may be there later.

        Raises:
            ProfileError: the folder cannot be opened.
            NotAllowed: it lies where the profile may not reach.
        """
        if settings.url is not None:
            key = settings.api_key.get_secret_value() if settings.api_key else None
            connection = Connection.server(
                settings.name, settings.url, key, https=settings.https, timeout=settings.timeout
            )
        elif settings.path == MEMORY:
            connection = await Connection.embed(settings.name, None)
        else:
            folder = own_path(settings.path or "", services)
            connection = await Connection.embed(settings.name, folder)
        made = cls(settings, connection, services)
        try:
            async with asyncio.timeout(services.looking if settings.url is not None else None):
                await made._look(settings.timeout)
            for told in made._behind():
                services.log.warning("backend '%s' at %s: %s", settings.name, made.endpoint, told)
        except TimeoutError:
            services.log.warning("backend '%s' cannot be looked at yet: no answer", settings.name)
        except ProfileError:
            await made.aclose()
            raise
        except QxError as error:
            services.log.warning("backend '%s' cannot be looked at yet: %s", settings.name, error)
        return made

    @property
    def name(self) -> str:
        return self._settings.name

    @property
    def endpoint(self) -> str:
        return self._connection.endpoint

    @property
    def accepts(self) -> frozenset[Target]:
        words: frozenset[Target] = frozenset(("any", "lexical"))
        return words | {"vector"} if self._state is not None and self._state.dense else words

    @property
    def fields(self) -> FieldMap:
        return self._fields

    @property
    def bm25(self) -> bool:
        return self._state is None or self._state.mark is not None

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Run one request: words by BM25, a vector by its nearness, both fused by reciprocal rank for ``any``."""
        return await (await self._searching(request.timeout)).search(request)

    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]:
        """Run several in one round trip; Qdrant refuses a batch with one bad request as a whole, so then one by one."""
        if not requests:
            return ()
        searching = await self._searching(max(request.timeout for request in requests))
        return await searching.search_many(requests)

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        return inexpressible(filter)

    async def stored_fingerprint(self) -> str | None:
        state = await self._look(self._settings.timeout)
        return state.mark.fingerprint if state is not None and state.mark is not None and state.dense else None

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        state = await self._indexing().prepare(
            await self._look(self._settings.timeout), fingerprint=fingerprint, dimensions=dimensions, adopt=adopt
        )
        self._see(state)

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        if not documents:
            return IndexReport(indexed=0)
        state, report = await self._indexing().upsert(await self._present(), documents)
        self._see(state)
        return report

    async def delete(self, ids: Sequence[str], /) -> int:
        return await self._indexing().delete(await self._present(), ids) if ids else 0

    async def ids(self) -> Sequence[str]:
        return await self._indexing().ids(await self._present())

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        return await (await self._vocabulary()).frequencies(terms)

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        return await (await self._vocabulary()).values(field, limit=limit)

    async def count(self, filter: Filter | None, /) -> int:
        state = await self._present()
        condition = compiled(filter) if filter is not None else None
        return await self._count(state, condition)

    async def health(self) -> Health:
        """Ask for the version and the collection; never raises."""
        try:
            version = str(getattr(await self._connection.call("info", seconds=self._settings.timeout), "version", ""))
            state = await self._look(self._settings.timeout)
            if state is None:
                detail = f"{self.endpoint} has no collection '{self._settings.collection}': run `qx index`"
                return Health(ok=False, detail=detail, version=version)
            return Health(
                ok=True,
                detail="; ".join((f"collection '{state.physical}'", *self._behind())),
                version=version,
                documents=await self._count(state, None),
                ours=state.mark is not None,
            )
        except QxError as error:
            return Health(ok=False, detail=str(error))

    async def aclose(self) -> None:
        await self._connection.aclose()

    def _behind(self) -> list[str]:
        """What is to be done about each keyword field that was declared since documents were indexed."""
        found = self._state.behind(worded(self._fields)) if self._state is not None else ()
        return [f"{name} {BEHIND}" for name in found]

    async def _count(self, state: State, condition: Any) -> int:
        found = await self._connection.call(
            "count",
            collection_name=state.physical,
            count_filter=condition,
            exact=True,
            seconds=self._settings.timeout,
        )
        return int(found.count)

    async def _look(self, seconds: float) -> State | None:
        state = await self._collection.look(seconds)
        unknown = [f.name for f in self._settings.fields.values() if f.type is None]
        if state is not None and state.points and not set(unknown) <= set(state.types):
            state = await self._collection.sampled(state, unknown, seconds)
        self._see(state)
        return state

    async def _present(self, seconds: float | None = None) -> State:
        """Return what is known of the collection, having looked once.

        Raises:
            BadRequest: there is none.
        """
        state = self._state or await self._look(seconds or self._settings.timeout)
        if state is None:
            raise BadRequest(
                f"backend '{self.name}': Qdrant at {self.endpoint} has no collection '{self._settings.collection}'"
                " (run `qx index`)"
            )
        return state

    def _see(self, state: State | None) -> None:
        self._state = state
        self._fields = self._known_fields()

    def _known_fields(self) -> FieldMap:
        """The profile's map, with the types that Qdrant knows where the profile leaves them out."""
        types = self._state.types if self._state is not None else {}
        fields = dict(self._settings.fields) or {
            "title": StoredField(name="title", type="text", boost=TITLE_BOOST),
            "text": StoredField(name="text", type="text"),
            "url": StoredField(name="url", type="keyword"),
        }
        for name, field in fields.items():
            if field.type is None:
                known = "text" if name in ("title", "text") else types.get(field.name)
                fields[name] = field.model_copy(update={"type": known}) if known else field
        return fields

    def _indexing(self) -> Indexing:
        return Indexing(
            self._connection,
            self._collection,
            self._fields,
            self._analysis,
            dense=self._settings.dense,
            sparse=self._settings.sparse,
            declared=bool(self._settings.fields),
            run_cpu=self._services.run_cpu,
        )

    async def _searching(self, seconds: float) -> Searching:
        state = await self._present(seconds)
        return Searching(
            self._connection,
            state,
            self._fields,
            self._analysis,
            dense=self._settings.dense,
            sparse=self._settings.sparse,
        )

    async def _vocabulary(self) -> Vocabulary:
        state = await self._present()
        return Vocabulary(self._connection, state, self._fields, self._analysis, seconds=self._settings.timeout)
