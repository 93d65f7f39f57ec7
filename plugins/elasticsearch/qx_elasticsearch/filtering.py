"""A lowered filter -> Query DSL, in the sense of ``qx.filters.matching``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qx.errors import BadRequest
from qx.filters import And, Compare, Exists, Filter, Leaf, Not, Or, leaves
from qx_elasticsearch.catalog import Catalog, Column
from qx_elasticsearch.values import LONGEST_VALUE, encoded, moment_of, readable, shortened

Query = dict[str, Any]

NONE: Query = {"match_none": {}}
ALL: Query = {"match_all": {}}
_OPS = {"lt": "lt", "le": "lte", "gt": "gt", "ge": "gte"}
_NEXT = {"s": "t", "d": "e", "n": "o", "p": "q"}
_TERMS = 10_000
"""Values in one ``terms`` query; Elasticsearch's own limit is 65,536."""

_LISTED_DATES = 500
"""Dates that a list may hold: each is a clause of its own, and Elasticsearch's limit of these is 1,024 or more."""


def compiled(tree: Filter, catalog: Catalog, *, mapped_id: Any) -> Query:
    """Return the query of a filter.

    Args:
        tree: Lowered: stored names and values.
        catalog: Says where they are.
        mapped_id: Function from a document's id to Elasticsearch's.

    Raises:
        BadRequest: it has a part of ``inexpressible``.
    """
    if isinstance(tree, And):
        return (
            {"bool": {"filter": [compiled(t, catalog, mapped_id=mapped_id) for t in tree.filters]}}
            if tree.filters
            else ALL
        )
    if isinstance(tree, Or):
        return any_of([compiled(t, catalog, mapped_id=mapped_id) for t in tree.filters])
    if isinstance(tree, Not):
        return none_of(compiled(tree.filter, catalog, mapped_id=mapped_id))
    if _unsayable(tree, catalog):
        raise BadRequest(
            f"elasticsearch cannot filter by '{tree.field}' here: it keeps no exact values of it, or the list holds "
            f"more than {_LISTED_DATES} dates"
        )
    if tree.field == "id" and catalog.own:
        return _by_id(tree, mapped_id)
    column = catalog.column(tree.field)
    found = _exists(column) if isinstance(tree, Exists) else _compare(tree, column)
    return {"nested": {"path": column.nested, "query": found, "ignore_unmapped": True}} if column.nested else found


def inexpressible(tree: Filter, catalog: Catalog) -> tuple[Filter, ...]:
    """Return the parts of ``tree`` (of an ``And`` those at its top) that hold something that cannot be compiled."""
    parts = tree.filters if isinstance(tree, And) else (tree,)
    return tuple(part for part in parts if any(_unsayable(leaf, catalog) for leaf in leaves(part)))


def any_of(queries: Sequence[Query]) -> Query:
    """Return the query that matches where any of ``queries`` does."""
    if len(queries) == 1:
        return queries[0]
    return {"bool": {"should": list(queries), "minimum_should_match": 1}} if queries else NONE


def none_of(query: Query) -> Query:
    """Return the query that matches where ``query`` does not."""
    return {"bool": {"must_not": [query]}}


def _unsayable(leaf: Leaf, catalog: Catalog) -> bool:
    if isinstance(leaf, Exists):
        return False
    column = catalog.column(leaf.field)
    return (column.kind == "text" and column.exact is None) or _too_many_dates(leaf, column)


def _too_many_dates(leaf: Compare, column: Column) -> bool:
    """Whether a list asks for more clauses than one query may have: a part of it alone would mean something else."""
    if not isinstance(leaf.value, tuple) or len(leaf.value) <= _LISTED_DATES or column.kind not in ("date", "open"):
        return False
    return sum(isinstance(item, str) and moment_of(item) is not None for item in leaf.value) > _LISTED_DATES


def _by_id(leaf: Leaf, mapped_id: Any) -> Query:
    if isinstance(leaf, Exists):
        return ALL
    if leaf.op not in ("eq", "ne", "in"):
        raise BadRequest("ids have no order: compare them with eq, ne or in")
    wanted = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    found: Query = {"ids": {"values": [mapped_id(item) for item in wanted if isinstance(item, str)]}}
    return none_of(found) if leaf.op == "ne" else found


def _exists(column: Column) -> Query:
    names = [column.exact or column.name, column.spare]
    return any_of([{"exists": {"field": name}} for name in names if name])


