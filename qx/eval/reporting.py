"""Rows of several conditions -> one ``Report``: means, comparisons, tables by kind, worst queries, notes.

Rows are read as a stream and only numbers are held, so that memory does not grow with the length of lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qx.eval.comparing import compare_arrays, corrected_among, interval, paired
from qx.eval.deciding import decide
from qx.eval.extra import need
from qx.eval.extremes import extremes
from qx.eval.measures import RawLists, Scorer, parse_measures
from qx.eval.names import Measure, check_depth
from qx.eval.notes import notes
from qx.eval.scored import Scored, mean, unanswered
from qx.eval.strategies import Strategies
from qx.eval.tally import Tally
from qx.eval.values import RAW, Comparison, Condition, ConditionReport, Dataset, Report, Row, Spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_POINTS = 200
RowsOf = Callable[[str], Iterable[Row]]


def report(
    dataset: Dataset,
    conditions: Sequence[Condition],
    rows_of: RowsOf,
    measures: Iterable[str],
    *,
    baseline: str = RAW,
    kinds: bool = True,
    good: int = 1,
    depth: int | None = None,
) -> Report:
    """Measure and compare conditions.

    Args:
        dataset: Queries and grades.
        conditions: In the order of the tables.
        rows_of: Called with a condition's name, up to three times: its rows, in any order.
        measures: Names; the first that conditions are compared on decides.
        baseline: What a condition that names nothing itself (``Condition.against``) is held against.
        kinds: Whether there are tables by kind of query and by language.
        good: The least grade that counts as relevant.
        depth: Hits that each search was asked for, where that is known: measures "of the whole list" end there.

    Returns:
        The report; ``partial`` where queries have no row yet.

    Raises:
        UsageError: a measure's name is wrong or looks deeper than ``depth``, or rows are not of this dataset.
    """
    parsed = parse_measures(measures)
    if depth is not None:
        check_depth(parsed, depth)
    against = _against(conditions, baseline)
    scored = _score(dataset, conditions, against, rows_of, parsed, good)
    comparisons = tuple(c for c in _comparisons(scored, parsed) if c.queries)
    main = next((m for m in parsed if not m.about.relative), None)
    worst, best = extremes(dataset, scored, rows_of, main, good) if main else ((), ())
    made = Report(
        dataset=dataset.name,
        queries=len(dataset.queries),
        conditions=tuple(_condition(dataset, one, parsed, kinds, unanswered(one, scored)) for one in scored),
        comparisons=corrected_among(comparisons),
        worst=worst,
        best=best,
        spreads=tuple(_spreads(scored, main)) if main else (),
        baseline=baseline,
        measures=tuple(m.name for m in parsed),
        notes=tuple(notes(dataset, scored, parsed, comparisons, good=good, depth=depth)),
        status="partial" if any(one.tally.rows < len(dataset.queries) for one in scored) else "complete",
    )
    return replace(made, decisions=decide(made))


def _against(conditions: Sequence[Condition], baseline: str) -> dict[str, str]:
    """Condition -> what it is held against; empty for one without expansion, or where there is no such condition."""
    names = {c.name for c in conditions}
    made: dict[str, str] = {}
    for one in conditions:
        wanted = one.against or ("" if not one.expand and one.baseline is None else baseline)
        made[one.name] = wanted if wanted in names and wanted != one.name else ""
    return made


def _score(
    dataset: Dataset,
    conditions: Sequence[Condition],
    against: Mapping[str, str],
    rows_of: RowsOf,
    measures: Sequence[Measure],
    good: int,
) -> list[Scored]:
    relative = any(m.about.relative for m in measures)
    lists: dict[str, RawLists] = {}
    for name in {against[c.name] or c.name for c in conditions if against[c.name] or not c.expand} if relative else ():
        lists[name] = RawLists(dataset, measures, good=good)
        for row in rows_of(name):
            lists[name].add(row)
    scored: list[Scored] = []
    for condition in conditions:
        raw = lists.get(against[condition.name] or condition.name)
        scorer = Scorer(dataset, measures, raw=raw, good=good)
        tally, strategies = Tally(condition.name, dataset), Strategies(dataset, good=good)
        for row in rows_of(condition.name):
            for taker in (scorer, tally, strategies):
                taker.add(row)
        scored.append(
            Scored(
                condition=condition,
                against=against[condition.name],
                scores=scorer.scores(),
                tally=tally,
                strategies=_without_replaced(condition, strategies.result()),
                unanswered=need("numpy").array(
                    [query.id not in tally.answered for query in dataset.queries], dtype=bool
                ),
            )
        )
    _leave_out(scored, measures)
    return scored


def _without_replaced(
    condition: Condition, strategies: Mapping[str, Mapping[str, float]]
) -> Mapping[str, Mapping[str, float]]:
    """A baseline's second query takes the place of the original's list: that it brought nothing says nothing of it."""
    if condition.baseline is None or strategies.get("original", {}).get("hits"):
        return strategies
    return {name: counts for name, counts in strategies.items() if name != "original"}


def _leave_out(scored: Sequence[Scored], measures: Sequence[Measure]) -> None:
    """Beside a raw search that failed, everything would be new and useful: such a query counts in no measure of that."""
    by_name = {one.condition.name: one for one in scored}
    for one in scored:
        for m in measures if one.against else ():
            if m.about.relative:
                one.scores[m.name][by_name[one.against].unanswered] = need("numpy").nan


def _comparisons(scored: Sequence[Scored], measures: Sequence[Measure]) -> Iterator[Comparison]:
    """Each condition with that without expansion, and with the first profile."""
    by_name = {one.condition.name: one for one in scored}
    first = next((one for one in scored if one.against), None)
    for one in scored:
        others = [by_name[one.against]] if one.against else []
        if first is not None and one is not first and one.against:
            others.append(first)
        for other in others:
            for m in measures:
                if not m.about.relative:
                    names = (other.condition.name, one.condition.name)
                    pair = one.against_of(m.name, other)
                    yield compare_arrays(*pair, names=names, measure=m.name, lower=m.about.lower)


def _condition(
    dataset: Dataset, one: Scored, measures: Sequence[Measure], kinds: bool, unanswered: int
) -> ConditionReport:
    tally = one.tally
    counted = {name: scores for name, scores in one.scores.items() if mean(scores) is not None}
    return ConditionReport(
        name=one.condition.name,
        queries=tally.rows,
        measures=_means(one.scores, slice(None)),
        latency=tally.latency(),
        usage=tally.usage,
        abstained=tally.abstained,
        degraded=tally.degraded,
        errors=tally.errors,
        unpriced=tally.unpriced,
        intervals={m.name: interval(counted[m.name]) for m in measures if m.name in counted},
        kinds=_by([q.kind for q in dataset.queries], one) if kinds else {},
        languages=_by(_languages(dataset), one) if kinds else {},
        strategies=one.strategies,
        against=one.against,
        unanswered=unanswered,
    )


def _by(labels: Sequence[str], one: Scored) -> Mapping[str, Mapping[str, float]]:
    """The means for each label; empty where no query has one."""
    numpy = need("numpy")
    array = numpy.array(labels)
    found = sorted(set(labels) - {""})
    return {label: {"queries": float((array == label).sum()), **_means(one.scores, array == label)} for label in found}


def _languages(dataset: Dataset) -> list[str]:
    from qx.text.language import identify

    return [query.language or identify(query.text) for query in dataset.queries]


def _means(scores: Mapping[str, NDArray[np.float64]], chosen: object) -> dict[str, float]:
    means = {name: mean(array[chosen]) for name, array in scores.items()}  # type: ignore[index]
    return {name: mean for name, mean in means.items() if mean is not None}


def _spreads(scored: Sequence[Scored], main: Measure) -> Iterator[Spread]:
    numpy = need("numpy")
    by_name = {one.condition.name: one for one in scored}
    for one in scored:
        if one.against:
            found = paired(*one.against_of(main.name, by_name[one.against]))
            ordered = numpy.sort(-found if main.about.lower else found)
            if len(ordered) > _POINTS:
                ordered = ordered[numpy.linspace(0, len(ordered) - 1, _POINTS).round().astype(int)]
            differences = tuple(float(number) for number in (-ordered if main.about.lower else ordered))
            yield Spread(a=one.against, b=one.condition.name, measure=main.name, differences=differences)
