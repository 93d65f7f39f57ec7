"""Find a quotation in its source: the same words, whatever their spacing, punctuation, width, case and markup.

A quote is looked for in the folded text (``qx.text.quotable``) as it is; where it is not there, by its parts: of a quote
with n slips and n + 1 parts, one part has none (the pigeonhole principle).  From there the words are compared one by one
in both directions, and a slip is forgiven where it does no harm (``qx.text.slight``).  Each step looks at a bounded
number of places, so that no text takes more than time linear in its length.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from qx.text.quotable import Folded, fold
from qx.text.quote_edges import ends_sentence, leaves_off_negation, leaves_out_negation
from qx.text.quote_units import Quote, prepared
from qx.text.quote_walk import Match, Walk
from qx.text.quotes import Span

_MOST_FRAGMENTS = 16
_MOST_LOOKED_AT = 5000
_MOST_PLACES = 60
"""Places of one fragment that are looked at."""
_MOST_BEGINNINGS = 8
"""Places of a first fragment from which the others are looked for."""
_PUNCTUATION = str.maketrans(
    "“”„‟«»「」『』＂‘’‚‹›`＇。，、；：！？（）【】［］—–‑‐", '"""""""""""\'\'\'\'\'\'\',.,;:!?()[][]----'
)


def find(quote: str, source: str) -> Span | None:
    """Return where ``quote`` stands in ``source``: ``qx.text.quotes.locate``."""
    whole = prepared(quote)
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
        last = _rest(fragments, folded, beginning, allowed)
        if last is not None:
            return _span(quote, folded, beginning.first, last.last, last.slips)
    return None


def find_denied(quote: str, source: str) -> Span | None:
    """Return where the words of ``quote`` stand with the negation that turns them right beside: ``qx.text.quotes.denied``."""
    core, folded = prepared(quote).core, fold(source)
    places = islice(_occurrences(folded.core, core, 0, _MOST_LOOKED_AT), _MOST_PLACES) if core else ()
    found = (at for at in places if leaves_off_negation(folded, at, at + len(core)))
    at = next(found, None)
    if at is None:
        return None
    start, end = folded.span(at, at + len(core))
    return Span(start=start, end=end)


def _verbatim(quote: str, source: str, first: Span, others: Iterator[Span]) -> Span:
    """The first place where the quote stands as it is written, if it does; else the first."""
    if source[first.start : first.end] == quote or quote not in source:
        return first
    return next((one for one in others if source[one.start : one.end] == quote), first)


def _rest(fragments: list[Quote], source: Folded, before: Match, allowed: int) -> Match | None:
    """The last of the fragments, each after the one before it; its slips are those of all.

    A single word stands within the sentence of its neighbour: else any text could be put together from words.
    """
    for left, right in pairwise(fragments):
        alone = min(left.words, right.words) < 2
        for match in islice(_matches(right, source, before.last, allowed - before.slips), _MOST_BEGINNINGS):
            start, end = source.span(before.first, before.last)[1], source.span(match.first, match.last)[0]
            left_out = source.original[start:end]
            if not leaves_out_negation(left_out) and not (alone and ends_sentence(left_out)):
                before = Match(first=match.first, last=match.last, slips=before.slips + match.slips)
                break
        else:
            return None
    return before


def _matches(quote: Quote, source: Folded, start: int, allowed: int) -> Iterator[Match]:
    """The places of ``quote`` from ``core[start]`` on: first those without a slip, in order, then the others."""
    if len(quote.core) > len(source.core) - start + allowed:
        return
    looked: set[tuple[int, int]] = set()
    slipped: list[Match] = []
    for at in _occurrences(source.core, quote.core, start, _MOST_LOOKED_AT):
        if not source.is_boundary(at):
            continue
        if len(looked) >= _MOST_PLACES:
            break
        looked.add((0, at))
        match = Walk(quote, source, allowed, start).from_unit(0, at)
        if match is not None and match.slips:
            slipped.append(match)
        elif match is not None:
            yield match
    for unit, at in _places(quote, source, start, allowed):
        if (unit, at) not in looked and len(looked) < _MOST_PLACES * 2:
            looked.add((unit, at))
            match = Walk(quote, source, allowed, start).from_unit(unit, at)
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


def _places(quote: Quote, source: Folded, start: int, allowed: int) -> Iterator[tuple[int, int]]:
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
