"""From text to terms: the same for documents and queries, in Chinese and English.

Two forms of a text are made.  ``terms`` are what BM25 counts: English stems, the parts of compounds (``gpt``, ``4`` of
``gpt-4``), Chinese words, character pairs and single characters, so that a word is found however it was cut.  A
``stream`` is the text as a sequence of simple tokens, one Chinese character or English stem each: phrases, required and
excluded words are looked for in it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from qx.text.clean import replace_surrogates
from qx.text.normalise import fold, simplified
from qx.text.segment import HAN, KANA, Segmenter, is_content

VERSION = 2
"""Changes whenever documents must be analysed anew."""

_CJK = re.compile(rf"[{HAN}{KANA}\uac00-\ud7a3\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
"""Writing without spaces between words (Chinese, Japanese, Thai, Burmese, Khmer), or with glued ones (Korean)."""
_SPLIT = re.compile(r"[\W_]+")
_PLAIN = re.compile(r"[^\W_]+")
_ENGLISH = re.compile(r"[a-z]{3,32}")
_LONGEST_TOKEN = 64

WORD, PART, STOP = 1.0, 0.4, 0.3
"""Weight of a query's whole words, of what they are made of, and of stop words.

Measured on BANKING77 and CACM: stop words at 0.3 bring nDCG@10 of 0.724 and 0.512; dropped 0.692 and 0.512, in full
0.663 and 0.501: "why" and "when" tell questions apart, "is" and "the" do not.
"""


class Analysis:
    """Cuts texts into terms.

    Args:
        lexicon: Words that stay whole.
    """

    def __init__(self, lexicon: tuple[str, ...] = ()) -> None:
        self._segmenter = Segmenter(lexicon)

    def document_terms(self, text: str) -> tuple[dict[str, int], int]:
        """Return each term of a document with how often it occurs, and the document's length in words."""
        found: dict[str, int] = {}
        length = 0
        for piece in self._pieces(text):
            length += 1
            for term in _document_forms(piece):
                found[term] = found.get(term, 0) + 1
        for run in _CJK.findall(self._folded(text)):
            for term in (*run, *(run[i : i + 2] for i in range(len(run) - 1))):
                found[term] = found.get(term, 0) + 1
        return found, length

    def query_terms(self, text: str) -> dict[str, float]:
        """Return each term that a query looks for with its weight; stop words count less."""
        found: dict[str, float] = {}
        for piece in self._pieces(text):
            share = 1.0 if is_content(piece) else STOP
            for term, weight in _query_forms(piece):
                found[term] = found.get(term, 0.0) + share * weight
        return found

    def telling_terms(self, text: str) -> frozenset[str]:
        """Return the terms of a query's words that are no stop words: 的 and "the" alone make no document a hit."""
        telling = (piece for piece in self._pieces(text) if is_content(piece))
        return frozenset(term for piece in telling for term, _ in _query_forms(piece))

    def stream(self, text: str) -> tuple[str, ...]:
        """Return the text as simple tokens in order, letters and digits only."""
        found: list[str] = []
        for piece in self._pieces(text):
            if _CJK.fullmatch(piece):
                found += map(_token, piece)
            else:
                found += [_token(stem(part)) for part in _parts(piece)] or [_token(piece)]
        return tuple(found)

    def _folded(self, text: str) -> str:
        folded = fold(replace_surrogates(text))
        return folded if folded.isascii() else simplified(folded).translate(_UNACCENTED)

    def _pieces(self, text: str) -> Iterator[str]:
        for piece in self._segmenter.pieces(self._folded(text)):
            if _CJK.match(piece) or any(c.isalnum() or unicodedata.category(c) == "So" for c in piece):
                yield piece


class _Unaccented(dict[int, str]):
    """A table for ``str.translate``: letters without their accents, other writing as it is."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kept = character
        if not _CJK.match(character):
            kept = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
        self[code] = kept
        return kept


_UNACCENTED = _Unaccented()
_STEMMING = Lock()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return an English word without its ending (Snowball, Porter 2), other words as they are."""
    if not _ENGLISH.fullmatch(word):
        return word
    with _STEMMING:  # a stemmer holds the word that it works on
        return _stemmer().stemWord(word)


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def term_id(term: str) -> int:
    """Return the 32-bit number that stands for a term in a sparse vector."""
    return _hashed(term)


@lru_cache(maxsize=65536)
def _hashed(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=4).digest(), "big")


def _document_forms(piece: str) -> Iterator[str]:
    if _CJK.fullmatch(piece):
        if len(piece) > 2:  # characters and pairs are counted in whole runs
            yield piece
        return
    yield stem(piece)
    parts = _parts(piece)
    if parts != (piece,):
        yield from map(stem, parts)


def _query_forms(piece: str) -> Iterator[tuple[str, float]]:
    if _CJK.fullmatch(piece):
        yield piece, WORD
        if len(piece) > 2:
            for i in range(len(piece) - 1):
                yield piece[i : i + 2], PART
        return
    yield stem(piece), WORD
    parts = _parts(piece)
    if parts != (piece,):
        for part in parts:
            yield stem(part), PART


def _parts(piece: str) -> tuple[str, ...]:
    """Return what a compound is made of: ``gpt-4`` is ``gpt`` and ``4``, ``c++`` is itself."""
    parts = tuple(part for part in _SPLIT.split(piece) if part)
    return parts if len(parts) > 1 else (piece,) if parts else ()


def _token(word: str) -> str:
    """Return a word as letters and digits alone, so that every tokenizer leaves it whole (``c++`` -> ``cu2bu2b``)."""
    if len(word) > _LONGEST_TOKEN:
        return "h" + hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=12).hexdigest()
    if _PLAIN.fullmatch(word):
        return word
    return "".join(c if _PLAIN.fullmatch(c) else f"u{ord(c):x}" for c in word)
