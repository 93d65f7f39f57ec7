"""The two kinds of rows of an experiment's log."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Literal, cast

from qx.serial import from_plain, value


@value
class Exposure:
    """A user was shown results.

    Attributes:
        user: The id that the arm was assigned by.
        at: Aware.
        results: Hits that there were; None where nobody counted.
        milliseconds: How long the user waited, where it was measured.
        cost: Money that the request cost, where it is known.
    """

    experiment: str
    arm: str
    user: str
    at: datetime
    query: str = ""
    results: int | None = None
    milliseconds: float | None = None
    cost: float | None = None
    row: Literal["exposure"] = "exposure"


@value
class Outcome:
    """A user did something: ``click``, ``success``, ``satisfaction``, ``order``, or a kind of your own.

    ``value`` is 1 for what is counted, the grade of a ``satisfaction``, what an ``order`` was worth.
    """

    experiment: str
    user: str
    kind: str
    at: datetime
    value: float = 1.0
    row: Literal["outcome"] = "outcome"


Row = Exposure | Outcome
TAKEN = ("ctr", "orders", "order_value", "zero_results", "latency_p95", "cost")
"""Names of measures that no kind of outcome of one's own may have: a report would show one figure for two things."""
_YEARS = (1970, 2200)
"""What a clock can have said; to moments at the ends of the calendar nothing can be added."""
_MOST = 1e15
"""Above, sums of numbers lose what is added to them; no search takes so long, and no order is worth it."""


def parse(line: bytes) -> Row | str:
    """Return the row of one line, or why it is none.  Keys that a row does not have are left out."""
    try:
        read: object = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON (a torn line?)"
    data = cast("dict[str, Any]", read) if isinstance(read, dict) else {}
    kind = data.get("row")
    if kind not in ("exposure", "outcome"):
        return "`row` is neither `exposure` nor `outcome`"
    try:
        row = from_plain(Exposure, data) if kind == "exposure" else from_plain(Outcome, data)
    except OverflowError:
        return f"{kind}: a number is above {_MOST:g}"
    except ValueError as error:  # pydantic's is one
        first = cast("list[dict[str, Any]]", cast(Any, error).errors())[0]
        return f"{kind}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
    return _problem(row) or row


def _problem(row: Row) -> str:
    if row.at.tzinfo is None:
        return f"{row.row}: at: without a time zone"
    if not _YEARS[0] <= row.at.year <= _YEARS[1]:
        return f"{row.row}: at: not between the years {_YEARS[0]} and {_YEARS[1]}"
    if not row.user:
        return f"{row.row}: user: empty"
    if isinstance(row, Exposure):
        numbers = (row.milliseconds, row.cost, row.results)
        if any(n is not None and not 0 <= n <= _MOST for n in numbers):
            return f"exposure: a number is negative, none, or above {_MOST:g}"
        return "" if row.arm else "exposure: arm: empty"
    if row.kind in TAKEN:
        return f"outcome: kind: {row.kind!r} is the name of a measure: call it otherwise, such as {f'own_{row.kind}'!r}"
    return "" if abs(row.value) <= _MOST else f"outcome: value: no number, or above {_MOST:g}"


__all__ = ["TAKEN", "Exposure", "Outcome", "Row", "parse"]
