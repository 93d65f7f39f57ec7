"""Where a field map and the index do not go together: names that no document has, numbers that are none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from qx.backend import SearchBackend, SupportsCount, SupportsFilter, SupportsVocabulary
from qx.domain import ConstraintField
from qx.errors import QxError
from qx.filters import Compare, Exists, Filter, Or
from qx.filters.fieldmap import StoredField
from qx.indexing.inferring import canonical_name
from qx.indexing.sampling import leaves, sample
from qx.registry import suggest

OWN = frozenset({"id", "title", "text", "url"})
"""Stored names of a document's own parts, which are there whether a document has one or not."""
MOST_VALUES = 1000
"""Values of a field that are looked at; of one with more nothing is said."""
_KINDS: Mapping[str, tuple[str | float, str]] = {"number": (0, "number"), "date": ("2000-01-01", "date")}
"""Type -> a value that divides all of it in two, and what it is called."""


async def mismatches(backend: SearchBackend, declared: Collection[str]) -> tuple[str, ...]:
    """Return what is wrong with the fields of a profile, one sentence each; none where the index cannot say, or is empty.

    Args:
        declared: The canonical fields that the profile names itself.

    Raises:
        QxError: the engine cannot be asked.
    """
    if (
        not isinstance(backend, SupportsCount)
        or not isinstance(backend, SupportsFilter)
        or not await backend.count(None)
    ):
        return ()
    found: list[str] = []
    absent: list[tuple[str, StoredField]] = []
    for name, field in backend.fields.items():
        if name not in declared or field.name in OWN or backend.inexpressible(Exists(field=field.name)):
            continue
        having = await backend.count(Exists(field=field.name))
        if not having:
            absent.append((name, field))
        elif field.type in _KINDS and (wrong := having - await _fitting(backend, backend, field, having)) > 0:
            documents = f"{wrong} document{'s' if wrong > 1 else ''}"
            what = _KINDS[str(field.type)][1]
            found.append(f"{name}: {documents}: {field.name} is no {what}: no condition on it finds them")
        found += await _unheld(backend, name, field)
    known = await _stored(backend) if absent else ()
    return (*(_absent(name, field, known) for name, field in absent), *found)


def misnamed(declared: Collection[str], known: Sequence[ConstraintField]) -> tuple[str, ...]:
    """Return which of a profile's fields no query's words speak of, since the canonical field has another name.

    Args:
        declared: The fields that the profile names.
        known: The canonical fields of its packs.
    """
    found = [(name, canonical) for name in sorted(declared) if (canonical := canonical_name(name, known)) is not None]
    return tuple(
        f"{name}: no query's words speak of a field of this name: call it {canonical!r}"
        for name, canonical in found
        if canonical not in declared
    )


async def _unheld(backend: SearchBackend, name: str, field: StoredField) -> list[str]:
    """What ``values`` says is stored, and is not; an engine that cannot list them is believed."""
    if not field.values or not isinstance(backend, SupportsVocabulary):
        return []
    held = {item for item, _ in await backend.values(field.name, limit=MOST_VALUES)}
    wrong = [(said, stored) for said, stored in field.values.items() if stored not in held]
    if not held or not wrong or len(held) >= MOST_VALUES:
        return []
    turned = [f"{stored}: {said}" for said, stored in wrong if said in held]
    hint = (
        f" (what is said stands on the left, the stored value on the right: {{{', '.join(turned)}}})" if turned else ""
    )
    named = ", ".join(dict.fromkeys(stored for _, stored in wrong))
    return [f"{name}: `values` names what no document has in {field.name}: {named}{hint}"]


async def _fitting(backend: SupportsCount, filtering: SupportsFilter, field: StoredField, having: int) -> int:
    """How many documents hold a value of the field's type; all that have any, where the engine cannot say."""
    middle = _KINDS[str(field.type)][0]
    below: Filter = Compare(field=field.name, op="lt", value=middle)
    above: Filter = Compare(field=field.name, op="ge", value=middle)
    either = Or(filters=(below, above))
    return having if filtering.inexpressible(either) else await backend.count(either)


async def _stored(backend: SearchBackend) -> tuple[str, ...]:
    """Return the paths of metadata in some of the documents."""
    try:
        hits = (await sample(backend)).hits
    except QxError:
        return ()
    return tuple(dict.fromkeys(path for hit in hits for path, _ in leaves(hit.metadata)))


def _absent(name: str, field: StoredField, known: Collection[str]) -> str:
    asked = field.name.removeprefix("metadata.")
    near = suggest(asked, known)
    return f"{name}: no document has a field {field.name}{f' ({near})' if near else ''}"


__all__ = ["OWN", "mismatches"]
