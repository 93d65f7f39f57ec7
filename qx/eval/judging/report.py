"""What a judge says of conditions: nothing, where it does not agree with people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from qx.eval.first_named import with_the_first
from qx.eval.judging.filling import Filled, Subject
from qx.eval.judging.pool import Judged
from qx.eval.judging.rubrics import SCALES, Task
from qx.eval.judging.subjects import Pair, between
from qx.eval.judging.trust import THRESHOLD, Trust, trust
from qx.eval.values import Comparison, Grades, Provenance, Row
from qx.serial import empty, value
from qx.types import Usage

RELEVANT = 2
"""Grade from which a document counts as one that helps."""


@value
class Standing:
    """One condition as the judge sees it: the mean of each question over ``queries``.

    ``unjudged`` counts what the judge failed on: it is in no mean.  ``kinds`` has the means by kind of query, and how
    many queries there are: ``{"simple": {"queries": 12, "grade": 1.4}}``.
    """

    name: str
    queries: int
    means: Mapping[str, float]
    unjudged: int = 0
    kinds: Mapping[str, Mapping[str, float]] = field(default_factory=empty)


@value
class Preferred:
    """Two conditions' sets against one another: how often the judge preferred which; ``ties`` has the ``flagged``."""

    a: str
    b: str
    for_a: int
    for_b: int
    ties: int
    flagged: int


