"""Slips of the pen in a quotation: one letter more, less or other, or two neighbours swapped, where none does harm."""

from __future__ import annotations

from qx.text.protected_words import CARDINALS, NEGATIONS, SHORT_WORDS, are_numbers, turns, units
from qx.text.quotable import Folded, is_unspaced

WORDS_A_SLIP = 12
"""One slip is forgiven in any quote, and one more for each dozen of words."""


def is_one_slip(one: str, other: str) -> bool:
    """Whether two different words are one insertion, deletion, substitution or swap of neighbours apart."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = _alike(one, other)
    rest, others = one[at + 1 :], other[at + 1 :]
    if len(one) == len(other):
        return rest == others or (one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :])
    return rest == other[at:] if len(one) > len(other) else one[at:] == others


def _alike(one: str, other: str) -> int:
    """How many code points both begin with, by halves, so that long words cost little."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def is_forgiven(
    quote: Folded, source: Folded, mine: tuple[int, int], theirs: tuple[int, int], *, shouted: bool
) -> bool:
    """Whether a slip in a word is harmless: it is no number, unit, negation, name, nor of a script without small letters.

    Args:
        mine, theirs: Where the word stands in the core of the quote and of the source.
        shouted: Whether the quote's capitals say nothing, since all of it is in capitals or each word has one.
    """
    word, known = quote.core[slice(*mine)], source.core[slice(*theirs)]
    if (
        min(len(word), len(known)) < 2
        or not (word.isalpha() and known.isalpha())
        or any(map(is_unspaced, word + known))
    ):
        return False
    if {word, known} & NEGATIONS or are_numbers(word, known) or turns(word, known):
        return False
    if _has_capital(source.written(*theirs)) or (not shouted and mine[0] and _has_capital(quote.written(*mine))):
        return False
    return not _are_units(word, known, source, theirs)


def is_space_forgiven(text: Folded, at: int) -> bool:
    """Whether a space before ``core[at]`` may be missing in the other text: no negation or name is on either side."""
    first, last = at, at
    while first > max(0, at - 40) and text.core[first - 1].isalpha() and (first == at or not text.parted(first)):
        first -= 1
    while last < min(len(text.core), at + 40) and text.core[last].isalpha() and (last == at or not text.parted(last)):
        last += 1
    words = {text.core[first:at], text.core[at:last]}
    return not words & (NEGATIONS | CARDINALS) and not _has_capital(text.written(first, last))


def _has_capital(written: str) -> bool:
    return any(map(str.isupper, written))


def _are_units(word: str, known: str, source: Folded, place: tuple[int, int]) -> bool:
    """Whether either says of what a number beside it is: any unit, and any short word after a number that says something."""
    unit = bool({word, known} & units())
    gap = source.gap(place[0])
    beside = not gap or gap.isspace() or gap == "-"
    counted = beside and (source.core[: place[0]][-1:].isdigit() or _last_word(source, place[0]) in CARDINALS)
    if counted and (unit or (len(known) <= 3 and known not in SHORT_WORDS)):
        return True
    return unit and source.core[place[1] : place[1] + 1].isdigit()


def _last_word(source: Folded, end: int) -> str:
    start = end
    while start > max(0, end - 20) and source.core[start - 1].isalpha():
        start -= 1
        if source.parted(start):
            break
    return source.core[start:end]