def _compare(leaf: Compare, column: Column) -> Query:
    wanted = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    if leaf.op in ("eq", "in", "ne"):
        found = _equal(column, wanted)
        return none_of(found) if leaf.op == "ne" else found
    return any_of([_ranged(column, leaf.op, item) for item in wanted[:1]])


def _equal(column: Column, wanted: Sequence[object]) -> Query:
    terms: dict[str, list[object]] = {}
    others: list[Query] = []
    for item in wanted:
        name, kind, spelled = _placed(column, item)
        if kind == "date":
            others.append({"range": {name: {"gte": spelled, "lte": spelled, "format": "strict_date_optional_time"}}})
        elif kind == "open" and str(spelled).startswith("d"):
            others.append({"prefix": {name: f"{str(spelled).partition(' ')[0]} "}})
        elif spelled is not None:
            terms.setdefault(name, []).append(spelled)
    found = [
        _any_term(name, items[at : at + _TERMS]) for name, items in terms.items() for at in range(0, len(items), _TERMS)
    ]
    return any_of([*found, *others])


def _any_term(name: str, items: Sequence[object]) -> Query:
    return {"term": {name: items[0]}} if len(items) == 1 else {"terms": {name: items}}


def _ranged(column: Column, op: str, item: object) -> Query:
    name, kind, spelled = _placed(column, item)
    if spelled is None:
        return NONE
    if isinstance(item, bool):  # it has no order: only its equal is neither less nor more
        return _equal(column, (item,)) if op in ("le", "ge") else NONE
    if kind == "open":
        return _ranged_open(name, op, str(spelled))
    bounds: Query = {_OPS[op]: spelled}
    return {"range": {name: {**bounds, "format": "strict_date_optional_time"} if kind == "date" else bounds}}


def _ranged_open(name: str, op: str, term: str) -> Query:
    """A range within the kind of ``term``: a moment also meets parts of dates, and a text the texts that are dates."""
    kind, rest = term[0], term[1:]
    if kind == "n":
        return _within(name, op, "n", rest)
    if kind == "d":
        moment = rest.partition(" ")[0]
        # "!" comes after the blank that ends a moment: at the same moment, whatever its spelling
        bound = {"lt": f"{moment} ", "le": f"{moment}!", "gt": f"{moment}!", "ge": moment}[op]
        strict = "lt" if op in ("lt", "le") else "ge"
        return any_of([_within(name, strict, kind, bound) for kind in ("d", "p")])
    return any_of([_within(name, op, kind, rest) for kind in ("s", "d")])


def _within(name: str, op: str, kind: str, bound: str) -> Query:
    ends: Query = {"gte": kind} if op in ("lt", "le") else {"lt": _NEXT[kind]}
    return {"range": {name: {**ends, _OPS[op]: f"{kind}{bound}"}}}


def _placed(column: Column, item: object) -> tuple[str, str, object]:
    """Where a value would be: field, kind and how it is written there; None where it cannot be."""
    fits = _fitting(column, item)
    if fits is not None:
        return (column.exact if column.kind == "text" and column.exact else column.name), column.kind, fits
    if column.kind == "open":
        return column.name, "open", encoded(item)
    return (column.spare, "open", encoded(item)) if column.spare else (column.name, column.kind, None)


def _fitting(column: Column, item: object) -> object:
    """The value as a typed field holds it, None where it cannot."""
    if column.kind == "bool" or isinstance(item, bool):
        if column.kind == "keyword" and column.spare is None and isinstance(item, bool):
            return str(item).lower()
        return item if column.kind == "bool" and isinstance(item, bool) else None
    if column.kind == "number":
        return item if isinstance(item, (int, float)) and item == item else None
    if column.kind == "date":
        return moment_of(item) if isinstance(item, str) else None
    if column.kind in ("keyword", "text"):
        if isinstance(item, str):
            return readable(item) if len(item) <= LONGEST_VALUE or column.spare is None else None
        return str(item) if column.spare is None else None
    return None


def case_insensitive(column: Column, word: str) -> Query:
    """Return the query for a whole value, whatever its case."""
    text = f"s{shortened(word)}" if column.kind == "open" else readable(word)
    found: Query = {"term": {column.exact or column.name: {"value": text, "case_insensitive": True}}}
    return {"nested": {"path": column.nested, "query": found, "ignore_unmapped": True}} if column.nested else found
