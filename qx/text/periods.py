"""Stretches of time in a zone: days, weeks (from Monday), months, quarters, years, parts of a day, instants."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Literal

from qx.serial import value

Grain = Literal["minute", "hour", "part", "day", "weekend", "week", "month", "quarter", "year", "decade", "span"]

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
"""The start of a range that has none (``before 2020``)."""

LATEST = datetime(9999, 12, 30, tzinfo=UTC)
"""The end of a range that has none (``after 2020``)."""


@value
class TimeRange:
    """A stretch of time, end exclusive.

    ``start`` and ``end`` are aware; they carry the zone's offset of that moment (not the zone itself), so that they
    compare right across a change to or from summer time.  ``open_start`` and ``open_end`` tell ``EARLIEST`` and
    ``LATEST`` from real bounds.
    """

    start: datetime
    end: datetime
    grain: Grain
    open_start: bool = False
    open_end: bool = False


Resolve = Callable[["TimeRange | None"], "tuple[TimeRange, ...]"]
"""Reads a time word within a coarser range (``Friday`` within a week), or without one, relative to now."""


class Moment:
    """Now, in a zone: what relative words are relative to, and how ranges are made.

    ``now`` is in the zone; ``instant`` is the same in UTC, for reckoning in seconds (adding to ``now`` moves the hands of
    the clock on the wall, which a change to summer time makes a different thing).
    """

    def __init__(self, now: datetime, zone: tzinfo) -> None:
        self.zone = zone
        self.now = (now if now.tzinfo is not None else now.replace(tzinfo=zone)).astimezone(zone)
        self.today = self.now.date()
        self.instant = self.now.astimezone(UTC)

    def local(self, moment: datetime) -> datetime:
        """Return ``moment`` as naive local time."""
        return moment.astimezone(self.zone).replace(tzinfo=None)

    def aware(self, local: datetime) -> datetime:
        """Return naive local time with the offset that the zone has then; a time that a change skips moves on."""
        return self.fixed(local.replace(tzinfo=self.zone))

    def fixed(self, moment: datetime) -> datetime:
        """Return ``moment`` in the zone, carrying only the offset of that moment."""
        there = moment.astimezone(UTC).astimezone(self.zone)
        return there.astimezone(timezone(there.utcoffset() or timedelta()))

    def between(self, start: datetime, end: datetime, grain: Grain) -> TimeRange:
        """Make a range from naive local times."""
        a, b = self.aware(start), self.aware(end)
        if b <= a:
            b = self.fixed(a + max(end - start, timedelta(minutes=1)))
        return TimeRange(start=a, end=b, grain=grain)

    def instants(self, start: datetime, end: datetime, grain: Grain) -> TimeRange:
        """Make a range from aware times."""
        return TimeRange(start=self.fixed(start), end=self.fixed(end), grain=grain)

    def days(self, first: date, after: date, grain: Grain = "span") -> TimeRange:
        """From the beginning of ``first`` to the beginning of ``after``."""
        return self.between(datetime.combine(first, time()), datetime.combine(after, time()), grain)

    def day(self, of: date) -> TimeRange:
        return self.days(of, of + timedelta(days=1), "day")

    def week(self, of: date) -> TimeRange:
        monday = of - timedelta(days=of.weekday())
        return self.days(monday, monday + timedelta(days=7), "week")

    def weekend(self, of: date) -> TimeRange:
        saturday = of + timedelta(days=5 - of.weekday())
        return self.days(saturday, saturday + timedelta(days=2), "weekend")

    def month(self, year: int, month: int) -> TimeRange:
        """``month`` may lie outside 1..12: it runs on into other years."""
        return self.days(first_of(year, month), first_of(year, month + 1), "month")

    def quarter(self, year: int, quarter: int) -> TimeRange:
        return self.days(first_of(year, 3 * quarter - 2), first_of(year, 3 * quarter + 1), "quarter")

    def year(self, year: int) -> TimeRange:
        return self.days(date(year, 1, 1), date(year + 1, 1, 1), "year")

    def hours(self, day: date, first: int, after: int, grain: Grain = "part") -> TimeRange:
        """Hours of a day; ``after`` may pass 24 (the night)."""
        midnight = datetime.combine(day, time())
        return self.between(midnight + timedelta(hours=first), midnight + timedelta(hours=after), grain)

    def clock(self, day: date, hour: int, minute: int | None) -> tuple[TimeRange, ...]:
        """A time of day: the hour, or the minute where one is named; hour 24 is the next day's midnight.

        A minute of the hour that comes twice when summer time ends has two readings, the first hour's first; the hour
        itself is both of them.
        """
        start = datetime.combine(day, time()) + timedelta(hours=hour, minutes=minute or 0)
        if minute is None:
            return (self.between(start, start + timedelta(hours=1), "hour"),)
        moments = dict.fromkeys(self.aware(start.replace(fold=fold)).astimezone(UTC) for fold in (0, 1))
        if self.local(min(moments)) != start:
            moments = dict.fromkeys((self.aware(start).astimezone(UTC),))  # it is skipped, and moves on
        return tuple(self.instants(at, at + timedelta(minutes=1), "minute") for at in sorted(moments))


def first_of(year: int, month: int) -> date:
    """The first day of a month; ``month`` may lie outside 1..12."""
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def shift(day: date, unit: str, amount: int) -> date:
    """Move ``day`` by whole units (``day week month year``); the day of the month is cut to the month's length."""
    if unit in ("day", "week"):
        return day + timedelta(days=amount * (7 if unit == "week" else 1))
    target = first_of(day.year, day.month + amount * (12 if unit == "year" else 1))
    length = (first_of(target.year, target.month + 1) - target).days
    return target.replace(day=min(day.day, length))


def edge(moment: Moment, whole: TimeRange, part: str) -> tuple[TimeRange, ...]:
    """The ``early``, ``mid`` or ``late`` part of a month, quarter or year (also ``first-half``, ``second-half``)."""
    first, after = moment.local(whole.start).date(), moment.local(whole.end).date()
    length = (after - first).days
    if whole.grain == "month":
        cuts = {"early": (0, 10), "mid": (10, 20), "late": (20, length)}
        cuts |= {"first-half": (0, 15), "second-half": (15, length)}
        if part not in cuts:
            return ()
        a, b = cuts[part]
        return (moment.days(first + timedelta(days=a), first + timedelta(days=b), "span"),)
    if whole.grain == "year":
        months = {"early": (1, 4), "mid": (5, 9), "late": (11, 13), "first-half": (1, 7), "second-half": (7, 13)}
        if part not in months:
            return ()
        a, b = months[part]
        return (moment.days(first_of(first.year, a), first_of(first.year, b), "span"),)
    if whole.grain in ("week", "quarter", "decade"):
        third = {"early": (0, 1), "mid": (1, 2), "late": (2, 3)}.get(part)
        if third is None:
            return ()
        a, b = (length * k // 3 for k in third)
        return (moment.days(first + timedelta(days=a), first + timedelta(days=b), "span"),)
    return ()
