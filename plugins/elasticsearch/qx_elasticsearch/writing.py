"""Documents into the index, and out of it: bulk calls whose failures are told one by one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from qx.backend import Document, IndexReport
from qx.errors import BadResponse
from qx.filters.fieldmap import FieldMap
from qx_elasticsearch.catalog import Catalog
from qx_elasticsearch.connection import Connection
from qx_elasticsearch.documents import FOREIGN_ID, id_of, mapped_id, serialised, source_of
from qx_elasticsearch.failures import TooMuch, reason_of

_BULK_BYTES = 5_000_000
_BULK_DOCUMENTS = 1000
_MAY_PASS = frozenset((429, 502, 503, 504))
"""Statuses of single items that say that the cluster was busy."""
_PAGE = 1000
_KEEP = "2m"


class Writer:
    """Writes to one index (or alias of one).

    Args:
        connection: To the cluster.
        index: The name.
        timeout: Seconds for one call.
    """

    def __init__(self, connection: Connection, index: str, *, timeout: float) -> None:
        self._connection = connection
        self._index = index
        self._timeout = timeout

    async def upsert(
        self, documents: Sequence[Document], catalog: Catalog, fields: FieldMap, *, alias: bool = True
    ) -> IndexReport:
        """Write documents, the last of those with one id.  They are findable when this returns.

        Args:
            documents: What to write.
            catalog: Of the index.
            fields: The profile's field map.
            alias: Whether an index of qx's own layout is written through its alias.
        """
        last = {document.id: document for document in documents}
        failed: list[tuple[str, str]] = []
        again: set[str] = set()
        lines: list[tuple[str, bytes, bytes]] = []
        for id, document in last.items():
            try:
                line = serialised(source_of(document, catalog, fields))
            except (ValueError, TypeError, OverflowError) as error:
                failed.append((id, f"it has no JSON form: {error}"))
                continue
            lines.append((id, _action("index", id), line))
        for part in _batches(lines):
            answer = await self._bulk(
                [line for _, action, source in part for line in (action, source)], alias and catalog.own
            )
            for (id, _, _), (said, may_pass) in zip(part, self._outcomes(answer), strict=True):
                if said:
                    failed.append((id, said))
                if may_pass:
                    again.add(id)
        if lines:
            await self.refresh()
        return IndexReport(indexed=len(last) - len(failed), failed=tuple(failed), again=frozenset(again))

    async def delete(self, ids: Sequence[str], catalog: Catalog) -> int:
        """Remove documents and return how many there were."""
        wanted = list(dict.fromkeys(ids))
        deleted = 0
        for at in range(0, len(wanted), _BULK_DOCUMENTS):
            actions = [_action("delete", id) for id in wanted[at : at + _BULK_DOCUMENTS]]
            answer = await self._bulk(actions, catalog.own)
            with self._connection.reading("bulk result"):
                for item, (said, _) in zip(answer["items"], self._outcomes(answer), strict=True):
                    if said:
                        raise self._connection.refused(int(item["delete"].get("status") or 500), item["delete"])
                deleted += sum(item["delete"].get("result") == "deleted" for item in answer["items"])
        if wanted:
            await self.refresh()
        return deleted

    async def ids(self) -> list[str]:
        """Return the ids of all documents."""
        return [id_of(hit) async for hit in self.scan(["id", FOREIGN_ID])]

    async def refresh(self) -> None:
        """Make findable what was written."""
        await self._connection.call(lambda client: client.indices.refresh(index=self._index), timeout=self._timeout)

    async def scan(self, source: Sequence[str] | None = None) -> AsyncIterator[Mapping[str, Any]]:
        """Yield every stored document as it is at the beginning; ``source`` names the fields that are wanted."""
        opened = await self._connection.call(
            lambda client: client.open_point_in_time(index=self._index, keep_alive=_KEEP), timeout=self._timeout
        )
        with self._connection.reading("point in time"):
            point, after = str(opened["id"]), None
        page = _PAGE
        try:
            while True:
                body: dict[str, Any] = {
                    "size": page,
                    "query": {"match_all": {}},
                    "pit": {"id": point, "keep_alive": _KEEP},
                    "sort": ["_shard_doc"],
                    "track_total_hits": False,
                    "_source": True if source is None else list(source),
                    **({"search_after": after} if after else {}),
                }
                try:
                    answer = await self._search(body)
                except TooMuch:
                    if page == 1:
                        raise
                    page //= 2
                    continue
                point = str(answer.get("pit_id") or point)
                with self._connection.reading("search result"):
                    hits: Sequence[Mapping[str, Any]] = answer["hits"]["hits"]
                    after = hits[-1]["sort"] if hits else None
                for hit in hits:
                    yield hit
                if len(hits) < page:
                    return
        finally:
            gone = {"id": point}
            await self._connection.call(
                lambda client: client.options(ignore_status=404).close_point_in_time(body=gone), timeout=self._timeout
            )

    async def _search(self, body: Mapping[str, Any]) -> Any:
        return await self._connection.call(lambda client: client.search(body=body), timeout=self._timeout)

    async def _bulk(self, lines: Sequence[bytes], alias: bool) -> Any:
        """``require_alias``: where ours is gone, Elasticsearch must not make an index of its own under the name."""
        return await self._connection.call(
            lambda client: client.bulk(index=self._index, operations=list(lines), require_alias=alias or None),
            timeout=self._timeout,
        )

    def _outcomes(self, answer: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
        """What was wrong with each item (empty where nothing was), and whether that may pass.

        Raises:
            RateLimited: the cluster refuses all of it for now.
        """
        try:
            results: list[Mapping[str, Any]] = [dict(next(iter(item.values()))) for item in answer["items"]]
        except (KeyError, TypeError, ValueError, StopIteration, AttributeError) as error:
            raise BadResponse("elasticsearch answered something that is no bulk result") from error
        if results and all(result.get("status") == 429 for result in results):
            raise self._connection.refused(429, results[0])
        return iter(
            [
                (reason_of(result), result.get("status") in _MAY_PASS) if "error" in result else ("", False)
                for result in results
            ]
        )


def _action(kind: str, id: str) -> bytes:
    return json.dumps({kind: {"_id": mapped_id(id)}}).encode()


def _batches(lines: Sequence[tuple[str, bytes, bytes]]) -> Iterator[list[tuple[str, bytes, bytes]]]:
    part: list[tuple[str, bytes, bytes]] = []
    size = 0
    for line in lines:
        if part and (size + len(line[2]) > _BULK_BYTES or len(part) >= _BULK_DOCUMENTS):
            yield part
            part, size = [], 0
        part.append(line)
        size += len(line[2])
    if part:
        yield part
