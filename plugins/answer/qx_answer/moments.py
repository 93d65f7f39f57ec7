"""Dates and times of day however they are written: 12 May 2025, 2025-05-12, 5月12日; 5 pm, 17:00, 下午5点."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qx.serial import value
from qx.text.months import MONTH, month_number
from qx.text.numerals import value_of
from qx_answer.clock_words import spoken

_YEAR = r"(?:19|20)\d\d"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"(?<!\d)(?P<y1>{_YEAR})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}})(?!\d)"
    rf"|(?:(?P<y2>{_YEAR})年)?(?P<m2>\d{{1,2}})月(?P<d2>\d{{1,2}})[日号]"
    rf"|(?<!\d)(?P<d3>{_DAY})\s(?:of\s)?(?P<m3>{MONTH})(?:,?\s(?P<y3>{_YEAR}))?"
    rf"|(?<![a-z])(?P<m4>{MONTH})\s(?P<d4>{_DAY})(?![\d:])(?:,?\s(?P<y4>{_YEAR}))?"
    rf"|(?<![\d.])(?P<a>\d{{1,2}})[./](?P<b>\d{{1,2}})[./](?P<y5>{_YEAR})(?!\d)",
    re.IGNORECASE,
)
_PART = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里"
_NUMERAL = "[零一二三四五六七八九十两]{1,3}"
_TIME = re.compile(
    rf"(?P<part>{_PART})(?P<h1>\d{{1,2}}|{_NUMERAL})(?:[点时](?P<m1>\d{{1,2}}|半)?分?|:(?P<m2>\d\d))"
    rf"|(?<![\d:.])(?P<h2>\d{{1,2}})(?::(?P<m3>\d\d))?\s?(?P<half>[ap])\.?m\b\.?"
    rf"|(?<![\d:])(?P<h3>[01]?\d|2[0-4]):(?P<m4>[0-5]\d)(?![\d:])"
    rf"|(?P<noon>\bnoon\b|正午)|(?P<midnight>\bmidnight\b|午夜)"
    rf"|(?P<h5>(?<!\d)\d{{1,2}})[点时](?P<m5>\d{{1,2}}(?=分)|半|整)?(?!间|候|代|期|刻)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?<![\d:.])(?P<h>\d{1,2})(?=\s?(?:-|to|until|and)\s?\d{1,2}(?::\d\d)?\s?(?P<half>[ap])\.?m\b)", re.I
)
"""The first of two hours, of which the second alone says its half of the day: 9 to 11 am."""

Date = tuple[int | None, int, int]


@value
class Moment:
    """A date or a time of day in a text.

    Attributes:
        readings: What it can be: (year or None, month, day), or the minute of the day.
        sure: Whether it says its half of the day (of dates: its year).
        whole: Whether its readings are all that it can be: half past nine is of the morning or of the evening.
    """

    start: int
    end: int
    readings: frozenset[Date | int]
    sure: bool
    whole: bool = False


def dates(text: str) -> Iterator[Moment]:
    """Yield the dates of ``text`` (folded) that name a day."""
    for match in _DATE.finditer(text):
        found = {key[0]: said for key, said in match.groupdict().items() if said}
        if found.get("m", "") in ("may", "march"):  # the verbs
            continue
        year = int(found["y"]) if "y" in found else None
        pairs = [(found["a"], found["b"]), (found["b"], found["a"])] if "a" in found else [(found["d"], found["m"])]
        readings = {(year, _month(month), int(re.sub(r"\D", "", day))) for day, month in pairs}
        real = frozenset((y, m, d) for y, m, d in readings if 1 <= m <= 12 and 1 <= d <= 31)
        if real:
            yield Moment(start=match.start(), end=match.end(), readings=real, sure=year is not None)


def parts(text: str) -> set[float]:
    """Return the years, months and days of the dates of ``text``, each a number by itself."""
    read = (reading for day in dates(text) for reading in day.readings if isinstance(reading, tuple))
    return {float(part) for reading in read for part in reading if part is not None}


def _month(text: str) -> int:
    return int(text) if text.isdigit() else month_number(text)


def times(text: str) -> Iterator[Moment]:
    """Yield the times of day of ``text`` (folded)."""
    told = [
        Moment(start=start, end=end, readings=frozenset(minutes), sure=sure, whole=whole)
        for start, end, minutes, sure, whole in spoken(text)
    ]
    yield from told
    for moment in told:  # what is read is not read again, in part
        text = _blank(text, moment)
    for match in _RANGE.finditer(text):
        hour, half = int(match["h"]), match["half"].lower()
        if 1 <= hour <= 12:
            yield Moment(
                start=match.start(), end=match.end(), readings=frozenset((_half(hour, half) * 60,)), sure=False
            )
    for match in _TIME.finditer(text):
        found = _minute(match)
        if found is not None:
            sure = match["half"] is not None or match["part"] is not None or found >= 13 * 60
            yield Moment(start=match.start(), end=match.end(), readings=frozenset((found,)), sure=sure)


def _minute(match: re.Match[str]) -> int | None:
    if match["noon"]:
        return 12 * 60
    if match["midnight"]:
        return 0
    hour = value_of(match["h1"] or match["h2"] or match["h3"] or match["h5"])
    said = match["m1"] or match["m2"] or match["m3"] or match["m4"] or match["m5"]
    minute = 30 if said == "半" else int(said) if said and said.isdigit() else 0
    if hour is None or hour > 24 or minute > 59:
        return None
    if match["half"]:
        hour = _half(int(hour), match["half"].lower()) if hour <= 12 else hour
    elif (match["part"] in ("下午", "傍晚", "晚上") and hour < 12) or (match["part"] == "中午" and hour < 3):
        hour += 12
    return (int(hour) * 60 + minute) % 1440


def _half(hour: int, half: str) -> int:
    return hour % 12 + (12 if half == "p" else 0)


def same_day(one: Moment, two: Moment) -> bool:
    """Whether two dates can be the same day; one may leave out its year."""
    return any(
        isinstance(a, tuple) and isinstance(b, tuple) and a[1:] == b[1:] and (None in (a[0], b[0]) or a[0] == b[0])
        for a in one.readings
        for b in two.readings
    )


def without_known(said: str, known: str) -> tuple[str, str]:
    """Take the dates and times out of the statement ``said`` that the quote ``known`` has, however it writes them.

    Returns:
        The statement with blanks in their places, and what is wrong ("" where nothing is): a day or a time of the statement
        that is another in the quote.
    """
    days, there = list(dates(said)), list(dates(known))
    for day in days:
        if any(same_day(day, other) for other in there):
            said = _blank(said, day)
        elif there and not any(_written(said, day) == _written(known, other) for other in there):
            return said, f"the statement's {_written(said, day)} is {_written(known, there[0])} in the quote"
    hours = list(times(known))
    minutes = {reading for hour in hours for reading in hour.readings}
    for time in times(said):
        if time.readings & minutes:
            said = _blank(said, time)
        elif hours and ((time.sure and all(hour.sure for hour in hours)) or (time.whole and not _may_be(time, hours))):
            return said, f"the statement's {_written(said, time)} is {_written(known, hours[0])} in the quote"
    return said, ""


def _may_be(time: Moment, hours: Sequence[Moment]) -> bool:
    """Whether one of some times of day is the same at the other half of the day: 9:30 may be of the evening."""
    return any(
        isinstance(a, int) and isinstance(b, int) and not hour.sure and (a - b) % 720 == 0
        for hour in hours
        for a in time.readings
        for b in hour.readings
    )


def _written(text: str, moment: Moment) -> str:
    return text[moment.start : moment.end].strip()


def _blank(text: str, moment: Moment) -> str:
    return text[: moment.start] + " " * (moment.end - moment.start) + text[moment.end :]