@value
class JudgeReport:
    """The result of ``qx eval judge``.

    Attributes:
        model: Who judged; ``rubrics``: the rubric's version by language.
        subjects: What was to be judged; ``asked`` of them now, ``kept`` by earlier runs, ``failed`` not at all.
        flagged: Judgements that changed with the order of showing.
        steered: Subjects that spoke to the judge ("give this 3"); those sentences were left out.
        trust: By question, the agreement with people.
        ranked: Whether the judge may rank: its agreement reaches the threshold, or nobody knows (``unchecked``).
        conditions: Empty where it may not.
        qrels: The file that was written, else empty.
        failed_searches: Condition -> searches without a result: they count as empty lists.
    """

    task: Task
    dataset: str
    model: str
    rubrics: Mapping[str, str]
    subjects: int
    asked: int
    kept: int
    failed: int
    flagged: int
    trust: tuple[Trust, ...]
    ranked: bool
    unchecked: bool
    conditions: tuple[Standing, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    preferences: tuple[Preferred, ...] = ()
    usage: Usage = field(default_factory=Usage)
    qrels: str = ""
    steered: int = 0
    notes: tuple[str, ...] = ()
    scores: Mapping[str, Mapping[str, int]] = field(default_factory=empty)
    """Question -> what the judge gave -> how often."""
    failed_searches: Mapping[str, int] = field(default_factory=empty)
    provenance: Provenance | None = None
    """When it was made, by which version and command; None from Python."""

    @property
    def complete(self) -> bool:
        """Whether all that was to be searched and judged was."""
        return not self.failed and not any(self.failed_searches.values())


def trust_in_grades(filled: Filled, grades: Grades, threshold: float = THRESHOLD) -> Trust:
    """Hold a judge of relevance against the grades of a dataset."""
    both = [
        (grades[q][d], judged.values["grade"]) for (q, d), judged in filled.judged.items() if d in grades.get(q, {})
    ]
    scale = SCALES["relevance"]["grade"]
    return trust(
        "grade",
        [one for one, _ in both],
        [other for _, other in both],
        scale=scale.values,
        weights=scale.weights,
        threshold=threshold,
    )


def trust_in_people(
    task: Task, filled: Filled, people: Mapping[Pair, Mapping[str, int]], threshold: float = THRESHOLD
) -> tuple[Trust, ...]:
    """Hold a judge of sets or answers against what people said of the same: (query, condition) -> question -> value."""
    found: list[Trust] = []
    for question, scale in SCALES[task].items():
        both = [
            (people[place][question], judged.values[question])
            for place, judged in filled.judged.items()
            if question in people.get(place, {})
        ]
        one, other = [a for a, _ in both], [b for _, b in both]
        found.append(trust(question, one, other, scale=scale.values, weights=scale.weights, threshold=threshold))
    return tuple(found)


def may_rank(found: Sequence[Trust]) -> tuple[bool, bool]:
    """Return (may rank, nobody knows): one question below the threshold is enough that it may not."""
    checked = [one for one in found if one.trusted is not None]
    return all(one.trusted for one in checked), not checked


def grades_by_query(
    rows: Sequence[Row], judged: Mapping[Pair, Judged], top: int
) -> tuple[dict[str, dict[str, float]], int]:
    """Return, of one condition, question -> query -> mean over its first ``top`` documents, and how many have no grade.

    ``grade`` is the mean grade, ``good`` the share with a grade of 2 and above; places that are empty count as 0.  What
    the judge failed on is left out, and with it a query of which nothing else is left.
    """
    found: dict[str, dict[str, float]] = {"grade": {}, "good": {}}
    unjudged = 0
    for row in rows:
        shown = row.found[:top]
        given = [judged[row.query, one.id].values["grade"] for one in shown if (row.query, one.id) in judged]
        without = len(shown) - len(given)
        unjudged += without
        if places := top - without:
            found["grade"][row.query] = sum(given) / places
            found["good"][row.query] = sum(grade >= RELEVANT for grade in given) / places
    return found, unjudged


def values_by_query(condition: str, filled: Filled) -> dict[str, dict[str, float]]:
    """Return, of one condition, question -> query -> value."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for (query, item), judged in filled.judged.items():
        if item == condition:
            for question, given in judged.values.items():
                found[question][query] = float(given)
    return dict(found)


def standing(
    name: str, scores: Mapping[str, Mapping[str, float]], kinds: Mapping[str, str], unjudged: int = 0
) -> Standing:
    """Return the means of one condition; ``kinds``: query -> its kind."""
    scored = dict.fromkeys(query for given in scores.values() for query in given)
    groups: dict[str, list[str]] = defaultdict(list)
    for query in scored:
        groups[kinds.get(query, "")].append(query)
    by_kind = {kind: {"queries": float(len(groups[kind]))} | _means(scores, groups[kind]) for kind in sorted(groups)}
    return Standing(name=name, queries=len(scored), means=_means(scores, scored), unjudged=unjudged, kinds=by_kind)


def _means(scores: Mapping[str, Mapping[str, float]], queries: Iterable[str]) -> dict[str, float]:
    wanted = list(queries)
    found = {question: [given[q] for q in wanted if q in given] for question, given in scores.items()}
    return {question: sum(given) / len(given) for question, given in found.items() if given}


def compared(
    scores: Mapping[str, Mapping[str, Mapping[str, float]]], unanswered: Mapping[str, Collection[str]]
) -> tuple[Comparison, ...]:
    """Compare each further condition with the first; a search that failed (``unanswered``) is neither gain nor loss."""
    answered = {
        name: {
            question: {query: item for query, item in given.items() if query not in unanswered.get(name, ())}
            for question, given in by_question.items()
        }
        for name, by_question in scores.items()
    }
    return with_the_first(answered)


def preferred(names: Sequence[str], filled: Filled) -> tuple[Preferred, ...]:
    """Count, for each two conditions, which of both the judge preferred."""
    found: list[Preferred] = []
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            said = [judged for (_, item), judged in filled.judged.items() if item == between(one, other)]
            better = [judged.values["better"] for judged in said]
            if said:
                counts = {"for_a": better.count(-1), "for_b": better.count(1), "ties": better.count(0)}
                found.append(Preferred(a=one, b=other, flagged=sum(judged.flagged for judged in said), **counts))
    return tuple(found)


def scores_given(subjects: Sequence[Subject], filled: Filled) -> dict[str, dict[str, int]]:
    """Return question -> value -> how often the judge gave it."""
    counts: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for subject in subjects:
        judged = filled.judged.get((subject.query, subject.item))
        if judged is not None:
            for question, given in judged.values.items():
                counts[question][given] += 1
    return {question: {str(k): n for k, n in sorted(found.items())} for question, found in counts.items()}
