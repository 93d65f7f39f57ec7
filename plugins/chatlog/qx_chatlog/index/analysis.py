"""Words of a message, and of a query: the same for every store.

English words are stems (Snowball), of irregular forms those of the base (went: go).  A run of Chinese or Japanese is its pairs of neighbouring characters and, for its end,
the last character with a mark: a word of two characters is a pair, and one of a single character is every pair that
begins with it, however a segmenter would have cut the sentence.  Everything else is text: there is no query syntax.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

from qx.serial import value
from qx.text.clean import replace_surrogates
from qx.text.normalise import characters_simplified, fold
from qx.text.segment import HAN, KANA, is_content, pieces
from qx_chatlog.index.irregular import BASE

VERSION: Final = 2
"""Of the words below: an index made by another version is made again."""
END: Final = "\u2402"
"""Stands after the last character of a run."""
_LONGEST: Final = 64
_RUN: Final = f"{HAN}{KANA}"
_WIDTH: Final = {point: point - 0xFEE0 for point in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_SHORT: Final = 10_000
_TOKEN = re.compile(rf"[{_RUN}]+|[^\W_{_RUN}]+(?:['’][^\W_{_RUN}]+)*")
_WIDE = re.compile(rf"[{_RUN}]")


@value
class Term:
    """A word of a query.

    Attributes:
        text: As the index has it.
        prefix: Every word of the index that begins so; a message with several of them counts as one with one.
        weight: What it counts.
    """

    text: str
    prefix: bool = False
    weight: float = 1.0


def words(text: str) -> list[str]:
    """Return the words of a message as the index keeps them, in order, each as often as it is there."""
    found: list[str] = []
    for token in _TOKEN.findall(_quickly_folded(text)):
        if token[0] > "\u2fff" and _WIDE.match(token):
            found += map("".join, pairwise(token))
            found.append(token[-1] + END)
        else:
            found.append(_stemmed(token))
    return found


def query_terms(text: str, *, weight: float = 1.0) -> tuple[Term, ...]:
    """Return what to look for: content words alone, but all words where there is no other; each once."""
    pieced = pieces(folded(text))
    kept = [piece for piece in pieced if is_content(piece)] or pieced
    return tuple(dict.fromkeys(term for piece in kept for term in _terms(piece, weight)))


def folded(text: str) -> str:
    """Return ``text`` in the form in which it is compared: folded, in Simplified characters."""
    return characters_simplified(fold(replace_surrogates(text)))


def _quickly_folded(text: str) -> str:
    """``folded``, in a tenth of its time for text that has nothing unusual in it but full-width punctuation."""
    if text.isascii():
        return text.lower()
    plain = text.translate(_WIDTH)
    if len(plain) < _SHORT and unicodedata.is_normalized("NFKC", plain):
        small = replace_surrogates(plain).casefold()
        if unicodedata.is_normalized("NFKC", small):
            return characters_simplified(small)
    return folded(text)


def _terms(piece: str, weight: float) -> Iterator[Term]:
    for token in _TOKEN.findall(piece):
        if not _WIDE.match(token):
            yield Term(text=_stemmed(token), weight=weight)
        elif len(token) == 1:
            yield Term(text=token, prefix=True, weight=weight)
        else:
            for first, second in pairwise(token):
                yield Term(text=first + second, weight=weight)


@lru_cache(maxsize=65536)
def _stemmed(token: str) -> str:
    bare = re.sub("['’]s?$", "", token).replace("'", "").replace("’", "") or token
    bare = BASE.get(bare, bare)
    return (_stem()(bare) if bare.isascii() and bare.isalpha() else bare)[:_LONGEST]


@cache
def _stem() -> Callable[[str], str]:
    from importlib import import_module

    library: Any = import_module("snowballstemmer")  # without types
    return library.stemmer("english").stemWord
