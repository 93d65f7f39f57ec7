"""Which of many texts are nearly the same: MinHash and LSH find the pairs, their shingles decide.

Text with Chinese characters is compared by pairs of characters, other text by pairs of words, after folding case, width, punctuation and the Chinese writing.  Likeness is the Jaccard index of the shingles, 0..1.  Sources: Broder,
"On the resemblance and containment of documents", 1997; ``rensa`` for MinHash and LSH.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from operator import add
from typing import Any

from qx.text.clean import replace_surrogates
from qx.text.normalise import characters_simplified, traditional_only
from qx.text.segment import HAN

CLIP = 4000
"""Code points of each text that are compared."""
_PERMUTATIONS, _BANDS = (
    150,
    30,
)  # five rows a band: a pair of likeness 0.8 is missed once in 100,000, of 0.7 once in 200
_MARGIN = 0.2  # the hashes' own estimate of a likeness is off by more than this once in a million pairs
_CHECKED = 16
"""Pairs with one text that are looked at, the likeliest by their hashes: thousands of texts of a few words each would take
seconds."""
_SEED = 20
_HAN = re.compile(f"[{HAN}]")
_LETTERS = re.compile(r"[^\W_]+")
_WORD = re.compile(r"\w+")


def load() -> None:
    """Load the library that does the hashing and the Chinese tables, so that no request has to wait for them."""
    repeats(["預熱", "预热"], threshold=1.0)


def shingles(text: str) -> list[str]:
    """Return the pairs that ``text`` is compared by; a text that is shorter than one is one, an empty one none."""
    return _pairs_of(_units(text))


def _units(text: str) -> Sequence[str]:
    """The folded characters or words of a text."""
    folded = text[:CLIP].casefold()
    if not _HAN.search(folded):
        return _WORD.findall(_folded(folded))
    characters = _folded("".join(_LETTERS.findall(folded)))
    return characters_simplified(characters) if _traditional().search(characters) else characters


def _pairs_of(units: Sequence[str]) -> list[str]:
    return list(map(add, units, units[1:])) or list(units)


def _folded(text: str) -> str:
    """NFKC, which punctuation would make most Chinese text need: so it has to go first."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", text).casefold()


@cache
def _traditional() -> re.Pattern[str]:
    return re.compile(f"[{''.join(sorted(traditional_only()))}]")


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much of two sets of shingles is common, 0..1."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def representatives(texts: Sequence[str], *, threshold: float) -> list[int | None]:
    """Return for each text the index of the first earlier one that it nearly repeats, or None.

    Only texts that repeat none themselves are repeated: the answer never points to a text that has one of its own.
    An empty text repeats nothing.
    """
    return [None if found is None else found[0] for found in repeats(texts, threshold=threshold)]


def repeats(
    texts: Sequence[str], *, threshold: float, allowed: Callable[[int, int], bool] = lambda one, other: True
) -> list[tuple[int, float] | None]:
    """Return ``representatives`` with the likeness of each; pairs that are not ``allowed`` repeat nothing."""
    units = [_units(replace_surrogates(text)) for text in texts]
    out: list[tuple[int, float] | None] = [None] * len(texts)
    filled = [i for i, found in enumerate(units) if found]
    if len(filled) < 2:
        return out
    sets: dict[int, frozenset[str]] = {}

    def likeness(one: int, other: int) -> float:
        for i in (one, other):
            if i not in sets:
                sets[i] = frozenset(_pairs_of(units[i]))
        return jaccard(sets[one], sets[other])

    for index, earlier in _candidates([units[i] for i in filled], threshold - _MARGIN):
        likely = [
            (filled[at], estimate)
            for at, estimate in earlier
            if out[filled[at]] is None and allowed(filled[index], filled[at])
        ]
        if len(likely) > _CHECKED:  # pages of one template: the first ones are no likelier than the others
            likely = sorted(sorted(likely, key=lambda pair: -pair[1])[:_CHECKED])
        for other, _ in likely:
            found = likeness(filled[index], other)
            if found >= threshold:
                out[filled[index]] = other, found
                break
    return out


def _candidates(texts: Sequence[Sequence[str]], least: float) -> Iterator[tuple[int, Iterator[tuple[int, float]]]]:
    """For each text the earlier ones that may be alike: by their hashes, the likeness, given too, is above ``least``."""
    rensa: Any = import_module("rensa")  # a native library without types: loaded at first use
    passing = map(_pairs_of, texts)  # one text's at a time: to hold those of all takes as long as to hash them
    hashes = rensa.RMinHash.from_token_sets(passing, num_perm=_PERMUTATIONS, seed=_SEED)
    index = rensa.RMinHashLSH(threshold=0.5, num_perm=_PERMUTATIONS, num_bands=_BANDS)
    index.insert_many(hashes)
    for at, candidates in enumerate(index.query_all(hashes)):
        if len(candidates) > 1:
            own = hashes[at]
            known = ((other, own.jaccard(hashes[other])) for other in sorted(candidates) if other < at)
            yield at, ((other, estimate) for other, estimate in known if estimate >= least)


__all__ = ["jaccard", "load", "repeats", "representatives", "shingles"]
