"""A weekday reckoned from another time: the Monday before last week, the Friday after Thanksgiving, 国庆后的第一个周一."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from qx.text.periods import Moment, TimeRange

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_BARE = re.compile(
    rf"(?P<en>{'|'.join(_DAYS)})|(?:第一个)?(?:周|週|星期|礼拜|禮拜)(?P<zh>[一二三四五六日天])", re.IGNORECASE
)
_SIDE = re.compile(
    r"\s(?:right\s|just\s|immediately\s)?(?P<side>before|after|following|preceding)\s(?:the\s)?", re.IGNORECASE
)
_THE = re.compile(r"\bthe\s(?:(?:first|last|very|next)\s)?$", re.IGNORECASE)
_ZH_SIDE = re.compile(r"(?:之|以)?(?P<side>[前后後])的?(?:(?:那|上|下|头一|最近一|最后一)个)?")
_EVENT_AFTER = re.compile(
    r"\s(?:right\s|just\s)?(?:before|after|following|preceding)\s(?!(?:noon|midnight|[0-9])\b)", re.IGNORECASE
)
_EVENT_BEFORE = re.compile(r"[前后後](?:的|那个|的那个|的第一个|第一个)$")  # fmt: skip


def name(text: str) -> int | None:
    """Return the weekday (0: Monday) that ``text`` is, with no other word; None: it is none."""
    match = _BARE.fullmatch(text)
    if match is None:
        return None
    return _DAYS.index(match["en"].lower()) if match["en"] else "一二三四五六日天".index(match["zh"]) % 7


def side(between: str, *, weekday_first: bool) -> bool | None:
    """Whether what stands between a weekday and a time puts it before that; None: it puts it on neither side."""
    match = (_SIDE if weekday_first else _ZH_SIDE).fullmatch(between)
    return None if match is None else match["side"].lower() in ("before", "preceding", "前")


def begin(text: str, start: int) -> int:
    """Return where the words before an English weekday begin: "the first Monday"."""
    match = _THE.search(text[max(0, start - 16) : start])
    return start if match is None else start - len(match[0])


def is_of_an_event(text: str, start: int, end: int) -> bool:
    """Whether a weekday is reckoned from something that names no time: the Friday before the wedding, 婚礼前的周五."""
    if _BARE.fullmatch(text, start, end) is None:
        return False
    if text[end - 1].isascii():
        return begin(text, start) < start and _EVENT_AFTER.match(text, end) is not None
    return _EVENT_BEFORE.search(text[max(0, start - 6) : start]) is not None


def reckoned(moment: Moment, ranges: Sequence[TimeRange], weekday: int, *, before: bool) -> tuple[TimeRange, ...]:
    """Return the last such weekday before each of ``ranges``, or the first one after it."""
    found: list[TimeRange] = []
    for one in ranges:
        first, after = moment.local(one.start).date(), moment.local(one.end).date()
        if before:
            day = first - timedelta(days=(first.weekday() - weekday - 1) % 7 + 1)
        else:
            day = after + timedelta(days=(weekday - after.weekday()) % 7)
        found.append(moment.day(day))
    return tuple(dict.fromkeys(found))
