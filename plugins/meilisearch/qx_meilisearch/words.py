"""Words as Meilisearch's query text takes them, and which of them are worth a query of their own.

In a query text ``"`` opens a phrase, ``-`` before a word excludes it, and text without a single word is a placeholder
search that returns everything.  None of that may happen by accident.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

from qx.text.clean import replace_surrogates
from qx.text.normalise import simplified
from qx.text.segment import HAN, KANA, Segmenter, stem

MAX_TERMS = 10
"""Words of a query text that Meilisearch looks at."""

_LONGEST_WORD = 60
"""Characters of a word: Meilisearch indexes none above 250 bytes, and a query of nothing else would find everything."""

_SHORTEST_ROOT = 4
"""Letters of a stem that is looked for as a prefix: shorter ones begin too many words."""

_MOST = 2000
"""Characters of a text: Meilisearch looks at ten words and 1,000 tokens."""

_UNSAFE = re.compile(r"[\"\u0000-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+")
_LONE_MINUS = re.compile(r"(?:(?<=\s)|^)-+")
_CJK = re.compile(rf"[{HAN}{KANA}]")


def literal(text: str) -> str:
    """Return ``text`` so that Meilisearch reads nothing but words in it; "" where no word is left."""
    plain = _UNSAFE.sub(" ", unicodedata.normalize("NFKC", replace_surrogates(text)))
    plain = _LONE_MINUS.sub(" ", plain).replace(" -", " ")
    kept = [
        part for part in plain[:_MOST].split() if has_word(part) and (_CJK.search(part) or len(part) <= _LONGEST_WORD)
    ]
    return " ".join(kept)


def has_word(text: str) -> bool:
    """Return whether Meilisearch sees a word in ``text``: a letter, a digit or an emoji, where it sees separators else."""
    return any(c.isalnum() or (c > "\U0001f000" and unicodedata.category(c) == "So") for c in text)


def phrase(text: str) -> str:
    """Return ``text`` as a phrase, which is searched exactly and must be there; "" where no word is in it."""
    inner = literal(text)
    return f'"{inner}"' if inner else ""


class Vocabulary:
    """Cuts and chooses words.

    Args:
        segmenter: Cuts Chinese.
        stop_words: The index's own: a query of nothing else would find everything.
        prefixes: Whether the last word of a query may begin a longer one, as it does unless the index says otherwise.
    """

    def __init__(self, segmenter: Segmenter, stop_words: Collection[str] = (), *, prefixes: bool = True) -> None:
        self._segmenter = segmenter
        self._prefixes = prefixes
        self._stop_words = frozenset(word.casefold() for word in stop_words)

    def units(self, words: Sequence[str], limit: int) -> tuple[str, ...]:
        """Return what ``words`` are looked up by: content words, Chinese cut into words, each once, at most ``limit``.

        Traditional ones are looked up in Simplified too.

        Words that stand more often come first, so that what all alternatives share is never cut off; else their order
        stays.  Where there are only stop words, they are what is looked for.
        """
        found: Counter[str] = Counter()
        empty: Counter[str] = Counter()
        for word in words:
            for piece, content in self._pieces(word):
                (found if content else empty)[piece] += 1
            if (plain := simplified(word)) != word:  # Meilisearch folds many characters, and not 機
                for piece, content in self._pieces(plain):
                    (found if content else empty).setdefault(piece, 1)
        chosen = found or empty
        return tuple(sorted(chosen, key=lambda piece: -chosen[piece])[:limit])

    def root(self, unit: str) -> str:
        """Return the beginning that a word shares with its other forms, where a prefix is looked for; else the word."""
        found = stem(unit) if self._prefixes else unit
        return found if len(found) >= _SHORTEST_ROOT and unit.startswith(found) else unit

    def _pieces(self, word: str) -> list[tuple[str, bool]]:
        text = literal(word)
        if not text:
            return []
        cut = [w.text for w in self._segmenter.words(text)] if _CJK.search(text) else text.split()
        pieces = [
            kept for piece in cut for form in (_trimmed(piece), _signed(piece)) if (kept := literal(form).casefold())
        ]
        return [(piece, self._content(piece)) for piece in pieces if piece not in self._stop_words]

    def _content(self, piece: str) -> bool:
        known = self._segmenter.words(piece)
        return any(word.content for word in known) or not any(c.isalnum() for c in piece)


def _trimmed(piece: str) -> str:
    """Take separators off both ends: ``shoes,`` is looked up as ``shoes``, so that its last letter is the last thing."""
    start, end = 0, len(piece)
    while start < end and not has_word(piece[start]):
        start += 1
    while end > start and not (has_word(piece[end - 1]) or piece[end - 1] in "+#"):
        end -= 1
    return piece[start:end]


def _signed(piece: str) -> str:
    """Return a word with the sign before it (``^hello``, ``€9``), which Meilisearch takes for a part of it; else ""."""
    trimmed = _trimmed(piece)
    at = piece.find(trimmed) if trimmed else 0
    start = at
    while start > 0 and unicodedata.category(piece[start - 1]).startswith("S"):
        start -= 1
    return piece[start : at + len(trimmed)] if start < at else ""
