"""Small memories: for pure functions of a short text, and for what is made once for an object.

One request asks the same of the same few texts many times (rules, guard and fit each look at every candidate); the
memory is only as large as a handful of requests need.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper, wraps
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")

LONGEST_REMEMBERED = 400
"""Longer texts (code points) are worked out anew each time."""
ENTRIES = 1024
"""Texts of one function; then all are forgotten and it begins anew."""
OBJECTS = 16


class _Results(dict[str, T]):
    """What a function made of texts."""

    def __init__(self, function: Callable[[str], T], entries: int, longest: int) -> None:
        super().__init__()
        self._function = function
        self._entries = entries
        self._longest = longest

    def __missing__(self, text: str) -> T:
        result = self._function(text)
        if len(text) <= self._longest:
            if len(self) >= self._entries:
                self.clear()
            self[text] = result
        return result


def remembered(function: Callable[[str], T]) -> Callable[[str], T]:
    """Remember the results of ``function``, which must depend on nothing but its text and return something frozen."""
    return remembering(function)


def remembering(
    function: Callable[[str], T], *, entries: int = ENTRIES, longest: int = LONGEST_REMEMBERED
) -> Callable[[str], T]:
    """Return ``function`` with a memory of up to ``entries`` texts, none of them of more than ``longest`` code points."""
    call = partial(_Results(function, entries, longest).__getitem__)  # what is known is found without a frame of Python
    update_wrapper(call, function)
    return call


def made_once(make: Callable[[K], T]) -> Callable[[K], T]:
    """Remember what ``make`` makes of each of the last few objects, by their identity.

    For large frozen objects (an engine's knowledge, a lexicon): hashing one by value costs more than most of its uses.
    """
    made: dict[int, tuple[K, T]] = {}

    @wraps(make)
    def call(item: K) -> T:
        known = made.get(id(item))
        if known is None or known[0] is not item:
            if len(made) >= OBJECTS:
                made.clear()
            known = made[id(item)] = (item, make(item))
        return known[1]

    return call
