"""What is asked: sub-queries taken apart, and the filters that go with them, in canonical fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from qx.backend import SearchBackend, SupportsFilter
from qx.filters import Filter, combine, originated
from qx.filters.inference import from_constraints
from qx.rules.expand import unlimited
from qx.rules.protection import base_text
from qx.serial import EMPTY, value
from qx.syntax import And, Expression, Phrase, Terms, asks_nothing, lexical, parse, typed_filter, words
from qx.syntax.ranges import ranges
from qx.types import Query, SubQuery, Understanding

PROSE = 12
"""Words from which a query without operators is read as prose."""


@value
class Asked:
    """A sub-query with what was written as syntax taken apart.

    Attributes:
        expression: The sub-query without its ranges (``price:..200``, ``after:2023``).
        ranges: Those, for engines that cannot filter by them.
        typed: The filter that says the same as ``ranges``.
    """

    query: SubQuery
    text: str
    expression: Expression
    ranges: tuple[Expression, ...] = ()
    typed: Filter | None = None


@value
class Wanted:
    """The filters of one search: the caller's, those typed, those read from the query's constraints."""

    given: Filter | None
    inferred: Filter | None

    @property
    def all(self) -> Filter | None:
        return combine(self.given, self.inferred)


@value
class Plan:
    """The sub-queries of one search (the original first, unless more are asked besides) and their filters."""

    queries: tuple[Asked, ...]
    filters: Wanted

    @property
    def asks_nothing(self) -> bool:
        """Whether an engine would have to answer with everything: then it is asked for nothing."""
        return asks_nothing(self.queries[0].expression) and self.filters.all is None


def filterable(backends: Sequence[SearchBackend]) -> frozenset[str]:
    """Return the canonical fields that every one of ``backends`` can filter by."""
    able = [frozenset(b.fields) if isinstance(b, SupportsFilter) else frozenset[str]() for b in backends]
    return reduce(frozenset[str].intersection, able) if able else frozenset()


def plan(
    queries: Sequence[SubQuery],
    query: Query,
    understanding: Understanding,
    fields: frozenset[str],
    *,
    original: SubQuery | None = None,
) -> Plan:
    """Take sub-queries apart and put the filters together.

    Args:
        queries: The sub-queries to run.
        query: The query as it was typed.
        understanding: Its analysis; constraints on ``fields`` go as filters, all others stay words.
        fields: Canonical fields that every engine can filter by.
        original: The original, where it is not among ``queries``: what was typed in it holds for all of them.
    """
    made = tuple(_asked(sub, query, understanding, fields) for sub in queries)
    first = next((a for a in made if a.query.strategy == "original"), None)
    if first is None and original is not None:
        first = _asked(original, query, understanding, fields)
    if first is not None and first.ranges:
        made = tuple(_also(asked, first.ranges) for asked in made)
    given = originated(query.filters, "caller") if query.filters is not None else None
    constraints = [c for c in understanding.constraints if c.field in fields]
    typed = first.typed if first is not None else None
    return Plan(queries=made, filters=Wanted(given=combine(given, typed), inferred=from_constraints(constraints)))


def _asked(sub: SubQuery, query: Query, understanding: Understanding, fields: frozenset[str]) -> Asked:
    """Parse one sub-query; the original goes without the words that became filters."""
    text = sub.text
    if sub.strategy == "original":
        own = replace(understanding, signals=EMPTY)  # the original goes as it was typed, its spelling too
        narrowed = unlimited(query, own, fields)
        text = base_text(query, narrowed) if narrowed is not own else sub.text
    expression, typed = typed_filter(found := parse(text, fields=(*fields, "published")))
    if is_prose(expression):
        expression = lexical(text.replace('"', " "))
    return Asked(query=sub, text=text, expression=expression, ranges=ranges(found), typed=typed)


def _also(asked: Asked, found: Sequence[Expression]) -> Asked:
    """``asked`` with the ranges of the original, those first."""
    return replace(asked, ranges=tuple(dict.fromkeys((*found, *asked.ranges))))


def is_prose(expression: Expression) -> bool:
    """Whether an expression is a long question rather than a search: its quotes and parentheses are no demands.

    ``PROSE`` words and more, and none of the operators that people write on purpose.
    """
    parts = expression.parts if isinstance(expression, And) else ()
    plain = bool(parts) and all(isinstance(part, (Terms, Phrase)) for part in parts)
    return plain and len(words(expression)) >= PROSE
