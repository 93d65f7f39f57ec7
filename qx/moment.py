"""The moment a request happens at, and the zone it happens in."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from qx.clock import Clock
from qx.errors import UsageError
from qx.settings import Profile
from qx.text import times
from qx.types import Query


def moment(query: Query, profile: Profile, clock: Clock) -> tuple[datetime, ZoneInfo]:
    """Return now, in the request's time zone, and that zone.

    Raises:
        UsageError: the query's time zone is not an IANA name, or its ``now`` has no zone.
    """
    name = query.timezone or profile.timezone
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"time zone {name!r} is not known: give an IANA name such as Asia/Shanghai") from None
    if query.now is not None and query.now.tzinfo is None:
        raise UsageError("the query's `now` has no time zone: give one such as 2026-03-01T12:00+08:00")
    now = query.now or clock.now()
    if not 1900 <= now.year <= 2200:
        raise UsageError(f"the query's `now` is in the year {now.year}: give one between 1900 and 2200")
    return now.astimezone(zone), zone


def speaks_of_time(query: Query) -> bool:
    """Whether the answer depends on the date: only then does the date enter prompt and cache key."""
    return times.speaks_of_time(query.text) or any(times.speaks_of_time(turn.content) for turn in query.history)


def spoken_date(query: Query, now: datetime) -> str | None:
    """The date as the model is told it, or None where the query does not speak of time."""
    return now.strftime("%Y-%m-%d %A") if speaks_of_time(query) else None
