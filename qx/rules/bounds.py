"""How much of a query the rules look at: the work on any text is bounded, however long or repetitive it is.

Rules run between two awaits of the request, so that nothing else of the process moves and no deadline can end them
while they work.  Nearly every query is far below these bounds.
"""

from __future__ import annotations

from functools import lru_cache

from qx.text.clean import clean

LONGEST_TEXT = 1200
"""Code points of a cleaned text that are read; of a longer one the beginning and, since that is where long posts ask, the end."""
SHORTENED = 600
"""Code points from which a condensed text takes up nothing more."""
NEGATIONS = 12
CONSTRAINTS = 24
ENTITIES = 24
PROTECTED = 32
"""Things that candidates must keep; the first ones count."""
SENSES = 8
"""Words of which several readings are weighed."""

_TAIL = LONGEST_TEXT // 3
_WORD = 40


def cut(text: str) -> str:
    """Return ``text``, or the beginning and the end of one above ``LONGEST_TEXT``, cut between words where there are spaces."""
    if len(text) <= LONGEST_TEXT:
        return text
    head, tail = text[: LONGEST_TEXT - _TAIL - 1], text[-_TAIL:]
    space = head.rfind(" ", len(head) - _WORD)
    head = head[:space] if space > 0 else head
    space = tail.find(" ", 0, _WORD)
    return f"{head}\n{tail[space + 1 :]}"


def analysed(text: str) -> str:
    """Return what the rules read of a text as typed: all of it, or of a long one, cleaned, ``cut``."""
    return text if len(text) <= LONGEST_TEXT else _shortened(text)


@lru_cache(maxsize=8)
def _shortened(text: str) -> str:
    return cut(clean(text).text)
