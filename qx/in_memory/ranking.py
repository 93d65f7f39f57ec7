"""How well a document answers words: BM25F over the fields that are searched.

    score(d) = sum over terms t of  idf(t) · f / (k1 + f),      idf(t) = ln(1 + (N - n_t + 1/2) / (n_t + 1/2))
    f = sum over fields c of  boost_c · tf(t, c, d) / (1 - b + b · length_c / average_c)

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from qx.in_memory.entry import Entry
from qx.in_memory.matching import ids_of
from qx.in_memory.words import phrase, terms
from qx.syntax import Expression, Phrase, Terms, walk

K1, B = 1.2, 0.75
_CALLED = 1000.0
"""What the id of a document counts: more than any number of words."""


class Ranker:
    """Scores documents against the words of one expression.

    Args:
        expression: Whose words count; those of exclusions do not.
        entries: All documents: what is rare among them counts more.
        boosts: The weight of each searched field.

    Attributes:
        counts: In how many documents each term occurs.
    """

    def __init__(self, expression: Expression, entries: Sequence[Entry], boosts: Sequence[float]) -> None:
        self._boosts = boosts
        said = [leaf for leaf, excluded in walk(expression) if not excluded]
        words = [
            leaf.words if isinstance(leaf, Terms) else (leaf.text,)
            for leaf in said
            if isinstance(leaf, (Terms, Phrase))
        ]
        self._ids = frozenset[str]().union(*map(ids_of, words))
        total = max(len(entries), 1)
        self._averages = [max(sum(e.lengths[c] for e in entries) / total, 1e-9) for c in range(len(boosts))]
        self.counts = {term: held(term, entries) for term in wanted(expression)}
        self._idf = {term: math.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in self.counts.items() if n}

    def score(self, entry: Entry) -> float:
        """Return a document's score; 0 where it holds none of the words."""
        score = 0.0
        norms = [
            boost / (1 - B + B * size / average)
            for boost, size, average in zip(self._boosts, entry.lengths, self._averages, strict=True)
        ]
        for term, idf in self._idf.items():
            f = sum(norm * text.count(term) for norm, text in zip(norms, entry.fields, strict=True))
            score += idf * f / (K1 + f)
        return score + _CALLED * (entry.document.id in self._ids)


def held(term: str, entries: Sequence[Entry]) -> int:
    """Return how many documents hold a term."""
    return sum(any(term in text for text in entry.fields) for entry in entries)


def frequencies(words: Sequence[str], entries: Sequence[Entry]) -> Mapping[str, int]:
    """Return in how many documents each word occurs; one of several parts wants them side by side."""
    return {word: held(term, entries) if (term := phrase(word)) else 0 for word in words}


def wanted(expression: Expression) -> tuple[str, ...]:
    """Return the terms that an expression looks for, each once."""
    found: dict[str, None] = {}
    for leaf, excluded in walk(expression):
        if excluded:
            continue
        if isinstance(leaf, Terms):
            found |= dict.fromkeys(term for word in leaf.words for term in terms(word))
        elif isinstance(leaf, Phrase) and (term := phrase(leaf.text)):
            found[term] = None
    return tuple(found)
