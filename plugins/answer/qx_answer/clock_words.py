"""Times of day in words: half past nine, a quarter to six, eight in the evening, 九点半, 差一刻六点, 九点三刻."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.text.numerals import value_of

_UNITS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTES = rf"(?:{_UNITS}|twenty(?:[- ]five)?|\d{{1,2}})"
_EN = re.compile(
    rf"\b(?:(?P<half>half)\s+past|(?:a\s+)?(?P<quarter>quarter)\s+(?P<q>past|to)|(?:(?<=at\s)|(?<=by\s)|(?<=before\s)|(?<=after\s)|(?<=until\s))(?P<n>{_MINUTES})\s+(?:minutes?\s+)?(?P<of>past|to)"
    rf"|(?P<many>{_MINUTES})\s+minutes?\s+(?P<w>past|to))\s+(?P<hour>{_UNITS}|\d{{1,2}})\b(?!:)"
    r"(?:\s?(?P<ap>[ap])\.?m\b\.?|\s+(?P<am>in\s+the\s+morning)|\s+(?P<pm>in\s+the\s+(?:afternoon|evening)|at\s+night))?",
    re.IGNORECASE,
)
_OF_DAY = r"(?P<am>in\s+the\s+morning)|(?P<pm>in\s+the\s+(?:afternoon|evening)|at\s+night)"
_SHARP = re.compile(
    rf"\b(?P<hour>{_UNITS}|\d{{1,2}})\s+(?:o['’]clock(?:\s+(?:{_OF_DAY}))?|{_OF_DAY.replace('am>', 'am2>').replace('pm>', 'pm2>')})(?![a-z])",
    re.IGNORECASE,
)
_STRETCH = re.compile(
    rf"\b(?:from|between)\s+(?P<from>{_UNITS})\s+(?:to|until|till|and)\s+(?P<to>{_UNITS})\b", re.IGNORECASE
)
"""Two hours, or two ages, or anything: only what else is told says which."""
_NUMERAL = r"(?:\d{1,2}|[一二三四五六七八九十两]{1,3})"
_ZH = re.compile(
    rf"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?(?:差(?P<less>一刻|{_NUMERAL}分)(?P<to>{_NUMERAL})点(?![半一二三四五六七八九十\d])"
    rf"|(?P<hour>(?<![\d一二三四五六七八九十]){_NUMERAL})点(?:(?P<half>半)|(?P<quarters>[一三])刻|(?P<past>[一二三四五六七八九十]{{1,3}})分|(?P<sharp>整|钟)))"
)
_LATE = ("下午", "傍晚", "晚上", "夜里")
_QUARTER = 15

Spoken = tuple[int, int, frozenset[int], bool, bool]
"""Start, end, the minutes of the day that it can be, whether it says its half of the day, whether it is sure to be a time."""


def spoken(text: str) -> Iterator[Spoken]:
    """Yield the times of day that ``text`` (folded) tells in words; one that says no half of the day can be of both."""
    for match in _EN.finditer(text):
        hour = value_of(match["hour"].lower())
        if hour is None or not 1 <= hour <= 12:
            continue
        direction = (match["q"] or match["of"] or match["w"] or "past").lower()
        minutes = 30 if match["half"] else _QUARTER if match["quarter"] else _minutes(match["n"] or match["many"])
        if minutes is None:
            continue
        late = None
        if match["ap"] or match["am"] or match["pm"]:
            late = bool(match["pm"]) or (match["ap"] or "").lower() == "p"
        yield (
            match.start(),
            match.end(),
            _either(int(hour), minutes if direction == "past" else -minutes, late),
            late is not None,
            True,
        )
    yield from _hours(text)
    yield from _chinese(text)


def _hours(text: str) -> Iterator[Spoken]:
    """Whole hours of English: eight o'clock, eight in the evening, from nine to five."""
    for match in _SHARP.finditer(text):
        hour = value_of(match["hour"].lower())
        early, evening = match["am"] or match["am2"], match["pm"] or match["pm2"]
        late = bool(evening) if early or evening else None
        if hour is not None and 0 < hour <= 24:
            yield match.start(), match.end(), _either(int(hour), 0, late), late is not None, True
    for match in _STRETCH.finditer(text):
        for name in ("from", "to"):
            hour = value_of(match[name].lower())
            if hour is not None:
                yield match.start(name), match.end(name), _either(int(hour), 0, None), False, False


def _chinese(text: str) -> Iterator[Spoken]:
    for match in _ZH.finditer(text):
        hour = value_of(match["hour"] or match["to"])
        if hour is None or hour > 24:
            continue
        if match["to"]:
            minutes = -_QUARTER if match["less"] == "一刻" else -(_minutes(match["less"][:-1]) or 0)
        elif match["quarters"]:
            minutes = _QUARTER * (3 if match["quarters"] == "三" else 1)
        else:
            minutes = 30 if match["half"] else (_minutes(match["past"]) or 0) if match["past"] else 0
        late = match["part"] in _LATE if match["part"] else None
        if match["part"] == "中午":
            late = hour < 3 or hour == 12
        yield match.start(), match.end(), _either(int(hour), minutes, late), late is not None, True


def _minutes(text: str) -> int | None:
    found = value_of(text.lower().replace(" ", "-"))
    return int(found) if found is not None and 0 < found < 60 else None


def _either(hour: int, minutes: int, late: bool | None) -> frozenset[int]:
    if hour > 12:
        return frozenset(((hour * 60 + minutes) % 1440,))
    first = hour % 12 * 60
    both = [first, first + 720] if late is None else [first + 720 * late]
    return frozenset((one + minutes) % 1440 for one in both)
