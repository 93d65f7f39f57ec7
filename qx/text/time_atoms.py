"""The pieces of a time expression, and how they combine: 两周前 + 周五 + 下午 + 三点, from coarse to fine."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from enum import IntEnum

from qx.serial import value
from qx.text.numerals import value_of
from qx.text.periods import Moment, Resolve, TimeRange, shift


class Level(IntEnum):
    """From coarse to fine; an expression takes each level once."""

    YEAR = 0
    SEASON = 1
    MONTH = 2
    WEEK = 3
    DAY = 4
    PART = 5
    CLOCK = 6
    SPAN = 9


@value
class Atom:
    """A time word at ``start:end``.

    Attributes:
        weak: Only a time in company ("下午", "3号", "May").
        weekday: May stand beside a date ("Friday, 3 May"), which then decides.
        newest: "latest", "最近": no range of its own.
    """

    start: int
    end: int
    level: Level
    resolve: Resolve
    weak: bool = False
    weekday: bool = False
    newest: bool = False


Reader = Callable[[re.Match[str], Moment], "Atom | None"]
Rules = Sequence[tuple[re.Pattern[str], Reader]]


def atom(match: re.Match[str], level: Level, resolve: Resolve, *, weak: bool = False, weekday: bool = False) -> Atom:
    """Make the atom of a whole match."""
    return Atom(start=match.start(), end=match.end(), level=level, resolve=resolve, weak=weak, weekday=weekday)


def constant(*ranges: TimeRange) -> Resolve:
    """A reading that stands on its own; within a coarser range it must lie inside."""
    return lambda context: tuple(r for r in ranges if context is None or (context.start <= r.start < context.end))


def newest(match: re.Match[str], moment: Moment) -> Atom:
    """Read "latest", "最新"."""
    return Atom(start=match.start(), end=match.end(), level=Level.SPAN, resolve=lambda _: (), newest=True)


def amounts(text: str) -> tuple[int, int]:
    """Read a count of units, vague ones as bounds: 几 is 2 to 9, "a couple of" 2 to 3."""
    word = re.sub(r"\s+", " ", text.strip().lower())
    vague = {
        "几": (2, 9),
        "数": (2, 9),
        "好几": (3, 9),
        "几十": (20, 90),
        "a few": (2, 7),
        "few": (2, 7),
        "several": (3, 9),
    }
    vague |= {
        "": (1, 1),
        "a": (1, 1),
        "an": (1, 1),
        "the": (1, 1),
        "couple": (2, 3),
        "a couple": (2, 3),
        "couple of": (2, 3),
    }
    vague |= {"a couple of": (2, 3), "这": (1, 1), "一两": (1, 2), "两三": (2, 3), "三四": (3, 4), "三五": (3, 5)}
    if word in vague:
        return vague[word]
    number = value_of(word)
    return (int(number), int(number)) if number is not None else (1, 1)


_LENGTH = {"minute": 60, "hour": 3600, "second": 1}


def ago(moment: Moment, unit: str, low: int, high: int, *, half: bool = False, sign: int = -1) -> tuple[Level, Resolve]:
    """``low`` to ``high`` units ago (``sign`` 1: from now): the day, week, month or year of then; hours by the clock."""
    if unit in _LENGTH:
        step = _LENGTH[unit]
        seconds = [
            sign * (n * step + (step / 2 if half else 0)) for n in ((0, 0) if half and low == 0 else (low, high))
        ]
        slack = max(60.0, step / 2 if step == 3600 and not half else min(abs(seconds[0]) / 6, 900))
        points = sorted(moment.instant + timedelta(seconds=s) for s in seconds)
        delta = timedelta(seconds=slack)
        return Level.SPAN, constant(
            moment.instants(points[0] - delta, points[-1] + delta, "hour" if step == 3600 and not half else "minute")
        )
    days = sorted(shift(moment.today, unit, sign * n) for n in (low, high))
    if half:
        extra = {"year": ("month", 6), "month": ("day", 15), "week": ("day", 3), "day": ("day", 0)}[unit]
        day = shift(shift(moment.today, unit, sign * low), extra[0], sign * extra[1])
        return (
            (Level.MONTH, constant(moment.month(day.year, day.month)))
            if unit == "year"
            else (Level.DAY, constant(moment.day(day)))
        )
    if low != high:
        return Level.SPAN, constant(moment.days(days[0], days[-1] + timedelta(days=1)))
    day = days[0]
    exact = moment.day(day)
    match unit:
        case "day":
            return Level.DAY, constant(exact)
        case "week":
            return Level.WEEK, constant(moment.week(day), exact)
        case "month":
            return Level.MONTH, constant(moment.month(day.year, day.month), exact)
        case _:
            return Level.YEAR, constant(moment.year(day.year), exact)


def lasting(moment: Moment, unit: str, amount: int, *, half: bool = False, sign: int = -1) -> TimeRange:
    """The last (``sign`` 1: the coming) ``amount`` units: whole days, except for hours and minutes."""
    if unit in _LENGTH:
        delta = timedelta(seconds=(amount + (0.5 if half else 0)) * _LENGTH[unit])
        ends = sorted((moment.instant, moment.instant + sign * delta))
        return moment.instants(ends[0], ends[1], "span")
    day = shift(moment.today, unit, sign * amount)
    if half:
        extra = {"year": ("month", 6), "month": ("day", 15), "week": ("day", 3), "day": ("day", 0)}[unit]
        day = shift(day, extra[0], sign * extra[1])
    whole = moment.day(day)
    if sign < 0:
        return moment.instants(whole.start, max(moment.instant, whole.start + timedelta(minutes=1)), "span")
    return moment.instants(moment.now, whole.end, "span")


def likely_years(moment: Moment, first: Callable[[int], date | None], context: TimeRange | None) -> tuple[int, ...]:
    """Years that a date without one may be in, likeliest first: this year unless it is over half a year ahead."""
    if context is not None:
        return (moment.local(context.start).year,)
    year = moment.today.year
    start = first(year)
    ahead = (start - moment.today).days if start else 0
    return (year - 1, year, year + 1) if ahead > 183 else (year, year - 1, year + 1)


def clock_in(moment: Moment, context: TimeRange | None, hour: int, minute: int | None) -> tuple[TimeRange, ...]:
    """Read a clock time within a day or a part of one (3 of an afternoon is 15)."""
    if context is None or context.grain == "day":
        day = moment.local(context.start).date() if context else moment.today
        if not 1 <= hour <= 12:
            return moment.clock(day, hour, minute)
        hours = (hour + 12, hour) if hour < 7 else (hour, (hour + 12) % 24)
        return tuple(one for h in hours for one in moment.clock(day, h, minute))
    if context.grain != "part":
        return ()
    start = moment.local(context.start)
    midnight = start.replace(hour=0)
    candidates = [h for h in (hour, hour + 12, hour + 24) if hour <= 12 or h == hour]
    first, length = start.hour, (moment.local(context.end) - start).total_seconds() / 3600
    inside = [h for h in candidates if first - 1 <= h <= first + length] or candidates[:1]
    return moment.clock(midnight.date(), inside[0], minute)
