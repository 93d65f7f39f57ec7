"""Counting the values of a field: by Qdrant where it has an index for that, else here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from qx.errors import BadRequest
from qx_qdrant.collection import State
from qx_qdrant.connection import Connection
from qx_qdrant.filters import path
from qx_qdrant.ordering import written
from qx_qdrant.points import values_at

COUNTED = 10_000
"""Points whose values are counted here at most."""
VALUES = 100
"""Values of a facet at most."""


async def facet(
    connection: Connection, state: State, name: str, condition: Any, *, seconds: float, limit: int = VALUES
) -> list[tuple[str, int]]:
    """Return the values of a stored field with the number of documents that hold each, most frequent first."""
    if state.types.get(name) == "keyword":
        try:
            found = await connection.call(
                "facet",
                collection_name=state.physical,
                key=path(name),
                facet_filter=condition,
                limit=limit,
                exact=True,
                seconds=seconds,
            )
            return _ordered({str(item.value): item.count for item in found.hits}, limit)
        except BadRequest as error:
            if "index" not in str(error):  # the index was dropped since: count here
                raise
    points, _ = await connection.call(
        "scroll",
        collection_name=state.physical,
        scroll_filter=condition,
        limit=COUNTED,
        with_payload=[path(name)],
        seconds=seconds,
    )
    return counted(points, name, limit=limit)


def counted(points: Iterable[Any], name: str, *, limit: int = VALUES) -> list[tuple[str, int]]:
    """Return the values under ``name`` in the points' payloads with their counts, most frequent first."""
    counts: Counter[str] = Counter()
    for point in points:
        found = map(written, values_at(point.payload or {}, name))
        counts.update({value for value in found if value is not None})
    return _ordered(counts, limit)


def _ordered(counts: dict[str, int], limit: int) -> list[tuple[str, int]]:
    found: Sequence[tuple[str, int]] = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return list(found[:limit])
