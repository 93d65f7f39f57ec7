"""Where the sentences of a text begin and end, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_END = re.compile(
    r"[。！？!?…；]+[”’」』）)\"']*"
    r"|(?<=[^\W\d_]{2})\.[”’)\"']*(?=\s)"
    r"|(?<=[\d)\]%”’\"])\.[”’)\"']*(?=\s+[A-Z\u4e00-\u9fff\"“(]|\s*$)"
    r"|\.(?=\s*$)"
    r"|\n\s*\n|\n(?=\s*(?:[-*•·#>|]|\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]+[）)、.]))|\n"
)
_MAY_END = re.compile("[。！？!?…；.\n]")
"""What each match of ``_END`` begins with: to look for it alone first costs a seventh."""
_ABBREVIATED = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sr",
        "jr",
        "st",
        "vs",
        "etc",
        "e.g",
        "i.e",
        "fig",
        "eq",
        "no",
        "vol",
        "pp",
        "ca",
        "cf",
        "al",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "approx",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)
_KEPT = 60_000
"""Characters of a text whose sentences are remembered."""
_WRAPPED = re.compile(r"(?<=[^\s。！？!?.:：；;])[ \t]*\n[ \t]*(?=[a-z\u4e00-\u9fff(（,，])")


def spans(text: str) -> Iterable[tuple[int, int]]:
    """Return (start, end) of each sentence: code points, end exclusive, white space around it left out.

    A line that is broken in the middle of a sentence does not end it; a list's items, headings and paragraphs do.
    """
    return _known(text) if len(text) <= _KEPT else _spans(text)


@lru_cache(maxsize=64)
def _known(text: str) -> tuple[tuple[int, int], ...]:
    """A source is cut into windows, and read for each question."""
    return tuple(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    wrapped = {match.start() for match in _WRAPPED.finditer(text)} if "\n" in text else set[int]()
    begin = 0
    for match in _ends(text):
        broken = match[0].startswith("\n")
        if broken and not match[0].strip() and match[0].count("\n") == 1 and _is_wrapped(text, match.start(), wrapped):
            continue
        if match[0][0] == "." and _is_abbreviated(text, begin, match.start()):
            continue
        yield from _trimmed(text, begin, match.start() if broken else match.end())
        begin = match.end()
    yield from _trimmed(text, begin, len(text))


def _ends(text: str) -> Iterator[re.Match[str]]:
    """The matches of ``_END``."""
    at = 0
    while (candidate := _MAY_END.search(text, at)) is not None:
        match = _END.match(text, candidate.start())
        if match is not None:
            yield match
        at = candidate.end() if match is None else match.end()


def _is_abbreviated(text: str, begin: int, stop: int) -> bool:
    """Whether the point at ``stop`` ends a word that is short for another, or an initial, and no sentence."""
    first = max(text.rfind(" ", max(begin, stop - 12), stop), text.rfind("\n", max(begin, stop - 12), stop))
    word = text[max(first + 1, begin) : stop].lstrip("([\"'“")
    return (len(word) == 1 and word.isupper()) or word.lower() in _ABBREVIATED


def _is_wrapped(text: str, at: int, wrapped: set[int]) -> bool:
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    return at in wrapped


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
