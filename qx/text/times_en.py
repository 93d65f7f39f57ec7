"""English time words: weekdays, "last", "ago", parts of the day, clock times."""

from __future__ import annotations

import re
from datetime import date, timedelta

from qx.text import denied_bounds
from qx.text.periods import EARLIEST, Moment, TimeRange, shift
from qx.text.time_atoms import Atom, Level, Rules, ago, amounts, atom, clock_in, constant, lasting, newest
from qx.text.times_en_words import BEGIN, END, SIGN, WHICH, rule

_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAY = "(?:" + "|".join(_WEEKDAYS) + ")"
_ABBREVIATED = r"(?:mon|tues?|wed|thurs?|thu|fri|sat|sun)\b\.?"
_N = (
    r"(?:[0-9]{1,4}|an?\scouple\sof|couple\sof|couple|a\sfew|few|several|an?|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)"
)
_UNIT = r"(?P<unit>second|minute|min|hour|hr|day|fortnight|week|month|year|yr)s?"
_NO_TIME = rf"(?!\s(?:{_DAY}|{_ABBREVIATED}|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|thanksgiving|halloween|new\syear))"
"""The week before last, and not before last Monday."""
_UNITS = {"min": "minute", "hr": "hour", "yr": "year"}
_PARTS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 28)}


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
    return atom(
        match, Level.PART, constant(moment.hours(moment.today - timedelta(days=word.startswith("last")), first, after))
    )


def _part(match: re.Match[str], moment: Moment) -> Atom:
    first, after = _PARTS[match["part"].lower()]

    def resolve(context: TimeRange | None) -> tuple[TimeRange, ...]:
        if context is not None and context.grain != "day":
            return ()
        return (moment.hours(moment.local(context.start).date() if context else moment.today, first, after),)

    return atom(match, Level.PART, resolve, weak=True)


_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|saw|said|got|sent|came|made|wrote|met|ate|bought|gave|told|took|lost|won|broke|fell|left|"
    r"started|since|from|ago|yesterday|last|(?!(?:need|bed|red|wed|speed|seed|feed|weed|based|closed|used|required|allowed|"
    r"supposed|scheduled|reduced|guided)\b)[a-z]{2,20}ed|happened|results?|scores?|highlights|recap|minutes|notes|emails?|mails?|messages?|photos?|"
    r"pictures?|files?|logs?|commits?|reports?|transcripts?|recordings?|news|posts?|articles?|documents?|docs|history|why)\b",
    re.IGNORECASE,
)
"""What speaks of a day that is over; another sentence with a weekday in it looks ahead."""


def _ahead(match: re.Match[str]) -> bool:
    """Whether the weekday of a sentence is the coming one: "plumber open on sunday"; alone it is the last one."""
    text = match.string
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    return len(re.findall(r"[A-Za-z]{2,}", _SIDE.sub(" ", rest))) > 0 and _PAST.search(rest) is None


_SIDE = re.compile(
    r"\b(?:on|at|in|the|of|morning|afternoon|evening|night|noon|midnight|pm|am|before|after|by|until|and|to|between|through|around|about|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.I,
)
"""Words that are a part of the time itself."""


def _weekday(match: re.Match[str], moment: Moment) -> Atom:
    number = [w[:3] for w in _WEEKDAYS].index(match["day"].lower()[:3])
    which = (match["which"] or "").lower()
    short = match["day"].rstrip(".").lower() not in _WEEKDAYS
    said = re.search(
        r"\b(?:on|until|till|since|by|before|after|ago|week|from|to)\s$",
        match.string[max(0, match.start() - 8) : match.start()],
        re.I,
    )
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
        elif this == today:
            days = (today, coming, before) if _ahead(match) else (today, before, coming)
        else:
            days = (coming, before) if _ahead(match) else (before, coming)
        return tuple(moment.day(d) for d in dict.fromkeys(days))

    return atom(match, Level.DAY, resolve, weak=weak, weekday=True)


def _period(match: re.Match[str], moment: Moment) -> Atom:
    sign = SIGN[match["which"].lower()]
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


