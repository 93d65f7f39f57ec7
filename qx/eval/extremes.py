"""The queries that lost and won most, looked up again in the rows for the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from qx.eval.extra import need
from qx.eval.names import Measure
from qx.eval.values import Condition, Dataset, Row, WorstQuery
from qx.eval.worst import reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHOWN = 10
"""Of each condition."""
_SAME = 1e-9


class HasScores(Protocol):
    """A condition with a score for each query of the dataset."""

    @property
    def condition(self) -> Condition: ...
    @property
    def against(self) -> str: ...
    @property
    def scores(self) -> Mapping[str, NDArray[np.float64]]: ...
    @property
    def unanswered(self) -> NDArray[np.bool_]: ...


def extremes(
    dataset: Dataset,
    scored: Sequence[HasScores],
    rows_of: Callable[[str], Iterable[Row]],
    main: Measure,
    good: int,
) -> tuple[tuple[WorstQuery, ...], tuple[WorstQuery, ...]]:
    """Return the ten worst and the ten best queries of each condition by ``main``, furthest from no change first."""
    by_name = {one.condition.name: one for one in scored}
    chosen: dict[str, tuple[list[int], list[int]]] = {}
    for one in scored:
        if one.against:
            raw = by_name[one.against]
            before = need("numpy").where(raw.unanswered, need("numpy").nan, raw.scores[main.name])
            chosen[one.condition.name] = _furthest(before, one.scores[main.name], main)
    rows = _rows(dataset, chosen, {one.condition.name: one.against for one in scored}, rows_of)
    worst: list[WorstQuery] = []
    best: list[WorstQuery] = []
    for name, places in chosen.items():
        one = by_name[name]
        for target, at, won in ((worst, places[0], False), (best, places[1], True)):
            target += _told(dataset, one, by_name[one.against], at, rows, main, good, won)
    return tuple(worst), tuple(best)


def _furthest(before: NDArray[np.float64], after: NDArray[np.float64], main: Measure) -> tuple[list[int], list[int]]:
    """Places of the queries that lost most and that won most."""
    numpy = need("numpy")
    gain = numpy.nan_to_num((before - after) if main.about.lower else (after - before))
    order = numpy.argsort(gain, kind="stable")
    worst = [int(at) for at in order[:SHOWN] if gain[at] < -_SAME]
    best = [int(at) for at in order[::-1][:SHOWN] if gain[at] > _SAME]
    return worst, best


def _rows(
    dataset: Dataset,
    chosen: Mapping[str, tuple[list[int], list[int]]],
    against: Mapping[str, str],
    rows_of: Callable[[str], Iterable[Row]],
) -> dict[tuple[str, str], Row]:
    """Read the rows of the chosen queries: (condition, query id) -> row."""
    wanted: dict[str, set[str]] = {}
    for name, places in chosen.items():
        ids = {dataset.queries[at].id for part in places for at in part}
        for condition in (name, against[name]):
            wanted.setdefault(condition, set()).update(ids)
    return {
        (condition, row.query): row
        for condition, ids in wanted.items()
        if ids
        for row in rows_of(condition)
        if row.query in ids
    }


def _told(
    dataset: Dataset,
    one: HasScores,
    other: HasScores,
    places: Sequence[int],
    rows: Mapping[tuple[str, str], Row],
    main: Measure,
    good: int,
    won: bool,
) -> Iterator[WorstQuery]:
    for at in places:
        query = dataset.queries[at]
        row = rows.get((one.condition.name, query.id))
        raw = rows.get((one.against, query.id))
        yield WorstQuery(
            condition=one.condition.name,
            query=query.id,
            text=query.text,
            measure=main.name,
            before=float(other.scores[main.name][at]),
            after=float(one.scores[main.name][at]),
            reason=reason(raw, row, dataset.grades.get(query.id, {}), good=good, won=won),
            queries=tuple(sub.text for sub in row.queries) if row else (),
        )
