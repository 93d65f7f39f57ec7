"""Quotations: those in a query, and where one stands in its source."""

from __future__ import annotations

import re
from typing import Literal

from qx.serial import value
from qx.text.remembered import remembered

_LIMIT = 400
_PAIRS = (("“", "”", "phrase"), ("「", "」", "phrase"), ("『", "』", "phrase"), ("《", "》", "title"), ("＂", "＂", "phrase"),
          ("«", "»", "phrase"), ("„", "“", "phrase"), ("‘", "’", "phrase"), ("〈", "〉", "title"))  # fmt: skip


@value
class Phrase:
    """A quoted phrase: the text inside the marks; ``start`` and ``end`` take the marks in (code points, end exclusive).

    Attributes:
        kind: ``title`` for 《…》, else ``phrase``.
    """

    text: str
    start: int
    end: int
    kind: Literal["phrase", "title"] = "phrase"


@value
class Span:
    """Where a quotation stands.

    Attributes:
        start, end: Code points of the source as it was given; the end is exclusive.
        slips: Slips of the pen in the quote.
    """

    start: int
    end: int
    slips: int = 0


def locate(quote: str, source: str) -> Span | None:
    """Return where ``quote`` stands in ``source``, or None.

    Alike are Unicode forms, white space, soft hyphens, dashes, quotation marks, letter case, width, punctuation outside
    of numbers, ``≥`` and ``>=``, HTML entities, and markup, on both sides.  An ellipsis stands for what was left out: the
    fragments stand in their order.  One slip (a letter more, less or other, two neighbours swapped) is forgiven, and one
    more for each dozen of words, never in a number, unit, negation, capitalised word or Han character.  A quote cuts no
    word and no number, and does not begin right after the negation that turns it.

    Returns:
        The first place where it is written so, else the first.  Punctuation at the ends belongs to it where the quote has it.
    """
    from qx.text.locating import find  # folding is not needed for queries

    return find(quote, source)


def denied(quote: str, source: str) -> Span | None:
    """Return where the words of ``quote`` stand in ``source`` with a negation right beside them that it leaves out, or None.

    ``locate`` takes no such quote: ``支持退货`` is none of 不支持退货.  This tells whoever quoted what is wrong with it.
    """
    from qx.text.locating import find_denied

    return find_denied(quote, source)


@remembered
def phrases(text: str) -> tuple[Phrase, ...]:
    """Return the quoted phrases of ``text`` in order; none overlap, the outermost counts.

    An inch mark (``27" monitor``), an apostrophe (``men's``) and a mark without its partner quote nothing.
    """
    found: list[Phrase] = []
    at = 0
    for match in _QUOTED.finditer(text):
        start, end = match.span()
        inner = match[0][1:-1]
        if start >= at and any(c.isalnum() for c in inner):
            kind = "title" if match[0][0] in "《〈" else "phrase"
            found.append(Phrase(text=inner.strip(), start=start, end=end, kind=kind))
            at = end
    return tuple(found)


def _pattern() -> re.Pattern[str]:
    pairs = [rf"{a}[^{a}{b}\n]{{1,{_LIMIT}}}{b}" if a != b else rf"{a}[^{a}\n]{{1,{_LIMIT}}}{a}" for a, b, _ in _PAIRS]
    # A straight mark opens at a boundary and before a word, and closes after a word at a boundary.
    double = rf'(?<![\w"])"(?=\S)[^"\n]{{1,{_LIMIT}}}(?<=\S)"(?![A-Za-z0-9_])|(?<=[\u3040-\u9fff])"(?=\S)[^"\n]{{1,{_LIMIT}}}"'
    single = (
        rf"(?<![\w'])'(?=\S)[^'\n]{{1,{_LIMIT}}}(?:(?<=\w)'(?=\w)[^'\n]{{1,{_LIMIT}}}){{0,8}}(?<=\S)'(?![A-Za-z0-9_])"
    )
    return re.compile("|".join((*pairs, double, single)))


_QUOTED = _pattern()
