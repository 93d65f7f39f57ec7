"""What a person typed as operators: ``-HP``, ``NOT HP``, ``brand:HP``, ``price:..2000``.  No search gives it up.

Ranges are constraints of the analysis too, so that whoever takes the queries elsewhere knows of them; in a search they go
as what they are, filters of origin ``typed``.  Other wordings are made of the rest of the query, and get the demands
back as they were typed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import cast

from qx.filters import Compare, Filter, Not, leaves
from qx.rules.terms import plain
from qx.serial import replace
from qx.syntax import And as All
from qx.syntax import Demand, Expression, Field, Site, demands, left, negated, parse, typed_filter, walk, words
from qx.syntax import Not as Without
from qx.syntax import Or as Any
from qx.text.negation import Negation
from qx.types import Constraint, Op, Query, SubQuery, Understanding

_TURNED: dict[str, Op] = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le"}
_OPERATORS = ' -－"“”「」()（）'


def range_constraints(text: str) -> tuple[Constraint, ...]:
    """Return the ranges of a query as hard constraints with the words as typed, whatever their fields are.

    What is outside of two ends (``-price:100..200``) is no constraint, and only searched for.
    """
    found = [one for one in demands(text) if one.is_range]
    return tuple(made for one in found for made in _constraints(one.text, typed_filter(one.expression)[1]))


def _constraints(text: str, tree: Filter | None) -> Iterator[Constraint]:
    ends = [leaf for leaf in leaves(tree) if isinstance(leaf, Compare)]
    turned = isinstance(tree, Not)
    if turned and len(ends) > 1:
        return
    for leaf in ends:
        op = _TURNED[leaf.op] if turned else cast("Op", leaf.op)
        yield Constraint(field=leaf.field, op=op, value=leaf.value, text=text)


def untyped(understanding: Understanding, text: str, fields: Collection[str]) -> Understanding:
    """Return the analysis without the constraints that ``text`` says by operators, which go as such.

    Exclusions stay: an engine's field knows better than its words what is of a brand.

    Args:
        text: The query as typed.
        fields: Canonical names that may stand before a colon.
    """
    if not understanding.constraints or not (found := demands(text, fields)):
        return understanding
    said = {one.text for one in found if one.is_range}
    within = _in_fields(text, frozenset(fields))
    # what -(red OR blue) rules out nobody wants; as an exclusion it may be a filter
    away = {plain(word) for one in found for word in negated(one.expression)}

    def stays(c: Constraint) -> bool:
        words = plain(c.text)
        return c.text not in said and words not in within and (c.op == "ne" or words not in away)

    kept = tuple([c for c in understanding.constraints if stays(c)])
    return understanding if len(kept) == len(understanding.constraints) else replace(understanding, constraints=kept)


@lru_cache(maxsize=512)
def _in_fields(text: str, fields: frozenset[str]) -> frozenset[str]:
    """The words of ``text`` that stand behind a field: of ``colour:white`` the white limits nothing else."""

    def found(expression: Expression) -> Iterator[str]:
        if isinstance(expression, (All, Any)):
            for part in expression.parts:
                yield from found(part)
        elif isinstance(expression, Without):
            yield from found(expression.expression)
        elif isinstance(expression, Field):
            said = words(expression.expression)
            yield from (plain(word) for word in (*said, " ".join(said)))

    return frozenset(found(parse(text, fields=(*fields, "published"))))


@lru_cache(maxsize=512)
def excluded(text: str, fields: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the words that ``text`` excludes by an operator, folded: ``-HP`` and ``NOT HP``, not "not HP"."""
    return frozenset(plain(word) for word in negated(parse(text, fields=(*fields, "published"))))


def is_operator(one: Negation) -> bool:
    """Whether an exclusion is written as an operator: ``-HP`` or ``NOT HP``, in capitals."""
    return one.cue == "-" or one.cue.endswith("NOT")


def is_excluded(constraint: Constraint, typed: Collection[str]) -> bool:
    """Whether a constraint is an exclusion that was typed as an operator.

    Args:
        typed: What ``excluded`` returned for the query as typed.
    """
    if constraint.op != "ne" or not typed:
        return False
    return all(word in typed for word in _named(constraint).split())


def _named(constraint: Constraint) -> str:
    return plain(constraint.text.removeprefix("NOT").strip(_OPERATORS) or str(constraint.value))


def exclusions(text: str, constraints: Sequence[Constraint], fields: Collection[str]) -> tuple[Expression, ...]:
    """Return the parts of a query that exclude what ``constraints`` say, for engines that cannot filter by them."""
    if not constraints:
        return ()
    expression = parse(text, fields=(*fields, "published"))
    parts = expression.parts if isinstance(expression, All) else (expression,)
    typed = {plain(word) for c in constraints for word in _named(c).split()}
    return tuple(
        part for part in parts if isinstance(part, Without) and all(plain(word) in typed for word in negated(part))
    )


def worded(query: Query, understanding: Understanding, fields: Collection[str]) -> tuple[Query, Understanding]:
    """Return a query and its analysis without what is typed as a demand on all of it, for whoever writes other wordings.

    A query that is nothing else stays as it is.

    Args:
        fields: Canonical names that may stand before a colon.
    """
    found, standalone = demands(query.text, fields), understanding.standalone
    within = demands(standalone, fields) if standalone else ()
    if not found and not within:
        return query, understanding
    text, form = left(query.text, found), left(standalone or "", within)
    if not any(c.isalnum() for c in (form if standalone else text)):
        return query, understanding
    gone, stays = plain(" ".join(one.text for one in (*found, *within))), plain(form if standalone else text)

    def kept(said: str) -> bool:
        return plain(said) not in gone or plain(said) in stays

    return replace(query, text=text), replace(
        understanding,
        standalone=" ".join(form.split()) if standalone else None,
        entities=tuple([e for e in understanding.entities if kept(e.text)]),
        constraints=tuple([c for c in understanding.constraints if not c.text or kept(c.text)]),
        keywords=tuple([word for word in understanding.keywords if kept(word)]),
        negations=tuple([word for word in understanding.negations if kept(word)]),
    )


def with_demands(
    queries: Sequence[SubQuery], text: str, fields: Collection[str], *, filtered: bool = True
) -> tuple[SubQuery, ...]:
    """Return queries with the demands of ``text``, where they lack them.

    Args:
        fields: Canonical names that may stand before a colon.
        filtered: Whether ranges on ``fields`` go as filters, and need no words.
    """
    limits = [one for one in demands(text, fields) if not (filtered and one.is_range and _fields(one) <= set(fields))]
    return tuple([_joined(query, limits) for query in queries]) if limits else tuple(queries)


def demands_site(text: str) -> bool:
    """Whether a query names the site that it is for."""
    return any(
        isinstance(part, Site) for one in demands(text) for part, negative in walk(one.expression) if not negative
    )


def _joined(query: SubQuery, limits: Sequence[Demand]) -> SubQuery:
    missing = [one.text for one in limits if one.text not in query.text]
    return replace(query, text=" ".join((query.text, *missing))) if missing else query


def _fields(one: Demand) -> set[str]:
    return {leaf.field for leaf in leaves(typed_filter(one.expression)[1])}


__all__ = [
    "demands_site",
    "excluded",
    "exclusions",
    "is_excluded",
    "is_operator",
    "range_constraints",
    "untyped",
    "with_demands",
    "worded",
]
