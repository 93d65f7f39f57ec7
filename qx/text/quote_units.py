"""A quotation ready to be looked for: its words, how many slips are forgiven in it, and its fragments."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import pairwise

from qx.text.quotable import NONE, Folded, fold, is_unspaced
from qx.text.slight import WORDS_A_SLIP

_ELLIPSIS = re.compile(r"[\[(（【［]?\s{0,3}(?:…+|⋯+|\.(?:\s?\.){2,}|。{3,})\s{0,3}[\])）】］]?")
_MOST_SLIPS = 50
_CACHED = 10_000


class Quote:
    """A quote, or a fragment of one, with its units: words, numbers, runs of Han."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        self.core = self.folded.core
        cuts = [at for at in range(1, len(self.core)) if _parts(self.folded, at)]
        bounds = [0, *cuts, len(self.core)] if self.core else []
        self.units = list(pairwise(bounds))
        self.words = sum(max(1, (b - a) // 2) if is_unspaced(self.core[a]) else 1 for a, b in self.units)
        capitals = [any(map(str.isupper, self.folded.written(a, b))) for a, b in self.units]
        self.shouted = sum(capitals) * 2 > len(capitals)
        self.allowed = min(1 + self.words // WORDS_A_SLIP, _MOST_SLIPS)
        self._parts: dict[int, list[tuple[str, int, int]]] = {}

    @cached_property
    def fragments(self) -> list[Quote]:
        """What stands between ellipses."""
        found = [prepared(text) for text in _ELLIPSIS.split(self.folded.original)]
        return [fragment for fragment in found if fragment.core]

    def parts(self, slips: int) -> list[tuple[str, int, int]]:
        """Return parts of which one has no slip where the quote has no more than ``slips``.

        Each with the unit in which it begins, and how far inside of it.  A swap of neighbours may fall on two parts, so
        that the last character of each but the last part is left out.
        """
        if slips not in self._parts:
            size = len(self.core)
            cuts = [size * n // (slips + 1) for n in range(slips + 2)]
            found: list[tuple[str, int, int]] = []
            for first, last in pairwise(dict.fromkeys(cuts)):
                unit = next(i for i, (_, end) in enumerate(self.units) if first < end)
                part = self.core[first : last - 1 if first + 1 < last < size else last]
                found.append((part, unit, first - self.units[unit][0]))
            self._parts[slips] = found
        return self._parts[slips]


def prepared(text: str) -> Quote:
    """Return a quote ready to be looked for; that of the last quotes is remembered."""
    return _remembered(text) if len(text) <= _CACHED else Quote(text)


@lru_cache(maxsize=256)
def _remembered(text: str) -> Quote:
    return Quote(text)


def _parts(folded: Folded, at: int) -> bool:
    """Whether one unit ends and another begins before ``core[at]``."""
    return folded.parted(at) != NONE or is_unspaced(folded.core[at]) != is_unspaced(folded.core[at - 1])
