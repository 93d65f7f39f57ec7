"""Words around a time that widen, cut or move it: around noon, 九点左右, earlier this week, the day before Christmas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from qx.text.periods import Grain, Moment, TimeRange, shift
from qx.text.time_atoms import Atom, Level, amounts

AROUND_BEFORE = re.compile(
    r"\b(?:around|(?P<about>about|roughly)|circa)\s(?:the\s)?$|(?:大约|大概|差不多)(?:在|是)?$", re.IGNORECASE
)
AROUND_AFTER = re.compile(r"左右|前后(?![台端面])|前後|(?<=[点點分半钟])上下|\s(?:or\sso|ish)\b", re.IGNORECASE)
"""Words that make a time a vague one; "about" does so before a clock time only: "papers about 2020" are about a year."""
_INNER = re.compile(r"\b(?:around|about|roughly)\b|大约|大概|差不多", re.IGNORECASE)
"""Between a day and its clock time: "yesterday around noon"."""
_SLACK: dict[Grain, timedelta] = {
    "minute": timedelta(minutes=30), "hour": timedelta(minutes=30), "part": timedelta(hours=1), "day": timedelta(days=1),
    "weekend": timedelta(days=1), "week": timedelta(days=3), "month": timedelta(days=10), "quarter": timedelta(days=30),
    "year": timedelta(days=182), "decade": timedelta(days=730), "span": timedelta(days=3),
}  # fmt: skip

EARLIER_BEFORE = re.compile(r"\b(?:(?P<earlier>earlier)|(?P<later>later))\s(?:on\s)?$", re.IGNORECASE)
EARLIER_AFTER = re.compile(r"的?(?:(?P<earlier>早些时候|早前|稍早(?:时候|前)?)|(?P<later>晚些时候|稍晚(?:时候)?))")

BESIDE_BEFORE = re.compile(
    r"\b(?:the\s)?(?P<unit>day|night|week|weekend|month)\s(?P<side>before|after)\s(?:the\s)?$", re.IGNORECASE
)
BESIDE_AFTER = re.compile(r"的?(?:(?P<before>前一(?=[天周月个])|前夕|前夜)|(?P<after>后一(?=[天周月个])|第二(?=天)|次(?=日)))(?P<unit>天|日|周|个月|个星期)?")  # fmt: skip
_COUNT = (
    r"(?P<n>[0-9]{1,3}|an?\scouple\sof|a\sfew|several|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"\s(?P<unit>day|week|fortnight|month|year)s?"
)
_COUNTED_BEFORE = re.compile(
    rf"\b{_COUNT}\s(?P<side>before|prior\sto|after|from|(?P<on>on))\s(?:the\s)?$", re.IGNORECASE
)
_COUNTED_AFTER = re.compile(
    r"(?:之|以)?(?P<side>[前后])(?!一(?:天|周|个))(?P<n>[0-9]{1,2}|[一两二三四五六七八九十]{1,2})(?P<unit>天|个?星期|周)(?![一二三四五六日])"
)
"""A day reckoned from another one, "a week from Tuesday"; so many days beside it, 国庆前两天."""
_DAYS = {"day": 1, "night": 1, "week": 7, "month": 30, "天": 1, "日": 1, "周": 7, "个星期": 7, "个月": 30, None: 1}


def vague_span(text: str, start: int, end: int, last: int, group: Sequence[Atom]) -> tuple[int, int] | None:
    """Return where the time and its word of vagueness begin and end; None: there is no such word."""
    if after := AROUND_AFTER.match(text, end):
        return start, after.end()
    before = AROUND_BEFORE.search(text[max(last, start - 14) : start])
    if before is not None and not (before["about"] and group[-1].level != Level.CLOCK):
        return start - len(before[0]), end
    if len(group) > 1 and group[-1].level == Level.CLOCK and _INNER.search(text, group[-2].end, group[-1].start):
        return start, end
    return None


def widened(moment: Moment, whole: TimeRange) -> TimeRange:
    """The time with what is near to it: half an hour around a clock time, a day around a day."""
    slack = _SLACK[whole.grain]
    if whole.grain in ("minute", "hour"):
        return moment.instants(whole.start - slack, whole.end + slack, "span")
    return moment.between(moment.local(whole.start) - slack, moment.local(whole.end) + slack, "span")


def counted(
    text: str, start: int, end: int, last: int, ranges: Sequence[TimeRange], level: Level, moment: Moment
) -> tuple[int, int, tuple[TimeRange, ...]] | None:
    """Return a time so many days, weeks, months or years from ``ranges`` with its place; None: no count stands there."""
    before = _COUNTED_BEFORE.search(text[max(last, start - 32) : start]) if level <= Level.DAY else None
    if before is not None and not (before["on"] and level != Level.DAY):
        low, high = amounts(before["n"])
        unit = before["unit"].lower()
        unit, weeks = ("week", 2) if unit == "fortnight" else (unit, 1)
        if not before["side"].lower().startswith(("before", "prior", "after")):
            ranges = sorted(ranges, key=lambda r: r.start < moment.now)  # a week from Tuesday: the coming one
        sign = -weeks if before["side"].lower().startswith(("before", "prior")) else weeks
        return start - len(before[0]), end, tuple(_moved(moment, r, unit, sign * low, sign * high) for r in ranges)
    after = _COUNTED_AFTER.match(text, end) if level == Level.DAY else None
    if after is None:
        return None
    days = amounts(after["n"])[0] * (1 if after["unit"] == "天" else 7)
    return start, after.end(), tuple(_beside_days(moment, r, days, before=after["side"] == "前") for r in ranges)


def _moved(moment: Moment, whole: TimeRange, unit: str, low: int, high: int) -> TimeRange:
    first, after = moment.local(whole.start).date(), moment.local(whole.end).date()
    low, high = sorted((low, high))
    if low == high and (after - first).days == 1:
        return moment.day(shift(first, unit, low))
    grain: Grain = whole.grain if low == high and unit == "year" else "span"
    return moment.days(shift(first, unit, low), shift(after, unit, high), grain)


def _beside_days(moment: Moment, whole: TimeRange, days: int, *, before: bool) -> TimeRange:
    first, after = moment.local(whole.start).date(), moment.local(whole.end).date()
    if before:
        return moment.days(first - timedelta(days=days), first, "span")
    return moment.days(after, after + timedelta(days=days), "span")


def cut_at_now(moment: Moment, ranges: Sequence[TimeRange], side: str) -> tuple[TimeRange, ...]:
    """What of each reading lies ``earlier`` than now, or ``later``; a reading without now in it stays out."""
    now = moment.fixed(moment.now)
    around = [r for r in ranges if r.start < now < r.end]
    if side == "earlier":
        return tuple(TimeRange(start=r.start, end=now, grain="span") for r in around)
    return tuple(TimeRange(start=now, end=r.end, grain="span") for r in around)


def beside(moment: Moment, ranges: Sequence[TimeRange], match: re.Match[str]) -> tuple[TimeRange, ...]:
    """The day, week, weekend or month right before or after each reading: "the week before Christmas", 国庆前一天."""
    unit = match["unit"]
    unit = unit.lower() if unit else None
    before = (match["side"].lower() == "before") if "side" in match.re.groupindex else match["before"] is not None
    return tuple(_beside(moment, r, unit, before=before) for r in ranges)


def _beside(moment: Moment, whole: TimeRange, unit: str | None, *, before: bool) -> TimeRange:
    first, after = moment.local(whole.start).date(), moment.local(whole.end).date()
    if unit == "weekend":
        nearest = first - timedelta(days=first.weekday() + 2 if first.weekday() < 6 else 1)
        return moment.weekend(nearest if before else after + timedelta(days=(5 - after.weekday()) % 7))
    length = _DAYS[unit]
    if unit == "night":
        return moment.hours(first - timedelta(days=1) if before else after, 18, 28)
    grain: Grain = "day" if length == 1 else "span"
    if before:
        return moment.days(first - timedelta(days=length), first, grain)
    return moment.days(after, after + timedelta(days=length), grain)
