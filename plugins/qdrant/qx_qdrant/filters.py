"""Filters of qx as Qdrant's, meaning the same as ``qx.filters.matching``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from qdrant_client import models

from qx.filters import And, Compare, Exists, Filter, Leaf, Not, Or, leaves

NOTHING = models.HasIdCondition(has_id=[])
"""No point has an id of none."""

_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")
_EXACT = 2**53
"""Whole numbers below it are exact as floats; ranges compare floats."""
_EXACT_64 = range(-(2**63), 2**63)


def path(field: str) -> str:
    """Return a stored name as Qdrant's path: parts with other characters in quotes."""
    return ".".join(part if _PLAIN_KEY.fullmatch(part) else f'"{part}"' for part in field.split("."))


def compiled(tree: Filter) -> models.Filter:
    """Return a lowered filter as Qdrant's; leaves that ``inexpressible`` names match nothing."""
    condition = _condition(tree)
    return condition if isinstance(condition, models.Filter) else models.Filter(must=[condition])


def inexpressible(tree: Filter) -> tuple[Leaf, ...]:
    """Return the leaves that Qdrant has no words for: an order of plain text, a quotation mark in a name."""
    return tuple(leaf for leaf in leaves(tree) if not _expressible(leaf))


def _expressible(leaf: Leaf) -> bool:
    if '"' in leaf.field or not all(leaf.field.split(".")):
        return False
    if isinstance(leaf, Exists) or leaf.op in ("eq", "ne", "in"):
        return True
    return not isinstance(leaf.value, str) or moment(leaf.value) is not None


def _condition(tree: Filter) -> Any:
    if isinstance(tree, And):
        return models.Filter(must=[_condition(part) for part in tree.filters])
    if isinstance(tree, Or):
        return any_of([_condition(part) for part in tree.filters])
    if isinstance(tree, Not):
        return models.Filter(must_not=[_condition(tree.filter)])
    if not _expressible(tree):
        return NOTHING
    if isinstance(tree, Exists):
        empty = models.IsEmptyCondition(is_empty=models.PayloadField(key=path(tree.field)))
        return models.Filter(must_not=[empty])
    return _compared(tree)


def any_of(conditions: Sequence[Any]) -> Any:
    """Return the alternative of ``conditions``; of none nothing matches (an empty ``should`` matches everything)."""
    if not conditions:
        return NOTHING
    return conditions[0] if len(conditions) == 1 else models.Filter(should=list(conditions))


def _compared(leaf: Compare) -> Any:
    values = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    if leaf.op in ("eq", "ne", "in"):
        same = any_of(_same(leaf.field, values))
        return models.Filter(must_not=[same]) if leaf.op == "ne" else same
    bound = {"lt": "lt", "le": "lte", "gt": "gt", "ge": "gte"}[leaf.op]
    item = values[0] if values else None
    if isinstance(item, bool) or item is None:
        return NOTHING  # true and false have no order
    if isinstance(item, str):
        return _between(leaf.field, models.DatetimeRange(**{bound: moment(item)}))
    return _between(leaf.field, models.Range(**{bound: float(item)})) if item == item else NOTHING


def _same(field: str, values: Sequence[str | int | float | bool]) -> list[Any]:
    """One condition for all plain texts, which makes a list of thousands quick; of each other value its own."""
    plain = [item for item in values if isinstance(item, str) and moment(item) is None]
    if len(plain) < 2:
        return [_equal(field, item) for item in values]
    others = [_equal(field, item) for item in values if not isinstance(item, str) or moment(item) is not None]
    return [models.FieldCondition(key=path(field), match=models.MatchAny(any=plain)), *others]


def _equal(field: str, item: str | int | float | bool) -> Any:
    if isinstance(item, bool) or (isinstance(item, int) and abs(item) >= _EXACT and item in _EXACT_64):
        return models.FieldCondition(key=path(field), match=models.MatchValue(value=item))
    if isinstance(item, (int, float)):  # as a range: an exact match tells 5 from 5.0
        try:
            number = float(item)
        except OverflowError:
            return NOTHING
        return _between(field, models.Range(gte=number, lte=number)) if number == number else NOTHING
    same = models.FieldCondition(key=path(field), match=models.MatchValue(value=item))
    at = moment(item)
    return same if at is None else any_of([same, _between(field, models.DatetimeRange(gte=at, lte=at))])


def _between(field: str, condition: models.Range | models.DatetimeRange) -> Any:
    return models.FieldCondition(key=path(field), range=condition)


def moment(text: str) -> datetime | None:
    """Return the instant that a stored or wanted text names (ISO, without a zone UTC), as ``qx.filters.matching`` reads it."""
    if len(text) < 10 or not text[:4].isdigit():
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def kind(item: object) -> str | None:
    """Return the type of a stored value as a field map names it; None where it has none."""
    if isinstance(item, bool):
        return "bool"
    if isinstance(item, (int, float)):
        return "number"
    if isinstance(item, str):
        return "date" if moment(item) else "keyword"
    return "date" if isinstance(item, (date, datetime)) else None


def common(kinds: Iterable[str | None]) -> str | None:
    """Return the one type of a field whose values have ``kinds``: text of which some looks like dates is text."""
    found = set(kinds) - {None}
    if found == {"date", "keyword"}:
        return "keyword"
    return found.pop() if len(found) == 1 else None
