"""Scores by query: ``ir-measures`` for what the field has, ``qx.eval.own`` for the rest.

What a user saw is what is scored: documents in the order of the row, given scores by their rank, so that no rule for
ties reorders them.  Every query with a relevant document counts; a missing, failed or empty one is 0, as with
``trec_eval -c``.  docs/measures.md lists where this differs from ``ir-measures`` and ``trec_eval``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qx.errors import UsageError
from qx.eval.extra import need
from qx.eval.names import FAMILIES, Measure, parse_measure, parse_measures
from qx.eval.own import NOT_COUNTED, OWN, Listing, RawList
from qx.eval.values import Dataset, Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

__all__ = ["FAMILIES", "Measure", "RawLists", "Scorer", "measure", "parse_measure", "parse_measures"]

_BATCH = 256
"""Rows that go to ``ir-measures`` at once."""


class RawLists:
    """What the raw queries found, kept small: the first ``depth`` documents and the relevant ones."""

    def __init__(self, dataset: Dataset, measures: Iterable[Measure], *, good: int = 1) -> None:
        depths = [m.depth or 0 for m in measures if m.about.relative]
        self._depth = max(depths, default=0)
        self._grades = dataset.grades
        self._good = good
        self._lists: dict[str, RawList] = {}

    def add(self, row: Row) -> None:
        """Keep what the other conditions are held against."""
        ids = [listed.id for listed in row.found]
        listing = Listing(found=ids, grades=self._grades.get(row.query), least=self._good)
        self._lists[row.query] = RawList(first=tuple(ids[: self._depth]), relevant=frozenset(listing.relevant(ids)))

    def of(self, query: str) -> RawList:
        """Return a query's list; one that was not searched found nothing."""
        return self._lists.get(query, RawList())


class Scorer:
    """Takes the rows of one condition and holds nothing of them but numbers.

    Args:
        dataset: Queries and grades.
        measures: What is scored.
        raw: The raw queries' lists; None: the measures beside them do not apply.
        good: The least grade that counts as relevant.
    """

    def __init__(
        self, dataset: Dataset, measures: Sequence[Measure], *, raw: RawLists | None = None, good: int = 1
    ) -> None:
        self._dataset = dataset
        self._raw = raw
        self._good = good
        self._places = {query.id: place for place, query in enumerate(dataset.queries)}
        self._seen: set[str] = set()
        self._own = [m for m in measures if not m.about.trec]
        self._trec = [m for m in measures if m.about.trec]
        self._waiting: dict[str, dict[str, float]] = {}
        self._scores = {m.name: self._of_nothing(m) for m in measures}

    def add(self, row: Row) -> None:
        """Score one row.

        Raises:
            UsageError: the dataset has no such query, it came before, or a document is listed twice.
        """
        place = self._place(row)
        ids = [listed.id for listed in row.found]
        if len(set(ids)) < len(ids):
            twice = next(id_ for at, id_ in enumerate(ids) if id_ in ids[:at])
            raise UsageError(
                f"condition {row.condition}, query {row.query}: document {twice!r} is listed twice: "
                "a list with a document twice has no score; give each document one id"
            )
        listing = self._listing(row.query, ids)
        for one in self._own:
            self._scores[one.name][place] = OWN[one.family](listing, one.depth)
        if self._trec and ids and self._counts(row.query):
            self._waiting[row.query] = {id_: float(-rank) for rank, id_ in enumerate(ids, 1)}
            if len(self._waiting) >= _BATCH:
                self._flush()

    def scores(self) -> dict[str, Scores]:
        """Return, by measure, one number for each query of the dataset in its order; NaN: it does not count there."""
        self._flush()
        return self._scores

    def _place(self, row: Row) -> int:
        if row.query not in self._places:
            raise UsageError(
                f"condition {row.condition} has a row for query {row.query!r}, which dataset {self._dataset.name} "
                "has not: the rows are of another dataset"
            )
        if row.query in self._seen:
            raise UsageError(f"condition {row.condition} has two rows for query {row.query!r}: start the run afresh")
        self._seen.add(row.query)
        return self._places[row.query]

    def _listing(self, query: str, ids: Sequence[str]) -> Listing:
        grades = self._dataset.grades.get(query)
        raw = None if self._raw is None else self._raw.of(query)
        return Listing(found=ids, grades=grades, least=self._good, raw=raw)

    def _counts(self, query: str) -> bool:
        return has_relevant(self._dataset, query, self._good)

    def _of_nothing(self, one: Measure) -> Scores:
        """The scores of a condition that found nothing at all."""
        numpy = need("numpy")
        if one.about.trec:
            return numpy.array([0.0 if self._counts(q.id) else NOT_COUNTED for q in self._dataset.queries])
        empty = [OWN[one.family](self._listing(q.id, ()), one.depth) for q in self._dataset.queries]
        return numpy.array(empty, dtype=numpy.float64)

    def _flush(self) -> None:
        if not self._waiting:
            return
        made = {_in_trec(m, self._good): m.name for m in self._trec}
        judged: dict[str, dict[str, int]] = {}
        listed: dict[str, dict[str, float]] = {}
        for query, scores in self._waiting.items():
            grades, place = self._dataset.grades[query], str(self._places[query])
            numbers = _numbered((*grades, *scores))
            # trec_eval has no negative grades: below 0 is "not judged" to it, which scores as 0 does
            judged[place] = {numbers[id_]: max(grade, 0) for id_, grade in grades.items()}
            listed[place] = {numbers[id_]: score for id_, score in scores.items()}
        for found in need("ir_measures").iter_calc(list(made), judged, listed):
            self._scores[made[found.measure]][int(found.query_id)] = found.value
        self._waiting = {}


def _numbered(ids: Iterable[str]) -> dict[str, str]:
    """Numbers in place of ids, in the order of the ids: to C, an id ends at a NUL, and half a surrogate pair is none."""
    ordered = sorted(set(ids))
    width = len(str(len(ordered)))
    return {id_: f"{number:0{width}}" for number, id_ in enumerate(ordered)}


def has_relevant(dataset: Dataset, query: str, good: int = 1) -> bool:
    """Whether anything that is relevant is known for a query: without, every list scores 0."""
    return any(grade >= good for grade in dataset.grades.get(query, {}).values())


def measure(
    rows: Iterable[Row],
    dataset: Dataset,
    names: Iterable[str],
    *,
    raw: Iterable[Row] | None = None,
    good: int = 1,
) -> Mapping[str, Scores]:
    """Score the rows of one condition.

    Args:
        rows: In any order; a query without a row found nothing.
        dataset: Queries and grades.
        names: Of measures.
        raw: The rows of the raw queries, for the measures beside them.
        good: The least grade that counts as relevant.

    Returns:
        By measure, one number for each of ``dataset.queries`` in order; NaN where the measure does not apply.

    Raises:
        UsageError: a name or a row is wrong.
    """
    measures = parse_measures(names)
    lists = None
    if raw is not None:
        lists = RawLists(dataset, measures, good=good)
        for row in raw:
            lists.add(row)
    scorer = Scorer(dataset, measures, raw=lists, good=good)
    for row in rows:
        scorer.add(row)
    return scorer.scores()


def _in_trec(one: Measure, good: int) -> Any:
    """The measure as ``ir-measures`` has it; nDCG takes grades as they are."""
    made = need("ir_measures").parse_measure(one.about.trec)
    if one.family != "ndcg":
        made = made(rel=good)
    return made if one.depth is None else made @ one.depth
