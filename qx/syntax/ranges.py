"""Ranges that a person typed (``price:..2000``, ``after:2023``) as a filter of origin ``typed``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from qx import filters
from qx.syntax.parser import parse
from qx.syntax.tree import And, Expression, Not, Range, conjunction

_PREFIXED = re.compile(r"(?<!\S)[-－]?[^\s:：]+[:：]\S+")


def typed_filter(expression: Expression) -> tuple[Expression, filters.Filter | None]:
    """Return the expression without the ranges that hold for all of it, and the filter that says them instead.

    A range among alternatives stays in the expression.
    """
    parts = expression.parts if isinstance(expression, And) else (expression,)
    kept: list[Expression] = []
    said: list[filters.Filter] = []
    for part in parts:
        if isinstance(part, Range):
            said.append(_compared(part))
        elif isinstance(part, Not) and isinstance(part.expression, Range):
            said.append(filters.Not(filter=_compared(part.expression)))
        else:
            kept.append(part)
    return conjunction(kept), filters.combine(*said)


def ranges(expression: Expression) -> tuple[Expression, ...]:
    """Return the parts that ``typed_filter`` takes out."""
    parts = expression.parts if isinstance(expression, And) else (expression,)
    return tuple(part for part in parts if isinstance(part.expression if isinstance(part, Not) else part, Range))


def without_ranges(text: str, fields: Iterable[str]) -> str:
    """Return ``text`` as typed with spaces where its ranges stand, so that all else keeps its place.

    ``laptop price:..200`` says ``laptop``.

    Args:
        text: A query as typed.
        fields: Canonical names that may stand before a colon.
    """
    if ":" not in text and "：" not in text:
        return text
    known = tuple(fields)

    def blank(match: re.Match[str]) -> str:
        return " " * len(match[0]) if ranges(parse(match[0], fields=known)) else match[0]

    return _PREFIXED.sub(blank, text)


def _compared(found: Range) -> filters.Filter:
    ends: list[filters.Filter] = []
    if found.low is not None:
        ends.append(filters.Compare(field=found.field, op="ge", value=found.low, origin="typed"))
    if found.high is not None:
        op = "lt" if found.exclusive else "le"
        ends.append(filters.Compare(field=found.field, op=op, value=found.high, origin="typed"))
    return filters.combine(*ends) or filters.Exists(field=found.field, origin="typed")
