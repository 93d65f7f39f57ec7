"""Filters that nobody asked for in so many words: made from constraints, and relaxed when they leave nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import cast

from qx.filters.tree import Compare, Filter, FilterOp, Leaf, combine, leaves, rewrite, simplify, without
from qx.serial import value
from qx.types import Constraint, Scalar

_HARDNESS: dict[str, int] = {"eq": 0, "in": 1, "lt": 2, "le": 2, "gt": 2, "ge": 2, "ne": 4}


@value
class Relaxed:
    """A weaker filter (None: nothing is asked any more) and the leaves that it does without."""

    filter: Filter | None
    dropped: tuple[Leaf, ...]


def from_constraints(constraints: Sequence[Constraint]) -> Filter | None:
    """Return the filter that the constraints ask for, each leaf ``inferred``; None where they ask for none.

    A wish (``prefer``) is no filter.  Several equalities on one field are alternatives.  Money without a currency
    ("under 500") is in the currency of the field, whatever the query's language suggests, and a bare 元 of Traditional text
    is so where the field's is counted in 元.
    """
    order: list[tuple[str, str, str | None, bool]] = []
    equal: dict[tuple[str, str, str | None, bool], list[Scalar]] = {}
    rest: list[Filter] = []
    for constraint in constraints:
        values = constraint.value if isinstance(constraint.value, tuple) else (constraint.value,)
        if constraint.op == "prefer" or not values:
            continue
        if constraint.op in ("eq", "in"):
            key = (constraint.field, _kind(values[0]), _unit(constraint), constraint.hard)
            order.append(key)
            equal.setdefault(key, []).extend(values)
        else:
            rest += [_leaf(constraint, item) for item in values]
    return combine(*(_alternatives(key, equal[key]) for key in dict.fromkeys(order)), *rest)


def _kind(item: Scalar) -> str:
    """What values of one kind are alternatives: 14 and 15.6 are both numbers."""
    return "number" if isinstance(item, (int, float)) and not isinstance(item, bool) else type(item).__name__


def _leaf(constraint: Constraint, item: Scalar) -> Compare:
    op = cast("FilterOp", constraint.op)
    unit = _unit(constraint)
    return Compare(field=constraint.field, op=op, value=item, unit=unit, origin="inferred", soft=not constraint.hard)


def _unit(constraint: Constraint) -> str | None:
    """The unit that was said; a currency that was only supposed is none.

    Where words say 元 and the rules supposed Taiwan's, the text is Traditional: any currency that is counted so may be
    meant (``qx.filters.fieldmap``).
    """
    if not constraint.unit or not constraint.text:
        return constraint.unit
    said = _currencies(constraint.text)
    if said == ("",):
        return None
    return "元" if constraint.unit == "TWD" and said == ("CNY",) else constraint.unit


@lru_cache(maxsize=512)
def _currencies(words: str) -> tuple[str, ...]:
    """The currencies of the amounts of money that ``words`` say, each once; "": an amount without one."""
    from qx.text import quantities  # imported late: filters alone need none of it

    money = (quantity for quantity in quantities.find(words) if quantity.kind == "money")
    return tuple(dict.fromkeys(quantity.unit or "" for quantity in money))


def _alternatives(key: tuple[str, str, str | None, bool], values: Sequence[Scalar]) -> Compare:
    field, _, unit, hard = key
    distinct = tuple(dict.fromkeys(values))
    op: FilterOp = "eq" if len(distinct) == 1 else "in"
    to = distinct[0] if len(distinct) == 1 else distinct
    return Compare(field=field, op=op, value=to, unit=unit, origin="inferred", soft=not hard)


def relaxations(tree: Filter | None) -> Iterator[Relaxed]:
    """Yield weaker filters, the nearest to ``tree`` first: each does without one ``inferred`` leaf, then without two.

    Of as many, wishes go first, then features (``eq``, ``in``), then ranges; of equals the one said last goes first.
    Beyond two leaves each filter does without one more, until none is left.  ``caller`` and ``typed`` leaves are never
    touched, and no exclusion is: without it the very thing that is not wanted would be found.
    """
    kept = {leaf for leaf in leaves(simplify(tree)) if leaf.origin != "inferred"} | set(exclusions(tree))
    inferred = [leaf for leaf in leaves(tree) if leaf.origin == "inferred"]
    able = [
        leaf
        for leaf in sorted(dict.fromkeys(reversed(inferred)), key=_hardness)
        if leaf not in kept and kept.issubset(leaves(_less(tree, (leaf,))))  # else an alternative to what was said
    ]
    tried = [*combinations(able, 1), *combinations(able, 2), *(tuple(able[:n]) for n in range(3, len(able) + 1))]
    for dropped in tried:
        weaker = _less(tree, dropped)
        if kept.issubset(leaves(weaker)):
            yield Relaxed(filter=weaker, dropped=dropped)


def exclusions(tree: Filter | None) -> tuple[Leaf, ...]:
    """Return the ``inferred`` leaves that say what is not wanted: ``ne``, ``eq false``, and what stands in a ``Not``."""
    found: dict[Leaf, None] = {}

    def look(leaf: Leaf, positive: bool) -> Filter | None:
        if leaf.origin == "inferred" and _excludes(leaf, positive=positive):
            found[leaf] = None
        return leaf

    rewrite(simplify(tree), look)
    return tuple(found)


def _excludes(leaf: Leaf, *, positive: bool) -> bool:
    if not isinstance(leaf, Compare):
        return not positive
    denies = leaf.op == "ne" or (leaf.op == "eq" and leaf.value is False)
    return denies if positive else leaf.op in ("eq", "in") and not denies


def _less(tree: Filter | None, dropped: Sequence[Leaf]) -> Filter | None:
    return without(tree, frozenset(dropped).__contains__)


def _hardness(leaf: Leaf) -> tuple[bool, int]:
    return (not leaf.soft, _HARDNESS[leaf.op]) if isinstance(leaf, Compare) else (True, 3)
