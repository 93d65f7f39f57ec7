"""Queries and texts as terms: the same for the hits of every engine.

English words are compared by their stem, compounds (``gpt-4``, ``node.js``) also by their parts.  Chinese words come
from the segmenter for the query, and are counted in a text wherever their characters stand together, so that it does not
matter how the text would have been cut; of longer words each pair of characters counts a little too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from qx.serial import value
from qx.syntax import parse
from qx.syntax.tree import words
from qx.text import negation
from qx.text.normalise import characters_simplified, fold
from qx.text.remembered import remembering
from qx.text.segment import HAN, is_content, pieces, stem

CLIP = 4000
"""Code points of a text that are looked at."""
PART = 0.3
"""What a part of a word (a pair of characters, a piece of a compound) counts beside the whole word."""
_LATIN = re.compile(rf"[^\W_{HAN}]+(?:[.+#&'’_\-][^\W_{HAN}]+)*(?:\+\+|\#)?")
_ASCII = re.compile(r"[a-z0-9]+(?:[.+#&'_\-][a-z0-9]+)*(?:\+\+|\#)?")
"""The same in folded text of ASCII alone, where it costs less."""
_PART = re.compile(r"[.+#&'’_\-]+")
_RUN = re.compile(f"[{HAN}]+")
_stem = lru_cache(maxsize=65536)(stem)


@value
class Counted:
    """A text as the terms that are looked for: Latin ones counted, Chinese ones to be counted in ``han``; ``length`` in words."""

    latin: Mapping[str, int]
    han: str
    length: float

    def count(self, term: str) -> int:
        """Return how often ``term`` occurs."""
        return self.han.count(term) if _RUN.match(term) else self.latin.get(term, 0)


def counted(text: str, terms: Iterable[str]) -> Counted:
    """Return ``text`` as those of ``terms`` that it has."""
    looked_for = frozenset(terms)
    folded = characters_simplified(fold(text[:CLIP]))
    latin: dict[str, int] = {}
    length = 0.0
    # no word has a space within: what stands between two is read once, and known from text to text
    for written, times in Counter(folded.split()).items():
        words, forms = _read(written)
        length += words * times
        if looked_for.isdisjoint(forms):
            continue
        for term in forms:
            latin[term] = latin.get(term, 0) + times
    runs = _RUN.findall(folded) if not folded.isascii() else []
    han = " ".join(runs)
    # a Chinese word has between one and two characters
    return Counted(latin=latin, han=han, length=length + sum(map(len, runs)) / 1.6)


def _forms_in(written: str) -> tuple[int, tuple[str, ...]]:
    """How many words of Latin letters a piece of text without spaces has, and their forms."""
    words = (_ASCII if written.isascii() else _LATIN).findall(written)
    return len(words), tuple(form for word in words for form in _forms(word))


_read = remembering(_forms_in, entries=65536, longest=40)  # a line of Chinese comes only once


def _forms(word: str) -> tuple[str, ...]:
    """The stem of a word of Latin letters, and those of the parts of a compound."""
    parts = filter(None, _PART.split(word)) if _PART.search(word) else ()
    return (_stem(word), *map(_stem, parts))


def wanted(text: str) -> dict[str, float]:
    """Return the terms that ``text`` looks for, with their weight: 1 for words, less for parts of them.

    Operators are read (``site:`` is no word, ``-term`` and "not white" are not wanted); stop words count only where
    there is nothing else.
    """
    kept = list(text)
    for found in negation.find(text):
        kept[found.start : found.end] = " " * (found.end - found.start)
    looked_for = words(parse("".join(kept))) or words(parse(text))
    found_pieces = [characters_simplified(fold(piece)) for word in looked_for for piece in pieces(word)]
    usable = [piece for piece in found_pieces if any(c.isalnum() for c in piece)]
    content = [piece for piece in usable if is_content(piece)] or usable
    out: dict[str, float] = {}
    for piece in content:
        for term, weight in _terms(piece):
            out[term] = max(weight, out.get(term, 0.0))
    return out


@lru_cache(maxsize=4096)
def whole(word: str) -> str | None:
    """Return the one term of ``word`` as an engine reports it; None where it has none or several."""
    found = [term for term, weight in wanted(word).items() if weight == 1]
    return found[0] if len(found) == 1 else None


def _terms(piece: str) -> Iterable[tuple[str, float]]:
    if _RUN.fullmatch(piece):
        yield piece, 1.0
        if len(piece) > 2:
            yield from ((piece[i : i + 2], PART) for i in range(len(piece) - 1))
        return
    for word in _LATIN.findall(piece):
        yield _stem(word), 1.0
        parts = [part for part in _PART.split(word) if part]
        if len(parts) > 1:
            yield from ((_stem(part), PART) for part in parts)
    for run in _RUN.findall(piece):
        yield run, 1.0


__all__ = ["Counted", "counted", "wanted", "whole"]
