"""Which of two sources replaces the other: it says so, or it is a later edition of the same document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qx.serial import replace
from qx.text.normalise import fold, simplified
from qx_answer.claims import Source
from qx_answer.values import Sentence

SAYS = 0.4
"""Coverage from which on a sentence of the later source speaks of what is asked."""
_REPLACES = re.compile(
    r"\b(?:replac(?:es|ed|ing)|supersed(?:es|ed|ing)|in\s+place\s+of|instead\s+of\s+the\s+(?:old|previous|former)|obsoletes)\b(?P<en>[^.;\n]{0,80})"
    r"|(?:取代|替代|代替|废止|替换)(?P<zh>[^。；\n]{0,40})",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"[（(\[【][^）)\]】]{0,24}[）)\]】]|\b(?:version|edition|release|v|draft|old|new|current|previous)\b|第?[0-9.]+[版年期号]?|[旧新]版|版本?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,3})?")


def replaces(new: Source, old: Source) -> bool:
    """Whether ``new`` stands in the place of ``old``.

    Both are editions of one document: their titles are the same but for numbers, and ``new`` was published later or has the
    greater number; or ``new`` says that it replaces what only the title of ``old`` names.
    """
    if new.id == old.id or not new.title or not old.title:
        return False
    one, two = _name(new.title), _name(old.title)
    if one and one == two:
        return _order(new) > _order(old)
    said = _REPLACES.search(new.text[:5000])
    named = simplified(fold(said["en"] or said["zh"] or "")) if said else ""
    return bool(two) and two in named


def _name(title: str) -> str:
    return re.sub(r"[\W_]+", "", _EDITION.sub(" ", simplified(fold(title))))


def _order(source: Source) -> tuple[str, tuple[float, ...]]:
    return source.published or "", tuple(float(n) for n in _NUMBER.findall(source.title or ""))


def later_first(found: Sequence[Sentence], sources: Mapping[str, Source]) -> list[Sentence]:
    """Return sentences in their order, but before the best one what the source that replaces its source says of the same.

    Where that one says nothing of it, the old one is all that is known.  Both stay, so that both are told.
    """
    if not found:
        return []
    first = found[0]
    later = [
        one
        for one in found[1:]
        if (one.answers or (one.named and one.typed and one.prose and one.coverage >= SAYS))
        and one.said & first.said
        and replaces(sources[one.source_id], sources[first.source_id])
    ]
    if not later:
        return list(found)
    best = max(later, key=lambda one: (one.answers, one.coverage, one.itself))
    return [replace(best, score=max(best.score, first.score)), *(one for one in found if one is not best)]
