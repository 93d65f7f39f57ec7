"""Whether a candidate names what the query's word excludes: ``adults`` for ``kids``, ``expensive`` for ``cheap``, 高铁 for 机票.

What excludes what is data of the packs (``Knowledge.contrasts``).  Words that are ruled out ("not expensive") name
nothing, and who names several (flights or trains) may be answered with each.
"""

from __future__ import annotations

import re
from functools import lru_cache

from qx.domain import Knowledge
from qx.rules.phrases import PhraseIndex, aligned
from qx.text import negation
from qx.text.remembered import made_once

_DENIED = re.compile(
    r"(?:\b(?:not|no|non|without|never|isn't|less|too|than|over|under)\s(?:\w+\s)?|不|没|非|别|无|太|比|防止?|免)$"
)
"""What stands before a word that is no wish: "not too expensive", 不贵."""


@made_once
def _index(knowledge: Knowledge) -> PhraseIndex[tuple[str, str]]:
    return PhraseIndex(
        (
            (word, (contrast.name, label))
            for contrast in knowledge.contrasts
            for label, words in contrast.words.items()
            for word in words
        ),
        plurals=True,
    )


Named = dict[tuple[str, str], str]
"""(contrast, label) -> the word that names it."""


class Contrasts:
    """What one query names of the contrasts of ``knowledge``."""

    def __init__(self, original: str, knowledge: Knowledge) -> None:
        self._index = _index(knowledge)
        self._own = self._named(original, every=True) if len(self._index) else {}
        self._kinds = {kind for kind, _ in self._own}

    def opposed(self, text: str) -> tuple[str, str] | None:
        """Return (the word of ``text``, the query's word) where the one excludes the other and stands in its place."""
        if not self._own:
            return None
        theirs = self._named(text, every=False)
        for (kind, label), word in theirs.items():
            if kind not in self._kinds or (kind, label) in self._own:
                continue
            mine = [(key, own) for key, own in self._own.items() if key[0] == kind]
            if not any(key in theirs for key, _ in mine):
                return word, mine[0][1]
        return None

    def _named(self, text: str, *, every: bool) -> Named:
        """The labels named in ``text``; with ``every`` also those that it rules out."""
        folded = aligned(text)
        hits = self._index.longest(folded)
        if not hits:
            return {}
        away = [] if every else [(n.start, n.end) for n in _exclusions(text)]
        found: Named = {}
        for hit in hits:
            denied = not every and (
                any(s <= hit.start < e for s, e in away) or _DENIED.search(folded[max(0, hit.start - 14) : hit.start])
            )
            if not denied:
                for key in hit.items:
                    found.setdefault(key, text[hit.start : hit.end])
        return found


@lru_cache(maxsize=1024)
def _exclusions(text: str) -> tuple[negation.Negation, ...]:
    return negation.find(text)