def _the_period(match: re.Match[str], moment: Moment) -> Atom:
    """ "end of the year": a time only with its "end of"."""
    today = moment.today
    match match["unit"].lower():
        case "week":
            found = Level.WEEK, (moment.week(today), moment.week(today - timedelta(weeks=1)))
        case "month":
            found = Level.MONTH, tuple(moment.month(today.year, today.month + n) for n in (0, -1))
        case "quarter":
            found = Level.SEASON, tuple(moment.quarter(today.year, (today.month + 2) // 3 + n) for n in (0, -1))
        case _:
            found = Level.YEAR, tuple(moment.year(today.year + n) for n in (0, -1))
    return atom(match, found[0], constant(*found[1]), weak=True)


def _ago(match: re.Match[str], moment: Moment) -> Atom:
    unit = _UNITS.get(match["unit"].lower(), match["unit"].lower())
    sign = 1 if match["when"].lower().startswith("from") else -1
    if match["half"]:
        return atom(match, *ago(moment, unit, 0, 0, half=True, sign=sign))
    low, high = amounts(match["n"])
    if unit == "fortnight":
        unit, low, high = "week", 2 * low, 2 * high
    if match["exact"]:
        return atom(match, Level.DAY, constant(moment.day(shift(moment.today, unit, sign * low))))
    return atom(match, *ago(moment, unit, low, high, half=bool(match["and_half"]), sign=sign))


def _last(match: re.Match[str], moment: Moment) -> Atom:
    unit = _UNITS.get(match["unit"].lower(), match["unit"].lower())
    sign = 1 if match["which"].lower() in ("next", "coming") else -1
    if match["half"]:
        return atom(match, Level.SPAN, constant(lasting(moment, unit, 0, half=True, sign=sign)))
    count = amounts(match["n"] or "")[1]
    if unit == "fortnight":
        unit, count = "week", 2 * count
    return atom(match, Level.SPAN, constant(lasting(moment, unit, count, sign=sign)))


_LIVING = re.compile(
    r"\b(?:kids?|child(?:ren)?|toddlers?|bab(?:y|ies)|boys?|girls?|m[ae]n|wom[ae]n|people|persons?|adults?|users?|applicants?|drivers?|"
    r"dogs?|cats?|pets?|pupp(?:y|ies)|kittens?|students?|teens?|players?|candidates?)\b",
    re.IGNORECASE,
)


def _aged(match: re.Match[str], moment: Moment) -> Atom | None:
    """What is not older than five years is of the last five; the age of the living is no time."""
    if _LIVING.search(match.string):
        return None
    unit = _UNITS.get(match["unit"].lower(), match["unit"].lower())
    last = lasting(moment, unit, amounts(match["n"])[1])
    denied = denied_bounds.denial(match.string, match.start())
    newer = match["which"].lower() == "newer"
    if newer == (denied is None):
        span = last
    else:
        span = TimeRange(start=EARLIEST, end=last.start, grain="span", open_start=True)
    start = match.start() if denied is None else denied
    return Atom(start=start, end=match.end(), level=Level.SPAN, resolve=constant(span))


def _clock(match: re.Match[str], moment: Moment) -> Atom | None:
    word = match[0].lower().removeprefix("at ").strip()
    if word in ("noon", "midnight"):
        hour, minute, half = (12 if word == "noon" else 0), None, "am"
        return atom(
            match, Level.CLOCK, lambda context: _at(moment, context, hour, minute, half if hour == 0 else "noon")
        )
    hour = int(match["h"] or match["h2"] or amounts(match["h3"] or "")[0])
    minute = int(match["min"] or match["min2"] or 0) if (match["min"] or match["min2"]) else None
    half = re.sub(r"[^a-z]", "", (match["half"] or "").lower())
    if hour > 24 or (minute or 0) > 59 or (half and not 1 <= hour <= 12):
        return None
    return atom(match, Level.CLOCK, lambda context: _at(moment, context, hour, minute, half))


def _noon(match: re.Match[str], moment: Moment) -> Atom:
    """ "noon yesterday": a time beside a day only."""
    hour, half = (12, "noon") if match[0].lower() == "noon" else (0, "am")
    return atom(match, Level.CLOCK, lambda context: _at(moment, context, hour, None, half), weak=True)


def _spoken_clock(match: re.Match[str], moment: Moment) -> Atom:
    """ "half past three", "a quarter to five": a time beside a day only."""
    hour, past = int(amounts(match["h"])[0]), (match["past"] or "").lower()
    hour, minute = (hour, 30 if past == "half" else 15) if past else ((hour - 2) % 12 + 1, 45)
    half = re.sub(r"[^a-z]", "", (match["half"] or "").lower())
    return atom(match, Level.CLOCK, lambda context: _at(moment, context, hour, minute, half), weak=True)


def _weak_clock(match: re.Match[str], moment: Moment) -> Atom:
    """``20:30`` and "at 8" are times beside a day or a part of one only."""
    hour, minute = int(match["h2"] or match["h4"]), int(match["min2"]) if match["min2"] else None
    return atom(match, Level.CLOCK, lambda context: clock_in(moment, context, hour, minute), weak=True)


def _at(moment: Moment, context: TimeRange | None, hour: int, minute: int | None, half: str) -> tuple[TimeRange, ...]:
    if not half:
        return clock_in(moment, context, hour, minute)
    if context is not None and context.grain not in ("day", "part"):
        return ()
    day = moment.local(context.start).date() if context else moment.today
    real = hour % 12 + (12 if half in ("pm", "noon") else 0)
    return moment.clock(day, real, minute)


RULES: Rules = (
    (rule(rf"{BEGIN}(?P<n>{_N}|(?P<half>half\s(?:an?\s)?))(?:\sand\s(?P<and_half>a\shalf))?[\s-]?{_UNIT}\s(?P<when>ago(?P<exact>\stoday)?|back(?!\w)|earlier|from\snow|from\stoday){END}"), _ago),
    (rule(rf"{BEGIN}(?:the\s)?(?P<which>last|past|previous|recent|next|coming)\s(?:(?P<n>{_N})\s|(?P<half>half\s(?:an?\s)?)|(?=(?:hour|minute|day|24|fortnight)))(?:[\s-]?){_UNIT}{END}"), _last),
    (rule(rf"{BEGIN}(?P<which>older|newer)\sthan\s(?P<n>{_N})\s{_UNIT}(?:\sold)?{END}"), _aged),
    (rule(rf"{BEGIN}(?:the\sday\sbefore\syesterday|the\sday\safter\stomorrow|day\sbefore\syesterday|day\safter\stomorrow|yesterday|today|tomorrow){END}(?!'s\w)"), _named_day),
    (rule(rf"{BEGIN}(?:tonight|last\snight|this\s(?:morning|afternoon|evening)){END}"), _named_part),
    (rule(rf"{BEGIN}(?:in\sthe\s)?(?P<part>morning|afternoon|evening|night){END}"), _part),
    (rule(rf"{BEGIN}(?:{WHICH}\s)?(?P<day>{_DAY}|{_ABBREVIATED})(?![A-Za-z0-9_]|\.\w|\s(?:times|screen|glasses|nav))"), _weekday),
    (rule(r"(?<=\bof\sthe\s)(?P<unit>week|month|year|quarter)(?![\w-])"), _the_period),
    (rule(rf"{BEGIN}(?:the\s)?(?P<unit>week|month|year|weekend)\s(?P<beyond>before|after)\s(?P<which>last|next){END}{_NO_TIME}"), _period),
    (rule(rf"{BEGIN}(?P<beyond>(?!x)x)?(?:the\s)?{WHICH}\s(?P<unit>weekend|week|month|year|quarter|decade){END}(?!-|\s(?:supply|old))"), _period),
    (rule(rf"{BEGIN}(?:(?:at\s)?(?P<h>1[0-2]|0?[1-9])(?::(?P<min>[0-5][0-9]))?\s?(?P<half>a\.?m\.?|p\.?m\.?){END}|at\s(?P<h2>[01]?[0-9]|2[0-3]):(?P<min2>[0-5][0-9]){END}"
           rf"|(?:at\s)?(?P<h3>[0-9]{{1,2}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\so'clock|at\s(?:noon|midnight){END})"), _clock),
    (rule(r"(?<![0-9:.])(?:at\s)?(?P<h2>[01]?[0-9]|2[0-3]):(?P<min2>[0-5][0-9])(?![0-9:])|\bat\s(?P<h4>1[0-2]|[1-9])(?![\w:%.])"), _weak_clock),
    (rule(rf"{BEGIN}(?:at\s)?(?:(?P<past>half|(?:a\s)?quarter)\spast|(?:a\s)?quarter\sto)\s(?P<h>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
           rf"(?:\so'clock)?(?:\s?(?P<half>a\.?m\.?|p\.?m\.?))?{END}(?![:.][0-9])"), _spoken_clock),
    (rule(rf"{BEGIN}(?:noon|midnight){END}"), _noon),
    (rule(rf"{BEGIN}(?:latest|newest|most\srecent(?:ly)?|recent(?:ly)?|lately|up[\s-]to[\s-]date|nowadays|these\sdays|newly\sreleased){END}"), newest),
)  # fmt: skip
