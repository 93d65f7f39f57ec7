"""What is only wished for: "preferably under 1 kg", "under $800 if possible", 最好5000毫安以上, 国产的优先.

A limit that such a word stands with orders what is found and is given up first; it rules nothing out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CUE = re.compile(
    r"\b(?:preferabl[ye]|preferred|(?:would\s|['’]d\s)?prefer|ideally|hopefully|if\s(?:at\sall\s)?possible|if\s(?:you|i|we)\scan"
    r"|(?:would\sbe\s|is\s)?(?:nice\sto\shave|a\s(?:plus|bonus))|(?:it\s)?would\sbe\s(?:nice|great|ideal)|bonus\sif)(?![\w-])"
    r"|最好(?![的看吃喝用听玩做方办时季])|尽量|尽可能|尽可能地|优先(?!级|权)(?:考虑|选择?|推荐)?|(?:就|则|会)更好|(?:如果)?可以的话|如果可以|如果?有的话|能的话|[为則则]佳"
)
_SIGN = re.compile(r"prefer|ideal|hopefully|possible|if|nice|great|bonus|plus|最好|尽|优先|更好|可以|的话|佳")
"""A text without any of these has no cue."""
_END = re.compile(r"(?<!\d),|,(?!\d)|[，。;；!！?？\n]|\.(?=\s|$)|\b(?:but|must)\b|但|必须|一定")
_NEAR = 6
"""Characters between a limit and the cue behind it."""

Span = tuple[int, int]


def preferred(text: str, limits: Sequence[Span]) -> frozenset[Span]:
    """Return those of ``limits`` that are only wished for.

    Args:
        text: The query, ``aligned``.
        limits: Where its limits stand.
    """
    if not limits or _SIGN.search(text) is None:
        return frozenset()
    found: set[Span] = set()
    for cue in _CUE.finditer(text):
        first, last = _clause(text, cue)
        ahead = {s for s in limits if first <= s[0] < last}
        found |= ahead or {s for s in limits if 0 <= cue.start() - s[1] <= _NEAR}
    return frozenset(found)


def _clause(text: str, cue: re.Match[str]) -> Span:
    """What a cue speaks of: the rest of its clause, or the next one where a comma follows the cue that opens the text."""
    start = cue.end()
    stop = _END.search(text, start)
    if stop and not text[start : stop.start()].strip() and not text[: cue.start()].strip():
        start, stop = stop.end(), _END.search(text, stop.end())
    return start, stop.start() if stop else len(text)
