"""The types of stored fields that a profile leaves open: those of what the documents hold."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from qx.filters.fieldmap import FieldMap, StoredField
from qx.filters.matching import values
from qx.in_memory.entry import Entry

_SAMPLE = 1000


def typed(fields: FieldMap, entries: Iterable[Entry]) -> FieldMap:
    """Return the field map with a type for every field that some document has."""
    sample = list(islice(entries, _SAMPLE))
    return {name: field if field.type is not None else _typed(field, sample) for name, field in fields.items()}


def _typed(field: StoredField, sample: list[Entry]) -> StoredField:
    from qx.indexing.inferring import type_of  # imported late: its table of units is long

    if field.name in ("title", "text"):
        return field.model_copy(update={"type": "text"})
    if field.name in ("id", "url"):
        return field.model_copy(update={"type": "keyword"})
    held = [item for entry in sample for item in values(entry.record, field.name)]
    return field.model_copy(update={"type": type_of(held)}) if held else field
