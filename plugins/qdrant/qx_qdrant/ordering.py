"""The caller's order, and counts of values, made from payloads that were read: as every engine of qx orders and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qx.backend import Sort
from qx.filters.matching import beginning
from qx_qdrant.points import values_at

Place = tuple[int, Any]


def compare(a: Mapping[str, Any], b: Mapping[str, Any], sorts: Sequence[Sort]) -> int:
    """Order two payloads; those without a value come last in either direction."""
    for sort in sorts:
        left, right = _place(a, sort), _place(b, sort)
        if left is None or right is None:
            if left is not right:
                return 1 if left is None else -1
        elif left != right:
            return -1 if (left < right) != sort.descending else 1
    return 0


def _place(payload: Mapping[str, Any], sort: Sort) -> Place | None:
    """Return what a document is sorted by: its least value, or its greatest where the order falls."""
    places = [place for item in values_at(payload, sort.field) if (place := _ordered(item)) is not None]
    return (max(places) if sort.descending else min(places)) if places else None


def _ordered(item: object) -> Place | None:
    """Return the place of one value: numbers, then dates by their moment, then text."""
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return (0, item)
    text = written(item)
    if text is None:
        return None
    at = beginning(text)
    return (2, text) if at is None else (1, at)


def written(item: object) -> str | None:
    """Return a value as a facet names it, the same for 8 and 8.0; None for what is no single value."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, float) and item.is_integer():
        return str(int(item))
    return str(item) if isinstance(item, (str, int, float)) else None
