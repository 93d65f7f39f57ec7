"""A lowered filter as a tantivy query that agrees with ``qx.filters.matching``.

Equality goes by exact tokens, order by the columns of numbers and moments.  What neither can say (the order of text,
of a path without a column, of whole numbers beyond 2^53) is left out of the query and ``checked`` on the documents.
"""

from __future__ import annotations

from typing import Any, cast

from qx.builtin.local import codes
from qx.builtin.local.schema import tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.filters import And, Compare, Exists, Filter, Leaf, Not, Or, without
from qx.filters.conversion import number_text
from qx.filters.matching import moment
from qx.serial import value
from qx.types import Scalar

_EXACT_FLOAT = 2**53


@value
class Compiled:
    """``query`` matches all that passes; where ``checked``, more than that: the filter is to be evaluated on each."""

    query: Any
    checked: bool = False


def compile_filter(tree: Filter, snapshot: Snapshot) -> Compiled:
    """Return the query for a filter."""
    pushed = without(tree, lambda leaf: _leaf(leaf, snapshot) is None)
    everything = tantivy().Query.all_query()
    checked = _unsayable(tree, snapshot)
    return Compiled(query=everything if pushed is None else _query(pushed, snapshot), checked=checked)


def _unsayable(tree: Filter, snapshot: Snapshot) -> bool:
    if isinstance(tree, (And, Or)):
        return any(_unsayable(part, snapshot) for part in tree.filters)
    if isinstance(tree, Not):
        return _unsayable(tree.filter, snapshot)
    return _leaf(tree, snapshot) is None


def _query(tree: Filter, snapshot: Snapshot) -> Any:
    if isinstance(tree, (And, Or)):
        parts = [_query(part, snapshot) for part in tree.filters]
        return all_of(parts) if isinstance(tree, And) else any_of(parts)
    if isinstance(tree, Not):
        return none_of(_query(tree.filter, snapshot))
    return _leaf(tree, snapshot)


def all_of(parts: list[Any]) -> Any:
    """Return the query for all of ``parts``; of none, everything."""
    library = tantivy()
    if not parts:
        return library.Query.all_query()
    return parts[0] if len(parts) == 1 else library.Query.boolean_query([(library.Occur.Must, part) for part in parts])


def any_of(parts: list[Any]) -> Any:
    """Return the query for any of ``parts``; of none, nothing."""
    library = tantivy()
    if not parts:
        return library.Query.empty_query()
    return parts[0] if len(parts) == 1 else library.Query.boolean_query([(library.Occur.Should, p) for p in parts])


def none_of(part: Any) -> Any:
    """Return the query for everything else."""
    library = tantivy()
    return library.Query.boolean_query([(library.Occur.Must, library.Query.all_query()), (library.Occur.MustNot, part)])


def _leaf(leaf: Leaf, snapshot: Snapshot) -> Any | None:
    """Return the query for a leaf; None where it cannot be said."""
    path = codes.resolved(leaf.field)
    if path == "id" and (leaf.op if isinstance(leaf, Compare) else "") in ("eq", "in", "ne"):
        return _named(cast(Compare, leaf), snapshot)
    if not path.startswith(codes.INDEXED):
        return None
    if isinstance(leaf, Exists):
        return snapshot.exact(codes.token(path, "e"))
    values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    if leaf.op in ("eq", "in"):
        return any_of([part for item in values for part in _equal(path, item, snapshot)])
    if leaf.op == "ne":
        return none_of(any_of([part for item in values for part in _equal(path, item, snapshot)]))
    return _ordered(path, leaf, values[0], snapshot) if values else tantivy().Query.empty_query()


def _named(leaf: Compare, snapshot: Snapshot) -> Any:
    library = tantivy()
    values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    ids = [item for item in values if isinstance(item, str) and codes.encodable(item)]
    terms = [library.Query.term_query(snapshot.schema, "id", id, index_option="basic") for id in ids]
    return none_of(any_of(terms)) if leaf.op == "ne" else any_of(terms)


def _equal(path: str, item: Scalar, snapshot: Snapshot) -> list[Any]:
    if isinstance(item, bool):
        return [snapshot.exact(codes.token(path, "b", "1" if item else "0"))]
    if isinstance(item, (int, float)):
        return [snapshot.exact(codes.token(path, "n", number_text(item)))] if item == item else []
    found = [snapshot.exact(codes.token(path, "s", codes.text_code(item)))]
    if (at := moment(item)) is not None:
        found.append(snapshot.exact(codes.token(path, "d", str(codes.microseconds(at)))))
    return found


def _ordered(path: str, leaf: Compare, item: Scalar, snapshot: Snapshot) -> Any | None:
    library = tantivy()
    if isinstance(item, bool):  # only equal ones compare
        return any_of(_equal(path, item, snapshot) if leaf.op in ("le", "ge") else [])
    if isinstance(item, (int, float)):
        if item != item or not snapshot.having(path, "N"):
            return library.Query.empty_query()
        column = snapshot.column(path, "n")
        if column is None or abs(item) > _EXACT_FLOAT:
            return None
        # -0.0 stands below 0.0 in a column, and is equal to it
        bound = float(item) if item else -0.0 if leaf.op in ("lt", "ge") else 0.0
        return _range(column, leaf, bound, snapshot)
    at = moment(item)
    if not snapshot.having(path, "S"):
        return library.Query.empty_query()
    if at is None:  # compared as text, which no column does
        return None
    column = snapshot.column(path, "d")
    return None if column is None else _range(column, leaf, codes.microseconds(at), snapshot)


def _range(column: str, leaf: Compare, bound: float, snapshot: Snapshot) -> Any:
    library = tantivy()
    kind = library.FieldType.Float if column.startswith("n") else library.FieldType.Integer
    inclusive = leaf.op in ("ge", "le")
    ends = (
        {"lower_bound": bound, "include_lower": inclusive}
        if leaf.op in ("gt", "ge")
        else {"upper_bound": bound, "include_upper": inclusive}
    )
    return library.Query.range_query(snapshot.schema, column, kind, **ends)
