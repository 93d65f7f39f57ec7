"""Find a quotation in its source: the same words, whatever their spacing, punctuation, width, case and markup.

A quote is looked for in the folded text (``qx.text.quotable``) as it is; where it is not there, by its parts: of a quote
with n slips and n + 1 parts, one part has none (the pigeonhole principle).  From there the words are compared one by one
in both directions, and a slip is forgiven where it does no harm (``qx.text.slight``).  Each step looks at a bounded
number of places, so that no text takes more than time linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from qx.serial import value
from qx.text.quotable import HARD, NONE, Folded, fold, is_unspaced
from qx.text.quote_edges import begins_well, ends_well, leaves_out_negation
from qx.text.quotes import Span
from qx.text.slight import WORDS_A_SLIP, is_forgiven, is_one_slip, is_space_forgiven

_ELLIPSIS = re.compile(r"[\[(（【［]?\s{0,3}(?:…+|⋯+|\.(?:\s?\.){2,}|。{3,})\s{0,3}[\])）】］]?")
_MOST_FRAGMENTS = 16
_MOST_SLIPS = 50
_MOST_LOOKED_AT = 5000
_MOST_PLACES = 60
"""Places of one fragment that are looked at."""
_MOST_BEGINNINGS = 8
"""Places of a first fragment from which the others are looked for."""
_PUNCTUATION = str.maketrans(
    "“”„‟«»「」『』＂‘’‚‹›`＇。，、；：！？（）【】［］—–‑‐", '"""""""""""\'\'\'\'\'\'\',.,;:!?()[][]----'
)


@value
class _Match:
    """``core[first:last]`` of the source."""

    first: int
    last: int
    slips: int


class _Quote:
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
    def fragments(self) -> list[_Quote]:
        """What stands between ellipses."""
        found = [_prepared(text) for text in _ELLIPSIS.split(self.folded.original)]
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


def find(quote: str, source: str) -> Span | None:
    """Return where ``quote`` stands in ``source``: ``qx.text.quotes.locate``."""
    whole = _prepared(quote)
    if not whole.core:
        return _bare(quote, source)
    folded = fold(source)
    allowed = whole.allowed
    spans = (_span(quote, folded, one.first, one.last, one.slips) for one in _matches(whole, folded, 0, allowed))
    found = next(spans, None)
    if found is not None:
        return _verbatim(quote.strip(), source, found, spans)
    fragments = whole.fragments
    if not 1 < len(fragments) <= _MOST_FRAGMENTS:
        return None
    for beginning in islice(_matches(fragments[0], folded, 0, allowed), _MOST_BEGINNINGS):
        last = _rest(fragments[1:], folded, beginning, allowed)
        if last is not None:
            return _span(quote, folded, beginning.first, last.last, last.slips)
    return None


def _verbatim(quote: str, source: str, first: Span, others: Iterator[Span]) -> Span:
    """The first place where the quote stands as it is written, if it does; else the first."""
    if source[first.start : first.end] == quote or quote not in source:
        return first
    return next((one for one in others if source[one.start : one.end] == quote), first)


def _rest(fragments: list[_Quote], source: Folded, before: _Match, allowed: int) -> _Match | None:
    """The last of the fragments after ``before``, each after the one before it; its slips are those of all."""
    for fragment in fragments:
        for match in islice(_matches(fragment, source, before.last, allowed - before.slips), _MOST_BEGINNINGS):
            left_out = source.original[
                source.span(before.first, before.last)[1] : source.span(match.first, match.last)[0]
            ]
            if not leaves_out_negation(left_out):
                before = _Match(first=match.first, last=match.last, slips=before.slips + match.slips)
                break
        else:
            return None
    return before


@lru_cache(maxsize=256)
def _prepared(text: str) -> _Quote:
    return _Quote(text)


def _parts(folded: Folded, at: int) -> bool:
    """Whether one unit ends and another begins before ``core[at]``."""
    return folded.parted(at) != NONE or is_unspaced(folded.core[at]) != is_unspaced(folded.core[at - 1])


def _matches(quote: _Quote, source: Folded, start: int, allowed: int) -> Iterator[_Match]:
    """The places of ``quote`` from ``core[start]`` on: first those without a slip, in order, then the others."""
    if len(quote.core) > len(source.core) - start + allowed:
        return
    looked: set[tuple[int, int]] = set()
    slipped: list[_Match] = []
    for at in _occurrences(source.core, quote.core, start, _MOST_LOOKED_AT):
        if not source.is_boundary(at):
            continue
        if len(looked) >= _MOST_PLACES:
            break
        looked.add((0, at))
        match = _Walk(quote, source, allowed, start).from_unit(0, at)
        if match is not None and match.slips:
            slipped.append(match)
        elif match is not None:
            yield match
    for unit, at in _places(quote, source, start, allowed):
        if (unit, at) not in looked and len(looked) < _MOST_PLACES * 2:
            looked.add((unit, at))
            match = _Walk(quote, source, allowed, start).from_unit(unit, at)
            if match is not None:
                slipped.append(match)
    yield from sorted({(m.first, m.last): m for m in slipped}.values(), key=lambda m: (m.slips, m.first))


def _occurrences(core: str, part: str, start: int, most: int) -> Iterator[int]:
    at = core.find(part, start)
    for _ in range(most):
        if at < 0:
            return
        yield at
        at = core.find(part, at + 1)


def _places(quote: _Quote, source: Folded, start: int, allowed: int) -> Iterator[tuple[int, int]]:
    """Where units of the quote may begin in the source, by parts that have no slip."""
    core = source.core
    for part, unit, inside in quote.parts(allowed):
        if part not in core:
            continue
        for at in _occurrences(core, part, start, _MOST_PLACES):
            for shift in (0, -1, 1) if inside else (0,):
                place = at - inside + shift
                if start <= place < len(core) and source.is_boundary(place):
                    yield unit, place


class _Walk:
    """Compares the units of a quote with the source one by one, from a place where one of them may begin."""

    def __init__(self, quote: _Quote, source: Folded, allowed: int, start: int) -> None:
        self._quote = quote
        self._source = source
        self._allowed = allowed
        self._start = start
        self._slips = 0

    def from_unit(self, unit: int, at: int) -> _Match | None:
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
        return _Match(first=first, last=last, slips=self._slips)

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


def _span(quote: str, source: Folded, first: int, last: int, slips: int) -> Span:
    """The place in the original, with the punctuation that the quote begins and ends with."""
    start, end = source.span(first, last)
    mine = fold(quote)
    text, (begin, finish) = source.original, mine.span(0, len(mine.core))
    start -= _shared(quote[:begin][::-1], text[max(0, start - 2 * begin - 8) : start][::-1])
    end += _shared(quote[finish:], text[end : end + 2 * (len(quote) - finish) + 8])
    return Span(start=start, end=end, slips=slips)


def _shared(wanted: str, found: str) -> int:
    """How much of ``found`` has the punctuation of ``wanted``, in order; spaces between are taken along."""
    at = taken = 0
    for character in wanted.strip().translate(_PUNCTUATION):
        if character.isspace():
            continue
        while at < len(found) and found[at].isspace():
            at += 1
        if at >= len(found) or found[at].translate(_PUNCTUATION) != character:
            break
        at += 1
        taken = at
    return taken


def _bare(quote: str, source: str) -> Span | None:
    """A quote without a letter or digit (an emoji) stands where it stands exactly."""
    text = quote.strip()
    at = source.find(text) if text else -1
    return Span(start=at, end=at + len(text)) if at >= 0 else None
