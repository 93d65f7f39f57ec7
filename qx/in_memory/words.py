"""A text as its tokens, so that a word or a phrase is found in it by looking for a piece of text.

English tokens are stems, Chinese ones characters (in Simplified), each between two marks: ``running shoes`` becomes
``<run><shoe>``.  A word of Chinese is its characters side by side, however the text would have been cut.
"""

from __future__ import annotations

import re
from functools import lru_cache

from qx.text.normalise import characters_simplified, fold
from qx.text.segment import HAN, pieces, stem

OPEN, CLOSE = "\x02", "\x03"
_TOKEN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")
_stem = lru_cache(maxsize=65536)(stem)


def tokenised(text: str) -> str:
    """Return the tokens of ``text``, each between two marks; a lone surrogate is no token."""
    folded = characters_simplified(fold(text.encode("utf-8", "replace").decode()))
    return "".join(f"{OPEN}{_stem(token)}{CLOSE}" for token in _TOKEN.findall(folded))


def length(tokens: str) -> int:
    """Return how many tokens a tokenised text has."""
    return tokens.count(OPEN)


@lru_cache(maxsize=16384)
def terms(word: str) -> tuple[str, ...]:
    """Return the terms of a word as it was typed, tokenised: several where it is more than one (``youer服务端``)."""
    return tuple(dict.fromkeys(filter(None, map(tokenised, pieces(word)))))


@lru_cache(maxsize=4096)
def phrase(text: str) -> str:
    """Return a phrase as one term: all of its tokens, side by side."""
    return tokenised(text)
