"""English time words: dates, months, weekdays, "last", "ago", parts of the day, clock times, quarters, decades."""

from __future__ import annotations

import re
from datetime import date, timedelta

from qx.text.periods import Moment, TimeRange, first_of
from qx.text.time_atoms import Atom, Level, Rules, ago, amounts, atom, constant, lasting, likely_years, newest
from qx.text.times_zh import clock_in

_MONTHS = "january february march april may june july august september october november december".split()
_SHORT = {name[:3]: i + 1 for i, name in enumerate(_MONTHS)} | {"sept": 9}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH = "(?:" + "|".join(_MONTHS) + ")"
_MON = "(?:" + "|".join([*_MONTHS, "sept", *(n[:3] for n in _MONTHS)]) + r")\.?(?![a-z])"
_DAY = "(?:" + "|".join(_WEEKDAYS) + ")"
_ABBREVIATED = r"(?:mon|tues?|wed|thurs?|thu|fri|sat|sun)\b\.?"
_N = (
    r"(?:[0-9]{1,4}|an?\scouple\sof|couple\sof|couple|a\sfew|few|several|an?|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)"
)
_UNIT = r"(?P<unit>second|minute|min|hour|hr|day|week|month|year|yr)s?"
_UNITS = {"min": "minute", "hr": "hour", "yr": "year"}
_YEAR = r"(?:19|20)[0-9]{2}"
_PARTS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 28)}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_WHICH = r"(?P<which>last|past|previous|this|current|next|coming|upcoming)"
_SIGN = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}


def _month_of(text: str) -> int:
    return _SHORT[text.lower().rstrip(".")[:3]]


def _date(match: re.Match[str], moment: Moment) -> Atom | None:
    month, day = _month_of(match["m"]), int(match["d"])
    if not 1 <= day <= 31 or (match["m"] == "may" and not match["y"] and re.match(r"\s[a-z]", match.string[match.end() :][:2])):
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
        naive = moment.local(made.start)
        start = naive.replace(tzinfo=_UTC) - shift
        made = moment.instants(start, start + timedelta(minutes=1), "minute")
    return atom(match, Level.SPAN, constant(made))


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
    month = _month_of(match["m"])
    sign = _SIGN.get((match["which"] or "").lower())
    full = len(match["m"].rstrip(".")) > 3 and match["m"].lower() != "march"
    said = _INTRODUCED.search(match.string[max(0, match.start() - 16) : match.start()])
    capital = match["m"][0].isupper()
    weak = not (full or (sign is not None and (capital or full or match["m"].lower() == "march")) or (said and match["m"].lower() in _MONTHS))

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
    before, after = match.string[max(0, match.start() - 18) : match.start()], match.string[match.end() : match.end() + 8]
    said = _INTRODUCED.search(before) is not None
    if not said and (_PRODUCT.search(before) or _UNIT_FOLLOWS.match(after) or number % 500 == 0 or not 1950 <= number <= moment.today.year + 3):
        return None
    if said and _UNIT_FOLLOWS.match(after):
        return None
    return atom(match, Level.YEAR, constant(moment.year(number)))


def _named_day(match: re.Match[str], moment: Moment) -> Atom:
    word = re.sub(r"\s+", " ", match[0].lower())
    shift = {"today": 0, "yesterday": -1, "tomorrow": 1}.get(word)
    if shift is None:
        shift = -2 if "yesterday" in word else 2
    return atom(match, Level.DAY, constant(moment.day(moment.today + timedelta(days=shift))))


def _named_part(match: re.Match[str], moment: Moment) -> Atom:
    word = match[0].lower()
    part = "night" if "night" in word else word.split()[-1]
    first, after = _PARTS[part]
    return atom(match, Level.PART, constant(moment.hours(moment.today - timedelta(days=word.startswith("last")), first, after)))


def _part(match: re.Match[str], moment: Moment) -> Atom:
    first, after = _PARTS[match["part"].lower()]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain != "day":
            return ()
        return (moment.hours(moment.local(context.start).date() if context else moment.today, first, after),)

    return atom(match, Level.PART, resolve, weak=True)


