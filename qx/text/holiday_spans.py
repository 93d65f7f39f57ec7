"""The days around a holiday that people mean by one name: "christmas week", "over easter", 元旦期间.

They are reckoned by rules of thumb, as are the holidays of schools, whose days differ from place to place: whoever
filters by them should say so and be ready to let them go (``is_estimated``).
"""

from __future__ import annotations

import re
from datetime import date, timedelta

SCHOOL_SUMMER = r"暑假(?!工|作业|班|实践|兼职|培训|书单|夏令|作文|日记|手抄)|暑期(?=期间|的)|\bsummer\s(?:holidays|vacation|break)\b"
SCHOOL_WINTER_ZH = r"寒假(?!工|作业|班|实践|兼职|培训|书单|冬令|作文|日记|手抄)"
SCHOOL_WINTER = r"\bwinter\s(?:holidays|vacation|break)\b"
_SCHOOL = re.compile(f"{SCHOOL_SUMMER}|{SCHOOL_WINTER_ZH}|{SCHOOL_WINTER}", re.IGNORECASE)
_AFTER = re.compile(
    r"(?:'s)?\s(?:(?P<weekend>weekend)|(?P<week>week)|(?P<break>holidays|holiday\speriod|break|vacation|period))\b"
    r"|的?(?P<zweek>那一?周|那个?星期|当周)|(?P<zweekend>那个?周末|周末)|(?P<zover>期间|假期|小长假)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:(?P<week>(?:the\s)?week\sof\s)|(?P<over>(?:over|during|throughout)\s(?:the\s)?))$", re.IGNORECASE
)
_ENDING = re.compile(r"假期|小长假|期间")
_EASTER = re.compile(r"easter|复活", re.IGNORECASE)
_CHRISTMAS = re.compile(r"christmas|xmas|圣诞|聖誕", re.IGNORECASE)
_THANKS = re.compile(r"thanksgiving|感恩", re.IGNORECASE)
_ESTIMATE = re.compile(
    r"\b(?:over|during|throughout|weekend|week|break|vacation|holidays|period)\b|期间|假期|小长假|那一?周|那个?星期|当周|周末",
    re.IGNORECASE,
)


def around(text: str, start: int, end: int) -> tuple[int, int, str]:
    """Return where the words for the holiday at ``[start, end)`` begin and end, and what they mean: the way of ``days``."""
    before, after = _BEFORE.search(text, max(0, start - 14), start), _AFTER.match(text, end)
    way = next((name.removeprefix("z") for m in (after, before) if m for name, at in m.groupdict().items() if at), "")
    if not way and _ENDING.search(text, start, end):
        way = "over"
    school = _SCHOOL.fullmatch(text, start, end) is not None
    if before is not None and (way == "over" or before.lastgroup == "week" or school or after is not None):
        start = before.start()
    return start, after.end() if after is not None else end, way


def days(name: str, first: date, length: int, way: str) -> tuple[date, int]:
    """Return the first day and the number of days that are meant; a holiday of several days is its own span."""
    if way == "week":
        return first - timedelta(days=first.weekday()), 7
    if length > 1 or not way:
        return first, length
    if _EASTER.search(name) is not None:
        return (first - timedelta(days=7), 15) if way == "break" else (first - timedelta(days=2), 4)
    if _CHRISTMAS.search(name) is not None and way == "break":
        return first - timedelta(days=5), 14
    if _THANKS.search(name) is not None:
        return first, 4
    if way == "weekend":
        return _weekend(first)
    return first - timedelta(days=1), 3


def _weekend(day: date) -> tuple[date, int]:
    """The weekend that a day makes longer, with it."""
    if day.weekday() <= 1:
        return day - timedelta(days=day.weekday() + 2), day.weekday() + 3
    if day.weekday() <= 4:
        return day, 7 - day.weekday()
    return day - timedelta(days=day.weekday() - 5), 2


def is_estimated(words: str) -> bool:
    """Whether the words of a time name days around a holiday or a holiday of schools, which no calendar fixes."""
    from qx.text.holidays import HOLIDAY

    if _SCHOOL.search(words) is not None:
        return True
    return _ESTIMATE.search(words) is not None and HOLIDAY.search(words) is not None


__all__ = ["SCHOOL_SUMMER", "SCHOOL_WINTER", "SCHOOL_WINTER_ZH", "around", "days", "is_estimated"]
