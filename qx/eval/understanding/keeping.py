"""What the queries made of an original keep: its language, the words that matter, and the words that must stay out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.eval.understanding.matching import plain
from qx.text.language import same_language
from qx.text.segment import comparable, pieces
from qx.types import SubQuery

_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def others(queries: Sequence[SubQuery]) -> tuple[SubQuery, ...]:
    """Return the queries beside the original."""
    return tuple(query for query in queries if query.strategy != "original")


def contains(text: str, words: str) -> bool:
    """Whether ``text`` holds ``words``: as it is written in scripts without spaces, else as whole words, inflection aside.

    Case, width, Traditional and Simplified make no difference.
    """
    text, words = plain(text), plain(words)
    if not words:
        return True
    if _HAN.search(words):
        return words in text
    own, wanted = _stems(text), _stems(words)
    if not wanted:  # signs alone: C++ is a word, "?" is none
        return words in text
    return any(own[i : i + len(wanted)] == wanted for i in range(len(own) - len(wanted) + 1))


def _stems(text: str) -> list[str]:
    return [comparable(word) for word in pieces(text) if word.strip()]


def in_language(queries: Sequence[SubQuery], language: str) -> tuple[int, int]:
    """Return how many queries beside the original are in ``language``, of how many; translations do not count."""
    own = [query for query in others(queries) if query.strategy != "translate"]
    return sum(same_language(query.text, language) for query in own), len(own)


def lost(queries: Sequence[SubQuery], must: Sequence[str]) -> tuple[str, ...]:
    """Return the words of ``must`` that no query beside the original holds (the original's own, where there is none)."""
    searched = others(queries) or tuple(queries)
    return tuple(word for word in must if not any(contains(query.text, word) for query in searched))


def brought(queries: Sequence[SubQuery], must_not: Sequence[str]) -> tuple[str, ...]:
    """Return the words of ``must_not`` that some query beside the original holds."""
    return tuple(word for word in must_not if any(contains(query.text, word) for query in others(queries)))
