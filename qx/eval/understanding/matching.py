"""When what was read is what was wanted: exactly, or in part; and how many of both meet, one to one.

========================  ============================================  =================================================
what                      exact                                         partial
========================  ============================================  =================================================
entity                    the same text (folded) and type               texts that overlap in the query, the same type
constraint                the same field, op, value, and unit if given  the same field and op, and a close value:
                                                                        numbers within 10 %, of texts one in the other
implicit need             the same text (folded)                        one in the other, or 60 % alike
========================  ============================================  =================================================

Each wanted one meets at most one that was read, so that as many meet as can (Kuhn's algorithm).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from qx.eval.understanding.rows import WantedConstraint, WantedEntity
from qx.text.normalise import fold, similarity, simplified
from qx.types import Constraint, Entity, Scalar

A = TypeVar("A")
B = TypeVar("B")

CLOSE = 0.1
"""Share of a wanted number by which a close one may miss it."""
ALIKE = 0.6
"""Similarity from which two wordings of a need count as partly the same."""


def pairs(wanted: Sequence[A], read: Sequence[B], fits: Callable[[A, B], bool]) -> int:
    """Return how many of ``wanted`` and ``read`` can be paired one to one where ``fits`` holds."""
    edges = [[j for j, item in enumerate(read) if fits(want, item)] for want in wanted]
    partner: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j in edges[i]:
            if j not in seen:
                seen.add(j)
                if j not in partner or place(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    return sum(place(i, set()) for i in range(len(wanted)))


def same_entity(wanted: WantedEntity, read: Entity) -> bool:
    """Whether an entity was read exactly: the same text (folded) and type."""
    return _same_type(wanted, read) and plain(wanted.text) == plain(read.text)


def overlapping_entity(query: str) -> Callable[[WantedEntity, Entity], bool]:
    """Return what says whether two entities of ``query`` have one type and overlap in it."""
    text = plain(query)

    def fits(wanted: WantedEntity, read: Entity) -> bool:
        if not _same_type(wanted, read):
            return False
        one, other = plain(wanted.text), plain(read.text)
        if one in other or other in one:
            return bool(one and other)
        return any(a < d and c < b for a, b in _places(one, text) for c, d in _places(other, text))

    return fits


def same_constraint(wanted: WantedConstraint, read: Constraint) -> bool:
    """Whether a constraint was read exactly: the same field, op, value, and unit if one is wanted."""
    return _same_limit(wanted, read) and _equal(wanted.value, read.value)


def close_constraint(wanted: WantedConstraint, read: Constraint) -> bool:
    """Whether a constraint was read in part: the same field, op and unit, and a close value."""
    return _same_limit(wanted, read) and _close(wanted.value, read.value)


def same_need(wanted: str, read: str) -> bool:
    """Whether a need was read exactly: the same text (folded)."""
    return plain(wanted) == plain(read)


def like_need(wanted: str, read: str) -> bool:
    """Whether a need was read in part: one text in the other, or ``ALIKE``."""
    one, other = plain(wanted), plain(read)
    return bool(one and other) and (one in other or other in one or similarity(one, other) >= ALIKE)


def plain(text: str) -> str:
    """Return ``text`` as it is compared: folded, in Simplified characters."""
    return simplified(fold(text))


def _same_type(wanted: WantedEntity, read: Entity) -> bool:
    return wanted.type is None or fold(wanted.type) == fold(read.type)


def _places(part: str, text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = text.find(part) if part else -1
    while at >= 0:
        found.append((at, at + len(part)))
        at = text.find(part, at + 1)
    return found


def _same_limit(wanted: WantedConstraint, read: Constraint) -> bool:
    unit = wanted.unit is None or fold(wanted.unit) == fold(read.unit or "")
    return unit and fold(wanted.field) == fold(read.field) and wanted.op == read.op


Values = Scalar | tuple[Scalar, ...]


def _equal(wanted: Values, read: Values) -> bool:
    if isinstance(wanted, tuple) or isinstance(read, tuple):
        one, other = _listed(wanted), _listed(read)
        return len(one) == len(other) == pairs(one, other, _equal)
    if isinstance(wanted, bool) or isinstance(read, bool):
        return wanted is read
    if isinstance(wanted, str) or isinstance(read, str):
        return plain(str(wanted)) == plain(str(read))
    return abs(wanted - read) <= 1e-9 * max(1.0, abs(wanted))


def _close(wanted: Values, read: Values) -> bool:
    if _equal(wanted, read):
        return True
    if isinstance(wanted, tuple) or isinstance(read, tuple):
        return pairs(_listed(wanted), _listed(read), _close) > 0
    if isinstance(wanted, bool) or isinstance(read, bool):
        return False
    if isinstance(wanted, str) or isinstance(read, str):
        one, other = plain(str(wanted)), plain(str(read))
        return bool(one and other) and (one in other or other in one)
    return abs(wanted - read) <= CLOSE * abs(wanted)


def _listed(item: Values) -> tuple[Scalar, ...]:
    return item if isinstance(item, tuple) else (item,)
