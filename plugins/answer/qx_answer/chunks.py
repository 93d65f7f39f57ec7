"""Windows over a text: each ends where a sentence does, where one does in time, and begins with the last words of the one before."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from qx.errors import UsageError
from qx.serial import value
from qx_answer.sentences import spans

OVERLAP = 0.1
"""Share of a window that the next one has too."""
_JOINED = re.compile("[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")  # fmt: skip
"""What belongs to the character before it: marks, joiners, variants and skin tones of emoji."""
_BREAKS = frozenset(" \t\n\r,;:，、；：。．!?！？)）]】」』”’—…-")


@value
class Window:
    """``text[start:end]``; code points, end exclusive."""

    start: int
    end: int


def windows(text: str, size: int, overlap: int | None = None) -> tuple[Window, ...]:
    """Return windows that together cover all of ``text``, none longer than ``size``.

    A window ends at the last end of a sentence in its second half; where there is none, at white space or punctuation;
    where there is none of that either, at ``size``, but within no emoji or letter with marks.

    Args:
        size: Code points of a window.
        overlap: Code points at most that two neighbours share; None: a tenth of ``size``.

    Raises:
        UsageError: ``size`` is below 1, or ``overlap`` is not from 0 to below ``size``.
    """
    shared = int(size * OVERLAP) if overlap is None else overlap
    if size < 1:
        raise UsageError(f"windows of {size} characters: there must be one at least")
    if not 0 <= shared < size:
        raise UsageError(
            f"windows of {size} characters cannot share {shared}: the overlap must be from 0 to {size - 1}"
        )
    return tuple(_cut(text, size, shared))


def _cut(text: str, size: int, shared: int) -> Iterator[Window]:
    if not text:
        return
    sentences = list(spans(text))
    begins, ends = [start for start, _ in sentences], [end for _, end in sentences]
    start = end = 0
    while True:
        end = _end(text, start, min(len(text), start + size), max(end, start + size // 2), ends)
        yield Window(start=start, end=end)
        if end == len(text):
            return
        start = _start(text, max(start + 1, end - shared), end, begins)


def _end(text: str, start: int, last: int, first: int, ends: Sequence[int]) -> int:
    """Where a window ends: after ``first``, and at ``last`` at the latest."""
    if last == len(text):
        return last
    found = bisect_right(ends, last) - 1
    if found >= 0 and ends[found] > first:
        return ends[found]
    for at in range(last, max(first, start), -1):
        if text[at - 1] in _BREAKS:
            return at
    whole = last
    while whole > first + 1 and not _may_cut(text, whole):
        whole -= 1
    return whole if whole > first and _may_cut(text, whole) else last


def _start(text: str, earliest: int, end: int, begins: Sequence[int]) -> int:
    """Where the next window begins: with a sentence or else a word of what both share; at the end where that is nothing."""
    found = bisect_left(begins, earliest)
    if found < len(begins) and begins[found] < end:
        return begins[found]
    word = next((at for at in range(earliest, end) if text[at - 1].isspace() or _may_cut_word(text, at)), end)
    whole = next((at for at in range(earliest, end) if _may_cut(text, at)), end)
    return word if word < end else whole


def _may_cut(text: str, at: int) -> bool:
    """Whether no character of several code points is cut."""
    return _JOINED.match(text, at) is None and text[at - 1] != "\u200d"


def _may_cut_word(text: str, at: int) -> bool:
    pair = text[at - 1 : at + 1]
    return _may_cut(text, at) and not (pair.isalnum() and pair.isascii())
