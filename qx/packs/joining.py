"""Joining what several packs list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """Return each item once, in the order of their first places; what is no text is compared by all that it says."""
    kept: list[T] = []
    seen: set[object] = set()
    for item in items:
        key = item if isinstance(item, str) else repr(item)
        if key not in seen:
            seen.add(key)
            kept.append(item)
    return tuple(kept)
