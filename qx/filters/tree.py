"""The filter tree.  Each leaf knows its origin: ``caller`` filters are never relaxed, ``inferred`` ones may be.

The tree is plain data and imports nothing heavy; ``node`` names the kind of a node in JSON.  What is done with it has
files of its own: ``qx.filters.fieldmap`` lowers it onto an engine's fields, ``qx.filters.inference`` makes it from constraints and
relaxes it, ``qx.filters.options`` reads it from the command line, ``qx.filters.matching`` is the reference of what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from qx.serial import value

Origin = Literal["caller", "typed", "inferred"]
FilterOp = Literal["eq", "ne", "lt", "le", "gt", "ge", "in"]


@value
class Compare:
    """``field op value`` in canonical names and units; ``soft``: from a wish, so the first to be relaxed."""

    field: str
    op: FilterOp
    value: str | int | float | bool | tuple[str | int | float | bool, ...]
    unit: str | None = None
    origin: Origin = "caller"
    soft: bool = False
    node: Literal["compare"] = "compare"


@value
class Exists:
    """The document has a value in ``field``."""

    field: str
    origin: Origin = "caller"
    node: Literal["exists"] = "exists"


@value
class And:
    """All of ``filters``; of none: everything."""

    filters: tuple[Filter, ...]
    node: Literal["and"] = "and"


@value
class Or:
    """Any of ``filters``; of none: nothing."""

    filters: tuple[Filter, ...]
    node: Literal["or"] = "or"


@value
class Not:
    """What ``filter`` does not match; a document without the field is among it."""

    filter: Filter
    node: Literal["not"] = "not"


Leaf = Compare | Exists
Filter = Compare | Exists | And | Or | Not

NOTHING = Or(filters=())
"""The filter that matches no document; None stands for the one that matches all."""


def leaves(tree: Filter | None) -> Iterator[Leaf]:
    """Yield the leaves from left to right."""
    if isinstance(tree, (And, Or)):
        for part in tree.filters:
            yield from leaves(part)
    elif isinstance(tree, Not):
        yield from leaves(tree.filter)
    elif tree is not None:
        yield tree


def everything(field: str) -> Filter:
    """Return a filter that every document passes: with it an empty query lists all of an index, sorted or counted.

    It has to be said: without a filter an empty query finds nothing.

    Args:
        field: Any canonical field of the engine; documents without a value in it pass too.
    """
    return Or(filters=(Exists(field=field), Not(filter=Exists(field=field))))


def combine(*trees: Filter | None) -> Filter | None:
    """Return the filter that asks for all of ``trees``; None where none of them asks for anything."""
    return simplify(And(filters=tuple(tree for tree in trees if tree is not None)))


def simplify(tree: Filter | None) -> Filter | None:
    """Return an equal filter without nesting, doubles and constants; leaves stay as they are."""
    return rewrite(tree, lambda leaf, positive: leaf)


def rewrite(tree: Filter | None, change: Callable[[Leaf, bool], Filter | None]) -> Filter | None:
    """Return the simplified tree with each leaf changed.

    Args:
        tree: The filter.
        change: Called with a leaf and whether it counts positively (under an even number of ``Not``).  It returns what
            takes the leaf's place, or None to take it out: the result is then never stronger than the whole was,
            wherever the leaf stood (of an ``Or`` every alternative goes with it).
    """
    if tree is None:
        return None
    found = _rewrite(tree, change, positive=True)
    if found is True:
        return None
    return NOTHING if found is False else found


def without(tree: Filter | None, unwanted: Callable[[Leaf], bool]) -> Filter | None:
    """Return the tree without the leaves that ``unwanted`` names: never stronger than it was."""
    return rewrite(tree, lambda leaf, positive: None if unwanted(leaf) else leaf)


def originated(tree: Filter, origin: Origin) -> Filter:
    """Return ``tree`` with ``origin`` on every leaf."""
    if isinstance(tree, And):
        return And(filters=tuple(originated(part, origin) for part in tree.filters))
    if isinstance(tree, Or):
        return Or(filters=tuple(originated(part, origin) for part in tree.filters))
    if isinstance(tree, Not):
        return Not(filter=originated(tree.filter, origin))
    return replace(tree, origin=origin)


def _rewrite(tree: Filter, change: Callable[[Leaf, bool], Filter | None], *, positive: bool) -> Filter | bool:
    if isinstance(tree, (And, Or)):
        return _joined(type(tree), [_rewrite(part, change, positive=positive) for part in tree.filters])
    if isinstance(tree, Not):
        inner = _rewrite(tree.filter, change, positive=not positive)
        if isinstance(inner, bool):
            return not inner
        return inner.filter if isinstance(inner, Not) else Not(filter=inner)
    changed = change(tree, positive)
    if changed is None:
        return positive  # the constant that makes the whole weaker
    return changed if changed is tree else _rewrite(changed, lambda leaf, _: leaf, positive=positive)


def _joined(kind: type[And] | type[Or], parts: list[Filter | bool]) -> Filter | bool:
    neutral = kind is And  # all of nothing is everything, any of nothing is nothing
    kept: dict[str, Filter] = {}  # by repr: True and 1 are equal in Python, but not in a filter
    for part in parts:
        if isinstance(part, bool):
            if part is not neutral:
                return not neutral
        else:
            kept.update((repr(item), item) for item in (part.filters if isinstance(part, kind) else (part,)))
    if not kept:
        return neutral
    return next(iter(kept.values())) if len(kept) == 1 else kind(filters=tuple(kept.values()))
