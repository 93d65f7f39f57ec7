"""The names of the months in English, and which month a name is."""

from __future__ import annotations

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
"""In order, in small letters."""

MONTH = "(?:" + "|".join([*MONTHS, "sept", *(name[:3] for name in MONTHS)]) + r")\.?(?![a-z])"
"""A pattern of a month: its name, or its first three letters (of September four, too), a point after them or none."""

_NUMBERS = {name[:3]: number for number, name in enumerate(MONTHS, start=1)}


def month_number(name: str) -> int:
    """Return the number, 1..12, of a month that ``MONTH`` finds: ``Sept.`` is 9.

    Raises:
        KeyError: it is the name of no month.
    """
    return _NUMBERS[name[:3].lower()]


__all__ = ["MONTH", "MONTHS", "month_number"]
