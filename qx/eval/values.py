"""What flows through an evaluation: ``Dataset`` -> ``Condition`` -> ``Row`` -> ``Report``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any, Literal

from qx.serial import empty, value
from qx.settings import Profile
from qx.types import Degraded, Outcome, SubQuery, Usage

RAW = "no-expansion"
"""The condition that the others are held against."""
Grades = Mapping[str, Mapping[str, int]]
"""Query id -> document id -> grade; 0 and below: judged and not relevant; absent: not judged."""


@value
class EvalQuery:
    """One query of a dataset.

    ``kind`` groups queries in the tables: what the dataset says, else how the rules read it
    (``qx.eval.kinds.with_kinds``); ``language`` is a BCP 47 tag where the dataset states one.
    """

    id: str
    text: str
    language: str | None = None
    kind: str = ""


@value
class Dataset:
    """Queries, and grades where people have given any.

    Attributes:
        name: As it stands in reports.
        queries: In the order of the file; ids are unique.
        grades: Empty for a bare list of queries.
        fingerprint: Changes when a query or a grade does; rows of an earlier run count only under the same.
        notes: What was left out while reading, and why.
        graded: How many documents of each list a classifier has graded; None: people gave the grades, or nobody did.
    """

    name: str
    queries: tuple[EvalQuery, ...]
    grades: Grades = field(default_factory=empty)
    fingerprint: str = ""
    notes: tuple[str, ...] = ()
    graded: int | None = None


@value
class Part:
    """What an ablation measures: the condition ``of`` with all strategies, without ``strategy``, or with it ``alone``."""

    of: str
    strategy: str
    alone: bool


@value
class Condition:
    """One way of searching, beside others over the same queries.

    Attributes:
        name: As it stands in reports: ``no-expansion``, a profile's name, ``shop -synonyms``, ``rm3``.
        profile: The profile that is opened, as it is after the ablation.
        expand: False searches the raw query alone.
        baseline: The name of a method that is not qx's own (``rm3``, ``querygym:…``); it replaces the step ``expand``.
        against: The condition without expansion over the same backends, which it is held against; empty: it is one.
        part: What it measures of another condition, if that one tells whether it is worth running (``qx.eval.idle``).
    """

    name: str
    profile: Profile
    expand: bool = True
    baseline: str | None = None
    against: str = ""
    part: Part | None = None


@value
class Listed:
    """A document that was found, and the places (in ``Row.queries``) of the queries that brought it.

    ``title`` and ``text`` (a snippet) are kept only where nobody has graded documents: a classifier reads them.
    """

    id: str
    by: tuple[int, ...] = ()
    title: str = ""
    text: str = ""


@value
class Row:
    """What one query found under one condition; one line of a run's file.

    Attributes:
        query: Its id in the dataset.
        condition: The condition's name.
        found: Best first, as a user would see them.
        queries: What was searched, the original first.
        abstained: Why the query was left alone, else None.
        milliseconds: Of the whole search, as it was when it was really made.
        filters: Conditions read from the query that went to the engines as filters: ``price <= 5000``.
        kept: Calls that were answered from what an earlier run kept: then ``milliseconds`` is no latency.
        incomplete: Who was asked and did not answer, where the rest is there: an engine, or a model in whose place the
            rules stand.  Such a list is not the condition's own: it is in no comparison, and the next run asks again.
        error: Why there is no result at all, else empty: such a row counts as an empty list.
    """

    query: str
    condition: str
    found: tuple[Listed, ...] = ()
    queries: tuple[SubQuery, ...] = ()
    abstained: str | None = None
    outcome: Outcome = "ok"
    degraded: tuple[Degraded, ...] = ()
    notes: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    milliseconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    kept: int = 0
    incomplete: str = ""
    error: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the list is the condition's own: all who were asked have answered."""
        return not self.error and not self.incomplete


@value
class Latency:
    """Milliseconds over the rows whose calls were really made; ``rows`` says how many those are."""

    median: float | None = None
    p95: float | None = None
    rows: int = 0


