"""The backend ``web``: one web-search API."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from qx.backend import Health, SearchRequest, SearchResponse
from qx.builtin.web import template
from qx.builtin.web.filters import Filters, Said
from qx.builtin.web.line import dialect_of, is_wordless, query_line
from qx.builtin.web.reading import Page, Reader, Row
from qx.builtin.web.settings import Settings
from qx.errors import BadRequest, Closed, ProviderTimeout, QxError
from qx.failures import cleaned
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap
from qx.hookspecs import Services
from qx.http import place
from qx.secrets import Redactor, is_key
from qx.serial import value
from qx.types import Hit, Target

_TOLD_APART = ("打印机", "wie geht es dir")
"""Texts whose language is told by tables of characters, and by a model: both load at first use, which no search should
have to wait for."""


@value
class _Asked:
    """One search as the API gets it, page by page."""

    values: Mapping[str, str | int | None]
    said: Said
    unexpressed: tuple[str, ...]


@value
class _Span:
    """The pages that hold a part of the list: from page ``first`` on, ``count`` of them, without ``skip`` hits."""

    first: int
    count: int
    skip: int
    size: int


class WebSearch:
    """Implements ``SearchBackend``, ``SupportsFilter`` and ``SupportsHealth``.

    Each page is a call of its own; ``pages`` of the settings says how many of them one search may cost.
    """

    Settings = Settings

    def __init__(self, settings: Settings, services: Services) -> None:
        self._settings = settings
        self._http = services.http
        self._clock = services.clock
        self._log = services.log
        self._redact = Redactor(_secrets(settings)).text
        self._dialect = dialect_of(settings)
        self._filters = Filters(settings.filters, settings.fields, settings.dialect)
        self._where = f"backend {settings.name} at {self.endpoint}"
        self._reader = Reader(settings.response, where=self._where)
        key = settings.api_key.get_secret_value().strip() if settings.api_key else None
        self._constants: dict[str, str | int | None] = {k: template.plain(v) for k, v in settings.vars.items()}
        self._constants["api_key"] = key
        self._speaks = "language" in template.names([settings.url, settings.params, settings.body])
        self._closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> WebSearch:
        """Load what a search needs.  The API is not called: that may cost money."""
        await services.http.open()
        made = cls(settings, services)
        if made._speaks and settings.language is None:
            await services.run_cpu(lambda: [_language(text) for text in _TOLD_APART])
        return made

    @property
    def name(self) -> str:
        return self._settings.name

    @property
    def endpoint(self) -> str:
        return place(self._settings.url)

    @property
    def accepts(self) -> frozenset[Target]:
        return frozenset(("any", "lexical", "web"))

    @property
    def fields(self) -> FieldMap:
        return {**self._settings.fields, **self._filters.fields}

    @property
    def bm25(self) -> bool:
        """Not BM25, but an order that counting words in snippets would not better."""
        return self._settings.own_order

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        return self._filters.inexpressible(filter, self._clock.now())

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Ask for as many pages as the wanted part of the list lies on.

        Where a later page fails, the hits before it are returned and the failure stands in ``unexpressed``.
        """
        if self._closed:
            raise Closed(f"backend {self.name} is closed")
        asked = self._asked(request)
        if not asked.values["query"]:
            if request.filter is not None:
                raise BadRequest(f"{self._where}: a web search needs words, there is only a filter")
            return _response((), self.name, total=0, unexpressed=asked.unexpressed)
        return await self._pages(request, asked)

    async def health(self) -> Health:
        """Ask for one hit; it costs one call."""
        from qx.syntax import Terms

        try:
            await self.search(SearchRequest(text="test", expression=Terms(words=("test",)), limit=1))
        except QxError as error:
            return Health(ok=False, detail=str(error))
        return Health(ok=True, detail=f"one search at {self.endpoint}")

    async def aclose(self) -> None:
        """Nothing to close: the connections are the engine's."""
        self._closed = True

    def _asked(self, request: SearchRequest) -> _Asked:
        said = self._filters.say(request.filter, self._clock.now())
        line = query_line(request.expression, said.expressions, self._dialect)
        text = "" if is_wordless(line, said.expressions, self._dialect) else line.text
        values = {**self._constants, **said.values, "query": text, "language": None}
        if self._speaks:
            values["language"] = self._spoken(request.text)
        return _Asked(values=_scrubbed(values), said=said, unexpressed=line.unexpressed)

    def _spoken(self, text: str) -> str | None:
        tag = self._settings.language or _language(text)
        known = self._settings.languages
        found = known.get(tag) or known.get(tag.partition("-")[0]) if known else tag
        return None if tag == "und" else found

    async def _pages(self, request: SearchRequest, asked: _Asked) -> SearchResponse:
        clock = asyncio.get_running_loop().time
        deadline = clock() + request.timeout
        span = self._span(request)
        wanted = span.skip + request.limit
        rows: list[Row | None] = []
        total: int | None = None
        notes = list(asked.unexpressed)
        for index in range(span.first, span.first + span.count):
            try:
                page = await self._page(asked, index, span.size, deadline - clock(), wanted - len(rows))
            except QxError as error:
                if not any(rows):
                    raise
                self._log.warning("page %d was not there: %s", index + 1, error)
                notes.append(f"page {index + 1}: {error}")
                break
            total = page.total if total is None else total
            fresh = {row.id for row in page.rows if row} - {row.id for row in rows if row}
            rows += page.rows
            if not fresh or not page.more or len(rows) >= wanted:
                break
        kept = self._kept(rows[span.skip : wanted], asked.said)
        return _response(kept, self.name, total=total, unexpressed=tuple(notes), start=request.offset)

    def _span(self, request: SearchRequest) -> _Span:
        size = self._settings.page_size
        first, skip = divmod(request.offset, size)
        reach = self._settings.max_results
        last = None if reach is None else -(-reach // size)
        count = min(-(-(skip + request.limit) // size), self._settings.pages)
        if last is not None:
            count = max(0, min(count, last - first))
        if first == 0 and count == 1:
            size = min(size, skip + request.limit)  # further on, another size would be another place
        return _Span(first=first, count=count, skip=skip, size=size)

    async def _page(self, asked: _Asked, index: int, size: int, seconds: float, most: int) -> Page:
        settings = self._settings
        offset = index * settings.page_size
        place_in_list = {"limit": size, "offset": offset, "first": offset + 1, "page": index + 1, "page_index": index}
        values = {**asked.values, **place_in_list}
        failure: QxError
        try:
            if seconds <= 0:
                raise ProviderTimeout(f"{self._where}: no time is left")
            reply = await self._http.send(
                settings.method,
                template.url(settings.url, settings.params, values),
                json=template.fill(settings.body, values),
                headers=self._headers(values),
                timeout=seconds,
            )
            return self._reader.page(reply, self._clock.now(), most)
        except QxError as error:
            failure = cleaned(error, self._redact)
        said = str(failure).replace("`api_base`", "`url`")  # what the HTTP client calls an address
        failure.args = (said if said.startswith("backend ") else f"backend {self.name}: {said}",)
        raise failure  # out here, so that what was caught is not its context

    def _headers(self, values: Mapping[str, str | int | None]) -> dict[str, str]:
        filled = {name: template.text(item, values) for name, item in self._settings.headers.items()}
        return {"Accept": "application/json"} | {name: item for name, item in filled.items() if item is not None}

    def _kept(self, rows: Sequence[Row | None], said: Said) -> tuple[Row, ...]:
        """Each hit once, and no dated one from outside of the wanted time: an API's "past month" may be too wide."""
        by_id: dict[str, Row] = {}
        for row in rows:
            if row is not None and _within(row.published, said):
                by_id.setdefault(row.id, row)
        return tuple(by_id.values())


def _within(moment: datetime | None, said: Said) -> bool:
    if moment is None:
        return True
    return not ((said.start and moment < said.start) or (said.end and moment > said.end))


def _response(
    rows: Sequence[Row], backend: str, *, total: int | None, unexpressed: tuple[str, ...], start: int = 0
) -> SearchResponse:
    def hit(index: int) -> Hit:
        row = rows[index]
        return Hit(id=row.id, backend=backend, title=row.title, text=row.text, url=row.url, metadata=row.metadata)

    return SearchResponse(
        ids=tuple(row.id for row in rows),
        scores=tuple(1.0 / (start + number) for number in range(1, len(rows) + 1)),
        hit=hit,
        identities=tuple(row.url for row in rows),
        total=total,
        unexpressed=unexpressed,
    )


def _language(text: str) -> str:
    from qx.text.language import identify

    return identify(text)


def _scrubbed(values: Mapping[str, str | int | None]) -> dict[str, str | int | None]:
    """Values without lone surrogates, which are no Unicode and have no JSON."""
    return {k: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for k, v in values.items()}


def _secrets(settings: Settings) -> set[str]:
    """The key, whatever headers carry, parameters and values that are named like secrets, a password in the address."""
    found = {settings.api_key.get_secret_value()} if settings.api_key else set[str]()
    for item in settings.headers.values():
        found |= {word for word in item.split() if "{" not in word and len(word) >= 8}
    for name, item in (*settings.params.items(), *settings.vars.items()):
        if is_key(name) and isinstance(item, str) and "{" not in item:
            found.add(item)
    from urllib.parse import parse_qsl, urlsplit

    parts = urlsplit(settings.url)
    found |= {text for name, text in parse_qsl(parts.query) if is_key(name) and "{" not in text}
    return found | ({parts.password} if parts.password else set())
