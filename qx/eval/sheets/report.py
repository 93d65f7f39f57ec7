"""What raters said, per condition and kind: means with intervals, the useful share, and how far they agree."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field

from qx.eval.agreement import krippendorff_alpha
from qx.eval.comparing import interval
from qx.eval.extra import need
from qx.eval.first_named import with_the_first
from qx.eval.sheets import alike
from qx.eval.sheets.items import Key
from qx.eval.sheets.questions import QUESTIONS, Question
from qx.eval.sheets.ratings import Rating, by_rater
from qx.eval.values import Comparison, Provenance
from qx.serial import empty, value

TENTATIVE = 0.667
"""Krippendorff's own bound: below it no conclusion stands on the ratings, up to 0.8 only tentative ones."""


@value
class Mean:
    """A mean over rows, each the mean of its raters, with its 95 % interval; of yes and no: the share of yes."""

    mean: float
    low: float
    high: float
    rows: int
    ratings: int


@value
class Rated:
    """One condition: means by question, and the same by kind of query; ``rated`` of its ``rows`` have a rating."""

    name: str
    rows: int
    questions: Mapping[str, Mean]
    kinds: Mapping[str, Mapping[str, Mean]] = field(default_factory=empty)
    rated: int = 0


@value
class Agreement:
    """Krippendorff's alpha of one question over all rows; None: it is not defined there."""

    alpha: float | None
    level: str
    rows: int
    raters: int


@value
class SheetReport:
    """The result of ``qx eval sheet read``.

    Attributes:
        rows: Of the sheet; ``rated`` have a rating of any question, by anybody.
        raters: Rater -> rows with a rating.
        comparisons: Each further condition against the one that was named first, paired by original; originals whose rows
            show the same in both are a tie.
        provenance: When it was made, by which version and command; None from Python.
    """

    sheet: str
    name: str
    asking: str
    rows: int
    rated: int
    raters: Mapping[str, int]
    conditions: tuple[Rated, ...]
    agreement: Mapping[str, Agreement]
    comparisons: tuple[Comparison, ...] = ()
    notes: tuple[str, ...] = ()
    provenance: Provenance | None = None


def report(key: Key, ratings: Sequence[Rating], *, raters: Sequence[str] = ()) -> SheetReport:
    """Add up ``ratings`` of the sheet of ``key``.

    Args:
        raters: Whose sheets came back; who left his empty is told.
    """
    questions = QUESTIONS[key.asking]
    there = {item.condition for item in key.rows.values()}
    names = [name for name in dict.fromkeys((*key.conditions, *sorted(there))) if name in there]
    rated = {rating.row for rating in ratings}
    people = dict.fromkeys((*raters, *(rating.rater for rating in ratings)))
    rows_by = {who: len({rating.row for rating in ratings if rating.rater == who}) for who in people}
    agreement = {question.id: _agreement(question, ratings, key) for question in questions}
    scores = {name: {one.id: _scores(name, key, ratings, one.id) for one in questions} for name in names}
    return SheetReport(
        sheet=key.sheet,
        name=key.name,
        asking=key.asking,
        rows=len(key.rows),
        rated=len(rated),
        raters=rows_by,
        conditions=tuple(_condition(name, key, ratings, questions) for name in names),
        agreement=agreement,
        comparisons=with_the_first(alike.tied(scores, alike.alike(key.rows.values(), names[0]), names[0])),
        notes=(*_notes(agreement, rows_by, len(key.rows) - len(rated)), *alike.notes(key, ratings, names[0])),
    )


def _condition(name: str, key: Key, ratings: Sequence[Rating], questions: Sequence[Question]) -> Rated:
    rows = [id_ for id_, item in key.rows.items() if item.condition == name]
    kinds: dict[str, list[str]] = defaultdict(list)
    for id_ in rows:
        kinds[key.rows[id_].kind or "(none)"].append(id_)
    return Rated(
        name=name,
        rows=len(rows),
        rated=len({rating.row for rating in ratings} & set(rows)),
        questions=_means(rows, ratings, questions),
        kinds={kind: _means(members, ratings, questions) for kind, members in sorted(kinds.items())},
    )


def _means(rows: Sequence[str], ratings: Sequence[Rating], questions: Sequence[Question]) -> dict[str, Mean]:
    found = {question.id: _mean(question, by_row(rows, ratings, question.id)) for question in questions}
    return {name: mean for name, mean in found.items() if mean is not None}


def by_row(rows: Sequence[str], ratings: Sequence[Rating], question: str) -> dict[str, list[int]]:
    """Return the ratings of each of ``rows`` that has any."""
    wanted = set(rows)
    found: dict[str, list[int]] = defaultdict(list)
    for rating in ratings:
        if rating.question == question and rating.row in wanted:
            found[rating.row].append(rating.value)
    return found


def _mean(question: Question, given: Mapping[str, list[int]]) -> Mean | None:
    if not given:
        return None
    means = [sum(values) / len(values) for values in given.values()]
    mean = sum(means) / len(means)
    low, high = wilson(mean, len(means)) if question.yes_no else interval(need("numpy").array(means, dtype=float))
    return Mean(mean=mean, low=low, high=high, rows=len(means), ratings=sum(map(len, given.values())))


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share; it has a width also where all say yes.

    Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
    """
    z = 1.959964
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def _agreement(question: Question, ratings: Sequence[Rating], key: Key) -> Agreement:
    rows = list(key.rows)
    lists = by_rater(ratings, question.id, rows)
    level = "nominal" if question.yes_no else "ordinal"
    several = sum(sum(rated[place] is not None for rated in lists) > 1 for place in range(len(rows)))
    alpha = krippendorff_alpha(lists, level=level)
    return Agreement(alpha=alpha, level=level, rows=several, raters=len(lists))


def _scores(name: str, key: Key, ratings: Sequence[Rating], question: str) -> dict[str, float]:
    """Query -> the mean of its raters, under one condition."""
    rows = [id_ for id_, item in key.rows.items() if item.condition == name]
    given = by_row(rows, ratings, question)
    return {key.rows[id_].query: sum(values) / len(values) for id_, values in given.items()}


def _notes(agreement: Mapping[str, Agreement], raters: Mapping[str, int], unrated: int) -> list[str]:
    notes: list[str] = []
    if unrated:
        notes.append(f"{unrated} rows have no rating")
    if empty := [who for who, rows in raters.items() if not rows]:
        notes.append(f"nothing is rated in the sheet of {', '.join(empty)}")
    if len(raters) - len(empty) < 2:
        notes.append("fewer than two raters: nothing says how far the ratings can be relied on")
        return notes
    for name, found in agreement.items():
        if found.alpha is None and found.rows:
            notes.append(f"{name}: alpha is not defined: all ratings are one and the same")
        elif found.alpha is None:
            notes.append(f"{name}: no row was rated by two raters")
        elif found.alpha < TENTATIVE:
            notes.append(f"{name}: alpha {found.alpha:.2f} is below {TENTATIVE}: raters read the question differently")
    return notes
