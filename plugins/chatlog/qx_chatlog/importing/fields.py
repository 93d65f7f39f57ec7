"""Reading single fields of foreign JSON: times in all their forms, texts, whether something is there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

_SECONDS, _MILLISECONDS = 1e11, 1e14
"""Numbers below are seconds since 1970 (until the year 5138), or milliseconds; others microseconds."""


def text(item: object) -> str:
    """Return a text field; what is not there is empty, numbers are written.

    Raises:
        ValueError: it is a list or an object.
    """
    if item is None:
        return ""
    if isinstance(item, str):
        return item
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return str(item)
    raise ValueError(f"text was expected, not {type(item).__name__}")


def time(item: object) -> datetime | None:
    """Return a time: ISO 8601, or a number of seconds, milliseconds or microseconds since 1970 in UTC.

    Without a zone it has none.

    Raises:
        ValueError: it is something else.
    """
    if item is None or item == "":
        return None
    if isinstance(item, str):
        try:
            return _ranged(datetime.fromisoformat(item.strip()))
        except ValueError:
            return _since_1970(item)
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return _number(float(item))
    raise ValueError(f"a time was expected, not {type(item).__name__}")


def mapping(item: object) -> Mapping[str, Any]:
    """Return an object of JSON.

    Raises:
        ValueError: it is none.
    """
    if isinstance(item, dict):
        return cast("Mapping[str, Any]", item)
    raise ValueError(f"an object was expected, not {type(item).__name__}")


def sequence(item: object) -> Sequence[Any]:
    """Return a list of JSON; what is not there is empty.

    Raises:
        ValueError: it is none.
    """
    if item is None:
        return ()
    if isinstance(item, list):
        return cast("list[Any]", item)
    raise ValueError(f"a list was expected, not {type(item).__name__}")


def many(item: object) -> Sequence[Any]:
    """Return a list of JSON, or one of ``item`` alone."""
    return cast("list[Any]", item) if isinstance(item, list) else [item]


def _since_1970(item: str) -> datetime:
    try:
        return _number(float(item))
    except ValueError:
        raise ValueError(f"the time {item[:40]!r} is not ISO 8601 (2026-11-29T12:00:00+08:00)") from None


def _number(item: float) -> datetime:
    if not math.isfinite(item):
        raise ValueError("the time is not a number")
    size = abs(item)
    seconds = item if size < _SECONDS else item / 1e3 if size < _MILLISECONDS else item / 1e6
    try:
        return _ranged(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, OSError, ValueError):
        raise ValueError(f"the time {item} is beyond all years") from None


def _ranged(found: datetime) -> datetime:
    """A day at either end of all years would not survive a change of zone."""
    if not 1 < found.year < 9999:
        raise ValueError(f"the time {found.isoformat()} is beyond all years")
    return found
