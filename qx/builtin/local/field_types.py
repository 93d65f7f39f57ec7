"""Types of fields that a profile leaves out, read from the values that documents have."""

from __future__ import annotations

from collections.abc import Mapping

from qx.builtin.local import codes
from qx.builtin.local.snapshot import Snapshot
from qx.filters.fieldmap import FieldType, StoredField


def typed(field: StoredField, snapshot: Snapshot) -> StoredField:
    """Return a field with the type that the stored values have, where the profile leaves it out."""
    if field.type is not None:
        return field
    path = codes.resolved(field.name)
    if path in snapshot.marker.texts:
        return field.model_copy(update={"type": "text"})
    held = {kind for kind in "NSBP" if snapshot.having(path, kind)}
    kinds: Mapping[frozenset[str], FieldType] = {
        frozenset("N"): "number",
        frozenset("B"): "bool",
        frozenset("S"): "date",
        frozenset("SP"): "keyword",
    }
    found = kinds.get(frozenset(held))
    return field if found is None else field.model_copy(update={"type": found})


__all__ = ["typed"]