@value
class ConditionReport:
    """One condition over all queries: means by measure, fractions of 1 (or numbers of documents, where named so).

    Attributes:
        against: The condition without expansion that it is held against; empty: it is one.
        unpriced: Rows whose model calls have no price that is known: ``usage.cost`` leaves them out.
        intervals: By measure, the bounds of its mean with 95 %.
        kinds: The means by kind of query: ``{"simple": {"queries": 12, "ndcg@10": 0.41}}``.
        languages: The same by the query's language.
        strategies: What the sub-queries of each strategy brought (``qx.eval.strategies``).
        unanswered: Queries whose search failed or has no row, here or in ``against``: they are in no comparison.
    """

    name: str
    queries: int
    measures: Mapping[str, float]
    latency: Latency = field(default_factory=Latency)
    usage: Usage = field(default_factory=Usage)
    abstained: int = 0
    degraded: int = 0
    errors: int = 0
    unpriced: int = 0
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=empty)
    kinds: Mapping[str, Mapping[str, float]] = field(default_factory=empty)
    languages: Mapping[str, Mapping[str, float]] = field(default_factory=empty)
    strategies: Mapping[str, Mapping[str, float]] = field(default_factory=empty)
    against: str = ""
    unanswered: int = 0


@value
class Comparison:
    """``b`` against ``a`` on one measure, paired by query; ``difference`` is the mean of b - a, a fraction of 1.

    ``low`` and ``high`` bound it with 95 %; ``p`` is corrected for all comparisons of the report.  A query is a win
    where ``b`` is better, which for ``zero-results`` means lower.  ``deviation`` is the standard deviation of the
    differences over ``queries`` pairs.
    """

    a: str
    b: str
    measure: str
    difference: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int
    queries: int = 0
    deviation: float = 0.0


@value
class Spread:
    """The differences of one comparison, query by query, worst first: at most 200 of them, evenly chosen."""

    a: str
    b: str
    measure: str
    differences: tuple[float, ...]


@value
class WorstQuery:
    """A query that lost (or won) most against no expansion, and what the trace says about it."""

    condition: str
    query: str
    text: str
    measure: str
    before: float
    after: float
    reason: str
    queries: tuple[str, ...] = ()


@value
class Decision:
    """What one condition's comparison on the deciding measure says.

    ``verdict`` is ``helps``, ``hurts`` or ``no difference shown`` against no expansion, ``better`` or ``worse`` than the
    first profile, ``unknown`` where nothing can be said.
    """

    condition: str
    verdict: str
    text: str


@value
class GateResult:
    """One gate of ``--fail-if``; ``failures`` says of which conditions it does not hold, with the figure."""

    gate: str
    passed: bool
    failures: tuple[str, ...] = ()


@value
class Provenance:
    """Where a report comes from.

    Attributes:
        at: When it was made.
        qx: The version.
        command: What would make it again; empty where it was made from Python.
        settings: The options of that command with their values, those that nobody gave too.
        dataset: The fingerprint of queries and grades.
        now: The moment that the queries were asked at, which "yesterday" is relative to.
    """

    at: datetime
    qx: str
    command: str = ""
    settings: Mapping[str, Any] = field(default_factory=empty)
    dataset: str = ""
    now: datetime | None = None


@value
class Report:
    """The result of ``qx eval run``; ``--json`` prints it.

    Attributes:
        measures: Their names in order, the one that decides first.
        decisions: What the comparisons on that measure say, in words: the same that people are shown.
        gates: What came of each gate that the run was held to.
        provenance: None where the report was made from Python, and nobody said.
    """

    dataset: str
    queries: int
    conditions: tuple[ConditionReport, ...]
    comparisons: tuple[Comparison, ...]
    worst: tuple[WorstQuery, ...] = ()
    best: tuple[WorstQuery, ...] = ()
    spreads: tuple[Spread, ...] = ()
    baseline: str = RAW
    measures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    status: Literal["complete", "partial"] = "complete"
    decisions: tuple[Decision, ...] = ()
    gates: tuple[GateResult, ...] = ()
    provenance: Provenance | None = None
