"""Read the times that a query speaks of, in Chinese and English, relative to a moment in a zone.

``parse`` reads one expression and returns its readings, best first; ``find`` finds the expressions in a text;
``speaks_of_time`` says whether there are any (then, and only then, the date belongs into a cache key).

Weeks begin on Monday.  A month or day without a year is this year's, unless that is more than half a year ahead.  A
weekday without a word before it is the last one where it stands alone or beside what is past ("emails from Friday"),
the coming one in any other English sentence ("open on Sunday"); in Chinese it is this week's, or next week's where that
is over and the sentence looks ahead (周一开门吗).  The other readings follow.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from qx.serial import value
from qx.text.numerals import fold_width
from qx.text.periods import EARLIEST, LATEST, Grain, Moment, TimeRange
from qx.text.time_phrases import Phrase, phrases

__all__ = ["EARLIEST", "LATEST", "Grain", "TimeMention", "TimeRange", "find", "parse", "speaks_of_time"]

_FILLER = re.compile(
    r"(?>(?:的|在|于|那|那天|时候|期间|里|内|\s|,|，|。|\b(?:on|in|at|the|during|over|of|about|around)\b)*)",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"(?<=[0-9])[ \u00a0](?=(?:[年月日号號点點时時分秒天周週]|[个個](?:半|小时|小時|月|星期|礼拜|季度)|小时|小時|星期|分钟|季度))"
    r"|(?<=[年月日号號点點时時周週午晚晨早近去第])[ \u00a0](?=[0-9]{1,4}[ \u00a0]?[年月日号號点點时時分天周週个個小季])"
)
"""A space between digits and what they count, as many write Chinese: 下午 3 点."""


@value
class TimeMention:
    """A time expression in a text.

    Attributes:
        text, start, end: The words; code points, end exclusive.
        range: The likeliest reading; None for words that only ask for the newest (最新, "latest").
        newest: Whether the words ask for what is newest.
        others: The other readings of an ambiguous expression, best first.
    """

    text: str
    start: int
    end: int
    range: TimeRange | None = None
    newest: bool = False
    others: tuple[TimeRange, ...] = ()


def parse(text: str, *, now: datetime, zone: tzinfo, past: bool = False) -> tuple[TimeRange, ...]:
    """Return the readings of one time expression, best first; ``()``: it is not a time.  Never raises.

    Args:
        text: The expression, such as ``上周三`` or "between 2019 and 2021"; more words than that are not a time.
        now: The moment (aware) that "yesterday" is relative to; a naive one is taken as in ``zone``.
        zone: Whose days and weeks are meant.
        past: What is looked for has been said or done: readings that begin after ``now`` follow the others.
    """
    found = _read(text, Moment(now, zone), alone=True)
    for phrase in found:
        if _FILLER.fullmatch(text, 0, phrase.start) and _FILLER.fullmatch(text, phrase.end, len(text)):
            return _past_first(phrase.ranges, now, zone) if past else phrase.ranges
    return ()


def _read(text: str, moment: Moment, **how: bool) -> tuple[Phrase, ...]:
    """Find the phrases of ``text``; where they stand counts its spaces, which 11 月 20 号 has and 11月20号 has not."""
    folded = fold_width(text)
    gaps = [gap.start() for gap in _GAP.finditer(folded)]
    if not gaps:
        return phrases(folded, moment, **how)
    passed = set(gaps)
    places = [place for place in range(len(folded)) if place not in passed]
    found = phrases("".join(folded[place] for place in places), moment, **how)
    return tuple(replace(one, start=places[one.start], end=places[one.end - 1] + 1) for one in found)


def _past_first(ranges: tuple[TimeRange, ...], now: datetime, zone: tzinfo) -> tuple[TimeRange, ...]:
    moment = Moment(now, zone).now
    return tuple(sorted(ranges, key=lambda r: r.start > moment))


def find(text: str, *, now: datetime, zone: tzinfo, past: bool = False) -> tuple[TimeMention, ...]:
    """Return the time expressions of ``text`` from left to right; never raises.

    Args:
        text: Any text.
        now: The moment (aware) that "yesterday" is relative to; a naive one is taken as in ``zone``.
        zone: Whose days and weeks are meant.
        past: What is looked for has been said or done: readings that begin after ``now`` follow the others.
    """
    found = _read(text, Moment(now, zone))
    if past:
        found = tuple(replace(p, ranges=_past_first(p.ranges, now, zone)) for p in found)
    return tuple(_mention(text, phrase) for phrase in found)


@lru_cache(maxsize=4096)
def speaks_of_time(text: str) -> bool:
    """Whether ``text`` speaks of a time or of the newest."""
    return bool(_read(text, _ANY, resolve=False))


_ANY = Moment(datetime(2025, 6, 15, 12, tzinfo=UTC), UTC)


def _mention(text: str, phrase: Phrase) -> TimeMention:
    best = phrase.ranges[0] if phrase.ranges else None
    return TimeMention(
        text=text[phrase.start : phrase.end],
        start=phrase.start,
        end=phrase.end,
        range=best,
        newest=phrase.newest,
        others=phrase.ranges[1:],
    )
