"""Days of the week: a sentence about the weekend, or "Tuesday to Friday", speaks of each day in it."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

_ENGLISH = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_HAN = "一二三四五六日"
_DAY = re.compile(
    rf"\b(?P<en>{'|'.join(_ENGLISH)})s?\b|(?:周|星期|礼拜)(?P<zh>[{_HAN}天])|\b(?P<end>weekends?)\b|(?P<zhend>周末)",
    re.IGNORECASE,
)
_EVERY = ("every day", "each day", "daily", "all week", "any day", "seven days a week", "每天", "每日", "天天", "全周")
_WEEK = ("weekday", "weekdays", "working days", "工作日", "平日")


def days_of(text: str) -> tuple[tuple[int, int, frozenset[int]], ...]:
    """Return the days that ``text`` names: (start, end, the days of it: 0 is Monday)."""
    return tuple((match.start(), match.end(), _which(match)) for match in _DAY.finditer(text))


def _which(match: re.Match[str]) -> frozenset[int]:
    if match["en"]:
        return frozenset((_ENGLISH.index(match["en"].lower()),))
    if match["zh"]:
        return frozenset((_HAN.index(match["zh"].replace("天", "日")),))
    return frozenset((5, 6))


def is_day(word: str) -> bool:
    """Whether a word is the name of a day, and so no other name."""
    return _DAY.fullmatch(word.strip()) is not None


_UNTIL = re.compile(r"\b(?:until|till|to|through)\b[^\d,;:.]{0,20}$|[-–—至到]\s*[下次]?$", re.IGNORECASE)
"""Right before the last day of a stretch: what leads to an hour ("Monday: 9-17, Friday: 9-12") leads to no day."""
_APART = 60
"""Characters between two days of one stretch at most: "shuts on Saturday and opens again on Monday" is told in one go."""


def covers(text: str, listed: frozenset[int]) -> bool:
    """Whether one of the days lies in a stretch that ``text`` tells: Friday of "closed on Thursday, not open again until Monday"."""
    found = days_of(text)
    for (_, end, first), (start, _, last) in pairwise(found):
        if start - end > _APART or _UNTIL.search(text[end:start]) is None:
            continue
        at, to = min(first), min(last)
        stretch = range(at, to + 1) if at <= to else (*range(at, 7), *range(to + 1))
        if listed & set(stretch):
            return True
    return False


@cache
def wordings(days: frozenset[int]) -> tuple[str, ...]:
    """Return what says one of ``days``: its names, the weekend, every day, and each stretch of days with it inside."""
    found: list[str] = [*_EVERY]
    for day in sorted(days):
        found += [_ENGLISH[day], f"{_ENGLISH[day]}s", *_han(day)]
        found += ["weekend", "weekends", "周末"] if day >= 5 else list(_WEEK)
        for first in range(7):
            for last in range(7):
                inside = first <= day <= last if first <= last else day >= first or day <= last
                if inside and first != last:
                    found += _stretch(first, last)
    return tuple(dict.fromkeys(found))


def _han(day: int) -> list[str]:
    names = [_HAN[day], *(["天"] if day == 6 else [])]
    return [f"{of}{name}" for of in ("周", "星期", "礼拜") for name in names]


def _stretch(first: int, last: int) -> list[str]:
    joined = [
        f"{_ENGLISH[first]}{by}{_ENGLISH[last]}" for by in (" to ", " through ", " until ", "-", " - ", "–", " – ")
    ]
    joined += [f"{_ENGLISH[first]}s to {_ENGLISH[last]}s", f"{_ENGLISH[first][:3]}-{_ENGLISH[last][:3]}"]
    return [*joined, *(f"{a}{by}{b}" for a in _han(first) for b in (*_han(last), _HAN[last]) for by in "至到-—~")]
