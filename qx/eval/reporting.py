"""Rows of several conditions -> one ``Report``: means, comparisons, tables by kind, worst queries, notes.

Rows are read as a stream and only numbers are held, so that memory does not grow with the length of lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qx.eval.comparing import can_show, compare_arrays, corrected_among, interval, paired
from qx.eval.deciding import FEW, decide, too_many
from qx.eval.extra import need
from qx.eval.extremes import extremes
from qx.eval.measures import RawLists, Scorer, has_relevant, parse_measures
from qx.eval.names import Measure, check_depth
from qx.eval.strategies import FIRST, Strategies
from qx.eval.tally import Tally
from qx.eval.values import RAW, Comparison, Condition, ConditionReport, Dataset, Report, Row, Spread
from qx.serial import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_POINTS = 200
_OVERLAP = "overlap@10"
_SAME_PAGES = 0.99
"""Share of the first page from which on nearly all of them are the same."""
_NAMED = 6
"""Conditions whose shares a note names one by one."""
RowsOf = Callable[[str], Iterable[Row]]


@value
class Scored:
    """One condition after its rows were read."""

    condition: Condition
    against: str
    scores: Mapping[str, NDArray[np.float64]]
    tally: Tally
    strategies: Mapping[str, Mapping[str, float]]
    unanswered: NDArray[np.bool_]
    """Of each query, whether its search failed or has no row."""

    def against_of(self, measure: str, other: Scored) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the other's and the own scores, NaN where one of the two has no answer: no gain, and no loss, either."""
        numpy = need("numpy")
        without = self.unanswered | other.unanswered
        before, after = (numpy.where(without, numpy.nan, one.scores[measure]) for one in (other, self))
        return before, after


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
        conditions=tuple(_condition(dataset, one, parsed, kinds, _unanswered(one, scored)) for one in scored),
        comparisons=corrected_among(comparisons),
        worst=worst,
        best=best,
        spreads=tuple(_spreads(scored, main)) if main else (),
        baseline=baseline,
        measures=tuple(m.name for m in parsed),
        notes=(*_notes(dataset, scored, parsed, comparisons, good), *_ends(parsed, depth, dataset.graded)),
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


def _unanswered(one: Scored, scored: Sequence[Scored]) -> int:
    """Queries without an answer in a condition, or in the one that it is held against."""
    other = next((other for other in scored if other.condition.name == one.against), one)
    return int((one.unanswered | other.unanswered).sum())


def _condition(
    dataset: Dataset, one: Scored, measures: Sequence[Measure], kinds: bool, unanswered: int
) -> ConditionReport:
    tally = one.tally
    counted = {name: scores for name, scores in one.scores.items() if _mean(scores) is not None}
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
    means = {name: _mean(array[chosen]) for name, array in scores.items()}  # type: ignore[index]
    return {name: mean for name, mean in means.items() if mean is not None}


def _mean(scores: NDArray[np.float64]) -> float | None:
    """The mean of what counts; None where nothing does."""
    counted = scores[~need("numpy").isnan(scores)]
    return float(counted.mean()) if len(counted) else None


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


def _notes(
    dataset: Dataset,
    scored: Sequence[Scored],
    measures: Sequence[Measure],
    comparisons: Sequence[Comparison],
    good: int,
) -> Iterator[str]:
    total = len(dataset.queries)
    yield from dataset.notes
    if any(m.about.trec for m in measures):
        yield from _of_grades(dataset, good, total)
    if not any(one.against for one in scored):
        yield "there is nothing to compare: no condition without expansion stands beside another one"
    shares = {one.condition.name: one.tally.unjudged for one in scored}
    if any(shares.values()):
        yield f"documents of the first 10 that nobody judged, which count as not relevant: {_shares(shares)}"
    yield from _first_pages(scored, measures, "recall@100" if dataset.graded is None else "good@50")
    counted = max((c.queries for c in comparisons), default=0)
    if 0 < counted < FEW:
        yield f"{counted} queries are few: intervals of fewer than {FEW} are too narrow, take them as a hint"
    if (tested := sum(map(can_show, comparisons))) > 1:
        rest = f" in which two queries or more differ, of {len(comparisons)}" if tested < len(comparisons) else ""
        yield f"p values are corrected for {tested} comparisons{rest} (Holm); intervals are those of each one alone"
    for one in scored:
        yield from one.tally.notes()
        if one.against and (missing := _unanswered(one, scored)):
            so = "; so many decide nothing" if too_many(missing, total) else ""
            yield (
                f"{one.condition.name}: {missing} of {total} queries have no answer here or in {one.against}: "
                f"they are in no comparison{so}"
            )


def _first_pages(scored: Sequence[Scored], measures: Sequence[Measure], deeper: str) -> Iterator[str]:
    """Conditions whose first pages are the raw query's, where what decides looks no further than those."""
    main = next((m for m in measures if not m.about.relative), None)
    if main is None or main.depth is None or main.depth > FIRST:
        return
    overlaps = {one.condition.name: _mean(one.scores.get(_OVERLAP, _none())) for one in scored if one.against}
    same = [name for name, mean in overlaps.items() if mean is not None and mean >= _SAME_PAGES]
    if same:
        yield (
            f"{', '.join(same[:_NAMED])}{', …' if len(same) > _NAMED else ''}: the first {FIRST} hits are the raw query's "
            f"nearly everywhere ({_OVERLAP}): {main.name} can show little of what expansion does, a deeper measure such as "
            f"{deeper} more"
        )


def _none() -> NDArray[np.float64]:
    return need("numpy").array([])


def _ends(measures: Sequence[Measure], depth: int | None, graded: int | None) -> Iterator[str]:
    """Where the lists end that some measures take as a whole, and where the grades do."""
    whole = [m.name for m in measures if m.depth is None and m.about.cutoff == "optional"]
    if graded is not None:
        read = [m.name for m in measures if m.about.graded and (m.depth is None or m.depth > graded)]
        yield (
            f"only the first {graded} hits of each list were graded: "
            f"{', '.join([*read, 'what each strategy brought'])}: hits below count as not relevant unless another list "
            "has them so high"
        )
        whole = [name for name in whole if name not in read]
    if depth is not None and whole:
        yield f"{', '.join(whole)}: of the first {depth} hits, which is what each search was asked for (--depth)"


def _shares(shares: Mapping[str, float | None]) -> str:
    """Each condition's share; of many the first's, and between which the others are."""
    known = [(name, 100 * share) for name, share in shares.items() if share is not None]
    if len(known) <= _NAMED:
        return ", ".join(f"{name} {share:.0f} %" for name, share in known)
    (name, first), *others = known
    least, most = (pick(others, key=lambda one: one[1]) for pick in (min, max))
    if f"{least[1]:.0f}" == f"{most[1]:.0f}":
        return f"{name} {first:.0f} %, the others {least[1]:.0f} %"
    return f"{name} {first:.0f} %, the others between {least[1]:.0f} % ({least[0]}) and {most[1]:.0f} % ({most[0]})"


def _of_grades(dataset: Dataset, good: int, total: int) -> Iterator[str]:
    without = sum(not has_relevant(dataset, query.id, good) for query in dataset.queries)
    if without == total:
        yield "no relevant document is known for any query: there are no measures of relevance"
    elif without:
        yield f"{without} of {total} queries have no relevant document that is known: measures of relevance leave them out"
