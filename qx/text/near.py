"""Words of texts that are written nearly like another word: what a misspelt word may have been meant as.

Distance: optimal string alignment (swapped neighbours are one slip), as in ``qx.text.spelling``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from qx.text import slips

SHORTEST = 4
"""Letters of a word that may be misspelt: shorter ones are near to half of the dictionary."""
_WORD = re.compile(r"[^\W\d_]{3,40}")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]{4,40}")


def may_be_misspelt(word: str) -> bool:
    """Whether a word is of the kind that has near ones: Latin letters alone, and not too few."""
    return _LATIN.fullmatch(word) is not None


def reach(word: str) -> int:
    """How many slips a word of this length may have."""
    return 0 if len(word) < SHORTEST else 1 if len(word) < slips.LONG else 2


def distance(word: str, other: str) -> int:
    """Return how many slips lie between two words, whatever their case."""
    from rapidfuzz.distance import OSA

    return int(OSA.distance(word.casefold(), other.casefold()))


def words_near(word: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words of ``texts`` within ``reach`` of ``word``, nearest first, of equals the one in more texts.

    They begin with the same letter: few slips change it.  The word itself is not among them.
    """
    farthest, first, size = reach(word), word[:1].casefold(), len(word)
    held: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for text in texts:
        for found in dict.fromkeys(_WORD.findall(text)):
            if found[0].casefold() == first and abs(len(found) - size) <= farthest:
                held[found.casefold()] += 1
                shown.setdefault(found.casefold(), found)
    near = [(distance(word, found), -count, found) for found, count in held.items()]
    return tuple(shown[found] for slipped, _, found in sorted(near) if 0 < slipped <= farthest)


__all__ = ["SHORTEST", "distance", "may_be_misspelt", "reach", "words_near"]
