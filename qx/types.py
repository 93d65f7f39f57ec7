"""The frozen values that flow through qx: ``Query`` -> ``Understanding`` -> ``Expansion``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Literal

from qx.filters import Filter
from qx.serial import EMPTY, empty, value

Scalar = str | int | float | bool
Op = Literal["eq", "ne", "lt", "le", "gt", "ge", "in", "prefer"]
Kind = Literal["simple", "complex", "vague", "specialist"]
Label = Literal["urgent", "worried", "angry", "dissatisfied", "curious", "expectant", "neutral"]
Stance = Literal["critical", "supportive", "neutral"]
Target = Literal["any", "lexical", "vector", "web"]
Source = Literal["raw", "rules", "llm", "llm-single"]
Role = Literal["system", "user", "assistant", "tool"]


@value
class Turn:
    """One earlier message of the conversation."""

    role: Literal["user", "assistant"]
    content: str


@value
class Query:
    """What the caller asks, exactly as it was typed.

    Attributes:
        text: The caller's exact text; steps work on a cleaned form (``qx.text.clean``).
        language: BCP 47 tag such as ``zh``, ``zh-Hant``, ``en``; None: identified from the text.
        now: The moment that "yesterday" is relative to (aware); None: the engine's clock.
        timezone: IANA name; None: the profile's.
        history: Earlier turns, oldest first.
        filters: The caller's own filter; goes with every request and is never relaxed.
        tenant: Absent, or the tenant of the engine's profile (else ``NotAllowed``).
        user: Whom it is for: a key for steps and processors of your own.  qx reads it nowhere, and no model sees it.
        user_class: What kind of user that is, in the caller's own words (``vip``, ``trial``): for ``llm.tiers.routes``.
    """

    text: str
    language: str | None = None
    now: datetime | None = None
    timezone: str | None = None
    history: tuple[Turn, ...] = ()
    filters: Filter | None = None
    tenant: str | None = None
    user: str | None = None
    user_class: str | None = None


@value
class Entity:
    """A thing that the query names.

    ``text`` is as rules clean it: spaces in a row are one.  ``start`` and ``end`` are code points of ``Query.text`` as it
    was written (end exclusive), -1 where the words are not in it.  ``verbatim`` marks identifiers, error codes and quoted
    phrases, which no sub-query may change.
    """

    text: str
    type: str = "thing"
    canonical: str = ""
    start: int = -1
    end: int = -1
    verbatim: bool = False


@value
class Constraint:
    """A limit on a canonical field: ``price le 5000 CNY``.  ``hard`` ones exclude, soft ones prefer."""

    field: str
    op: Op
    value: Scalar | tuple[Scalar, ...]
    unit: str | None = None
    text: str = ""
    hard: bool = True


@value
class Sentiment:
    """The mood of who asks; ``intensity`` from 0 to 1."""

    label: Label = "neutral"
    intensity: float = 0.0


@value
class Sense:
    """One reading of an ambiguous word: (苹果, fruit, (水果, 营养))."""

    word: str
    label: str
    words: tuple[str, ...] = ()


@value
class SubQuery:
    """One query to run.  ``strategy`` is ``original`` for the first; ``why`` is for people."""

    text: str
    strategy: str
    target: Target = "any"
    weight: float = 1.0
    why: str = ""


@value
class Understanding:
    """What the query means.

    Attributes:
        intent: Ids of the taxonomy, most likely first; at least one, except for an empty query.
        negations: Words of the query that are excluded ("white" of "not white"); the guard protects them.
        keywords: The content words, in the order of the query.
        senses: Readings of an ambiguous word that neither conversation nor pack settled.
        standalone: The query made independent of the conversation or condensed; None where it equals the query.
        signals: For packs: ``priority``, ``tone``.
        proposals: Sub-queries made in the same model call (mode ``llm-single``).
        source: The rung that made this.
        confidence: 0..1.
    """

    intent: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    implicit_needs: tuple[str, ...] = ()
    sentiment: Sentiment = field(default_factory=Sentiment)
    stance: Stance = "neutral"
    keywords: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    language: str = "und"
    senses: tuple[Sense, ...] = ()
    kind: Kind = "simple"
    standalone: str | None = None
    signals: Mapping[str, str] = field(default_factory=empty)
    proposals: tuple[SubQuery, ...] = ()
    source: Source = "raw"
    confidence: float = 0.0


@value
class Dropped:
    """A candidate that is not among the queries, and why."""

    text: str
    reason: str
    strategy: str = ""


@value
class Degraded:
    """A step that fell a rung: ``(expand, rules, "model timed out after 2 s")``."""

    step: str
    rung: str
    reason: str


@value
class Usage:
    """What a request spent.

    ``cost`` is None where a price is not known; money is in ``currency``.  What was spent in other money stands in
    ``other_costs``, by currency: amounts of two currencies are never added.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    currency: str = "USD"
    cached: int = 0
    other_costs: Mapping[str, float] = field(default_factory=empty)

    def __add__(self, other: Usage) -> Usage:
        first = self if self.cost is not None or other.cost is None else other
        costs: dict[str, float] = {}
        for used in (self, other):
            if used.cost is not None:
                costs[used.currency] = costs.get(used.currency, 0) + used.cost
            for currency, amount in used.other_costs.items():
                costs[currency] = costs.get(currency, 0) + amount
        cost = costs.pop(first.currency, None)
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=cost,
            currency=first.currency,
            cached=self.cached + other.cached,
            other_costs=costs or EMPTY,
        )


