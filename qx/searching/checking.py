"""Conditions, orders and counts by fields that no engine has: a mistake that would only ever find nothing, told at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from qx.backend import SearchBackend
from qx.errors import UsageError
from qx.filters import Filter, leaves
from qx.filters.fieldmap import lower
from qx.registry import suggest
from qx.types import SearchOptions

OWN = frozenset({"id", "title", "text", "url"})
"""What every document has, declared or not."""


def check(backends: Sequence[SearchBackend], filters: Filter | None, options: SearchOptions) -> None:
    """Refuse what no backend could do; a backend that does not know its fields may be able to do anything.

    Raises:
        UsageError: a field of a filter, an order or a count is none, or is compared with what it cannot hold.
    """
    if filters is None and not options.sort and not options.facets:
        return
    if not all(backend.fields for backend in backends):
        return
    named = {field for backend in backends for field in backend.fields}
    stored = {field.name for backend in backends for field in backend.fields.values()}
    known = named | stored | OWN
    for what, fields in (("sort", [s.field for s in options.sort]), ("facets", options.facets)):
        for field in fields:
            if field not in known and "." not in field:  # a dot leads into what is stored, and nobody declared
                raise _unknown(what, field, named)
    for leaf in leaves(filters):
        if leaf.field not in named:
            raise _unknown("filter", leaf.field, named)
        reasons = [lower(leaf, b.fields).unlowered for b in backends if leaf.field in b.fields]
        if all(reasons):
            raise UsageError(f"filter: no backend can apply it: {reasons[0][0].reason}")


def _unknown(what: str, field: str, known: Collection[str]) -> UsageError:
    near = suggest(field, known)
    return UsageError(
        f"{what}: no backend of the profile has a field {field!r}{f' ({near})' if near else ''}; "
        f"known: {', '.join(sorted(known))}"
    )


__all__ = ["check"]
