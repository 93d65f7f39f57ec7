"""Making an index, adopting one, and swapping in a new one without a gap.

The name in the profile is an alias of a numbered index, ``products`` of ``products-000001``.  Where the profile asks for
another mapping than the index has, its documents are copied into the next number and the alias moves in one step:
readers see the old one until then, the new one from then on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qx.backend import Document
from qx.errors import BadRequest, NotAllowed, ProviderError, UsageError
from qx_elasticsearch import schema
from qx_elasticsearch.catalog import Catalog, read
from qx_elasticsearch.connection import Connection
from qx_elasticsearch.documents import FOREIGN_VECTOR, document_of
from qx_elasticsearch.reading import read_catalog
from qx_elasticsearch.settings import Settings
from qx_elasticsearch.writing import Writer

_PAGE = 500


class Preparer:
    """Prepares the index of one backend for writing."""

    def __init__(self, connection: Connection, settings: Settings) -> None:
        self._connection = connection
        self._settings = settings
        self._timeout = settings.indexing_timeout

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool) -> None:
        """Make the index, or see that the one that is there fits.

        Raises:
            NotAllowed: qx did not make it, and ``adopt`` is False.
            UsageError: the profile names a pattern.
        """
        settings = self._settings
        if re.search(r"[*,?<>]", settings.index):
            raise UsageError(f"'{settings.index}' names several indices: to index, the profile names one")
        body = schema.index_body(settings, fingerprint=fingerprint, dimensions=dimensions)
        catalog = await self._catalog()
        if catalog is None:
            await self._make(f"{settings.index}-000001", {**body, "aliases": {settings.index: {}}})
        elif not catalog.ours:
            await self._adopt(catalog, fingerprint, dimensions, adopt=adopt)
        elif catalog.own:
            await self._refit(catalog, body, fingerprint, dimensions)
        elif dimensions and (catalog.dimensions, catalog.fingerprint) != (dimensions, fingerprint):
            await self._mark(catalog, fingerprint, dimensions)

    async def _catalog(self) -> Catalog | None:
        return await read_catalog(self._connection, self._settings.index, self._settings.fields, timeout=self._timeout)

    async def _make(self, name: str, body: Mapping[str, Any]) -> None:
        """Make an index; that another process was first is no error."""
        try:
            await self._connection.call(
                lambda client: client.indices.create(index=name, body=dict(body)), timeout=self._timeout
            )
        except BadRequest as error:
            if "already exists" not in str(error) or "aliases" not in body:
                raise

    async def _adopt(self, catalog: Catalog, fingerprint: str | None, dimensions: int, *, adopt: bool) -> None:
        if not adopt:
            raise NotAllowed(
                f"{self._connection.place}: the index '{self._settings.index}' was not made by qx: `qx index --adopt` "
                "lets it write there, another `index` in the profile leaves it alone"
            )
        await self._mark(catalog, fingerprint, dimensions)

    async def _mark(self, catalog: Catalog, fingerprint: str | None, dimensions: int) -> None:
        """Write qx's marker into the mapping of an index of somebody else's, beside what stands there."""
        place, timeout = self._connection, self._timeout
        answer = await place.call(
            lambda client: client.indices.get_mapping(index=self._settings.index), timeout=timeout
        )
        vector = schema.vector_marker(fingerprint, dimensions)
        for name, found in answer.items():
            meta = (found.get("mappings") or {}).get("_meta") or {}
            body: dict[str, Any] = {"_meta": {**meta, schema.MARKER: {"layout": schema.FOREIGN, **vector}}}
            if dimensions and not catalog.dimensions:
                field = {"type": "dense_vector", "dims": dimensions, "index": True, "similarity": "cosine"}
                body["properties"] = {FOREIGN_VECTOR: field}
            elif dimensions and catalog.dimensions != dimensions:
                raise BadRequest(
                    f"{place.place}: the index holds vectors of {catalog.dimensions} dimensions, the embedder makes "
                    f"{dimensions}: take the embedder that made them, or another index"
                )
            await place.call(
                lambda client, name=name, body=body: client.indices.put_mapping(index=name, body=body), timeout=timeout
            )

    async def _refit(self, catalog: Catalog, body: dict[str, Any], fingerprint: str | None, dimensions: int) -> None:
        if not dimensions and catalog.dimensions:  # a run without an embedder keeps the vectors that are there
            fingerprint, dimensions = catalog.fingerprint, catalog.dimensions
            body = schema.index_body(self._settings, fingerprint=fingerprint, dimensions=dimensions)
        marker = body["mappings"]["_meta"][schema.MARKER]
        if catalog.marker == marker:
            return
        vectors = (catalog.fingerprint, catalog.dimensions) == (fingerprint, dimensions)
        await self._swap(catalog, body, vectors=vectors)

    async def _swap(self, catalog: Catalog, body: dict[str, Any], *, vectors: bool) -> None:
        """Copy all documents into a new index and move the alias to it."""
        alias, old = self._settings.index, catalog.indices[0]
        name = await self._next(old)
        await self._make(name, body)
        try:
            made = await self._connection.call(
                lambda client: client.indices.get_mapping(index=name), timeout=self._timeout
            )
            await self._copy(name, read(made.body), vectors=vectors)
            actions = [{"remove": {"index": old, "alias": alias}}, {"add": {"index": name, "alias": alias}}]
            await self._connection.call(
                lambda client: client.indices.update_aliases(actions=actions), timeout=self._timeout
            )
        except BaseException:
            await self._drop(name)
            raise
        await self._drop(old)

    async def _copy(self, name: str, catalog: Catalog, *, vectors: bool) -> None:
        source = Writer(self._connection, self._settings.index, timeout=self._timeout)
        target = Writer(self._connection, name, timeout=self._timeout)
        fields = catalog.complete(self._settings.fields)
        page: list[Document] = []

        async def flush() -> None:
            report = await target.upsert(page, catalog, fields, alias=False)
            if report.failed:
                id, reason = report.failed[0]
                raise ProviderError(
                    f"{self._connection.place}: {len(report.failed)} documents do not fit the new mapping, the index "
                    f"stays as it was; {id!r}: {reason}"
                )
            page.clear()

        async for hit in source.scan():
            page.append(document_of(hit, vectors=vectors))
            if len(page) >= _PAGE:
                await flush()
        if page:
            await flush()

    async def _next(self, current: str) -> str:
        """The next free number; what a broken-off run left behind under one is removed."""
        alias = self._settings.index
        found = await self._connection.call(
            lambda client: client.indices.get(index=f"{alias}-*", expand_wildcards="all"), timeout=self._timeout
        )
        numbers = [0]
        for name, about in found.items():
            match = re.fullmatch(rf"{re.escape(alias)}-(\d{{6}})", name)
            if match is None:
                continue
            numbers.append(int(match[1]))
            marker = ((about.get("mappings") or {}).get("_meta") or {}).get(schema.MARKER) or {}
            if name != current and marker.get("alias") == alias and not about.get("aliases"):
                await self._drop(name)
        return f"{alias}-{max(numbers) + 1:06d}"

    async def _drop(self, name: str) -> None:
        await self._connection.call(
            lambda client: client.options(ignore_status=404).indices.delete(index=name), timeout=self._timeout
        )
