"""Times that are counted or compared: the second Tuesday of October, 上个月第一周, the 25th, this time last year."""

from __future__ import annotations

import re
from datetime import timedelta

from qx.text.periods import Moment, TimeRange, shift
from qx.text.time_atoms import Atom, Level, Rules, atom, constant
from qx.text.times_en_words import BEGIN, END, SIGN, rule
from qx.text.times_zh_words import number

_ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "last": -1,
}
_ORDINAL = r"(?P<nth>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th)"
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAY = "(?P<day>" + "|".join(_DAYS) + ")"
_OF = r"(?=\s(?:of|in)\s(?:(?:the|last|this|next|early|late)\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|month|year))"
_SAID = re.compile(r"\b(?:on|by|since|until|till|before|after|from)\s$", re.IGNORECASE)
_DAY_SPREAD = {"year": 15, "month": 5, "week": 0}
"""Days on both sides of "this time last year"."""


def _nth_week(match: re.Match[str], moment: Moment) -> Atom:
    """The n-th seven days of a month, or its n-th calendar week."""
    nth = _ORDINALS[match["nth"].lower()] if "nth" in match.re.groupindex else _zh_nth(match["n"])

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is None or context.grain not in ("month", "year"):
            return ()
        first, after = moment.local(context.start).date(), moment.local(context.end).date()
        if nth < 0:
            return (moment.days(after - timedelta(days=7), after, "week"), moment.week(after - timedelta(days=1)))
        start = first + timedelta(days=7 * (nth - 1))
        if start >= after:
            return ()
        end = min(start + timedelta(days=7), after)
        return tuple(dict.fromkeys((moment.days(start, end, "week"), moment.week(start))))

    return atom(match, Level.WEEK, resolve, weak=True)


def _nth_weekday(match: re.Match[str], moment: Moment) -> Atom:
    """The n-th Tuesday of a month."""
    nth = _ORDINALS[match["nth"].lower()] if "nth" in match.re.groupindex else _zh_nth(match["n"])
    name = match["day"].lower()
    weekday = _DAYS.index(name) if name in _DAYS else 6 if name in "日天" else "一二三四五六".index(name)

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is None or context.grain not in ("month", "year"):
            return ()
        first, after = moment.local(context.start).date(), moment.local(context.end).date()
        if nth < 0:
            last = after - timedelta(days=1)
            return (moment.day(last - timedelta(days=(last.weekday() - weekday) % 7)),)
        found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
        return (moment.day(found),) if found < after else ()

    return atom(match, Level.DAY, resolve, weak=True)


def _zh_nth(text: str) -> int:
    return -1 if text.startswith(("最后", "最後")) else number(text.removeprefix("第").removeprefix("头"))


def _the_nth(match: re.Match[str], moment: Moment) -> Atom | None:
    """The 25th: of this month, else of the last one or the next."""
    day = int(match["d"])
    if not 1 <= day <= 31:
        return None
    said = _SAID.search(match.string[max(0, match.start() - 8) : match.start()])

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None:
            return _of_month(moment, context, day) if context.grain == "month" else ()
        return of_months(moment, day)

    return atom(match, Level.DAY, resolve, weak=said is None)


def _of_month(moment: Moment, month: TimeRange, day: int) -> tuple[TimeRange, ...]:
    first = moment.local(month.start).date()
    found = first + timedelta(days=day - 1)
    return (moment.day(found),) if found.month == first.month else ()


def of_months(moment: Moment, day: int) -> tuple[TimeRange, ...]:
    """The ``day``-th of this month, then the other one that is near: the last month's, or the next's where it is over."""
    today = moment.today
    other = -1 if today.day < day else 1
    months = (moment.month(today.year, today.month + n) for n in (0, other))
    return tuple(r for month in months for r in _of_month(moment, month, day))


def _this_time(match: re.Match[str], moment: Moment) -> Atom:
    """This time last year: the same day, with days around it that grow with the distance; 上周今天 is that day alone."""
    unit, sign = match["unit"].lower(), SIGN[match["which"].lower()]
    return atom(match, Level.SPAN, constant(_same_time(moment, unit, sign)))


def _zh_this_time(match: re.Match[str], moment: Moment) -> Atom:
    words = match["when"]
    unit = "year" if words.endswith("年") else "month" if "月" in words else "week"
    sign = {"去": -1, "上": -1, "前": -2, "明": 1, "下": 1}[words[0]]
    exact = match["day"] is not None
    return atom(match, Level.SPAN, constant(_same_time(moment, unit, sign, exact=exact)))


def _same_time(moment: Moment, unit: str, sign: int, *, exact: bool = False) -> TimeRange:
    day = shift(moment.today, unit, sign)
    spread = 0 if exact else _DAY_SPREAD[unit]
    grain = "span" if spread else "day"
    return moment.days(day - timedelta(days=spread), day + timedelta(days=spread + 1), grain)


def _other_day(match: re.Match[str], moment: Moment) -> Atom:
    """The other day, 前些天: two to nine days ago, as 前几天."""
    first, last = (moment.today - timedelta(days=n) for n in (9, 2))
    return atom(match, Level.SPAN, constant(moment.days(first, last + timedelta(days=1))))


RULES: Rules = (
    (rule(rf"{BEGIN}(?:the\s)?{_ORDINAL}\sweek{END}{_OF}"), _nth_week),
    (rule(rf"{BEGIN}(?:the\s)?{_ORDINAL}\s{_DAY}{END}{_OF}"), _nth_weekday),
    (rule(r"(?<=[月份年的])(?P<n>第[一二三四五1-5]|最后一|最後一)个?(?:周|週|星期|礼拜)(?![一二三四五六日天末1-7])"), _nth_week),
    (rule(r"(?<=[月份年的])(?P<n>第[一二三四五1-5]|最后一|最後一)个?(?:周|週|星期|礼拜)(?P<day>[一二三四五六日天])"), _nth_weekday),
    (rule(rf"{BEGIN}(?:the\s)(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)(?=$|[,.;:?!，。]|\s(?:of\s(?:this|last|next|the)\smonth|at|and|or|to|until|in\sthe\s(?:morning|afternoon|evening))\b)"), _the_nth),
    (rule(rf"{BEGIN}(?:around\s|about\s)?this\stime\s(?P<which>last|next)\s(?P<unit>year|month|week){END}"), _this_time),
    (rule(r"(?P<when>(?:去|前|明)年|[上下]个?(?:月|周|星期|礼拜))的?(?:(?P<day>今天|今日)|这个时候|這個時候|这时候|此时|同一时间|同期)"), _zh_this_time),
    (rule(rf"{BEGIN}the\sother\s(?:day|night|morning|evening){END}|前些天|前些日子"), _other_day),
)  # fmt: skip