def _weekday(match: re.Match[str], moment: Moment) -> Atom:
    number = [w[:3] for w in _WEEKDAYS].index(match["day"].lower()[:3])
    which = (match["which"] or "").lower()
    short = match["day"].rstrip(".").lower() not in _WEEKDAYS
    said = re.search(r"\b(?:on|until|till|since|by|before|after|ago|week|from|to)\s$", match.string[max(0, match.start() - 8) : match.start()], re.I)
    weak = short and not which and not (said and match["day"][0].isupper())

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None:
            if context.grain != "week" or which:
                return ()
            base = moment.local(context.start).date()
            return (moment.day(base + timedelta(days=number)),)
        today, monday = moment.today, moment.today - timedelta(days=moment.today.weekday())
        this = monday + timedelta(days=number)
        before = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
        coming = today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)
        if which in ("last", "past", "previous"):
            days = (before, this - timedelta(weeks=1))
        elif which in ("next", "coming", "upcoming"):
            days = (coming, this + timedelta(weeks=1)) if which == "next" else (coming,)
        elif which:
            days = (this,)
        else:
            days = (today, before, coming) if this == today else (before, coming)
        return tuple(moment.day(d) for d in dict.fromkeys(days))

    return atom(match, Level.DAY, resolve, weak=weak, weekday=True)


