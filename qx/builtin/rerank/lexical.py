"""``rerank by: lexical``: BM25F over title, text and the words of keyword fields, without a model and the same for the hits of every engine.

    score(d) = sum over terms t of  w_t · idf(t) · f / (k1 + f),     idf(t) = ln(1 + (N - n_t + 1/2) / (n_t + 1/2))
    f = sum over fields c of  boost_c · tf(t, c, d) / (1 - b + b · length_c / average_c)

The numbers of documents n_t are those that the engines reported with their answers; for terms that they did not, the
pool of hits stands for all documents.  Words of the query weigh 1, words that only other sub-queries have weigh less.
Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qx.builtin.rerank.method import Task
from qx.builtin.rerank.terms import Counted, counted, wanted, whole
from qx.filters.worded import worded, words_of
from qx.ranking import Ranking
from qx.serial import EMPTY
from qx.text import segment

if TYPE_CHECKING:
    from qx.context import Context
    from qx.types import Hit

K1 = 1.2
B = 0.75
_IN_LOOP = 100
"""Up to so many hits are scored at once in the event loop."""


class Lexical:
    """Implements ``Method``.

    Args:
        title: What a word in the title counts, where one in the text counts 1.
        expansion: What the words of other sub-queries count, where the query's own count 1.
    """

    pace = 0.0001
    top = 1000

    def __init__(self, *, title: float, expansion: float) -> None:
        self._title = title
        self._expansion = expansion

    def load(self) -> None:
        """Load the dictionary, so that no request has to wait for it."""
        segment.pieces("预热")
        wanted("预热 warm")

    async def scores(self, task: Task, context: Context, /) -> Sequence[float]:
        """Score every hit."""
        known = context.vocabulary
        backends = known.backends if known is not None else ()
        values = {backend.name: tuple(found) for backend in backends if (found := worded(backend.fields))}
        if len(task.hits) <= _IN_LOOP:
            return self.scored(task, values)
        return await context.run_cpu(lambda: self.scored(task, values))

    def scored(self, task: Task, values: Mapping[str, Sequence[str]] = EMPTY) -> list[float]:
        """Score every hit, without waiting for anything.

        Args:
            values: Backend -> stored names of the fields whose values are words.
        """
        weights = self.weights(task.query, task.others)
        fields = [
            [counted(_title(hit, task.query), weights) for hit in task.hits],
            [counted(hit.text, weights) for hit in task.hits],
        ]
        boosts = [self._title, 1.0]
        if values:
            fields.append([counted(_values(hit, values.get(hit.backend, ())), weights) for hit in task.hits])
            boosts.append(1.0)
        averages = [max(sum(c.length for c in column) / max(len(column), 1), 1e-9) for column in fields]
        found: list[dict[str, float]] = []
        for row in zip(*fields, strict=True):
            found.append(_frequencies(row, weights, boosts, averages))
        idf = _idf(weights, found, task.ranking)
        return [sum(weights[t] * idf[t] * f / (K1 + f) for t, f in of_hit.items()) for of_hit in found]

    def weights(self, query: str, others: Mapping[str, float]) -> dict[str, float]:
        """The terms that count, each with its weight."""
        out = {
            term: weight * self._expansion * share for q, share in others.items() for term, weight in wanted(q).items()
        }
        own = wanted(query)
        return out | {term: max(weight, out.get(term, 0.0)) for term, weight in own.items()}


def _values(hit: Hit, stored: Sequence[str]) -> str:
    record = {**hit.metadata, "metadata": hit.metadata}
    return "\n".join(text for name in stored for text in words_of(record, name))


def _title(hit: Hit, query: str) -> str:
    """A hit's title, with its id where the query names that: an engine finds a document by it, as by a title."""
    within = bool(hit.id) and hit.id.casefold() in query.casefold()  # a pattern for each id costs more than all else
    named = re.search(rf"(?<![^\W_]){re.escape(hit.id)}(?![^\W_])", query, re.IGNORECASE) if within else None
    return f"{hit.title} {hit.id}" if named else hit.title


def _frequencies(
    row: Sequence[Counted], weights: Mapping[str, float], boosts: Sequence[float], averages: Sequence[float]
) -> dict[str, float]:
    """How often a hit holds each term, over its fields, against their lengths."""
    out: dict[str, float] = {}
    norms = [boost / (1 - B + B * c.length / average) for c, boost, average in zip(row, boosts, averages, strict=True)]
    for term in weights:
        frequency = sum([norm * c.count(term) for c, norm in zip(row, norms, strict=True)])
        if frequency > 0:
            out[term] = frequency
    return out


def _idf(terms: Mapping[str, float], found: Sequence[Mapping[str, float]], ranking: Ranking) -> dict[str, float]:
    """How much each term tells apart, by the engines' numbers, else by the pool's."""
    reported: dict[str, int] = {}
    for word, count in ranking.frequencies.items():
        term = whole(word)
        if term is not None:
            reported[term] = max(count, reported.get(term, 0))
    in_pool = {term: sum(term in of_hit for of_hit in found) for term in terms}
    known = [term for term in terms if term in reported and in_pool[term]]
    # terms that no engine reported are taken to be as much more frequent outside of the pool as those that one did
    ratio = max(1.0, sum(reported[t] for t in known) / sum(in_pool[t] for t in known)) if known else 1.0
    pool = max(len(found), 1)
    documents = max((ranking.documents or 2 * max(reported.values(), default=0)) if known else 0, pool)
    out: dict[str, float] = {}
    for term in terms:
        count = min(float(reported.get(term, 0)) or in_pool[term] * ratio, documents)
        out[term] = math.log(1 + (documents - count + 0.5) / (count + 0.5))
    return out


__all__ = ["Lexical"]
