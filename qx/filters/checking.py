"""Whether a filter is one: what a caller builds in Python has no schema that refuses it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import cast, get_args

from qx.errors import UsageError
from qx.filters.tree import And, Compare, Exists, Filter, FilterOp, Not, Or

MOST_DEEP = 64
"""Levels of a tree: engines and Python itself go down by recursion, and end somewhere."""
_OPS: tuple[str, ...] = get_args(FilterOp)
_LARGEST = int(sys.float_info.max)
_TREE = "a filter is a tree of Compare, Exists, And, Or and Not (qx.filters), or None"


def checked(tree: object) -> Filter | None:
    """Return ``tree``.

    Raises:
        UsageError: it is no filter, or is nested too deeply; the text says what to pass.
    """
    if tree is None:
        return None
    level: list[object] = [tree]
    for _ in range(MOST_DEEP):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return cast("Filter", tree)
    raise UsageError(f"the filter is nested more than {MOST_DEEP} levels deep: write it flatter (an And or Or of many)")


def _parts(one: object) -> Iterator[object]:
    """Check one node and yield what is in it."""
    if isinstance(one, (And, Or)):
        parts = cast("object", one.filters)
        if not isinstance(parts, tuple):
            name = type(one).__name__
            raise UsageError(f"{name}(filters=…) takes a tuple of filters, not a {type(parts).__name__}")
        yield from cast("tuple[object, ...]", parts)
    elif isinstance(one, Not):
        yield one.filter
    elif isinstance(one, Compare):
        _check_comparison(one)
    elif isinstance(one, Exists):
        _check_field(one.field)
    else:
        raise UsageError(_instead(one))


def _instead(one: object) -> str:
    if isinstance(one, str):
        return f"{_TREE}, not the text {one[:60]!r}: qx.filters.options.parse_option reads one 'FIELD OP VALUE'"
    if isinstance(one, (list, tuple, set)):
        return f"{_TREE}, not a {type(cast('object', one)).__name__}: And(filters=(…)) asks for all of several"
    return f"{_TREE}, not {type(one).__name__}"


def _check_field(field: object) -> None:
    if not isinstance(field, str) or not field:
        raise UsageError(f"filter: a field is a canonical name, not {field!r}")


def _check_comparison(leaf: Compare) -> None:
    _check_field(leaf.field)
    where, op, unit = f"filter on {leaf.field[:60]!r}", cast("object", leaf.op), cast("object", leaf.unit)
    if op not in _OPS:
        raise UsageError(f"{where}: there is no operator {op!r}; there are {', '.join(_OPS)}")
    if unit is not None and not isinstance(unit, str):
        raise UsageError(f"{where}: a unit is a text such as 'USD', not {unit!r}")
    wanted = cast("object", leaf.value)
    for item in cast("tuple[object, ...]", wanted) if isinstance(wanted, tuple) else (wanted,):
        if not isinstance(item, (str, int, float)):
            kind = type(item).__name__
            several = ", for several values a tuple" if kind in ("list", "set", "tuple") else ""
            raise UsageError(f"{where}: a value is a str, int, float or bool{several}, not {kind}")
        if isinstance(item, int) and abs(item) > _LARGEST:
            raise UsageError(f"{where}: the number is greater than any that is stored ({sys.float_info.max:.1e})")


__all__ = ["MOST_DEEP", "checked"]
