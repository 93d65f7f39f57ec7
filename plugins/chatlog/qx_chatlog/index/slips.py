"""Words of a query that a log lacks, and the log's own words that are one or two slips away."""

from __future__ import annotations

from collections.abc import Sequence

from qx_chatlog.index.analysis import Term

_NEAREST = 5
_SHORTEST = 4
"""Letters of a word that is looked for with slips."""


def may_slip(word: str) -> bool:
    """Whether ``respelled`` may know another word for ``word``."""
    return len(word) >= _SHORTEST and word.isascii()


def respelled(term: Term, vocabulary: Sequence[str]) -> tuple[Term, ...]:
    """Return the words of ``vocabulary`` nearest to ``term``: one slip from four letters on, two from seven on.

    Chinese pairs are never guessed at: one other character is another word.
    """
    size = len(term.text)
    if term.prefix or not may_slip(term.text):
        return ()
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    slips = 2 if size >= 7 else 1
    near = process.extract(
        term.text, vocabulary, scorer=OSA.distance, score_cutoff=slips, limit=_NEAREST, processor=None
    )
    return tuple(Term(text=word, weight=term.weight * 0.8 / max(1.0, float(distance))) for word, distance, _ in near)
