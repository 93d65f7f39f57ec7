"""A small memory for pure functions of a short text.

One request asks the same of the same few texts many times (rules, guard and fit each look at every candidate); the
memory is only as large as a handful of requests need.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

LONGEST = 400
"""Longer texts (code points) are worked out anew each time."""
ENTRIES = 512


def remembered(function: Callable[[str], T]) -> Callable[[str], T]:
    """Remember the results of ``function``, which must depend on nothing but its text and return something frozen."""
    known = lru_cache(maxsize=ENTRIES)(function)

    @wraps(function)
    def call(text: str) -> T:
        return known(text) if len(text) <= LONGEST else function(text)

    return call
