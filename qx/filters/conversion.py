"""Amounts of filters and documents in one unit, exactly; the table of units is ``qx.text.units``'."""

from __future__ import annotations

from fractions import Fraction


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


def exact(number: float | str) -> Fraction:
    """Return a number as people wrote it: 19.99 is 1999/100.

    Raises:
        ValueError: it is no finite number.
    """
    return Fraction(str(number))


def plain(number: Fraction) -> int | float:
    """Return an int where the number is whole, else the nearest float."""
    return int(number) if number.denominator == 1 else float(number)
