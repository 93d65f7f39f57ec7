"""English dates, months, quarters, seasons, years and decades."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from qx.text.months import MONTH, MONTHS, month_number
from qx.text.periods import Moment, TimeRange, first_of
from qx.text.time_atoms import Atom, Level, Rules, atom, constant, likely_years
from qx.text.times_en_words import BEGIN, END, SIGN, WHICH, YEAR, rule

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_INTRODUCED = rule(r"(?:\b(?:in|during|of|since|before|after|until|till|by|from|to|between|and|early|mid|late|year|through|around|circa|around|"
                    r"throughout|end\sof|start\sof)[\s-]|[自从在到至]\s?)$")  # fmt: skip
_PRODUCT = rule(r"(?:office|windows|server|studio|photoshop|autocad|excel|word|solidworks|rtx|gtx|gt|rx|model|room|version|route|no\.|#|"
                 r"预算|价格|价位|售价|[$¥€£]|\b(?!q[1-4]\s|h[12]\s)[a-z]{1,12}[0-9]{1,6})\s?$|[+_.:/]$|(?<![0-9])-$")  # fmt: skip
_UNIT_FOLLOWS = rule(r"\s?(?:元|块|左右|以内|以下|以上|多|余|个|名|人|米|克|毫|公|万|千|dollar|usd|rmb|eur|pound|mah|mb|gb|w\b|px|rpm|people|users|"
                      r"km|kg|pcs|calor|steps|words|[%$€£×])|[.,:/_][0-9]|(?!q[1-4]|h[12])[a-z0-9_]")  # fmt: skip


_COUNTED = rule(r"\s?(?:hours?|hrs?|h\b|o'?clock|cal|kcal|steps?|words?|pages?|items?|units?)")
_AMOUNT = rule(r"\b(?:price|cost|budget|fee|salary|pay|score|stock)s?\s(?:\w{1,12}\s){0,2}$")
_DAY_AFTER = re.compile(r"([-/.])[0-9]{1,2}\1[0-9]{1,2}(?![0-9])")
_DAY_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,2}([-/])[0-9]{1,2}\1$")


def _date(match: re.Match[str], moment: Moment) -> Atom | None:
    month, day = month_number(match["m"]), int(match["d"])
    if not 1 <= day <= 31 or (
        match["m"] == "may" and not match["y"] and re.match(r"\s[a-z]", match.string[match.end() :][:2])
    ):
        return None

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = (int(match["y"]),) if match["y"] else likely_years(moment, lambda y: _real(y, month, day), context)
        days = (_real(y, month, day) for y in years)
        return tuple(moment.day(d) for d in days if d is not None)

    return atom(match, Level.DAY, resolve)


def _real(year: int, month: int, day: int) -> date | None:
    first = first_of(year, month)
    found = first + timedelta(days=day - 1)
    return found if found.month == first.month else None


def _numeric(match: re.Match[str], moment: Moment) -> Atom | None:
    found = _real(int(match["y"]), int(match["m"]), int(match["d"]))
    if found is None:
        return None
    if match["hour"] is None:
        return atom(match, Level.DAY, constant(moment.day(found)))
    hour, minute, offset = int(match["hour"]), int(match["minute"]), match["offset"]
    if hour > 23 or minute > 59:
        return None
    made = moment.clock(found, hour, minute)
    if offset:
        sign = -1 if offset[0] == "-" else 1
        digits = re.sub(r"[^0-9]", "", offset).ljust(4, "0")
        shift = timedelta() if offset in "Zz" else sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]))
        start = datetime.combine(found, time(hour, minute), tzinfo=UTC) - shift
        made = (moment.instants(start, start + timedelta(minutes=1), "minute"),)
    return atom(match, Level.SPAN, constant(*made))


def _slashed(match: re.Match[str], moment: Moment) -> Atom | None:
    a, b, year = int(match["a"]), int(match["b"]), int(match["y"])
    days = [_real(year, m, d) if 1 <= m <= 12 and 1 <= d <= 31 else None for m, d in ((a, b), (b, a))]
    found = tuple(dict.fromkeys(d for d in days if d is not None))
    return atom(match, Level.DAY, constant(*(moment.day(d) for d in found))) if found else None


def _compact(match: re.Match[str], moment: Moment) -> Atom | None:
    month = int(match["m"])
    if match["d"] is None:
        return atom(match, Level.MONTH, constant(moment.month(int(match["y"]), month)))
    found = _real(int(match["y"]), month, int(match["d"]))
    return atom(match, Level.DAY, constant(moment.day(found))) if found else None


def _month(match: re.Match[str], moment: Moment) -> Atom:
    month = month_number(match["m"])
    sign = SIGN.get((match["which"] or "").lower())
    full = len(match["m"].rstrip(".")) > 3 and match["m"].lower() != "march"
    said = _INTRODUCED.search(match.string[max(0, match.start() - 16) : match.start()])
    capital = match["m"][0].isupper()
    weak = not (
        full
        or (sign is not None and (capital or full or match["m"].lower() == "march"))
        or (said and match["m"].lower() in MONTHS)
    )

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if sign is None or context is not None:
            return tuple(moment.month(y, month) for y in likely_years(moment, lambda y: date(y, month, 1), context))
        year, now = moment.today.year, moment.today.month
        if sign < 0:
            year -= month >= now
        elif sign > 0:
            year += month <= now
        return (moment.month(year, month),)

    return atom(match, Level.MONTH, resolve, weak=weak)


def _year(match: re.Match[str], moment: Moment) -> Atom | None:
    number = int(match["y"])
    before, after = (
        match.string[max(0, match.start() - 18) : match.start()],
        match.string[match.end() : match.end() + 8],
    )
    if _DAY_AFTER.match(after) or _DAY_BEFORE.search(before):
        return None  # 2026-02-30 is no day, and no year either
    said = _INTRODUCED.search(before) is not None
    if not said and (
        _PRODUCT.search(before)
        or _UNIT_FOLLOWS.match(after)
        or number % 500 == 0
        or not 1950 <= number <= moment.today.year + 3
    ):
        return None
    if said and _UNIT_FOLLOWS.match(after):
        return None
    return atom(match, Level.YEAR, constant(moment.year(number)))


def _old_year(match: re.Match[str], moment: Moment) -> Atom | None:
    """A year of long ago is one only as a bound, of no amount: not "before 1800 hours" nor "price before 1800"."""
    before, after = match.string[max(0, match.start() - 30) : match.start()], match.string[match.end() :][:12]
    if _UNIT_FOLLOWS.match(after) or _COUNTED.match(after) or _AMOUNT.search(before):
        return None
    return atom(match, Level.YEAR, constant(moment.year(int(match["y"]))))


def _quarter(match: re.Match[str], moment: Moment) -> Atom:
    number = int(match["q"] or "0") or ["first", "second", "third", "fourth"].index(match["word"].lower()) + 1

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        return tuple(
            moment.quarter(y, number) for y in likely_years(moment, lambda y: first_of(y, 3 * number - 2), context)
        )

    return atom(match, Level.SEASON, resolve)


def _half(match: re.Match[str], moment: Moment) -> Atom:
    first = 7 if (match["h"] or "").endswith("2") or (match["word"] or "").lower() == "second" else 1

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = likely_years(moment, lambda y: first_of(y, first), context)
        return tuple(moment.days(first_of(y, first), first_of(y, first + 6)) for y in years)

    return atom(match, Level.SEASON, resolve, weak=bool(match["h"]))


def _season(match: re.Match[str], moment: Moment) -> Atom:
    first, sign = _SEASONS[match["season"].lower()], SIGN.get((match["which"] or "").lower())

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = likely_years(moment, lambda y: date(y, first, 1), context)
        if sign is not None and context is None:
            over = first_of(moment.today.year, first + 3) <= moment.today
            begun = first_of(moment.today.year, first) <= moment.today
            year = moment.today.year
            if sign < 0:
                years = (year, year - 1) if over else (year - 1,)  # in November it is this year's, or the last one's
            else:
                years = (year + (1 if sign > 0 and begun else 0),)
        return tuple(moment.days(first_of(y, first), first_of(y, first + 3)) for y in years)

    return atom(match, Level.SEASON, resolve, weak=sign is None)


def _decade(match: re.Match[str], moment: Moment) -> Atom:
    number = int(match["y"] or match["y2"])
    start = number if number > 100 else number + (1900 if number >= 30 else 2000)
    return atom(match, Level.YEAR, constant(moment.days(date(start, 1, 1), date(start + 10, 1, 1), "decade")))


RULES: Rules = (
    (rule(rf"(?<![\w.-])(?P<y>{YEAR})(?P<s>[-/.])(?P<m>0?[1-9]|1[0-2])(?P=s)(?P<d>3[01]|[12][0-9]|0?[1-9])(?![0-9.-])"
           r"(?:[t\s](?P<hour>[0-2][0-9]):(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:\.[0-9]{1,9})?)?\s?(?P<offset>z|[+-][0-9]{2}:?[0-9]{2})?)?"), _numeric),
    (rule(rf"(?<![\w.-])(?P<y>{YEAR})[-/](?P<m>0[1-9]|1[0-2])(?P<d>(?!x)x)?(?![0-9-]|/[0-9])"), _compact),
    (rule(rf"(?<![\w.-])(?P<y>{YEAR})(?P<m>0[1-9]|1[0-2])(?P<d>3[01]|[12][0-9]|0[1-9])(?![0-9A-Za-z._-])"), _compact),
    (rule(rf"(?<![\w.-])(?P<a>0?[1-9]|[12][0-9]|3[01])(?P<s>[/-])(?P<b>0?[1-9]|[12][0-9]|3[01])(?P=s)(?P<y>{YEAR})(?![0-9/-])"), _slashed),
    (rule(rf"{BEGIN}(?P<m>{MONTH})\s?(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?(?![\w:%])(?:,?\s{{1,3}}(?P<y>{YEAR})(?!\w))?"), _date),
    (rule(rf"{BEGIN}(?:the\s)?(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?[\s-](?:of\s)?(?P<m>{MONTH})(?!\w)(?:,?[\s-]{{1,3}}(?P<y>{YEAR})(?!\w))?"), _date),
    (rule(rf"{BEGIN}(?:{WHICH}\s)?(?P<m>{MONTH})(?!['A-Za-z0-9_])"), _month),
    (rule(rf"(?<=mid-)(?P<which>(?!x)x)?(?P<m>{MONTH})(?!['A-Za-z0-9_])"), _month),
    (rule(rf"(?:(?<=[0-9年])|{BEGIN})(?:q(?P<q>[1-4])|(?:the\s)?(?P<word>first|second|third|fourth)\squarter){END}"), _quarter),
    (rule(rf"{BEGIN}(?:(?P<h>h[12])|(?:the\s)?(?P<word>first|second)\shalf(?=\sof\s(?:{YEAR}|(?:last|this|next|the)\syear))){END}"), _half),
    (rule(rf"{BEGIN}(?:{WHICH}\s)?(?P<season>spring|summer|autumn|fall|winter){END}(?!\s(?:boot|festival|break|camp))"), _season),
    (rule(rf"{BEGIN}(?:the\s)?(?:(?P<y>(?:19|20)[0-9]0)'?s|(?<=the\s)'?(?P<y2>[2-9]0)'?s){END}"), _decade),
    (rule(rf"(?<![\w.,$¥€£-])(?P<y>{YEAR})(?![0-9])"), _year),
    (rule(rf"(?<=[0-9]-)(?P<y>{YEAR})(?![\w-])"), _year),
    (rule(r"(?:(?<=before\s)|(?<=after\s)|(?<=since\s)|(?<=until\s))(?P<y>1[0-8][0-9]{2})(?![\w:%-]|[.,][0-9])"), _old_year),
)  # fmt: skip
