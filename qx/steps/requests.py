"""What is asked: sub-queries taken apart, and the filters that go with them, in canonical fields."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from qx.backend import SearchBackend, SupportsFilter
from qx.filters import Filter, combine, originated
from qx.filters.fieldmap import spoken_of
from qx.filters.inference import from_constraints
from qx.rules.expand import unlimited
from qx.rules.protection import base_text
from qx.rules.terms import without as without_wording
from qx.serial import EMPTY, replace, value
from qx.steps.collective import is_collective, without_words
from qx.steps.exclusions import Exclusion, nots, without
from qx.steps.literal import PLAIN, TYPED, literal, operators, said
from qx.steps.typed import excluded as excluded_by_operators
from qx.steps.typed import exclusions, is_excluded
from qx.syntax import And, Expression, Phrase, Terms, asks_nothing, lexical, parse, typed_filter, words
from qx.syntax.ranges import ranges
from qx.text.segment import is_content, keywords
from qx.types import Constraint, Query, SubQuery, Understanding

PROSE = 12
"""Words from which a query without operators is read as prose."""


@value
class Asked:
    """A sub-query with what was written as syntax taken apart.

    Attributes:
        expression: The sub-query without its ranges (``price:..200``, ``after:2023``).
        ranges: Those, for engines that cannot filter by them, with the exclusions that were typed and went as filters.
        typed: The filter that says the same as ``ranges``.
        excluded: Exclusions whose words left the sub-query, for engines whose hits nobody can judge.
    """

    query: SubQuery
    text: str
    expression: Expression
    ranges: tuple[Expression, ...] = ()
    typed: Filter | None = None
    excluded: tuple[Expression, ...] = ()


@value
class Wanted:
    """The filters of one search: the caller's, those typed, those read from the query's constraints."""

    given: Filter | None
    inferred: Filter | None

    @property
    def all(self) -> Filter | None:
        return self.given if self.inferred is None else combine(self.given, self.inferred)


@value
class Part:
    """What the backends are asked that carry the same conditions as filters.

    Attributes:
        queries: The sub-queries (the original first, unless more are asked besides), with the words of conditions that
            are no filters here.
        filters: The conditions that are.
        wishes: Constraints that exclude nothing: what has the value is to come higher.
        backends: Their names; None: all there are.
        unlowered: The conditions that stayed words, each with the reason.
        says_more: Whether the query says anything besides its conditions.
        whole: The original with its names of values that became filters (HP, not "under 500"); None where none did.
    """

    queries: tuple[Asked, ...]
    filters: Wanted
    wishes: tuple[Constraint, ...] = ()
    backends: frozenset[str] | None = None
    unlowered: tuple[str, ...] = ()
    says_more: bool = True
    whole: Asked | None = None

    @property
    def asks_nothing(self) -> bool:
        """Whether an engine would have to answer with everything: then it is asked for nothing."""
        return asks_nothing(self.queries[0].expression) and self.filters.all is None


@value
class Plan:
    """One search, by the backends that are asked alike: every part has the same sub-queries in the same order."""

    parts: tuple[Part, ...]

    @property
    def queries(self) -> tuple[SubQuery, ...]:
        return tuple([asked.query for asked in self.parts[0].queries])

    @property
    def asks_nothing(self) -> bool:
        return all(part.asks_nothing for part in self.parts)

    @property
    def says_more(self) -> bool:
        """Whether the query says anything besides its conditions."""
        return any(part.says_more for part in self.parts)

    @property
    def infers(self) -> bool:
        """Whether any backend is given a filter that nobody asked for in so many words."""
        return any(part.filters.inferred is not None for part in self.parts)

    @property
    def first(self) -> str:
        """What tells whether the first sub-query of two plans is the same question to every backend."""
        return repr([(sorted(p.backends or ()), p.queries[0].text, p.filters.all) for p in self.parts])

    def of(self, backend: str) -> Part:
        """Return what a backend is asked."""
        return next(part for part in self.parts if part.backends is None or backend in part.backends)

    def only(self, start: int, stop: int | None = None) -> Plan:
        """Return the plan with a slice of the sub-queries."""
        return Plan(parts=tuple([replace(part, queries=part.queries[start:stop]) for part in self.parts]))

    def of_filters_alone(self) -> Plan | None:
        """Return the plan of all that meets the conditions; None where there are none, or the words look for something."""
        originals = [part.queries[0] for part in self.parts]
        if any(part.filters.all is None for part in self.parts):
            return None
        if any(part.says_more and not is_collective(part.queries[0].expression) for part in self.parts):
            return None
        alone = [replace(asked, expression=without_words(asked.expression)) for asked in originals]
        if alone == originals:
            return None
        pairs = zip(self.parts, alone, strict=True)
        return Plan(parts=tuple([replace(part, queries=(asked,)) for part, asked in pairs]))

    def in_words(self, trees: Sequence[Filter | None]) -> Plan | None:
        """Return the plan of the original with the values it names as words, and other filters; None where it names none."""
        if not all(part.whole for part in self.parts):
            return None
        parts = [replace(part, queries=(part.whole,)) for part in self.parts if part.whole is not None]
        return Plan(parts=tuple(parts)).filtered(trees)

    def filling(self) -> Plan:
        """Return the plan with the original as one that fills in below what others find."""

        def below(asked: Asked) -> Asked:
            return replace(asked, query=replace(asked.query, strategy="generalize", why="meets the conditions"))

        return Plan(parts=tuple([replace(p, queries=tuple(map(below, p.queries))) for p in self.parts]))

    def filtered(self, trees: Sequence[Filter | None]) -> Plan:
        """Return the plan with other filters, one for each part."""
        pairs = zip(self.parts, trees, strict=True)
        return Plan(parts=tuple([replace(p, filters=Wanted(given=tree, inferred=None)) for p, tree in pairs]))


def filterable(backends: Sequence[SearchBackend]) -> frozenset[str]:
    """Return the canonical fields that any of ``backends`` can filter by; those that cannot are asked in words."""
    return frozenset(field for b in backends if isinstance(b, SupportsFilter) for field in spoken_of(b.fields))


def part(
    queries: Sequence[SubQuery],
    query: Query,
    understanding: Understanding,
    fields: frozenset[str],
    *,
    original: SubQuery | None = None,
    excluded: Sequence[Exclusion] = (),
    backends: frozenset[str] | None = None,
    unlowered: tuple[str, ...] = (),
) -> Part:
    """Take sub-queries apart and put the filters together.

    Args:
        queries: The sub-queries to run.
        query: The query as it was typed.
        understanding: Its analysis; constraints on ``fields`` go as filters, all others stay words.
        fields: Canonical fields that can be filtered by.
        original: The original, where it is not among ``queries``: what was typed in it holds for all of them.
        excluded: What the query rules out in words.
        backends, unlowered: As in ``Part``.
    """
    gone = _narrowed(query, understanding, fields)

    def asked(sub: SubQuery) -> Asked:
        text = gone if gone and sub.strategy == "original" else sub.text
        return _asked(sub, without(text, excluded), query, fields, nots(excluded))

    made = tuple([asked(sub) for sub in queries])
    first = next((a for a in made if a.query.strategy == "original"), None)
    if first is None and original is not None:
        first = asked(original)
    constraints = [c for c in understanding.constraints if c.field in fields]
    typed = [c for c in constraints if is_excluded(c, excluded_by_operators(query.text, fields))]
    written = _written(query.text, first, fields, exclusions(query.text, typed, fields))
    if written.ranges:
        made = tuple(_also(asked, written) for asked in made)
    given = originated(query.filters, "caller") if query.filters is not None else None
    demanded = from_constraints(typed)
    wanted = Wanted(
        given=combine(given, written.typed, originated(demanded, "typed") if demanded is not None else None),
        inferred=from_constraints([c for c in constraints if c not in typed]),
    )
    wishes = tuple([c for c in constraints if c.op == "prefer"])
    return Part(
        queries=made,
        filters=wanted,
        wishes=wishes,
        backends=backends,
        unlowered=unlowered,
        says_more=_says_more(query, understanding, fields),
        whole=_whole(made, query, understanding, fields, nots(excluded)) if gone else None,
    )


def _whole(
    made: Sequence[Asked],
    query: Query,
    understanding: Understanding,
    fields: frozenset[str],
    excluded: tuple[Expression, ...],
) -> Asked | None:
    values = [
        c for c in understanding.constraints if c.op in ("eq", "in") and isinstance(c.value, (str, tuple)) and c.text
    ]
    others = replace(understanding, constraints=tuple([c for c in understanding.constraints if c not in values]))
    original = next((asked.query for asked in made if asked.query.strategy == "original"), None)
    if original is None or not any(c.field in fields for c in values):
        return None
    return _asked(original, _narrowed(query, others, fields) or original.text, query, fields, excluded)


def _says_more(query: Query, understanding: Understanding, fields: frozenset[str]) -> bool:
    """Whether anything is left of the original without the words that became filters."""
    text = base_text(query, understanding)
    for constraint in sorted(understanding.constraints, key=lambda c: -len(c.text)):
        if constraint.field in fields and constraint.op != "prefer":
            text = without_wording(text, constraint.text)
    return any(is_content(word) for word in keywords(text))


def _narrowed(query: Query, understanding: Understanding, fields: frozenset[str]) -> str:
    """The original without the words that became filters; empty where none did."""
    own = replace(understanding, signals=EMPTY)  # it goes as it was typed, its spelling too
    narrowed = unlimited(query, own, fields)
    return base_text(query, narrowed) if narrowed is not own else ""


def _asked(sub: SubQuery, text: str, query: Query, fields: frozenset[str], excluded: tuple[Expression, ...]) -> Asked:
    if sub.strategy in PLAIN and not _operators(text, fields) <= _said(query.text, fields):
        text = literal(text)
    expression, typed, found = _taken_apart(text, fields)
    if typed is not None and sub.strategy not in TYPED:
        typed = originated(typed, "inferred")
    return Asked(query=sub, text=text, expression=expression, ranges=found, typed=typed, excluded=excluded)


@lru_cache(maxsize=512)
def _operators(text: str, fields: frozenset[str]) -> frozenset[str]:
    return operators(parse(text, fields=(*fields, "published")))


@lru_cache(maxsize=512)
def _said(text: str, fields: frozenset[str]) -> frozenset[str]:
    return said(text, parse(text, fields=(*fields, "published")))


@lru_cache(maxsize=512)
def _taken_apart(text: str, fields: frozenset[str]) -> tuple[Expression, Filter | None, tuple[Expression, ...]]:
    """What is looked for, the ranges that were typed as a filter, and as expressions."""
    expression, typed = typed_filter(found := parse(text, fields=(*fields, "published")))
    if is_prose(expression):
        expression = lexical(text.replace('"', " "))
    return expression, typed, ranges(found)


@value
class _Written:
    """The ranges that hold for every sub-query, and the filter that says them."""

    ranges: tuple[Expression, ...]
    typed: Filter | None


def _written(text: str, first: Asked | None, fields: frozenset[str], excluded: Sequence[Expression]) -> _Written:
    """The ranges of the query as typed, which its standalone form may have lost, and those of the original."""
    _, typed, found = _taken_apart(text, fields)
    if first is None or first.ranges == found:
        return _Written(ranges=(*found, *excluded), typed=typed)
    return _Written(ranges=tuple(dict.fromkeys((*found, *first.ranges, *excluded))), typed=combine(typed, first.typed))


def _also(asked: Asked, written: _Written) -> Asked:
    """``asked`` with the ranges of the original, those first; what it repeats of them is as little inferred."""
    own = [one for one in asked.ranges if one not in written.ranges]
    typed = asked.typed if own else written.typed if asked.ranges else None
    return replace(asked, ranges=(*written.ranges, *own), typed=typed)


def is_prose(expression: Expression) -> bool:
    """Whether an expression is a long question rather than a search: its quotes and parentheses are no demands.

    ``PROSE`` words and more, and none of the operators that people write on purpose.
    """
    parts = expression.parts if isinstance(expression, And) else ()
    plain = bool(parts) and all(isinstance(part, (Terms, Phrase)) for part in parts)
    return plain and len(words(expression)) >= PROSE
