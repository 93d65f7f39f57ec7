"""Whether a statement says another day of the week than its quote, and all else the same; no model is asked."""

from __future__ import annotations

import re

from qx.text.normalise import fold, simplified
from qx.text.segment import comparable, keywords
from qx_answer import days, opposites

_ALIKE = 0.6
"""Share of the statement's other words that the quote must have."""
_TURNS = re.compile(
    r"\b(?:not|never|no|except|unless|without|only|other|but|[a-z]+n['’]t)\b|[不没未非无]|除|只", re.IGNORECASE
)
"""What may make another day of it say the same: not on Sunday, every day except Monday."""


def other(statement: str, quote: str) -> str:
    """Return what is wrong where the day of a statement is another one in the quote, else ""."""
    said, known = days.days_of(statement), days.days_of(quote)
    if not said or not known or _TURNS.search(statement) or _TURNS.search(quote):
        return ""
    folded = simplified(fold(quote))
    for start, end, listed in said:
        if _is_said(listed, folded):
            continue
        mine = {comparable(word) for word in keywords(_without(statement, said))}
        theirs = {comparable(word) for word in keywords(_without(quote, known))}
        if mine and _shared(mine, theirs, folded) >= _ALIKE * len(mine) and opposites.same_sides(statement, quote):
            first = quote[known[0][0] : known[0][1]]
            return f"the statement says {statement[start:end]}, the quote {first}"
    return ""


def _is_said(listed: frozenset[int], folded: str) -> bool:
    """Whether a quote speaks of each of the days, by name or within a stretch of days."""
    return all(any(said in folded for said in days.wordings(frozenset((day,)))) for day in listed)


def _shared(mine: set[str], theirs: set[str], folded: str) -> int:
    return sum(word in theirs or (not word.isascii() and word in folded) for word in mine)


def _without(text: str, found: tuple[tuple[int, int, frozenset[int]], ...]) -> str:
    for start, end, _ in reversed(found):
        text = f"{text[:start]} {text[end:]}"
    return text
