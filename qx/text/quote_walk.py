"""Compare a quotation with its source word by word, from one of its words on in both directions."""

from __future__ import annotations

from qx.serial import value
from qx.text.quotable import HARD, NONE, Folded, is_unspaced
from qx.text.quote_edges import begins_well, ends_well
from qx.text.quote_units import Quote
from qx.text.slight import is_forgiven, is_one_slip, is_space_forgiven


@value
class Match:
    """``core[first:last]`` of the source."""

    first: int
    last: int
    slips: int


class Walk:
    """Compares the units of a quote with the source one by one, from a place where one of them may begin."""

    def __init__(self, quote: Quote, source: Folded, allowed: int, start: int) -> None:
        self._quote = quote
        self._source = source
        self._allowed = allowed
        self._start = start
        self._slips = 0

    def from_unit(self, unit: int, at: int) -> Match | None:
        """Return the whole match of which ``unit`` begins at ``core[at]`` of the source."""
        first = last = at
        for i in range(unit, len(self._quote.units)):
            end = self._forward(i, last)
            if end is None or (i + 1 < len(self._quote.units) and not self._spaced(i, end)):
                return None
            last = end
        for i in range(unit - 1, -1, -1):
            begin = self._backward(i, first)
            if begin is None or not self._spaced(i, first):
                return None
            first = begin
        if first < self._start or not (begins_well(self._source, first) and ends_well(self._source, last)):
            return None
        return Match(first=first, last=last, slips=self._slips)

    def _forward(self, unit: int, at: int) -> int | None:
        """The end of a unit that begins at ``core[at]``."""
        start, end = self._quote.units[unit]
        word = self._quote.core[start:end]
        same = self._source.core.startswith(word, at)
        if same and self._is_whole(at + len(word)):
            return at + len(word) if self._unbroken(at, len(word)) else None
        if self._source.is_boundary(at):
            for size in (len(word), len(word) + 1, len(word) - 1):
                if self._is_whole(at + size) and self._is_slip(unit, at, at + size):
                    return at + size
        return at + len(word) if same and self._unbroken(at, len(word)) else None

    def _backward(self, unit: int, end: int) -> int | None:
        """The beginning of a unit that ends before ``core[end]``."""
        start, stop = self._quote.units[unit]
        word = self._quote.core[start:stop]
        same = end >= len(word) and self._source.core.startswith(word, end - len(word))
        if same and self._source.is_boundary(end - len(word)):
            return end - len(word) if self._unbroken(end - len(word), len(word)) else None
        if self._is_whole(end):
            for size in (len(word), len(word) + 1, len(word) - 1):
                if end >= size and self._source.is_boundary(end - size) and self._is_slip(unit, end - size, end):
                    return end - size
        return end - len(word) if same and self._unbroken(end - len(word), len(word)) else None

    def _is_whole(self, end: int) -> bool:
        return end <= len(self._source.core) and self._source.is_boundary(end)

    def _is_slip(self, unit: int, first: int, last: int) -> bool:
        mine = self._quote.units[unit]
        if first >= last or not is_one_slip(self._quote.core[slice(*mine)], self._source.core[first:last]):
            return False
        if any(self._source.parted(i) == HARD for i in range(first + 1, last)):
            return False
        shouted = self._quote.shouted
        return self._granted(is_forgiven(self._quote.folded, self._source, mine, (first, last), shouted=shouted))

    def _spaced(self, unit: int, at: int) -> bool:
        """Whether what parts a unit from the next is in the source, too; a space too many or too few is a slip."""
        place = self._quote.units[unit][1]
        if not _are_letters(self._source.core, at):
            return True
        mine, theirs = self._quote.folded.parted(place), self._source.parted(at)
        return {mine, theirs} != {NONE, HARD} or self._split(place, at)

    def _unbroken(self, at: int, size: int) -> bool:
        """Whether no space of the source falls within a unit; one that does is a slip."""
        offsets = self._source.offsets
        if offsets[at + size - 1] - offsets[at] == size - 1:
            return True
        return all(
            self._source.parted(i) != HARD or not _are_letters(self._source.core, i) or self._joined(i)
            for i in range(at + 1, at + size)
            if offsets[i] - offsets[i - 1] > 1
        )

    def _joined(self, at: int) -> bool:
        """Whether a space of the source that the quote lacks, before ``core[at]``, is forgiven."""
        return self._granted(is_space_forgiven(self._source, at))

    def _split(self, place: int, at: int) -> bool:
        """Whether a space is forgiven that one of them has and the other lacks, between two units of the quote."""
        here = self._quote.folded if self._quote.folded.parted(place) == HARD else self._source
        return self._granted(is_space_forgiven(here, place if here is self._quote.folded else at))

    def _granted(self, harmless: bool) -> bool:
        self._slips += harmless
        return harmless and self._slips <= self._allowed


def _are_letters(core: str, at: int) -> bool:
    """Whether both neighbours are letters of scripts that write spaces."""
    pair = core[at - 1 : at + 1]
    return pair.isalpha() and not any(map(is_unspaced, pair))
