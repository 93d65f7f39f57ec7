"""What each backend is asked: sub-queries and filters, lowered to its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from qx.backend import SearchBackend, SearchRequest, Sort, SupportsFilter
from qx.filters import Filter, combine, leaves, originated
from qx.filters.fieldmap import lower
from qx.filters.inference import from_constraints
from qx.rules.expand import unlimited
from qx.rules.protection import base_text
from qx.serial import EMPTY, value
from qx.syntax import And, Expression, Phrase, Terms, lexical, parse, typed_filter, walk, words
from qx.types import Query, SearchOptions, SubQuery, Target, Understanding

PROSE = 12
"""Words from which a query without operators is read as prose."""


@value
class Asked:
    """A sub-query with what the user wrote as syntax taken apart."""

    query: SubQuery
    text: str
    expression: Expression


@value
class Wanted:
    """The filters of one search: the caller's, those typed, those read from the query's constraints."""

    given: Filter | None
    inferred: Filter | None

    @property
    def all(self) -> Filter | None:
        return combine(self.given, self.inferred)


def filterable(backends: Sequence[SearchBackend]) -> frozenset[str]:
    """Return the canonical fields that every one of ``backends`` can filter by."""
    able = [frozenset(b.fields) if isinstance(b, SupportsFilter) else frozenset[str]() for b in backends]
    return reduce(frozenset[str].intersection, able) if able else frozenset()


def wanted(query: Query, understanding: Understanding, typed: Filter | None, fields: frozenset[str]) -> Wanted:
    """Put the filters together; constraints on fields that are not filterable stay words."""
    given = originated(query.filters, "caller") if query.filters is not None else None
    constraints = [c for c in understanding.constraints if c.field in fields]
    return Wanted(given=combine(given, typed), inferred=from_constraints(constraints))


def asked(
    queries: Sequence[SubQuery], query: Query, understanding: Understanding, fields: frozenset[str]
) -> tuple[tuple[Asked, ...], Filter | None]:
    """Parse the sub-queries; the original goes without the words that became filters.

    Returns:
        The parsed sub-queries, and the filter that the original's syntax states.
    """
    known = (*fields, "published")
    out: list[Asked] = []
    typed: Filter | None = None
    own = replace(understanding, signals=EMPTY)  # the original goes as it was typed, its spelling too
    for sub in queries:
        text = sub.text
        if sub.strategy == "original":
            narrowed = unlimited(query, own, fields)
            text = base_text(query, narrowed) if narrowed is not own else sub.text
        expression, stated = typed_filter(parse(text, fields=known))
        if is_prose(expression):
            expression = lexical(text.replace('"', " "))
        if sub.strategy == "original":
            typed = stated
        out.append(Asked(query=sub, text=text, expression=expression))
    return tuple(out), typed


def is_prose(expression: Expression) -> bool:
    """Whether an expression is a long question rather than a search: its quotes and parentheses are no demands.

    ``PROSE`` words and more, and none of the operators that people write on purpose.
    """
    parts = expression.parts if isinstance(expression, And) else ()
    plain = bool(parts) and all(isinstance(part, (Terms, Phrase)) for part in parts)
    return plain and len(words(expression)) >= PROSE


def is_empty(expression: Expression) -> bool:
    """Whether an expression asks for nothing: no word, no phrase, no site."""
    return not any(not isinstance(node, Terms) or node.words for node, _ in walk(expression))


def request_for(
    asked: Asked, backend: SearchBackend, wanted: Filter | None, options: SearchOptions, *, depth: int, target: Target
) -> SearchRequest | str:
    """Return the request for one backend, or the reason why it is not asked."""
    lowered = lower(wanted, backend.fields)
    if lowered.refused:
        said = ", ".join(f"{u.leaf.field}: {u.reason}" for u in lowered.refused)
        return f"it cannot apply the caller's filter ({said})"
    tree = lowered.filter
    if tree is not None:
        if not isinstance(backend, SupportsFilter):
            if any(leaf.origin == "caller" for leaf in leaves(tree)):
                return "it cannot filter, and the caller gave a filter"
            tree = None
        elif missing := backend.inexpressible(tree):
            if any(leaf.origin == "caller" for part in missing for leaf in leaves(part)):
                return "it cannot express the caller's filter"
            gone = {repr(part) for part in missing}
            tree = combine(*(part for part in _parts(tree) if repr(part) not in gone))
    sort = tuple(
        Sort(field=backend.fields[s.field].name if s.field in backend.fields else s.field, descending=s.descending)
        for s in options.sort
    )
    facets = tuple(backend.fields[f].name if f in backend.fields else f for f in options.facets)
    return SearchRequest(
        text=asked.text,
        expression=asked.expression,
        target=target,
        filter=tree,
        sort=sort,
        facets=facets if asked.query.strategy == "original" else (),
        limit=max(depth, options.offset + options.limit),
    )


def _parts(tree: Filter) -> Sequence[Filter]:
    from qx.filters import And

    return tree.filters if isinstance(tree, And) else (tree,)


def canonical_facets(
    facets: Mapping[str, Sequence[tuple[str, int]]], backend: SearchBackend
) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return facets under their canonical names."""
    names = {stored.name: name for name, stored in backend.fields.items()}
    return {names.get(field, field): tuple(counts) for field, counts in facets.items()}


def narrowed(request: SearchRequest, wanted: Filter | None, backend: SearchBackend) -> SearchRequest:
    """Return ``request`` with a weaker filter."""
    return replace(request, filter=lower(wanted, backend.fields).filter)
