"""English weekdays that are counted from here: the Monday before last, the Friday after next, two Fridays ago, Tuesday week."""

from __future__ import annotations

import re
from datetime import timedelta

from qx.text.periods import Moment
from qx.text.time_atoms import Atom, Level, Rules, amounts, atom, constant
from qx.text.times_en_words import BEGIN, END, rule

_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAY = "(?P<day>" + "|".join(_DAYS) + ")"
_NO_UNIT = rf"(?!\s(?:week|weekend|month|year|quarter|decade|night|christmas|spring|summer|autumn|fall|winter|{'|'.join(_DAYS)}))"


def _counted(match: re.Match[str], moment: Moment) -> Atom:
    """A weekday so many of its kind before or after today; today itself is none of them."""
    number = _DAYS.index(match["day"].lower())
    groups = match.groupdict()
    count = -amounts(match["n"])[0] if groups.get("n") else -2 if groups.get("last") else 2
    today = moment.today
    if count < 0:
        day = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1) + timedelta(weeks=count + 1)
    else:
        day = today + timedelta(days=(number - today.weekday() - 1) % 7 + 1) + timedelta(weeks=count - 1)
    return atom(match, Level.DAY, constant(moment.day(day)), weekday=True)


RULES: Rules = (
    (rule(rf"{BEGIN}(?:the\s)?{_DAY}\s(?:before\s(?P<last>last)|after\snext){END}{_NO_UNIT}"), _counted),
    (rule(rf"{BEGIN}(?P<n>[2-9]|a\scouple\sof|two|three|four|five|six|seven|eight|nine|ten)\s{_DAY}s\sago{END}"), _counted),
    (rule(rf"{BEGIN}{_DAY}\sweek(?=$|[,.;:?!]|\s(?:at|in|for)\b)"), _counted),
)  # fmt: skip
