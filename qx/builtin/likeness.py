"""Which of many texts are nearly the same: MinHash and LSH find the pairs, their shingles decide.

Text with Chinese characters is compared by pairs of characters, other text by runs of three words, after folding
case, width, punctuation and the Chinese writing.  Likeness is the Jaccard index of the shingles, 0..1.  Sources: Broder,
"On the resemblance and containment of documents", 1997; ``rensa`` for MinHash and LSH.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from operator import add
from typing import Any

from qx.text.clean import replace_surrogates
from qx.text.normalise import characters_simplified, traditional_only
from qx.text.segment import HAN

CLIP = 4000
"""Code points of each text that are compared."""
_PERMUTATIONS, _BANDS = 128, 32  # four rows a band: a pair of likeness 0.7 is missed once in 5,000
_SEED = 20
_HAN = re.compile(f"[{HAN}]")
_REST = re.compile(r"[\W_]+")


def load() -> Any:
    """Import the library that does the hashing, so that no request has to wait for it."""
    return import_module("rensa")


def shingles(text: str) -> list[str]:
    """Return the runs that ``text`` is compared by; a text that is shorter than one is one, an empty one none."""
    folded = text[:CLIP].casefold()
    if _HAN.search(folded):
        characters = _folded(_REST.sub("", folded))
        if _traditional().search(characters):
            characters = characters_simplified(characters)
        return list(map(add, characters, characters[1:])) or [characters]
    words = [word + " " for word in _REST.split(_folded(folded)) if word]
    if len(words) < 3:
        return ["".join(words)] if words else []
    return list(map(add, map(add, words, words[1:]), words[2:]))


def _folded(text: str) -> str:
    """NFKC, which punctuation would make most Chinese text need: so it has to go first."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", text).casefold()


@cache
def _traditional() -> re.Pattern[str]:
    return re.compile(f"[{''.join(sorted(traditional_only()))}]")


def jaccard(a: Sequence[str], b: Sequence[str]) -> float:
    """Return how much of both lists of shingles is common, 0..1."""
    one, other = set(a), set(b)
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
    sets = [shingles(replace_surrogates(text)) for text in texts]
    out: list[tuple[int, float] | None] = [None] * len(texts)
    filled = [i for i, found in enumerate(sets) if found]
    if len(filled) < 2:
        return out
    for index, earlier in zip(filled, _candidates([sets[i] for i in filled]), strict=True):
        for at in sorted(earlier):
            other = filled[at]
            if other >= index:
                break
            if out[other] is not None or not allowed(index, other):
                continue
            likeness = jaccard(sets[index], sets[other])
            if likeness >= threshold:
                out[index] = other, likeness
                break
    return out


def _candidates(sets: Sequence[Sequence[str]]) -> Sequence[Sequence[int]]:
    """For each list of shingles the positions of those that may be alike, itself among them."""
    rensa = load()
    hashes = rensa.RMinHash.from_token_sets(sets, num_perm=_PERMUTATIONS, seed=_SEED)
    index = rensa.RMinHashLSH(threshold=0.5, num_perm=_PERMUTATIONS, num_bands=_BANDS)
    index.insert_many(hashes)
    return index.query_all(hashes)


__all__ = ["jaccard", "load", "repeats", "representatives", "shingles"]
