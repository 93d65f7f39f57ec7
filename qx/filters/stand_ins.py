"""Fields that stand in for a canonical one that a profile lacks: what a query says of it is meant of them.

A catalogue of books holds the year of a book and no date, a wiki the day on which a page was ``updated``, a cookery book
the ``minutes`` that a dish takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

_DAYS = (
    "updated", "last_updated", "modified", "last_modified", "changed", "edited", "revised", "created", "posted", "released",
    "written", "issued", "added", "date", "day", "datetime", "timestamp", "time",
)  # fmt: skip
"""Names of a day that tells how recent a document is, the surest last resort last."""
_LASTING = (
    "duration",
    "total_time",
    "minutes",
    "hours",
    "time",
    "length",
    "runtime",
    "running_time",
    "cook_time",
    "cooking_time",
)
"""Names of how long a thing takes."""
_UNITS = {"minutes": "min", "hours": "h"}
"""What a name says of a number that has no unit."""
_TIMES = frozenset(
    {"s", "sec", "second", "seconds", "min", "minute", "minutes", "h", "hour", "hours", "d", "day", "days"}
)
_AT = re.compile(r"_?(?:at|on|date|time)$")


class Typed(Protocol):
    """A stored field, as far as its kind goes."""

    @property
    def type(self) -> str | None: ...

    @property
    def unit(self) -> str | None: ...


def stand_ins(fields: Mapping[str, Typed]) -> dict[str, str]:
    """Return canonical name -> the name of the field that stands in for it, of those that ``fields`` lacks."""
    found: dict[str, str] = {}
    if "published" not in fields and (name := _year(fields) or _day(fields)):
        found["published"] = name
    if "duration" not in fields and (name := _lasting(fields)):
        found["duration"] = name
    return found


def _year(fields: Mapping[str, Typed]) -> str | None:
    return "year" if "year" in fields and fields["year"].type == "number" else None


def _day(fields: Mapping[str, Typed]) -> str | None:
    named = {_AT.sub("", name.casefold()) or name: name for name, field in fields.items() if field.type == "date"}
    return next((named[name] for name in _DAYS if name in named), None)


def unit_of(name: str, field: Typed) -> str | None:
    """Return the unit of a number, as the profile or the name of its field says."""
    return field.unit or _UNITS.get(name.casefold())


def _lasting(fields: Mapping[str, Typed]) -> str | None:
    able = {n.casefold(): n for n, field in fields.items() if field.type == "number" and unit_of(n, field) in _TIMES}
    return next((able[name] for name in _LASTING if name in able), None)


__all__ = ["stand_ins", "unit_of"]
