"""``when``, ``since`` and ``until`` in the user's own words, as stretches of time in the user's zone.

Nobody else computes a date: a model passes on what was said, and the range that it was read as comes back with the
result.  What cannot be read is an error that says so; it is never another day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from qx.errors import UsageError
from qx.model import Model
from qx.serial import value
from qx.text import times
from qx.text.times import EARLIEST, LATEST, TimeRange

_AROUND = re.compile(
    r"(?:大概|大约|好像|应该|可能|也许|是不是|就是|差不多|左右|前后|的?时候|那时候?|那会儿?|那次|那阵子?|吧|吗|呢|嘛|的|在|是|[\s,，。.?？!！]"
    r"|\b(?:around|about|roughly|maybe|perhaps|probably|sometime|i think|back|on|in|at|the|during|of|or so|i guess)\b)*",
    re.IGNORECASE,
)
"""Words around a time that change nothing of it."""
_EXAMPLES = "write it as 上周三, 前天晚上, 2026-11-20, last Wednesday or early May"


@value
class Span:
    """One stretch of time, end exclusive; None: open on that side.

    ``start`` and ``end`` are aware, in the user's zone.
    """

    start: datetime | None = None
    end: datetime | None = None

    def holds(self, moment: datetime) -> bool:
        """Whether ``moment`` (aware) lies in it."""
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)


@value
class When:
    """What a request says of time.

    Attributes:
        said: Its words.
        spans: Its readings, best first; none: it limits nothing.
        newest: It asks for what is newest, without naming a time (最近, "recently").
    """

    said: str = ""
    spans: tuple[Span, ...] = ()
    newest: bool = False


class TimeShown(Model):
    """How the words for a time were read: ISO 8601 in the user's zone, ``end`` exclusive, null: open on that side."""

    said: str
    start: str | None = None
    end: str | None = None
    timezone: str
    alternatives: tuple[tuple[str | None, str | None], ...] = ()


def read(when: str = "", since: str = "", until: str = "", *, now: datetime, zone: tzinfo) -> When:
    """Read what a request says of time; ``until`` includes the day (the month, the hour) that it names.

    Args:
        when: Words for a stretch of time, such as ``上周三`` or "since Tuesday".
        since: Words whose beginning it starts with.
        until: Words whose end it ends with.
        now: The moment (aware) that the words are relative to.
        zone: Whose days are meant.

    Raises:
        UsageError: something of it is not a time that can be read, or it ends before it starts.
    """
    spans: tuple[Span, ...] = ()
    newest = False
    if when.strip():
        mentioned = times.find(when, now=now, zone=zone)
        newest = len(mentioned) == 1 and mentioned[0].newest and _only(when, mentioned[0])
        spans = () if newest else tuple(_span(one) for one in _readings(when, "when", now, zone))
    first = _readings(since, "since", now, zone)[0].start if since.strip() else None
    last = _last_end(_readings(until, "until", now, zone)) if until.strip() else None
    if first is not None or last is not None:
        spans = _limited(spans or (Span(),), first, last)
    said = " ".join(word for word in (when, since and f"since {since}", until and f"until {until}") if word)
    return When(said=said, spans=spans, newest=newest)


def mentioned(text: str, *, now: datetime, zone: tzinfo) -> When:
    """Read the first time that a question speaks of; without one nothing is limited."""
    for one in times.find(text, now=now, zone=zone):
        if one.newest:
            return When(said=one.text, newest=True)
        ranges = times.parse(one.text, now=now, zone=zone) or ((one.range,) if one.range else ())
        if ranges:
            return When(said=one.text, spans=tuple(_span(each) for each in past_first(ranges, now)))
    return When()


def shown(when: When, timezone: str) -> TimeShown | None:
    """Return how ``when`` was read, for a result; None where it limits nothing."""
    if not when.spans:
        return None
    (start, end), *others = [_iso(span) for span in when.spans]
    return TimeShown(said=when.said, start=start, end=end, timezone=timezone, alternatives=tuple(others[:3]))


def past_first(ranges: Iterable[TimeRange], now: datetime) -> tuple[TimeRange, ...]:
    """Readings that have begun before those that lie ahead: a log holds what was said."""
    return tuple(sorted(ranges, key=lambda one: one.start > now))


def _readings(text: str, field: str, now: datetime, zone: tzinfo) -> tuple[TimeRange, ...]:
    ranges = times.parse(text, now=now, zone=zone) or _moment(text, zone)
    if not ranges:
        found = [one for one in times.find(text, now=now, zone=zone) if one.range is not None]
        if len(found) == 1 and _only(text, found[0]):
            ranges = times.parse(found[0].text, now=now, zone=zone)
    if not ranges:
        raise UsageError(f"{field}: {text[:80]!r} is not a time that can be read: {_EXAMPLES}")
    return past_first(ranges, now)


def _last_end(readings: tuple[TimeRange, ...]) -> datetime:
    """The end of the best reading; of an hour that comes twice, when summer time ends, that of the second."""
    clock = readings[0].start.replace(tzinfo=None)
    return max(one.end for one in readings if one.start.replace(tzinfo=None) == clock)


def _only(text: str, found: times.TimeMention) -> bool:
    """Whether ``text`` says nothing of weight beside the time ``found``."""
    return bool(_AROUND.fullmatch(text, 0, found.start) and _AROUND.fullmatch(text, found.end))


def _moment(text: str, zone: tzinfo) -> tuple[TimeRange, ...]:
    """An ISO 8601 moment; it takes the second that it names in.  Of an hour that comes twice there are two."""
    try:
        said = datetime.fromisoformat(text.strip())
        second = timedelta(seconds=1)
        moments = _moments(said, zone)
        return tuple(TimeRange(start=_fixed(at, zone), end=_fixed(at + second, zone), grain="minute") for at in moments)
    except (ValueError, OverflowError):  # no moment, or one beyond all years somewhere
        return ()


def _moments(said: datetime, zone: tzinfo) -> list[datetime]:
    if said.tzinfo is not None:
        return [said.astimezone(UTC)]
    moments = sorted({said.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)})
    if moments[0].astimezone(zone).replace(tzinfo=None) != said:
        return moments[-1:]  # the change to summer time skips it: it moves on
    return moments


def _fixed(at: datetime, zone: tzinfo) -> datetime:
    """``at`` with the offset of the zone then: two times of one zone compare by the clock on the wall, which is put back."""
    there = at.astimezone(zone)
    return there.astimezone(timezone(there.utcoffset() or timedelta()))


def _span(one: TimeRange) -> Span:
    return Span(start=None if one.start <= EARLIEST else one.start, end=None if one.end >= LATEST else one.end)


def _limited(spans: tuple[Span, ...], first: datetime | None, last: datetime | None) -> tuple[Span, ...]:
    """``spans`` within ``first`` and ``last``.

    Raises:
        UsageError: nothing is left.
    """
    first = None if first is not None and first <= EARLIEST else first
    last = None if last is not None and last >= LATEST else last
    found: list[Span] = []
    for span in spans:
        start = max((each for each in (span.start, first) if each is not None), default=None)
        end = min((each for each in (span.end, last) if each is not None), default=None)
        if start is None or end is None or start < end:
            found.append(Span(start=start, end=end))
    if not found:
        raise UsageError("the time that was asked for ends before it starts: look at since, until and when")
    return tuple(found)


def _iso(span: Span) -> tuple[str | None, str | None]:
    start, end = (None if each is None else each.isoformat() for each in (span.start, span.end))
    return start, end
