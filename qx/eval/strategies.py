"""What the sub-queries of each strategy brought, from which queries brought each document (``Listed.by``)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from qx.eval.values import Dataset, Row

FIRST = 10
"""The page that ``first`` counts on."""


@dataclass(slots=True)
class _Tally:
    """Of one strategy, over all rows."""

    rows: int = 0
    queries: int = 0
    hits: int = 0
    only: int = 0
    relevant: int = 0
    relevant_only: int = 0
    first: int = 0


class Strategies:
    """Takes the rows of one condition and counts.

    ``result()`` has, for each strategy: ``rows`` (searches in which it took part), ``queries`` (its sub-queries),
    ``hits`` (documents that it found), ``only`` (those that no other strategy found), ``relevant`` and ``relevant_only``
    (the same of relevant documents) and ``first``, its share of the documents on first pages (a fraction; a document
    that two strategies found counts for both).
    """

    def __init__(self, dataset: Dataset, *, good: int = 1) -> None:
        self._grades = dataset.grades
        self._good = good
        self._tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        self._shown = 0

    def add(self, row: Row) -> None:
        """Count one row."""
        names = [query.strategy for query in row.queries]
        for name in set(names):
            self._tallies[name].rows += 1
            self._tallies[name].queries += names.count(name)
        self._shown += min(FIRST, len(row.found))
        grades = self._grades.get(row.query, {})
        good = {id_ for id_, grade in grades.items() if grade >= self._good}
        # a list has a hundred documents, but only a few sets of queries brought them
        hits = Counter([listed.by for listed in row.found])
        relevant = Counter([listed.by for listed in row.found if listed.id in good] if good else ())
        first = Counter([listed.by for listed in row.found[:FIRST]])
        for by, number in hits.items():
            self._count(set(_named(by, names)), number, relevant[by], first[by])

    def result(self) -> Mapping[str, Mapping[str, float]]:
        """Return the counts by strategy, the original first, then by what only it brought."""
        ordered = sorted(self._tallies.items(), key=lambda kv: (kv[0] != "original", -kv[1].relevant_only, kv[0]))
        return {
            name: {
                "rows": float(t.rows),
                "queries": float(t.queries),
                "hits": float(t.hits),
                "only": float(t.only),
                "relevant": float(t.relevant),
                "relevant_only": float(t.relevant_only),
                "first": t.first / self._shown if self._shown else 0.0,
            }
            for name, t in ordered
        }

    def _count(self, names: Collection[str], hits: int, relevant: int, first: int) -> None:
        alone = len(names) == 1
        for name in names:
            tally = self._tallies[name]
            tally.hits += hits
            tally.only += hits if alone else 0
            tally.relevant += relevant
            tally.relevant_only += relevant if alone else 0
            tally.first += first


def _named(by: Iterable[int], names: Sequence[str]) -> Iterator[str]:
    """The strategies of the queries in these places; one that the row has not is left out."""
    return (names[place] for place in by if 0 <= place < len(names))
