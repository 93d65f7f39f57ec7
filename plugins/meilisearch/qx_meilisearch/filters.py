"""Filters in Meilisearch's grammar, for an index that qx made and for one of others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from qx.errors import BadRequest
from qx.filters import And, Compare, Exists, Filter, Leaf, Not, Or, leaves
from qx.types import Scalar
from qx_meilisearch.tokens import moment, token

_SIGN = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
NOTHING = "qx.is IN []"
MAX_SIZE = 1000
"""The most that a filter may say, as ``size`` counts."""
_CONDITION = 3


def quote(text: str) -> str:
    """Return ``text`` as a quoted name or value: backslashes and double quotes escaped, so any text is a literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def too_much(tree: Filter) -> tuple[Filter, ...]:
    """Return the leaves of a filter that Meilisearch would take too long for, the longest; none where it is fine.

    Its time grows with the square of the filter: 1,000 values take 0.1 s, 20,000 take 20 s.  Cut up they take as long.
    """
    found = sorted(leaves(tree), key=lambda leaf: -size(leaf))
    left = sum(map(size, found))
    out: list[Filter] = []
    for leaf in found:
        if left <= MAX_SIZE:
            break
        out.append(leaf)
        left -= size(leaf)
    return tuple(out)


def size(tree: Filter | None) -> int:
    """Return how much of a filter there is to look at: its values, a condition counting as four of them."""
    if tree is None:
        return 0
    return sum(
        _CONDITION + (len(leaf.value) if isinstance(leaf, Compare) and isinstance(leaf.value, tuple) else 1)
        for leaf in leaves(tree)
    )


def seconds(tree: Filter | None) -> float:
    """Return what a filter adds to the time of each query that carries it: measured, rounded up."""
    return 1e-7 * size(tree) ** 2


def compile_filter(tree: Filter, leaf: Callable[[Leaf], str]) -> str:
    """Return the filter expression of ``tree`` with each leaf as ``leaf`` says; "" for one that lets all pass."""
    if isinstance(tree, (And, Or)):
        parts = [compile_filter(part, leaf) for part in tree.filters]
        if isinstance(tree, And):
            return joined(parts)
        if not parts:
            return NOTHING
        return "" if "" in parts else "(" + " OR ".join(parts) + ")"
    if isinstance(tree, Not):
        inner = compile_filter(tree.filter, leaf)
        return f"NOT ({inner})" if inner else NOTHING
    return leaf(tree)


def joined(parts: Sequence[str]) -> str:
    """Return the conjunction of filter expressions, without empty ones."""
    kept = [part for part in parts if part]
    return kept[0] if len(kept) == 1 else "(" + " AND ".join(kept) + ")" if kept else ""


class ExactFilters:
    """For an index that qx made: through the tokens beside each document, exactly as ``qx.filters.matching`` compares."""

    nothing = NOTHING

    def leaf(self, leaf: Leaf) -> str:
        is_field = quote(f"qx.is.{leaf.field}")
        if isinstance(leaf, Exists):
            return f"{is_field} EXISTS"
        values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
        if leaf.op in _SIGN:
            return self._ordered(leaf, values)
        any_of = [self._equal(leaf.field, item) for item in values if moment(item) is not None]
        plain = ", ".join(quote(token(item)) for item in values if moment(item) is None)
        if plain or not any_of:
            any_of.append(f"{is_field} IN [{plain}]")
        found = any_of[0] if len(any_of) == 1 else "(" + " OR ".join(any_of) + ")"
        return f"NOT ({found})" if leaf.op == "ne" else found

    def inexpressible(self, tree: Filter) -> tuple[Filter, ...]:
        """Return the leaves that ask for an order of text, which tokens have none of, and what is too much."""
        ordered = tuple(leaf for leaf in leaves(tree) if isinstance(leaf, Compare) and _orders_text(leaf))
        return ordered or too_much(tree)

    def _equal(self, field: str, item: Scalar) -> str:
        return f'{quote(f"qx.at.{field}")} = "{moment(item)!r}"'

    def _ordered(self, leaf: Compare, values: Sequence[Scalar]) -> str:
        item = values[0] if values else None
        if item is None or isinstance(item, bool):
            return self.nothing
        if isinstance(item, str):
            at = moment(item)
            if at is None:
                raise BadRequest(f"text has no order here: '{leaf.field} {leaf.op} {item}'; compare a number or a date")
            return f'{quote(f"qx.at.{leaf.field}")} {_SIGN[leaf.op]} "{at!r}"'
        return f'{quote(f"qx.number.{leaf.field}")} {_SIGN[leaf.op]} "{item!r}"'


class NativeFilters:
    """For an index of others: its own attributes, compared as Meilisearch does (text without case).

    Args:
        filterable: The attributes that its settings declare filterable; a declared parent takes its children in.
    """

    def __init__(self, filterable: Collection[str]) -> None:
        self._filterable = tuple(filterable)

    @property
    def nothing(self) -> str:
        """A filter that nothing passes; it needs a declared attribute."""
        name = next((name for name in self._filterable if "*" not in name), "")
        return f"{quote(name)} IN []" if name else ""

    def leaf(self, leaf: Leaf) -> str:
        name = quote(leaf.field)
        if isinstance(leaf, Exists):
            return f"({name} EXISTS AND {name} IS NOT NULL AND {name} IS NOT EMPTY)"
        values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
        if leaf.op in _SIGN:
            return f"{name} {_SIGN[leaf.op]} {_literal(values[0])}" if values else f"{name} IN []"
        found = f"{name} IN [{', '.join(_literal(item) for item in values)}]"
        return f"NOT ({found})" if leaf.op == "ne" else found

    def inexpressible(self, tree: Filter) -> tuple[Filter, ...]:
        """Return the leaves on attributes that are not declared filterable, and what is too much."""
        return tuple(leaf for leaf in leaves(tree) if not self.declared(leaf.field)) or too_much(tree)

    def declared(self, field: str) -> bool:
        """Return whether ``field`` may be filtered by."""
        return any(
            name in ("*", field) or field.startswith(f"{name}.") or (name[-1:] == "*" and field.startswith(name[:-1]))
            for name in self._filterable
        )


def _literal(item: Scalar) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    return quote(item) if isinstance(item, str) else f'"{item!r}"'


def _orders_text(leaf: Compare) -> bool:
    item = leaf.value[0] if isinstance(leaf.value, tuple) and leaf.value else leaf.value
    return leaf.op in _SIGN and isinstance(item, str) and moment(item) is None
