"""``type: local``: an index in a folder, searched in process by tantivy.  Nothing else has to run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from qx.backend import (
    Document,
    Health,
    IndexReport,
    SearchRequest,
    SearchResponse,
)
from qx.builtin.local import codes
from qx.builtin.local.expressions import Compiler
from qx.builtin.local.failures import translated
from qx.builtin.local.field_types import typed
from qx.builtin.local.filters import compile_filter
from qx.builtin.local.highlights import highlight
from qx.builtin.local.records import Record, Unfit, read
from qx.builtin.local.schema import NO_WORDS, UNSEARCHED, UNWORDED, VALUES, Kind, tantivy, text_column
from qx.builtin.local.searching import Listed, find, record, values
from qx.builtin.local.settings import LocalSettings
from qx.builtin.local.snapshot import Snapshot
from qx.builtin.local.sources import Body
from qx.builtin.local.store import Store
from qx.builtin.local.vectors import MOST, count
from qx.builtin.own_file import place
from qx.errors import BadRequest, Closed, QxError
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap, StoredField
from qx.filters.matching import evaluate
from qx.filters.worded import worded
from qx.text.near import reach, words_near
from qx.types import Hit, Target

if TYPE_CHECKING:
    import logging

    from qx.hookspecs import Services

T = TypeVar("T")

_THREADS = 4
_NEAR_DOCUMENTS = 200
"""Documents that are read for the words near a term."""
_DEFAULTS: FieldMap = {
    "id": StoredField(name="id", type="keyword"),
    "title": StoredField(name="title", type="text"),
    "text": StoredField(name="text", type="text"),
    "url": StoredField(name="url", type="keyword"),
}


class LocalBackend:
    """Implements the contract of a backend and all of its abilities.

    Args:
        settings: See ``LocalSettings``.
        store: The folder.
        log: Where warnings go.
    """

    Settings = LocalSettings
    accepts: frozenset[Target] = frozenset(("any", "lexical", "vector"))
    bm25 = True
    in_process = True
    conformance: ClassVar[Mapping[str, bool]] = {"traditional": True, "by_id": True, "by_values": True}
    """What `qx plugins check` has to know of the engine; the suites say what each means."""

    def __init__(self, settings: LocalSettings, store: Store, log: logging.Logger) -> None:
        self.name = settings.name
        self.endpoint = str(store.folder)
        self._settings = settings
        self._store = store
        self._log = log
        self._fields: FieldMap = {**_DEFAULTS, **settings.fields}
        self._typed: tuple[Snapshot, FieldMap] | None = None
        self._searched = self._boosts()
        self._worded = {codes.resolved(name): boost for name, boost in worded(settings.fields).items()}
        self._executor = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix=f"qx-local-{self.name}")
        self._closed = False

    @classmethod
    async def create(cls, settings: LocalSettings, services: Services, /) -> LocalBackend:
        """Open the index, if there is one yet.

        Raises:
            NotAllowed: ``path`` is not allowed.
            ProfileError: the index is damaged, or a newer qx made it.
        """
        folder = place(settings.path, services, default=f"index-{settings.name}")
        store = Store(
            folder,
            name=settings.name,
            lexicon=settings.lexicon,
            near=settings.near_words,
            clock=services.clock,
            wait=settings.wait,
        )
        made = cls(settings, store, services.log)
        try:
            await made._run(made._warm)
        except BaseException:
            await made.aclose()
            raise
        return made

    @property
    def fields(self) -> FieldMap:
        """The profile's map and the own fields; types that it leaves out are those of the stored values."""
        if self._closed or not self._store.opened():
            return self._fields
        return self._typed_fields(self._store.snapshot())

    def _typed_fields(self, snapshot: Snapshot) -> FieldMap:
        if self._typed is None or self._typed[0] is not snapshot:
            self._typed = (snapshot, {name: typed(field, snapshot) for name, field in self._fields.items()})
        return self._typed[1]

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        return await self._run(partial(self._search, request))

    async def search_many(self, requests: Sequence[SearchRequest], /) -> Sequence[SearchResponse | QxError]:
        """Run requests one after the other, in one thread."""
        return await self._run(lambda: [self._tried(request) for request in requests])

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        """Every filter can be expressed."""
        return ()

    async def stored_fingerprint(self) -> str | None:
        def ask() -> str | None:
            snapshot = self._store.snapshot()
            return snapshot.marker.fingerprint if count(snapshot) else None

        return await self._run(ask)

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        await self._run(
            lambda: self._store.prepare(
                texts=tuple(self._boosts()),
                worded=tuple(self._worded),
                stemmer=self._settings.stemmer,
                fingerprint=fingerprint,
                dimensions=dimensions,
                adopt=adopt,
            )
        )

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        """Write documents in one commit; of two with one id the last one counts."""
        return await self._run(partial(self._upsert, documents))

    async def delete(self, ids: Sequence[str], /) -> int:
        return await self._run(lambda: self._store.delete(ids))

    async def ids(self) -> Sequence[str]:
        return await self._run(self._store.ids)

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        """Count the documents that hold a term, its words side by side."""

        def ask() -> dict[str, int]:
            snapshot = self._store.snapshot()
            compiler = self._compiler(snapshot)
            return {term: snapshot.number(compiler.phrase(term)) for term in terms}

        return await self._run(ask)

    async def spellings(self, terms: Sequence[str], /, *, limit: int) -> Mapping[str, Sequence[str]]:
        """Return words near each term out of some documents that hold one."""

        def ask() -> dict[str, tuple[str, ...]]:
            snapshot = self._store.snapshot()
            compiler = self._compiler(snapshot)
            return {term: self._near(term, snapshot, compiler)[:limit] for term in terms}

        return await self._run(ask)

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        return await self._run(lambda: self._store.snapshot().values(codes.resolved(field), None, limit))

    async def count(self, filter: Filter | None, /) -> int:
        return await self._run(partial(self._count, filter))

    async def health(self) -> Health:
        version = str(tantivy().__version__)
        try:
            documents, problem = await self._run(self._examined)
        except QxError as error:
            return Health(ok=False, detail=str(error), version=version)
        detail = problem or "; ".join((self.endpoint, *await self._run(self._told_behind)))
        return Health(ok=not problem, detail=detail, version=version, documents=documents, ours=True)

    def _examined(self) -> tuple[int, str]:
        """How many documents there are, and what is wrong with the index."""
        snapshot = self._store.snapshot()
        problem = self._store.damage()
        if problem:
            return snapshot.documents, f"{problem}: restore the folder, or remove it and index all documents again"
        return snapshot.documents, self._store.other_stemmer(self._settings.stemmer)

    def _told_behind(self) -> list[str]:
        """What is to be done about each keyword field whose words are not searched in all documents."""
        why = NO_WORDS if self._store.snapshot().marker.worded is None else UNWORDED
        return [f"{path} {why}" for path in self._unworded()]

    async def aclose(self) -> None:
        """Wait for what is under way, and close the files."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._executor.shutdown, wait=True)
        self._store.close()

    async def _run(self, call: Callable[[], T]) -> T:
        """Run ``call`` in a thread of the backend's own; tantivy works without the interpreter's lock."""
        if self._closed:
            raise Closed(f"backend {self.name}: closed")
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._translated, call)

    def _translated(self, call: Callable[[], T]) -> T:
        with translated(self.name, self.endpoint):
            return call()

    def _warm(self) -> None:
        tantivy()
        if self._store.opened():
            self._store.analysis.pieces("打印机 warm")
            for path in set(self._searched).difference(self._store.snapshot().marker.texts):
                self._log.warning("backend %s: %s: %s %s", self.name, self.endpoint, path, UNSEARCHED)
            for told in self._told_behind():
                self._log.warning("backend %s: %s: %s", self.name, self.endpoint, told)
            if problem := self._store.other_stemmer(self._settings.stemmer):
                self._log.warning("backend %s: %s", self.name, problem)

    def _tried(self, request: SearchRequest) -> SearchResponse | QxError:
        try:
            return self._translated(partial(self._search, request))
        except QxError as error:
            return error

    def _search(self, request: SearchRequest) -> SearchResponse:
        snapshot = self._store.snapshot()
        compiler = self._compiler(snapshot)
        table = None
        if request.vector is not None and request.target in ("any", "vector") and snapshot.marker.dimensions:
            if len(request.vector) != 4 * snapshot.marker.dimensions:
                raise BadRequest(
                    f"backend {self.name}: the query's vector has {len(request.vector) // 4} dimensions, those of "
                    f"{self.endpoint} {snapshot.marker.dimensions}: index again with this embedder"
                )
            table = self._store.table(snapshot)
        listed = find(request, snapshot, self._store.sources, compiler, table if table else None)
        return self._response(request, listed, compiler)

    def _response(self, request: SearchRequest, listed: Listed, compiler: Compiler) -> SearchResponse:
        keys = listed.keys
        names = self._store.sources.names(keys)
        wanted = frozenset(compiler.wanted if request.highlights else ())

        def hit(index: int) -> Hit:
            return self._hit(keys[index], *names[index], wanted)

        return SearchResponse(
            ids=tuple(id for id, _ in names),
            scores=tuple(listed.scores),
            hit=hit,
            identities=self._identities(request.identity, keys, names),
            total=listed.total,
            facets=listed.facets,
            unexpressed=tuple(dict.fromkeys(compiler.unexpressed)),
        )

    def _identities(
        self, field: str | None, keys: Sequence[int], names: Sequence[tuple[str, str | None]]
    ) -> tuple[str | None, ...]:
        if field is None:
            return ()
        if field in ("id", "url"):
            return tuple(id if field == "id" else url for id, url in names)
        bodies = self._store.sources.bodies(keys)
        found = [
            values(record(bodies[key], *name), field) if key in bodies else []
            for key, name in zip(keys, names, strict=True)
        ]
        return tuple(str(items[0]) if items else None for items in found)

    def _hit(self, key: int, id: str, url: str | None, wanted: frozenset[str]) -> Hit:
        if self._closed:
            raise Closed(f"backend {self.name}: closed")
        body = self._store.sources.bodies([key]).get(key)
        if body is None:  # replaced long ago
            return Hit(id=id, backend=self.name, url=url)
        analysis = self._store.analysis
        shown = (highlight("title", body.title, wanted, analysis), highlight("text", body.text, wanted, analysis))
        return Hit(
            id=id,
            backend=self.name,
            title=body.title,
            text=body.text,
            url=url,
            metadata=body.metadata,
            highlights=tuple(item for item in shown if item is not None),
        )

    def _upsert(self, documents: Sequence[Document]) -> IndexReport:
        snapshot = self._store.snapshot()
        dimensions = snapshot.marker.dimensions
        held = count(snapshot) if any(d.vector is not None for d in documents) else 0
        failed: list[tuple[str, str]] = []
        records: dict[str, Record] = {}
        for document in documents:
            try:
                found = read(document, dimensions=dimensions)
            except Unfit as reason:
                failed.append((document.id, str(reason)))
                continue
            if document.vector is not None:
                held += document.id not in records
                if held > MOST:
                    failed.append((document.id, f"the local backend compares {MOST} vectors at most: use another type"))
                    continue
            records[document.id] = found
        if records:
            self._store.write(list(records.values()), self._reserved())
        return IndexReport(indexed=len(records), failed=tuple(failed))

    def _near(self, term: str, snapshot: Snapshot, compiler: Compiler) -> tuple[str, ...]:
        for slips in (1, 2)[: 2 * reach(term)]:  # of a short word too: a stem may lie farther apart than its word
            query = compiler.near(term, slips)
            if query is None:
                break
            bodies = self._store.sources.bodies(snapshot.some(query, _NEAR_DOCUMENTS))
            if found := words_near(term, map(self._words, bodies.values())):
                return found
        return ()

    def _words(self, body: Body) -> str:
        """All that is searched of a document."""
        item = record(body, "", None)
        return "\n".join(str(part) for path in (*self._searched, *self._worded) for part in values(item, path))

    def _count(self, tree: Filter | None) -> int:
        snapshot = self._store.snapshot()
        if tree is None:
            return snapshot.documents
        compiled = compile_filter(tree, snapshot)
        if not compiled.checked:
            return snapshot.number(compiled.query)
        keys = snapshot.matching(compiled.query)
        names = self._store.sources.names(keys)
        bodies = self._store.sources.bodies(keys)
        found = (record(bodies[key], *name) for key, name in zip(keys, names, strict=True) if key in bodies)
        return sum(evaluate(tree, item) for item in found)

    def _boosts(self) -> dict[str, float]:
        """Path of each searched field -> weight."""
        searched = [f for name, f in self._fields.items() if name in ("title", "text") or f.type == "text"]
        return {codes.resolved(f.name): f.boost for f in searched}

    def _compiler(self, snapshot: Snapshot) -> Compiler:
        texts = snapshot.marker.texts
        columns = {path: text_column(path, texts) for path in texts}
        boosts = {columns[path]: boost for path, boost in self._searched.items() if path in columns}
        boosts = boosts or dict.fromkeys(columns.values(), 1.0)
        if self._worded and snapshot.marker.worded:
            boosts[VALUES] = max(self._worded.values())
        title = codes.resolved(self._fields["title"].name)
        return Compiler(
            snapshot=snapshot,
            analysis=self._store.analysis,
            fields=self._typed_fields(snapshot),
            boosts=boosts,
            titles=(columns.get(title, next(iter(columns.values()))),),
            texts=columns,
        )

    def _unworded(self) -> list[str]:
        """The declared keyword fields whose words documents were indexed without."""
        snapshot = self._store.snapshot()
        return [path for path in self._worded if snapshot.is_behind(path)]

    def _reserved(self) -> list[tuple[str, Kind]]:
        kinds: dict[str, Kind] = {"number": "n", "date": "d"}
        return [
            (codes.resolved(f.name), kinds[f.type])
            for f in self._fields.values()
            if f.type is not None and f.type in kinds
        ]
