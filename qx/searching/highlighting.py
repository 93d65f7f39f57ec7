"""What matched, for hits whose engine did not say: a piece of title and text with the query's words marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from qx.syntax import parse, words
from qx.text import negation
from qx.text.normalise import characters_simplified, fold
from qx.text.segment import HAN, is_content, pieces, stem
from qx.types import Highlight, Hit

WINDOW = 240
"""Characters of a text that are shown."""
MOST = 4000
"""Characters of a text that are looked at."""
_BEFORE = 40
_JOINING = frozenset(".+#&'-")
_LATIN = re.compile(rf"[^\W_{HAN}]+(?:[.+#&'’\-][^\W_{HAN}]+)*")


class Marks:
    """The words that are to be marked in the hits of one result.

    Args:
        queries: Whose words they are; operators and exclusions are read.
    """

    def __init__(self, queries: Sequence[str]) -> None:
        self._wanted = _all_forms(tuple(queries))
        self._beginnings = _beginnings(self._wanted)
        self._han = tuple(word for word in self._wanted if not word.isascii())

    def of(self, hit: Hit) -> tuple[Highlight, ...]:
        """Return the highlights of ``hit``; those of the engine as they are."""
        if hit.highlights or not self._wanted:
            return hit.highlights
        found = (self._highlight("title", hit.title), self._highlight("text", hit.text))
        return tuple([item for item in found if item is not None])

    def _highlight(self, field: str, text: str) -> Highlight | None:
        spans = sorted(self._spans(text[:MOST]))
        if not spans:
            return None
        start = 0 if len(text) <= WINDOW else max(0, spans[0][0] - _BEFORE)
        if start and (space := text.find(" ", start, spans[0][0])) >= 0:
            start = space + 1
        end = min(len(text), start + WINDOW)
        inside = _merged([(low - start, high - start) for low, high in spans if high <= end])
        return Highlight(field=field, text=text[start:end], spans=inside)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        wanted = self._wanted
        if text.isascii():
            yield from self._ascii_spans(text)
            return
        yield from [match.span() for match in _LATIN.finditer(text) if _form(match[0]) in wanted]
        if self._han:
            even = characters_simplified(text)  # one character stays one
            for word in self._han:
                yield from (match.span() for match in re.finditer(re.escape(word), even))

    def _ascii_spans(self, text: str) -> Iterator[tuple[int, int]]:
        """As for any text, without looking at words that begin unlike every word that is wanted."""
        lowered = text.lower()
        for match in self._beginnings.finditer(lowered):
            start = match.start()
            word = None if _within_word(lowered, start) else _LATIN.match(text, start)
            if word is not None and _form(word[0]) in self._wanted:
                yield word.span()


def _within_word(text: str, place: int) -> bool:
    """Whether a word of ASCII characters goes on at ``place``: within it, or after what joins its parts."""
    before = text[max(0, place - 2) : place]
    return before[-1:].isalnum() or (before[-1:] in _JOINING and before[:-1].isalnum())


def _merged(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sorted spans, those that touch or overlap as one: Chinese words stand side by side."""
    out: list[tuple[int, int]] = []
    for low, high in spans:
        if out and low <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def _forms(queries: Sequence[str]) -> Iterator[str]:
    for text in queries:
        for word in words(parse(_wished(text))):
            for piece in pieces(word):
                if is_content(piece) and any(c.isalnum() for c in piece):
                    yield _form(piece)


@lru_cache(maxsize=64)
def _beginnings(wanted: frozenset[str]) -> re.Pattern[str]:
    """Where a wanted word may begin: forms of a word have at least their first two characters in common."""
    heads = sorted({re.escape(word[:2]) for word in wanted if word[:2].isascii()})
    return re.compile("|".join(heads) or r"(?!)")


@lru_cache(maxsize=64)
def _all_forms(queries: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_forms(queries))


def _wished(text: str) -> str:
    """The query without what it excludes: "not white" asks for nothing white."""
    kept = list(text)
    for found in negation.find(text):
        kept[found.start : found.end] = " " * (found.end - found.start)
    return "".join(kept)


@lru_cache(maxsize=16384)
def _form(word: str) -> str:
    """As ``segment.comparable``, but character by character: what is marked stands so in the text."""
    return stem(characters_simplified(fold(word)))
