"""What a filter means: the reference that every backend's compilation is tested against.

- A document without a value (absent, null, an empty list) matches no comparison but ``ne``.
- Of a list any element may match; ``ne`` says that no element is equal (it is ``Not`` of ``eq``).
- Text is equal exactly.  Numbers compare with numbers, text with text, dates with dates; nothing else has an order.
- ``And`` of none matches everything, ``Or`` of none nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    return any(_order(item, wanted[0]) in allowed for item in found) if wanted else False


def _order(item: object, want: object) -> int | None:
    """Return -1, 0 or 1; None where the two cannot be compared."""
    if isinstance(item, bool) or isinstance(want, bool):
        return 0 if isinstance(item, bool) and isinstance(want, bool) and item == want else None
    if isinstance(item, (int, float)) and isinstance(want, (int, float)):
        return (item > want) - (item < want) if item == item and want == want else None
    if isinstance(item, (date, datetime)) or isinstance(want, (date, datetime)) or _dates(item, want):
        left, right = moment(item), moment(want)
        return (left > right) - (left < right) if left is not None and right is not None else None
    if isinstance(item, str) and isinstance(want, str):
        return (item > want) - (item < want)
    return None


def _dates(item: object, want: object) -> bool:
    return item != want and moment(item) is not None and moment(want) is not None


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
