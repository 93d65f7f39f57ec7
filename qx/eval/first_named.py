"""Conditions held against the one that was named first, on the scores that a judge or people gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qx.eval.aligned import aligned, number
from qx.eval.comparing import compare, corrected_among
from qx.eval.values import Comparison

Scores = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Condition -> question -> query -> score, the first named first."""


def with_the_first(scores: Scores) -> tuple[Comparison, ...]:
    """Compare each further condition with the first, question by question, paired by query; p corrected by Holm."""
    names = list(scores)
    found = [
        compare(scores[names[0]][question], scores[other][question], names=(names[0], other), measure=question)
        for other in names[1:]
        for question in scores[other]
        if question in scores[names[0]]
    ]
    return corrected_among([one for one in found if one.queries])


def difference_lines(comparisons: Sequence[Comparison], *, digits: int = 2) -> list[str]:
    """Return the comparisons as lines of a table, after an empty line; none where there are none."""
    if not comparisons:
        return []
    rows = [["difference", "", "", "p", "better", "same", "worse"]]
    for one in comparisons:
        low, high = (f"{bound:+.{digits}f}" for bound in (one.low, one.high))
        counts = (str(one.wins), str(one.ties), str(one.losses))
        said = f"{one.difference:+.{digits}f} [{low}, {high}]"
        rows.append([f"{one.b} - {one.a}", one.measure, said, number(one.p, 3), *counts])
    return ["", *aligned(rows, left=2)]
