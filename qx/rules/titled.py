"""Words of colour, material, feature and audience that may belong to a name: "green lantern comic", "Pink Floyd shirt".

What may be a name orders the hits and shuts none out: a filter would hide the very page that bears the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from qx.rules.reading import Reading
from qx.types import Entity

_FIELDS = frozenset({"colour", "material", "feature", "audience"})
_TRADED = frozenset({"free", "used", "domestic", "imported", "open-source", "offline"})
"""Features that copies of a work have as well as goods."""
_GOODS = frozenset({"product", "food"})
_WORD = re.compile(r"\s+([A-Za-z][\w'’-]*)")
_PLACED = re.compile(r"\b(?:in|at|near|to|from|around) $", re.IGNORECASE)
_LOWER = re.compile(r"(?<![\w'’])[a-z]{3,}")


class _Wish(Protocol):
    @property
    def field(self) -> str: ...
    @property
    def wanted(self) -> str: ...


def in_a_name(reading: Reading, start: int, end: int, wish: _Wish, entities: Sequence[Entity]) -> bool:
    """Return whether the value at ``[start, end)`` may be a part of a name instead of what something is to be like.

    So it may behind a preposition of place ("in green bay"), where words stand between it and the book or film that is looked for ("organic chemistry book"), and where
    it and the next word alone are written with capitals ("Pink Floyd shirt").
    """
    if wish.field not in _FIELDS or wish.wanted in _TRADED:
        return False
    if _capitals(reading.text, start, end):
        return True
    if any(e.type in _GOODS for e in entities):
        return False
    if _place(reading.text, start, end):
        return True
    works = [e for e in entities if e.type == "media"]
    if works and wish.field in ("colour", "material"):
        return True  # no book is looked for by that: "black and white movies"
    return any(_far(reading.text[end : e.start]) for e in works if e.start >= end)


def _place(text: str, start: int, end: int) -> bool:
    return _PLACED.search(text[max(0, start - 7) : start]) is not None and _WORD.match(text, end) is not None


def _far(between: str) -> bool:
    return any(ch.isalnum() for ch in between.removeprefix("的"))


def _capitals(text: str, start: int, end: int) -> bool:
    if not text[start].isupper() or text[start:end].isupper():
        return False
    after = _WORD.match(text, end)
    rest = text[:start] + (text[after.end() :] if after else "")
    return after is not None and after[1][0].isupper() and not after[1].isupper() and _LOWER.search(rest) is not None


__all__ = ["in_a_name"]
