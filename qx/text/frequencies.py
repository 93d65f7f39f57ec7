"""How frequent English words are.

Source: the list of 82,765 words of SymSpell (MIT), as the package symspellpy ships it: Google Books n-gram counts of
words that SCOWL knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from qx.text.lexicons import load

_COMMON = 5_000_000


@cache
def english() -> Mapping[str, int]:
    """Return the counts of English words, lower case; words of computing that books lack are added as common ones."""
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    counts = dict.fromkeys(load("words_en"), _COMMON)
    for line in text.splitlines():
        word, _, count = line.partition(" ")
        if word and count.strip().isdecimal():
            counts[word] = max(int(count), counts.get(word, 0))
    return counts