def _period(match: re.Match[str], moment: Moment) -> Atom:
    sign = _SIGN[match["which"].lower()]
    if match["beyond"]:
        sign *= 2
    today, unit = moment.today, match["unit"].lower()
    if match["which"].lower() == "past" and unit not in ("quarter", "weekend"):
        amount, of = (10, "year") if unit == "decade" else (1, unit)
        return atom(match, Level.SPAN, constant(lasting(moment, of, amount)))
    match unit:
        case "week":
            return atom(match, Level.WEEK, constant(moment.week(today + timedelta(weeks=sign))))
        case "weekend":
            return atom(match, Level.DAY, constant(moment.weekend(today + timedelta(weeks=sign))))
        case "month":
            return atom(match, Level.MONTH, constant(moment.month(today.year, today.month + sign)))
        case "quarter":
            return atom(match, Level.SEASON, constant(moment.quarter(today.year, (today.month + 2) // 3 + sign)))
        case "decade":
            start = today.year // 10 * 10 + 10 * sign
            return atom(match, Level.YEAR, constant(moment.days(date(start, 1, 1), date(start + 10, 1, 1), "decade")))
        case _:
            return atom(match, Level.YEAR, constant(moment.year(today.year + sign)))


def _ago(match: re.Match[str], moment: Moment) -> Atom:
    unit = _UNITS.get(match["unit"].lower(), match["unit"].lower())
    sign = 1 if match["when"].lower().startswith("from") else -1
    if match["half"]:
        return atom(match, *ago(moment, unit, 0, 0, half=True, sign=sign))
    low, high = amounts(match["n"])
    return atom(match, *ago(moment, unit, low, high, half=bool(match["and_half"]), sign=sign))


def _last(match: re.Match[str], moment: Moment) -> Atom:
    unit = _UNITS.get(match["unit"].lower(), match["unit"].lower())
    sign = 1 if match["which"].lower() in ("next", "coming") else -1
    if match["half"]:
        return atom(match, Level.SPAN, constant(lasting(moment, unit, 0, half=True, sign=sign)))
    return atom(match, Level.SPAN, constant(lasting(moment, unit, amounts(match["n"] or "")[1], sign=sign)))


def _clock(match: re.Match[str], moment: Moment) -> Atom | None:
    word = match[0].lower().removeprefix("at ").strip()
    if word in ("noon", "midnight"):
        hour, minute, half = (12 if word == "noon" else 0), None, "am"
        return atom(match, Level.CLOCK, lambda context: _at(moment, context, hour, minute, half if hour == 0 else "noon"))
    hour = int(match["h"] or match["h2"] or amounts(match["h3"] or "")[0])
    minute = int(match["min"] or match["min2"] or 0) if (match["min"] or match["min2"]) else None
    half = re.sub(r"[^a-z]", "", (match["half"] or "").lower())
    if hour > 24 or (minute or 0) > 59 or (half and not 1 <= hour <= 12):
        return None
    return atom(match, Level.CLOCK, lambda context: _at(moment, context, hour, minute, half))


def _at(moment: Moment, context: TimeRange | None, hour: int, minute: int | None, half: str) -> tuple[TimeRange, ...]:
    if not half:
        return clock_in(moment, context, hour, minute)
    if context is not None and context.grain not in ("day", "part"):
        return ()
    day = moment.local(context.start).date() if context else moment.today
    real = hour % 12 + (12 if half in ("pm", "noon") else 0)
    return (moment.clock(day, real, minute),)


def _quarter(match: re.Match[str], moment: Moment) -> Atom:
    number = int(match["q"] or "0") or ["first", "second", "third", "fourth"].index(match["word"].lower()) + 1

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        return tuple(moment.quarter(y, number) for y in likely_years(moment, lambda y: first_of(y, 3 * number - 2), context))

    return atom(match, Level.SEASON, resolve)


def _half(match: re.Match[str], moment: Moment) -> Atom:
    first = 7 if (match["h"] or "").endswith("2") or (match["word"] or "").lower() == "second" else 1

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = likely_years(moment, lambda y: first_of(y, first), context)
        return tuple(moment.days(first_of(y, first), first_of(y, first + 6)) for y in years)

    return atom(match, Level.SEASON, resolve, weak=bool(match["h"]))


def _season(match: re.Match[str], moment: Moment) -> Atom:
    first, sign = _SEASONS[match["season"].lower()], _SIGN.get((match["which"] or "").lower())

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        years = likely_years(moment, lambda y: date(y, first, 1), context)
        if sign is not None and context is None:
            over = first_of(moment.today.year, first + 3) <= moment.today
            begun = first_of(moment.today.year, first) <= moment.today
            years = (moment.today.year + (0 if sign == 0 else (0 if over else -1) if sign < 0 else (1 if begun else 0)),)
        return tuple(moment.days(first_of(y, first), first_of(y, first + 3)) for y in years)

    return atom(match, Level.SEASON, resolve, weak=sign is None)


def _decade(match: re.Match[str], moment: Moment) -> Atom:
    number = int(match["y"])
    start = number if number > 100 else number + (1900 if number >= 30 else 2000)
    return atom(match, Level.YEAR, constant(moment.days(date(start, 1, 1), date(start + 10, 1, 1), "decade")))


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_UTC = __import__("datetime").UTC
_INTRODUCED = _rule(r"(?:\b(?:in|during|of|since|before|after|until|till|by|from|to|between|and|early|mid|late|year|through|around|circa|around|"
                    r"throughout|end\sof|start\sof)[\s-]|[自从在到至]\s?)$")  # fmt: skip
_PRODUCT = _rule(r"(?:office|windows|server|studio|photoshop|autocad|excel|word|solidworks|rtx|gtx|gt|rx|model|room|version|route|no\.|#|"
                 r"预算|价格|价位|售价|[$¥€£+\-_.,:/]|\b[a-z]+[0-9]+)\s?$")  # fmt: skip
_UNIT_FOLLOWS = _rule(r"\s?(?:元|块|左右|以内|以下|以上|多|余|个|名|人|米|克|毫|公|万|千|dollar|usd|rmb|eur|pound|mah|mb|gb|w\b|px|rpm|people|users|"
                      r"km|kg|pcs|calor|steps|words|[%$€£×]|[.,:/_][0-9]|[a-z0-9_])")  # fmt: skip
_B, _E = r"(?<![\w$¥€£.,-])", r"(?![\w])"

RULES: Rules = (
    (_rule(rf"(?<![\w.-])(?P<y>{_YEAR})(?P<s>[-/.])(?P<m>0?[1-9]|1[0-2])(?P=s)(?P<d>3[01]|[12][0-9]|0?[1-9])(?![0-9.-])"
           r"(?:[t\s](?P<hour>[0-2][0-9]):(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:\.[0-9]{1,9})?)?\s?(?P<offset>z|[+-][0-9]{2}:?[0-9]{2})?)?"), _numeric),
    (_rule(rf"(?<![\w.-])(?P<y>{_YEAR})[-/](?P<m>0[1-9]|1[0-2])(?P<d>(?!x)x)?(?![0-9-])"), _compact),
    (_rule(rf"(?<![\w.-])(?P<y>{_YEAR})(?P<m>0[1-9]|1[0-2])(?P<d>3[01]|[12][0-9]|0[1-9])(?![0-9A-Za-z._-])"), _compact),
    (_rule(rf"(?<![\w.-])(?P<a>0?[1-9]|[12][0-9]|3[01])/(?P<b>0?[1-9]|[12][0-9]|3[01])/(?P<y>{_YEAR})(?![0-9/])"), _slashed),
    (_rule(rf"{_B}(?P<m>{_MON})\s?(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?(?![\w:%])(?:,?\s{{1,3}}(?P<y>{_YEAR})(?!\w))?"), _date),
    (_rule(rf"{_B}(?:the\s)?(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?[\s-](?:of\s)?(?P<m>{_MON})(?!\w)(?:,?[\s-]{{1,3}}(?P<y>{_YEAR})(?!\w))?"), _date),
    (_rule(rf"{_B}(?:{_WHICH}\s)?(?P<m>{_MON})(?!['\w])"), _month),
    (_rule(rf"{_B}(?P<n>{_N}|(?P<half>half\s(?:an?\s)?))(?:\sand\s(?P<and_half>a\shalf))?[\s-]?{_UNIT}\s(?P<when>ago|back(?!\w)|earlier|from\snow|from\stoday){_E}"), _ago),
    (_rule(rf"{_B}(?:the\s)?(?P<which>last|past|previous|recent|next|coming)\s(?:(?P<n>{_N})\s|(?P<half>half\s(?:an?\s)?)|(?=(?:hour|minute|day|24)))(?:[\s-]?){_UNIT}{_E}"), _last),
    (_rule(rf"{_B}(?:the\sday\sbefore\syesterday|the\sday\safter\stomorrow|day\sbefore\syesterday|day\safter\stomorrow|yesterday|today|tomorrow){_E}(?!'s\w)"), _named_day),
    (_rule(rf"{_B}(?:tonight|last\snight|this\s(?:morning|afternoon|evening)){_E}"), _named_part),
    (_rule(rf"{_B}(?:in\sthe\s)?(?P<part>morning|afternoon|evening|night){_E}"), _part),
    (_rule(rf"{_B}(?:{_WHICH}\s)?(?P<day>{_DAY}|{_ABBREVIATED})(?!\w|\s(?:times|screen|glasses|nav))"), _weekday),
    (_rule(rf"{_B}(?:the\s)?(?P<unit>week|month|year|weekend)\s(?P<beyond>before|after)\s(?P<which>last|next){_E}"), _period),
    (_rule(rf"{_B}(?P<beyond>(?!x)x)?(?:the\s)?{_WHICH}\s(?P<unit>weekend|week|month|year|quarter|decade){_E}(?!-|\s(?:supply|old))"), _period),
    (_rule(rf"{_B}(?:(?:at\s)?(?P<h>1[0-2]|0?[1-9])(?::(?P<min>[0-5][0-9]))?\s?(?P<half>a\.?m\.?|p\.?m\.?){_E}|at\s(?P<h2>[01]?[0-9]|2[0-3]):(?P<min2>[0-5][0-9]){_E}"
           rf"|(?:at\s)?(?P<h3>[0-9]{{1,2}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\so'clock|at\s(?:noon|midnight){_E})"), _clock),
    (_rule(rf"{_B}(?:q(?P<q>[1-4])|(?:the\s)?(?P<word>first|second|third|fourth)\squarter){_E}"), _quarter),
    (_rule(rf"{_B}(?:(?P<h>h[12])|(?:the\s)?(?P<word>first|second)\shalf(?=\sof\s(?:{_YEAR}|(?:last|this|next|the)\syear))){_E}"), _half),
    (_rule(rf"{_B}(?:{_WHICH}\s)?(?P<season>spring|summer|autumn|fall|winter){_E}(?!\s(?:boot|festival|break|camp))"), _season),
    (_rule(rf"{_B}(?:the\s)?(?:(?P<y>(?:19|20)[0-9]0)'?s|(?<=the\s)'?(?P<y2>[2-9]0)'?s){_E}"), lambda m, k: _decade(m, k)),
    (_rule(rf"(?<![\w.,$¥€£-])(?P<y>{_YEAR})(?![0-9])"), _year),
    (_rule(rf"(?<=[0-9]-)(?P<y>{_YEAR})(?![\w-])"), _year),
    (_rule(rf"{_B}(?:latest|newest|most\srecent(?:ly)?|recent(?:ly)?|lately|up[\s-]to[\s-]date|nowadays|these\sdays|newly\sreleased){_E}"), newest),
)  # fmt: skip