@value
class Span:
    """One timed piece of work: milliseconds since the request began, and what is worth knowing of it."""

    name: str
    start: float
    duration: float
    attributes: Mapping[str, str | int | float | bool | None] = field(default_factory=empty)


@value
class Trace:
    """What a request did when; ``id`` is in its log lines and events too."""

    id: str = ""
    spans: tuple[Span, ...] = ()


@value
class Expansion:
    """The queries to run.

    Attributes:
        original: The caller's exact text.
        queries: First what is searched in its place: cleaned, after the profile's ``rewrite:`` rules, in its standalone
            form where there is one.  Then at most ``limit`` others, and what the rules add.
        abstained: The reason why the query was left alone, else None.
        notes: Which rules changed the words, and why there are fewer than five others.
    """

    original: str
    queries: tuple[SubQuery, ...]
    dropped: tuple[Dropped, ...] = ()
    abstained: str | None = None
    understanding: Understanding = field(default_factory=Understanding)
    degraded: tuple[Degraded, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    trace: Trace = field(default_factory=Trace)


@value
class Understood:
    """A query with what it means: what the step ``expand`` takes."""

    query: Query
    understanding: Understanding


@value
class Found:
    """One list that a hit came in by: the sub-query, the backend, the place in it (from 1) and the list's weight."""

    query: str
    backend: str
    rank: int
    weight: float


@value
class Highlight:
    """A piece of a field with the matched spans (code points of ``text``, end exclusive)."""

    field: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()


@value
class Hit:
    """One document found.

    ``id`` is the document's own, any characters, in every engine; ``metadata`` comes back as it was stored; ``rank``
    counts from 1; ``score`` compares only within one result.
    """

    id: str
    backend: str
    title: str = ""
    text: str = ""
    url: str | None = None
    metadata: Mapping[str, object] = field(default_factory=empty)
    score: float = 0.0
    rank: int = 0
    contributions: tuple[Found, ...] = ()
    highlights: tuple[Highlight, ...] = ()


@value
class SortBy:
    """``field`` is canonical; documents without it come last."""

    field: str
    descending: bool = False


@value
class SearchOptions:
    """What the caller wants of the list: which part, in what order, which counts.  ``sort`` replaces the ranking.

    ``highlights``: False where nobody looks at what matched, which costs a fourth of a search of a local index.
    """

    limit: int = 10
    offset: int = 0
    sort: tuple[SortBy, ...] = ()
    facets: tuple[str, ...] = ()
    highlights: bool = True


Status = Literal["ok", "failed", "timeout", "skipped"]
Outcome = Literal["ok", "empty", "spam", "stale"]


@value
class ListReport:
    """What one sub-query brought from one backend; ``took`` is in milliseconds, ``reason`` says why it is not ``ok``.

    ``target`` is the side of the engine that was asked; ``filter`` is what went along, in the engine's own names and
    scales; ``unlowered`` are conditions that the engine cannot carry, with the reason; ``unexpressed`` are parts of the
    query that it has no words for; ``error`` is the kind of a failure (``AuthError``), by ``qx.errors``.
    """

    query: SubQuery
    backend: str
    status: Status = "ok"
    reason: str = ""
    target: Target = "any"
    hits: int = 0
    total: int | None = None
    took: float = 0.0
    unexpressed: tuple[str, ...] = ()
    filter: Filter | None = None
    unlowered: tuple[str, ...] = ()
    error: str = ""


@value
class SearchResult:
    """One ranked list, and all that it took to get it.

    ``partial`` is False, or the reason why something is missing; ``outcome`` is ``ok`` or an honest name for what came
    of it; ``total`` is how many documents match the original with its filters, as the engine counts them (None where one
    does not), and not the length of the list, which has what other wordings found besides and lacks what was left out;
    ``more`` says whether further hits follow behind this page; ``notes`` says what was tried besides (relaxed filters, a rewriting, places); ``dropped`` names what
    processors and rules took out, by its identity, with the reason.
    """

    hits: tuple[Hit, ...]
    rankings: tuple[ListReport, ...] = ()
    understanding: Understanding = field(default_factory=Understanding)
    expansion: Expansion | None = None
    degraded: tuple[Degraded, ...] = ()
    partial: Literal[False] | str = False
    outcome: Outcome = "ok"
    total: int | None = None
    more: bool = False
    facets: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=empty)
    notes: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    usage: Usage = field(default_factory=Usage)
    trace: Trace = field(default_factory=Trace)
