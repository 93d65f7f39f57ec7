"""Bare lists of queries: a classifier grades the snippets of what was found, and the dataset has grades.

``graded_by_wording.py`` grades by rules, ``graded_by_judge.py`` by a model, the same judge as ``qx eval judge``.  Grades go from 0 to 3 as in the field: 0 has nothing to do with it, 1 touches it, 2 helps, 3 answers it; ``GOOD`` and
above count as useful.  The report then is the ordinary one, with the measures of ``qx.eval.names.BARE``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from qx.errors import BadResponse
from qx.eval.values import Condition, Dataset, EvalQuery, Grades, Listed, Row
from qx.serial import value

GOOD = 2
"""The least grade that counts as useful."""
DEPTH = 10
"""Documents of each list that are graded: the first page."""
_AT_ONCE = 1_000
"""Queries whose snippets are held at once: the rows are read again for the next ones."""


@value
class Snippet:
    """What a classifier sees of a document."""

    id: str
    title: str = ""
    text: str = ""


Pools = Mapping[str, Sequence[Snippet]]
"""Query id -> documents, sorted by id: who found them cannot be seen."""


@value
class Given:
    """What a classifier gave; what could not be graded is not in ``grades``."""

    grades: Grades
    notes: tuple[str, ...] = ()


class Classifier(Protocol):
    """Grades documents."""

    @property
    def about(self) -> str:
        """What a reader of the report must know of it."""
        ...

    async def grades(self, queries: Sequence[EvalQuery], pools: Pools, /) -> Given:
        """Return grades for the documents of each query."""
        ...


async def with_grades(
    dataset: Dataset,
    conditions: Iterable[Condition],
    rows_of: Callable[[str], Iterable[Row]],
    classifier: Classifier,
    *,
    depth: int = DEPTH,
) -> Dataset:
    """Return the dataset with grades for the first ``depth`` documents of every condition's list.

    A document is graded once for a query, whichever conditions found it, and without knowing which.

    Args:
        dataset: Queries.
        conditions: Whose rows are read.
        rows_of: A condition's name -> its rows, with titles and texts.
        classifier: Who grades.
        depth: Of each list.

    Raises:
        ProviderError: the classifier's model cannot be asked, or graded nothing at all.
    """
    names = [condition.name for condition in conditions]
    grades: dict[str, Mapping[str, int]] = {}
    told: dict[str, None] = {}
    pooled = 0
    for start in range(0, len(dataset.queries), _AT_ONCE):
        queries = dataset.queries[start : start + _AT_ONCE]
        pools = _pools({query.id for query in queries}, names, rows_of, depth)
        pooled += sum(map(len, pools.values()))
        given = await classifier.grades(queries, pools)
        grades |= {query.id: given.grades.get(query.id, {}) for query in queries}
        told |= dict.fromkeys(given.notes)
    graded = sum(map(len, grades.values()))
    if pooled and not graded:
        raise BadResponse(
            f"none of {pooled} documents could be graded{''.join(f': {one}' for one in told)}", step="judge"
        )
    notes = (*_notes(classifier, pooled, graded), *told)
    return replace(dataset, grades=grades, graded=depth, notes=(*dataset.notes, *notes))


def _pools(
    queries: Collection[str], names: Sequence[str], rows_of: Callable[[str], Iterable[Row]], depth: int
) -> Pools:
    """What is seen of the first documents of all conditions."""
    pools: dict[str, dict[str, Snippet]] = {}
    for name in names:
        for row in rows_of(name):
            if row.query not in queries:
                continue
            pool = pools.setdefault(row.query, {})
            for listed in row.found[:depth]:
                known = pool.get(listed.id)
                if known is None or not (known.title or known.text):
                    pool[listed.id] = _snippet(listed)
    return {query: [pool[id_] for id_ in sorted(pool)] for query, pool in pools.items()}


def _snippet(listed: Listed) -> Snippet:
    return Snippet(id=listed.id, title=listed.title, text=listed.text)


def _notes(classifier: Classifier, pooled: int, given: int) -> Iterator[str]:
    yield f"grades: {classifier.about}"
    if given < pooled:
        yield f"{pooled - given} of {pooled} documents could not be graded and count as 0"
