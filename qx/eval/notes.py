"""What counts against the figures of a report, in words: what nobody judged, what was left out, where lists end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from qx.eval.comparing import can_show
from qx.eval.deciding import FEW, too_many
from qx.eval.extra import need
from qx.eval.measures import has_relevant
from qx.eval.names import Measure
from qx.eval.scored import Scored, mean, unanswered
from qx.eval.strategies import FIRST
from qx.eval.values import Comparison, Dataset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OVERLAP = "overlap@10"
_SAME_PAGES = 0.99
"""Share of the first page from which on nearly all of them are the same."""
_NAMED = 6
"""Conditions whose shares a note names one by one."""


def notes(
    dataset: Dataset,
    scored: Sequence[Scored],
    measures: Sequence[Measure],
    comparisons: Sequence[Comparison],
    *,
    good: int,
    depth: int | None,
) -> Iterator[str]:
    """Yield the notes of a report.

    Args:
        dataset: Queries and grades.
        scored: Each condition.
        measures: Those of the report.
        comparisons: Likewise.
        good: The least grade that counts as relevant.
        depth: Hits that each search was asked for, where that is known.
    """
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
        if one.against and (missing := unanswered(one, scored)):
            so = "; so many decide nothing" if too_many(missing, total) else ""
            yield (
                f"{one.condition.name}: {missing} of {total} queries have no answer here or in {one.against}: "
                f"they are in no comparison{so}"
            )
    yield from _ends(measures, depth, dataset.graded)


def _first_pages(scored: Sequence[Scored], measures: Sequence[Measure], deeper: str) -> Iterator[str]:
    """Conditions whose first pages are the raw query's, where what decides looks no further than those."""
    main = next((m for m in measures if not m.about.relative), None)
    if main is None or main.depth is None or main.depth > FIRST:
        return
    overlaps = {one.condition.name: mean(one.scores.get(_OVERLAP, _none())) for one in scored if one.against}
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
