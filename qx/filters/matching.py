"""What a filter means: the reference that every backend's compilation is tested against.

- A document without a value (absent, null, an empty list) matches no comparison but ``ne``.
- Of a list any element may match; ``ne`` says that no element is equal (it is ``Not`` of ``eq``).
- Text is equal exactly, but two texts of one moment are equal.
- Numbers compare with numbers, text with text, dates with dates; nothing else has an order.  Before and after a date: a
  stored ``2021`` or ``2021-05`` is the moment of its beginning, and a text that is no date matches no comparison.
- ``And`` of none matches everything, ``Or`` of none nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import cast

from qx.filters.tree import And, Compare, Exists, Filter, Not, Or


def evaluate(tree: Filter | None, record: Mapping[str, object]) -> bool:
    """Return whether ``record`` matches.

    Args:
        tree: A filter in the record's own names and values (units are not looked at); None matches everything.
        record: Field -> value or list of values; ``metadata.brand`` also looks inside of mappings.
    """
    if tree is None:
        return True
    if isinstance(tree, And):
        return all(evaluate(part, record) for part in tree.filters)
    if isinstance(tree, Or):
        return any(evaluate(part, record) for part in tree.filters)
    if isinstance(tree, Not):
        return not evaluate(tree.filter, record)
    found = values(record, tree.field)
    return bool(found) if isinstance(tree, Exists) else _compare(tree, found)


def values(record: Mapping[str, object], field: str) -> list[object]:
    """Return the values of a field, none where it is absent; ``metadata.brand`` also looks inside of mappings."""
    found: object = record.get(field)
    if found is None and "." in field:
        head, _, rest = field.partition(".")
        inner = record.get(head)
        return values(cast("Mapping[str, object]", inner), rest) if isinstance(inner, Mapping) else []
    items = list(cast("Sequence[object]", found)) if isinstance(found, (list, tuple, set, frozenset)) else [found]
    return [item for item in items if item is not None]


def _compare(leaf: Compare, found: list[object]) -> bool:
    wanted = leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)
    if leaf.op in ("eq", "in"):
        return any(_order(item, want) == 0 for item in found for want in wanted)
    if leaf.op == "ne":
        return not any(_order(item, want) == 0 for item in found for want in wanted)
    allowed = {"lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (0, 1)}[leaf.op]
    return any(_order(item, wanted[0], beginning) in allowed for item in found) if wanted else False


def _order(item: object, want: object, at: Callable[[object], datetime | None] | None = None) -> int | None:
    """Return -1, 0 or 1; None where the two cannot be compared.  ``at`` reads dates, by default ``moment``."""
    if isinstance(item, bool) or isinstance(want, bool):
        return 0 if isinstance(item, bool) and isinstance(want, bool) and item == want else None
    if isinstance(item, (int, float)) and isinstance(want, (int, float)):
        return (item > want) - (item < want) if item == item and want == want else None
    if isinstance(item, date) or isinstance(want, date) or (item != want and moment(want) is not None):
        left, right = (at or moment)(item), (at or moment)(want)
        return (left > right) - (left < right) if left is not None and right is not None else None
    if isinstance(item, str) and isinstance(want, str):
        return (item > want) - (item < want)
    return None


def moment(item: object) -> datetime | None:
    """Return the moment (aware, UTC where nothing is said) that a date or its ISO text names; None for anything else."""
    if isinstance(item, date) and not isinstance(item, datetime):
        item = datetime(item.year, item.month, item.day)
    if isinstance(item, str) and len(item) >= 10 and item[:4].isdigit():
        try:
            item = datetime.fromisoformat(item)
        except ValueError:
            return None
    if not isinstance(item, datetime):
        return None
    return item if item.tzinfo else item.replace(tzinfo=UTC)


_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2}))?", re.ASCII)


def beginning(item: object) -> datetime | None:
    """Return what ``moment`` does, and for ``2021`` and ``2021-05`` the moment of their beginning."""
    partial = _PARTIAL.fullmatch(item) if isinstance(item, str) else None
    if partial is None:
        return moment(item)
    try:
        return datetime(int(partial[1]), int(partial[2] or 1), 1, tzinfo=UTC)
    except ValueError:
        return None
