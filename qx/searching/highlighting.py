"""What matched, for hits whose engine did not say: a piece of title and text with the query's words marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from qx.syntax import parse, words
from qx.text.normalise import characters_simplified, fold
from qx.text.segment import HAN, is_content, pieces, stem
from qx.types import Highlight, Hit

WINDOW = 240
"""Characters of a text that are shown."""
MOST = 4000
"""Characters of a text that are looked at."""
_BEFORE = 40
_LATIN = re.compile(rf"[^\W_{HAN}]+(?:[.+#&'’\-][^\W_{HAN}]+)*")


def highlighted(hit: Hit, queries: Sequence[str]) -> Hit:
    """Return ``hit`` with its highlights; those of the engine are kept as they are.

    Args:
        queries: Whose words are to be marked; operators and exclusions are read.
    """
    if hit.highlights:
        return hit
    wanted = frozenset(_forms(queries))
    found = (_highlight("title", hit.title, wanted), _highlight("text", hit.text, wanted)) if wanted else ()
    return replace(hit, highlights=tuple(item for item in found if item is not None)) if any(found) else hit


def _forms(queries: Sequence[str]) -> Iterator[str]:
    for text in queries:
        for word in words(parse(text)):
            for piece in pieces(word):
                if is_content(piece) and any(c.isalnum() for c in piece):
                    yield stem(characters_simplified(fold(piece)))


def _highlight(field: str, text: str, wanted: frozenset[str]) -> Highlight | None:
    spans = sorted(_spans(text[:MOST], wanted))
    if not spans:
        return None
    start = 0 if len(text) <= WINDOW else max(0, spans[0][0] - _BEFORE)
    if start and (space := text.find(" ", start, spans[0][0])) >= 0:
        start = space + 1
    end = min(len(text), start + WINDOW)
    inside: list[tuple[int, int]] = []
    for low, high in spans:
        if high <= end and (not inside or low - start >= inside[-1][1]):
            inside.append((low - start, high - start))
    return Highlight(field=field, text=text[start:end], spans=tuple(inside))


def _spans(text: str, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    for match in _LATIN.finditer(text):
        if stem(fold(match[0])) in wanted:
            yield match.span()
    if text.isascii():
        return
    even = characters_simplified(text)  # one character stays one
    for word in wanted:
        if not word.isascii():
            yield from (match.span() for match in re.finditer(re.escape(word), even))
