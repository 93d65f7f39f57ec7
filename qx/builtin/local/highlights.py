"""The piece of a text that shows why it was found."""

from __future__ import annotations

from collections.abc import Sequence

from qx.builtin.local.analysis import Analysis
from qx.types import Highlight

WINDOW = 240
_BEFORE = 40
_ENDS = ".!?。！？;；\n"
_MOST = 20_000  # characters of a text that are looked at


def highlight(field: str, text: str, wanted: frozenset[str], analysis: Analysis) -> Highlight | None:
    """Return the piece of ``text`` with the most words of ``wanted``; None where it holds none."""
    spans = analysis.spans(text[:_MOST], wanted) if wanted and text else ()
    if not spans:
        return None
    start, end = (0, len(text)) if len(text) <= WINDOW else _window(text, spans)
    inside = tuple((s - start, e - start) for s, e in spans if s >= start and e <= end)
    return Highlight(field=field, text=text[start:end], spans=inside)


def _window(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    best, most = spans[0][0], 0
    for at, (start, _) in enumerate(spans):
        distinct = {text[s:e].casefold() for s, e in spans[at:] if e <= start + WINDOW - _BEFORE}
        if len(distinct) > most:
            best, most = start, len(distinct)
    start = max(0, best - _BEFORE)
    ends = [at for at in range(start, best) if text[at] in _ENDS]
    if ends:
        start = ends[-1] + 1
    elif start > 0:
        space = text.find(" ", start, best)
        start = start if space < 0 else space + 1
    while start < best and text[start].isspace():
        start += 1
    end = min(len(text), start + WINDOW)
    inside = max((e for s, e in spans if s >= start and e <= end), default=end)
    if end < len(text) and (space := text.rfind(" ", inside, end)) > 0:
        end = space
    return start, end
