"""A filter as a person reads it: ``price <= 5000 and (brand = HP or brand = Dell)``."""

from __future__ import annotations

from qx.filters import And, Compare, Exists, Filter, Not, Or

_SIGNS = {"eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def filter_text(tree: Filter) -> str:
    """Return the filter on one line, in the names that stand in it."""
    if isinstance(tree, Compare):
        return _comparison(tree)
    if isinstance(tree, Exists):
        return f"{tree.field} is there"
    if isinstance(tree, Not):
        return f"not ({filter_text(tree.filter)})"
    if isinstance(tree, Or) and any(Not(filter=part) in tree.filters for part in tree.filters):
        return "everything"
    word, nothing = ("and", "everything") if isinstance(tree, And) else ("or", "nothing")
    parts = [f"({filter_text(part)})" if isinstance(part, (And, Or)) else filter_text(part) for part in tree.filters]
    return f" {word} ".join(parts) or nothing


def _comparison(leaf: Compare) -> str:
    values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    shown = [f"{item:g}" if isinstance(item, float) and abs(item) < 1e6 else str(item) for item in values]
    unit = f" {leaf.unit}" if leaf.unit else ""
    if leaf.op == "in":
        return f"{leaf.field} in ({', '.join(shown)}){unit}"
    return f"{leaf.field} {_SIGNS[leaf.op]} {', '.join(shown)}{unit}"
