"""Why a condition or an order came to nothing: a stored name that no document has, a value that is spelt otherwise."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from qx.backend import SearchBackend, SupportsCount, SupportsFilter
from qx.calls.connection import Connection
from qx.context import Context
from qx.errors import QxError
from qx.filters import Compare, Exists, Filter, Leaf, leaves, without
from qx.filters.fieldmap import StoredField
from qx.steps.grounding.brands import FIELD as BRAND
from qx.steps.grounding.held import held
from qx.steps.grounding.spellings import mapped, spellings

SECONDS = 0.5
"""How long an engine has to say whether any document has a field."""
_OWN = frozenset({"id", "title", "text", "url"})


async def tell_absent(
    connections: Sequence[Connection], trees: Iterable[Filter | None], others: Iterable[str], context: Context
) -> None:
    """Note what no document has of the fields that were asked for, and of the caller's values how the index spells them.

    Args:
        trees: The filters that left nothing, in canonical fields.
        others: Further fields, such as those of an order.
    """
    found = list(dict.fromkeys(leaf for tree in trees for leaf in leaves(tree)))
    for name in dict.fromkeys([*(leaf.field for leaf in found), *others]):
        having = [c for c in connections if name in c.backend.fields]
        missing = [c for c in having if await _is_absent(c, c.backend.fields[name])]
        for connection in missing:
            context.note(f"{name}: no document of {connection.name} has a field {connection.backend.fields[name].name}")
        if having and not missing:
            backends = [connection.backend for connection in having]
            for leaf in found:
                if leaf.field == name:
                    await _tell_spelling(leaf, backends, context)


async def _is_absent(connection: Connection, field: StoredField) -> bool:
    backend, tree = connection.backend, Exists(field=field.name)
    if field.name in _OWN or not isinstance(backend, SupportsCount) or not isinstance(backend, SupportsFilter):
        return False
    try:
        return not backend.inexpressible(tree) and not await connection.aside(backend.count(tree), SECONDS)
    except QxError:  # what cannot be known is not told
        return False


async def _tell_spelling(leaf: Leaf, backends: Sequence[SearchBackend], context: Context) -> None:
    """A caller's value goes as it was given; where no document has it, the one that is near is named.

    It is read under the caller's other conditions, and only where the field says what a thing is: that of an unknown field
    may be the name of another tenant of the index.
    """
    if not isinstance(leaf, Compare) or leaf.origin != "caller" or leaf.op not in ("eq", "in"):
        return
    if context.vocabulary is None or not _describes(leaf.field, context):
        return
    others = without(context.query.filters, lambda one: one.field == leaf.field)
    known = await held(leaf.field, backends, context, ask=True, vocabulary=context.vocabulary.within(others))
    fields = [backend.fields[leaf.field] for backend in backends]
    if known is None or not known.values:
        return
    for item in leaf.value if isinstance(leaf.value, tuple) else (leaf.value,):
        if not isinstance(item, str) or item in known.values or mapped(item, fields) or not known.complete:
            continue
        near = _near(leaf.field, item, known.values, context)
        context.note(f"{leaf.field}: no document has “{item}”" + (f"; the index holds {near}" if near else ""))


def _describes(field: str, context: Context) -> bool:
    return field == BRAND or any(known.id == field for known in context.knowledge.taxonomy.fields)


def _near(field: str, item: str, known: Sequence[str], context: Context) -> str:
    """The stored values that a value means, in quotes."""
    meant = [f.values[item] for f in context.knowledge.taxonomy.fields if f.id == field and item in f.values]
    found = next((same for one in (item, *meant) if (same := spellings(one, known, context.knowledge))), ())
    if not found:
        found = tuple(difflib.get_close_matches(item, known, n=1))
    return ", ".join(f"“{one}”" for one in found)


__all__ = ["tell_absent"]
