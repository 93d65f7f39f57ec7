"""A search backend whose every answer, delay and failure is written down beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

from pydantic import Field

from qx.backend import BackendSettings, Document, Health, SearchRequest, SearchResponse, Sort
from qx.errors import Closed, ProviderError, QxError
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap
from qx.filters.matching import evaluate, values
from qx.hookspecs import Services
from qx.serial import value
from qx.types import Hit, Target


@value
class Listing:
    """One scripted list: after ``delay`` seconds ``documents`` (best first), or ``error`` raised.

    Scores fall from 1 by 1/n.  ``hang`` never answers.
    """

    documents: tuple[Document, ...] = ()
    delay: float = 0.0
    error: Exception | None = None
    total: int | None = None
    frequencies: Mapping[str, int] | None = None
    hang: bool = False


Listed = Listing | Exception | Sequence[str] | Sequence[Document]
"""A list in short: ids alone, documents, or what is raised."""


@value
class InTurn:
    """Lists that are used up in order; the last one stays."""

    lists: tuple[Listed, ...]


Script = Mapping[str, "Listed | InTurn"] | Callable[[SearchRequest], Listed]


class Settings(BackendSettings):
    """The settings of ``type: scripted``: ``instance`` (see ``ScriptedBackend.named``), or lists of ids by query."""

    instance: str | None = None
    answers: Mapping[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    delay: float = Field(default=0.0, ge=0)


class ScriptedBackend:
    """Implements ``SearchBackend``, ``SupportsFilter``, ``SupportsCount`` and ``SupportsHealth``.

    Args:
        script: Query text -> list (or lists ``InTurn``), or a function of the request.
        default: For every other query; an empty list where it is not given.
        delay: Seconds before every answer that names no delay of its own.
        filters: Whether ``request.filter`` is applied to the scripted documents (by ``qx.filters.matching``).

    Attributes:
        requests: Every request so far.
        running, peak: Calls under way, and the most that ever were at once.
        cancelled: Calls that were cancelled while they waited.
        closed: Whether ``aclose`` was called.
        made: How many hits were made.
    """

    Settings = Settings
    _instances: ClassVar[dict[str, ScriptedBackend]] = {}

    def __init__(
        self,
        script: Script | None = None,
        *,
        default: Listed = (),
        name: str = "scripted",
        fields: FieldMap | None = None,
        accepts: frozenset[Target] = frozenset(("any", "lexical", "web")),
        bm25: bool = True,
        delay: float = 0.0,
        filters: bool = True,
    ) -> None:
        self._script: Script = script if script is not None else dict[str, Listed | InTurn]()
        self._default = default
        self._delay = delay
        self._filters = filters
        self._used: dict[str, int] = {}
        self.name = name
        self.endpoint = f"scripted:{name}"
        self.accepts: frozenset[Target] = accepts
        self.fields: FieldMap = fields or {}
        self.bm25 = bm25
        self.requests: list[SearchRequest] = []
        self.running = 0
        self.peak = 0
        self.cancelled = 0
        self.closed = False
        self.made = 0

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> ScriptedBackend:
        if settings.instance is not None:
            found = cls._instances[settings.instance]
            found.name, found.fields = settings.name, settings.fields or found.fields
            return found
        return cls(settings.answers, name=settings.name, fields=settings.fields, delay=settings.delay)

    def named(self, instance: str) -> ScriptedBackend:
        """Make this one what ``instance: NAME`` means in profiles of this process; returns itself."""
        self._instances[instance] = self
        return self

    @property
    def queries(self) -> list[str]:
        """The texts of the requests so far."""
        return [request.text for request in self.requests]

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        if self.closed:
            raise Closed(f"backend {self.name}: closed")
        self.requests.append(request)
        listing = self._listing(request)
        self.running += 1
        self.peak = max(self.peak, self.running)
        try:
            await (asyncio.Event().wait() if listing.hang else asyncio.sleep(listing.delay or self._delay))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1
        if listing.error is not None:
            raise _fresh(listing.error)
        return self._response(listing, request)

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        return () if self._filters else (filter,)

    async def count(self, filter: Filter | None, /) -> int:
        return len(self._passing(_listing(self._default).documents, filter))

    async def health(self) -> Health:
        return Health(ok=not self.closed, detail=self.endpoint)

    async def aclose(self) -> None:
        self.closed = True

    def _listing(self, request: SearchRequest) -> Listing:
        if callable(self._script):
            return _listing(self._script(request))
        found = self._script.get(request.text, self._default)
        if not isinstance(found, InTurn):
            return _listing(found)
        at = self._used.get(request.text, 0)
        self._used[request.text] = at + 1
        return _listing(found.lists[min(at, len(found.lists) - 1)])

    def _passing(self, documents: Sequence[Document], tree: Filter | None) -> list[Document]:
        if tree is None or not self._filters:
            return list(documents)
        return [d for d in documents if evaluate(tree, {"id": d.id, "url": d.url, "metadata": d.metadata})]

    def _response(self, listing: Listing, request: SearchRequest) -> SearchResponse:
        passing = self._passing(listing.documents, request.filter)
        for by in reversed(request.sort):
            passing = _sorted(passing, by)
        page = passing[request.offset : request.offset + request.limit]

        def hit(index: int) -> Hit:
            self.made += 1
            d = page[index]
            return Hit(id=d.id, backend=self.name, title=d.title, text=d.text, url=d.url, metadata=d.metadata)

        return SearchResponse(
            ids=tuple(d.id for d in page),
            scores=tuple(1.0 - (request.offset + i) / max(len(passing), 1) for i in range(len(page))),
            hit=hit,
            identities=tuple(d.url for d in page),
            total=len(passing) if listing.total is None else listing.total,
            frequencies=listing.frequencies or {},
        )


def _sorted(documents: Sequence[Document], by: Sort) -> list[Document]:
    """Sort by a stored field; documents without it come last."""
    held = [(found[0], d) for d in documents if (found := values({"metadata": d.metadata}, by.field))]
    held.sort(key=lambda pair: cast("Any", pair[0]), reverse=by.descending)
    having = [d for _, d in held]
    return having + [d for d in documents if d not in having]


def _listing(listed: Listed) -> Listing:
    if isinstance(listed, Listing):
        return listed
    if isinstance(listed, Exception):
        return Listing(error=listed)
    return Listing(documents=tuple(Document(id=d, title=d) if isinstance(d, str) else d for d in listed))


def _fresh(error: Exception) -> Exception:
    """A copy: one object raised twice would carry the first raise's traceback and context along."""
    if not isinstance(error, ProviderError):
        return error
    copy: QxError = type(error)(str(error), plugin=error.plugin, step=error.step, retry_after=error.retry_after)
    copy.__cause__ = error.__cause__
    return copy
