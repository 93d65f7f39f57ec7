"""The caller's order by fields, and the counts of values beside a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from qx.backend import Sort
from qx.filters.fieldmap import FieldMap
from qx.filters.matching import beginning, moment, values
from qx.in_memory.entry import Entry

_Key = tuple[int, float | datetime | str]


def in_order(entries: Sequence[Entry], sorts: Sequence[Sort], fields: FieldMap) -> list[Entry]:
    """Return documents in the order of ``sorts``: those without a value last, equal ones as they stood.

    A list counts by its least value, downwards by its greatest; a date is its moment.
    """
    dates = {f.name for f in fields.values() if f.type == "date"}
    found = list(entries)
    for sort in reversed(sorts):
        keys = {id(entry): _key(entry, sort, sort.field in dates) for entry in found}
        having = [entry for entry in found if keys[id(entry)] is not None]
        having.sort(key=lambda entry: keys[id(entry)] or (0, 0.0), reverse=sort.descending)
        found = having + [entry for entry in found if keys[id(entry)] is None]
    return found


def _key(entry: Entry, sort: Sort, is_date: bool) -> _Key | None:
    keys = [_comparable(item, is_date) for item in values(entry.record, sort.field)]
    known = [key for key in keys if key is not None]
    if not known:
        return None
    return max(known) if sort.descending else min(known)


def _comparable(item: object, is_date: bool) -> _Key | None:
    """A value with the place of its kind first, since numbers, dates and texts have no common order."""
    if isinstance(item, (bool, int, float)):
        return (0, float(item)) if item == item else None
    if (at := (beginning if is_date else moment)(item)) is not None:
        return (1, at)
    return (2, item) if isinstance(item, str) and not is_date else None


def counted(entries: Iterable[Entry], field: str) -> tuple[tuple[str, int], ...]:
    """Return the values of a stored field with the number of documents that have each, most frequent first."""
    found: Counter[str] = Counter()
    for entry in entries:
        found.update(dict.fromkeys(_text(item) for item in values(entry.record, field)).keys())
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _text(item: object) -> str:
    return str(item).lower() if isinstance(item, bool) else str(item)
