"""Converting amounts between units of one dimension, exactly: GB and TB, inch and cm, °C and °F; never currencies."""

from __future__ import annotations

from fractions import Fraction

_F = Fraction
_DIMENSIONS: tuple[dict[str, Fraction], ...] = (
    {"KB": _F(1), "MB": _F(10**3), "GB": _F(10**6), "TB": _F(10**9), "PB": _F(10**12)},
    {
        "nm": _F(1, 10**9), "mm": _F(1, 1000), "cm": _F(1, 100), "m": _F(1), "km": _F(1000),
        "inch": _F(254, 10000), "ft": _F(3048, 10000), "mile": _F(1609344, 1000),
    },
    {"mg": _F(1, 1000), "g": _F(1), "kg": _F(1000), "t": _F(10**6), "lb": _F(45359237, 10**5), "oz": _F(45359237, 1600000)},
    {"ms": _F(1, 1000), "s": _F(1), "min": _F(60), "h": _F(3600), "d": _F(86400), "week": _F(604800)},
    {"month": _F(1), "year": _F(12)},
    {"W": _F(1), "kW": _F(1000)},
    {"Hz": _F(1), "kHz": _F(10**3), "MHz": _F(10**6), "GHz": _F(10**9)},
    {"ml": _F(1, 1000), "L": _F(1)},
    {"Mbps": _F(1), "Gbps": _F(1000)},
    {"m2": _F(1), "ft2": _F(9290304, 10**8)},
    {"km/h": _F(1), "mph": _F(1609344, 10**6)},
)  # fmt: skip
_SIZES = {unit: (number, size) for number, units in enumerate(_DIMENSIONS) for unit, size in units.items()}


def canonical(unit: str | None) -> tuple[str | None, Fraction]:
    """Return the canonical name of a unit as people write it, and its factor: ``元`` is (CNY, 1), ``斤`` (kg, 1/2)."""
    if unit is None or unit in _SIZES:
        return unit, _F(1)
    from qx.text.units import CASED, CURRENCIES, UNITS  # imported late: its table is long

    known = CASED.get(unit) or UNITS.get(unit.casefold().strip())
    if known is not None:
        return known.unit, Fraction(str(known.factor))
    return CURRENCIES.get(unit.casefold(), unit), _F(1)


def convert(number: Fraction, source: str | None, target: str | None) -> Fraction | None:
    """Return ``number`` of ``source`` in ``target``, None where that has no meaning (CNY in EUR, kg in cm).

    An absent unit is taken to be the other one.  Memory counts in thousands, as sellers do.
    """
    from_unit, factor = canonical(source)
    to_unit, divisor = canonical(target)
    if from_unit is None or to_unit is None or from_unit == to_unit:
        return number * factor / divisor
    if {from_unit, to_unit} == {"C", "F"}:
        return number * 9 / 5 + 32 if from_unit == "C" else (number - 32) * 5 / 9
    known, wanted = _SIZES.get(from_unit), _SIZES.get(to_unit)
    if known is None or wanted is None or known[0] != wanted[0]:
        return None
    return number * factor * known[1] / wanted[1] / divisor


def exact(number: float | str) -> Fraction:
    """Return a number as people wrote it: 19.99 is 1999/100.

    Raises:
        ValueError: it is no finite number.
    """
    return Fraction(str(number))


def plain(number: Fraction) -> int | float:
    """Return an int where the number is whole, else the nearest float."""
    return int(number) if number.denominator == 1 else float(number)
