"""Reading the catalog of an index from the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from qx.errors import AuthError, Unavailable
from qx.filters.fieldmap import FieldMap, FieldType
from qx_elasticsearch.catalog import Catalog, read
from qx_elasticsearch.connection import Connection
from qx_elasticsearch.values import kind_of
from qx_elasticsearch.vocabulary import types_body


async def read_catalog(
    connection: Connection,
    index: str,
    fields: FieldMap,
    *,
    timeout: float,  # noqa: ASYNC109 the client's own
) -> Catalog | None:
    """Return what the engine says of ``index``; None where there is no such index.

    Raises:
        ProviderError: it does not say.
    """
    answer = await connection.call(
        lambda client: client.options(ignore_status=404).indices.get_mapping(index=index), timeout=timeout
    )
    if answer.meta.status == 404 or not answer.body:
        return None
    with connection.reading("mapping"):
        catalog = read(answer.body)
    paths = catalog.unknown(fields)
    body = types_body(paths)
    try:
        found = await _search(connection, index, body, timeout=timeout)
    except Unavailable:  # it was only just made: its shards may not be up yet
        await _ready(connection, index, timeout=timeout)
        found = await _search(connection, index, body, timeout=timeout)
    with connection.reading("search result"):
        aggregations: Mapping[str, Any] = found.get("aggregations") or {}
        types = {path: _type(aggregations[str(i)]["buckets"]) for i, path in enumerate(paths)}
        shards = int(found["_shards"]["total"])
    known: dict[str, FieldType] = {path: type for path, type in types.items() if type is not None}
    return replace(catalog, types=known, shards=shards)


async def _search(connection: Connection, index: str, body: Any, *, timeout: float) -> Any:  # noqa: ASYNC109
    return await connection.call(lambda client: client.search(index=index, body=body), timeout=timeout)


async def _ready(connection: Connection, index: str, *, timeout: float) -> None:  # noqa: ASYNC109
    """Wait until the shards answer, where the credentials may look.  A new index is yellow before they do."""
    with suppress(AuthError):
        await connection.call(
            lambda client: client.cluster.health(
                index=index,
                wait_for_active_shards=1,
                wait_for_no_initializing_shards=True,
                timeout=f"{int(timeout * 1000)}ms",
            ),
            timeout=timeout + 1,
        )


def _type(buckets: Sequence[Mapping[str, Any]]) -> FieldType | None:
    """The type that all of the most frequent values have; text where they differ."""
    kinds = {kind for bucket in buckets if (kind := kind_of(str(bucket["key"]))) is not None}
    if not kinds:
        return None
    return kinds.pop() if len(kinds) == 1 else "keyword"  # type: ignore[return-value]
