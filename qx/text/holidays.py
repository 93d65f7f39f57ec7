"""Days that people name instead of dating: fixed, floating (the fourth Thursday) and of the Chinese calendar.

The days of the Chinese calendar are known for 2000 to 2050; outside of that a lunar holiday has no date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from qx.text.holiday_spans import SCHOOL_SUMMER, SCHOOL_WINTER, SCHOOL_WINTER_ZH

_FIRST, _LAST = 2000, 2050
_SPRING = (
    "0205 0124 0212 0201 0122 0209 0129 0218 0207 0126 0214 0203 0123 0210 0131 0219 0208 "
    "0128 0216 0205 0125 0212 0201 0122 0210 0129 0217 0206 0126 0213 0203 0123 0211 0131 "
    "0219 0208 0128 0215 0204 0124 0212 0201 0122 0210 0130 0217 0206 0126 0214 0202 0123 "
)
_DRAGON = (
    "0606 0625 0615 0604 0622 0611 0531 0619 0608 0528 0616 0606 0623 0612 0602 0620 0609 "
    "0530 0618 0607 0625 0614 0603 0622 0610 0531 0619 0609 0528 0616 0605 0624 0612 0601 "
    "0620 0610 0530 0618 0607 0527 0614 0603 0622 0611 0531 0619 0608 0529 0615 0604 0623 "
)
_MOON = (
    "0912 1001 0921 0911 0928 0918 1006 0925 0914 1003 0922 0912 0930 0919 0908 0927 0915 "
    "1004 0924 0913 1001 0921 0910 0929 0917 1006 0925 0915 1003 0922 0912 1001 0919 0908 "
    "0927 0916 1004 0924 0913 1002 0920 0910 0928 0917 1005 0925 0915 1004 0922 0911 0930 "
)

Dates = Callable[[int], tuple[date, int] | None]
"""The first day of a holiday in a year and how many days it lasts."""


def _fixed(month: int, day: int, length: int = 1) -> Dates:
    return lambda year: (date(year, month, day), length)


def _lunar(table: str, offset: int = 0, length: int = 1) -> Dates:
    def dates(year: int) -> tuple[date, int] | None:
        if not _FIRST <= year <= _LAST:
            return None
        text = table[5 * (year - _FIRST) :][:4]
        return date(year, int(text[:2]), int(text[2:])) + timedelta(days=offset), length

    return dates


def _nth(month: int, weekday: int, n: int, offset: int = 0) -> Dates:
    """The ``n``-th ``weekday`` (Monday 0) of a month; ``n`` -1 is the last; ``offset`` in days."""

    def dates(year: int) -> tuple[date, int] | None:
        if n > 0:
            first = date(year, month, 1)
            found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
        else:
            last = date(year, month + 1, 1) - timedelta(days=1)
            found = last - timedelta(days=(last.weekday() - weekday) % 7)
        return found + timedelta(days=offset), 1

    return dates


def _easter(year: int) -> tuple[date, int]:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm, Nature 1876)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1), 1


_TABLE: tuple[tuple[str, Dates], ...] = (
    (
        r"\b(?:chinese\s)?national\sday(?:\s(?:holidays?|week|golden\sweek))?\b|国庆节?(?:假期|长假|黄金周)?|國慶節?|(?<![一二三四五六七八九十])十一(?:假期|黄金周|长假|(?=期间|放假|出游))",
        _fixed(10, 1, 7),
    ),
    (r"元旦(?:假期|小长假)?|\bnew\syear'?s?\sday\b", _fixed(1, 1)),
    (r"除夕|大年三十|\bchinese\snew\syear'?s?\seve\b", _lunar(_SPRING, -1)),
    (
        r"春节(?!序曲)(?:假期|长假)?|春節|过年期间|\bchinese\snew\syear\b|\blunar\snew\syear\b|\bspring\sfestival\b",
        _lunar(_SPRING, -1, 8),
    ),
    (r"元宵节|元宵節|\blantern\sfestival\b", _lunar(_SPRING, 14)),
    (r"端午节?(?:假期|小长假)?|端午節?|\bdragon\sboat\sfestival\b", _lunar(_DRAGON)),
    (r"中秋节?(?:假期|小长假)?|中秋節?|\bmid-?autumn\s(?:festival|day)\b", _lunar(_MOON)),
    (r"清明节(?:假期|小长假)?|清明節|清明(?:假期|小长假|(?=期间|放假))", _fixed(4, 4, 2)),
    (
        r"劳动节(?:假期)?|勞動節|(?<![一二三四五六七八九十零])五一(?:假期|小长假|黄金周)?(?![一二三四五六七八九十路广班村])",
        _fixed(5, 1, 5),
    ),
    (r"\bmay\sday\b", _fixed(5, 1)),
    (r"妇女节|三八节|\bwomen's\sday\b", _fixed(3, 8)),
    (r"儿童节|六一(?:儿童节)?(?![一二三四五六七八九十路])|\bchildren's\sday\b", _fixed(6, 1)),
    (r"教师节", _fixed(9, 10)),
    (r"愚人节|\bapril\sfools'?(?:\sday)?\b", _fixed(4, 1)),
    (r"情人节|\bvalentine'?s(?:\sday)?\b", _fixed(2, 14)),
    (r"母亲节|\bmother'?s\sday\b", _nth(5, 6, 2)),
    (r"父亲节|\bfather'?s\sday\b", _nth(6, 6, 3)),
    (r"感恩节|\bthanksgiving(?:\sday)?\b", _nth(11, 3, 4)),
    (r"黑色星期五|黑五|\bblack\sfriday\b", _nth(11, 3, 4, 1)),
    (r"网络星期一|\bcyber\smonday\b", _nth(11, 3, 4, 4)),
    (r"平安夜|\bchristmas\seve\b", _fixed(12, 24)),
    (
        r"圣诞节?(?!老人|树|帽|袜|歌)|聖誕節?|\bchristmas\b(?!\s(?:tree|card|song|carol|light|gift|present|sweater))|\bxmas\b",
        _fixed(12, 25),
    ),
    (r"跨年夜|\bnew\syear'?s?\seve\b", _fixed(12, 31)),
    (r"万圣节|\bhalloween\b(?!\s(?:costume|movie|candy))", _fixed(10, 31)),
    (r"双(?:11|十一)(?![0-9一二三四五六七八九十])", _fixed(11, 11)),
    (r"双(?:12|十二)(?![0-9一二三四五六七八九十])", _fixed(12, 12)),
    (r"(?<![0-9])618(?=大促|活动|购物|期间|优惠|预售|价)", _fixed(6, 18)),
    (r"\bindependence\sday\b|\b4th\sof\sjuly\b|\bfourth\sof\sjuly\b", _fixed(7, 4)),
    (r"\blabou?r\sday\b", _nth(9, 0, 1)),
    (r"\bmemorial\sday\b", _nth(5, 0, -1)),
    (SCHOOL_SUMMER, _fixed(7, 1, 62)),
    (SCHOOL_WINTER_ZH, _lunar(_SPRING, -16, 32)),
    (SCHOOL_WINTER, _fixed(12, 20, 17)),
    (r"复活节|\beaster(?:\ssunday)?\b(?!\s(?:egg|bunny|island))", _easter),
)

HOLIDAY = re.compile("|".join(f"(?P<h{i}>{words})" for i, (words, _) in enumerate(_TABLE)), re.IGNORECASE)
"""Names of holidays; ``dates`` reads a match."""


def dates(match: re.Match[str], year: int) -> tuple[date, int] | None:
    """Return the first day of the holiday in ``year`` and its length in days, None where it is not known."""
    index = int((match.lastgroup or "h0")[1:])
    return _TABLE[index][1](year)
