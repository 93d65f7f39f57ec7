"""Which differences between an unknown English word and a known one are usual slips of whoever types.

Most unknown words of a query are names (jira, citrix, nexode), each near to some word of the dictionary.  A slip swaps
two letters, doubles one or leaves one out, or mistakes a vowel within the word; it seldom changes the first or the
last letter or puts one consonant for another.
"""

from __future__ import annotations

import re

LONG = 9
"""Letters from which a word may have two slips."""
_SHORT = 5
_MIDDLING = 7
_FREQUENT, _TAUGHT, _USUAL = 60_000_000, 50_000_000, 2_500_000
"""How often a word must be met to be meant by a short one, by one with a letter too many at its end, and by any other."""
_VOWELS = frozenset("aeiouy")


def usual(word: str, candidate: str, distance: int, count: int) -> bool:
    """Return whether ``word`` is a usual slip for ``candidate``.

    Args:
        distance: Optimal string alignment between them.
        count: How often the candidate is met (``qx.text.frequencies``).
    """
    if word[0] != candidate[0] or count < _USUAL:
        return False
    if distance > 1:
        return len(word) >= LONG and word[-1] == candidate[-1]
    if swapped(word, candidate):
        return len(word) > _SHORT or count >= _FREQUENT or _different(word, candidate) in (("ie", "ei"), ("ei", "ie"))
    if len(word) <= _SHORT:
        return word[-1] == candidate[-1] and _left_out(word, candidate) in _VOWELS
    if doubled(word, candidate):
        return len(candidate) > len(word) or word[-2:] == candidate[-2:] or count >= _TAUGHT
    if word[-1] != candidate[-1]:
        return False
    mine, theirs = _different(word, candidate)
    vowels = set(mine + theirs) <= _VOWELS
    if not mine:
        return vowels or len(word) >= _MIDDLING
    return (vowels and bool(theirs)) or len(word) > _MIDDLING


def _left_out(word: str, candidate: str) -> str:
    """The letter of ``candidate`` that ``word`` lacks; none where that is not all."""
    mine, theirs = _different(word, candidate)
    return theirs if not mine else ""


def swapped(word: str, candidate: str) -> bool:
    """Return whether two neighbours changed places: "netwrok"."""
    return len(word) == len(candidate) and sorted(word) == sorted(candidate)


def doubled(word: str, candidate: str) -> bool:
    """Return whether a letter is doubled that is not, or the other way round: "adress", "loggin"."""
    return word != candidate and _squeezed(word) == _squeezed(candidate)


def _squeezed(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


def _different(word: str, candidate: str) -> tuple[str, str]:
    """The letters of each between what both begin and what both end with."""
    start = 0
    while start < min(len(word), len(candidate)) and word[start] == candidate[start]:
        start += 1
    end = 0
    while end < min(len(word), len(candidate)) - start and word[-1 - end] == candidate[-1 - end]:
        end += 1
    return word[start : len(word) - end], candidate[start : len(candidate) - end]
