"""Amounts of filters and documents in one unit, exactly; the table of units is ``qx.text.units``'."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

_LARGEST = int(sys.float_info.max)
_EXACT = 2**53
_SPELT = 10**21


def canonical(unit: str | None) -> tuple[str | None, Fraction]:
    """Return the canonical name of a unit as people write it, and its factor: ``元`` is (CNY, 1), ``斤`` (kg, 1/2)."""
    from qx.text import units  # imported late: its table is long

    return units.canonical(unit)


def convert(number: Fraction, source: str | None, target: str | None) -> Fraction | None:
    """Return ``number`` of ``source`` in ``target``, None where that has no meaning (CNY in EUR, kg in cm).

    An absent unit is taken to be the other one.
    """
    from qx.text import units

    from_unit, factor = units.canonical(source)
    to_unit, divisor = units.canonical(target)
    if from_unit is None or to_unit is None:
        return number * factor / divisor
    made = units.convert(number * factor, from_unit, to_unit)
    return None if made is None else made / divisor


_THOUSANDS = {"KB": 1, "MB": 2, "GB": 3, "TB": 4, "PB": 5}


def binary(source: str | None, target: str | None) -> Fraction | None:
    """Return by how much an amount of memory is larger in ``target`` when units are of 1,024; None: of no two such units.

    A terabyte is 1,000 gigabytes to sellers of disks and 1,024 to those of memory, and documents hold either.
    """
    one, other = (_THOUSANDS.get(canonical(unit)[0] or "") for unit in (source, target))
    return None if one is None or other is None or one == other else Fraction(1024, 1000) ** (one - other)


def exact(number: float | str) -> Fraction:
    """Return a number as people wrote it: 19.99 is 1999/100.

    Raises:
        ValueError: it is no finite number.
    """
    return Fraction(str(number))


def plain(number: Fraction) -> int | float:
    """Return an int where the number is whole, else the nearest float."""
    return int(number) if number.denominator == 1 else float(number)


def as_given(number: int | float, given: object) -> int | float:
    """Return a float where a float was given that is beyond those whose neighbours differ by one.

    ``1e23`` is not 10 to the 23rd, but the float next to it: the one that documents hold, and the only one it equals.
    """
    return float(number) if isinstance(given, float) and isinstance(number, int) and abs(number) > _EXACT else number


def number_text(number: int | float) -> str:
    """Return one text for all numbers that are equal, whole or not: ``5``, ``0.1``, ``1e+300``."""
    if isinstance(number, float):
        whole = number.is_integer()
        return str(int(number)) if whole and abs(number) < _SPELT else repr(number)
    if abs(number) < _SPELT:
        return str(number)
    if abs(number) > _LARGEST:
        return hex(number)
    near = float(number)
    return repr(near) if int(near) == number else str(number)


def too_large(item: object) -> bool:
    """Return whether a value of a document, or one within it, is a whole number beyond the largest float (1.8e308).

    No engine orders such numbers, most refuse them, and with them all that is written in the same batch.
    """
    if isinstance(item, int):
        return abs(item) > _LARGEST
    if isinstance(item, (dict, Mapping)):
        inner: Iterable[object] = cast("Mapping[object, object]", item).values()
    elif isinstance(item, (list, tuple)):
        inner = cast("Sequence[object]", item)
    else:
        return False
    return any(not isinstance(one, (str, float)) and too_large(one) for one in inner)
