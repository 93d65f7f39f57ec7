"""Amounts per time: 5 EUR a month, 每月5元, 12 days a year: the same number of another time is another amount."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.text.numerals import numbers

_TIMES = {
    "minute": ("minute", "分钟"),
    "hour": ("hour", "hourly", "小时"),
    "day": ("day", "daily", "天", "日"),
    "week": ("week", "weekly", "周", "星期", "礼拜"),
    "month": ("month", "monthly", "个月", "月"),
    "quarter": ("quarter", "quarterly", "季度", "季"),
    "year": ("year", "yearly", "annual", "annually", "annum", "年"),
}
_OF = {word: time for time, listed in _TIMES.items() for word in listed}
_ADVERB = "|".join(word for word in _OF if word.endswith("ly") and word.isascii()) + "|annual"
_NOUN = "|".join(word for word in _OF if word.isascii() and not word.endswith("ly") and word != "annual")
_HAN = "|".join(sorted((word for word in _OF if not word.isascii()), key=lambda word: -len(word)))
_AFTER = re.compile(
    rf"[^\S\n]*(?:[A-Za-z€$£¥%‰]+[^\S\n]+){{0,2}}?(?:[A-Za-z€$£¥]{{0,4}}/[^\S\n]?|(?:per|an?|each|every)[^\S\n]+)(?P<noun>{_NOUN})\b"
    rf"(?![^\S\n]+(?:later|after|ago|before|old|in[^\S\n]+advance))"
    rf"|[^\S\n]*(?:[A-Za-z€$£¥%]+[^\S\n]+){{0,2}}?(?P<adverb>{_ADVERB})\b"
    rf"|[\u4e00-\u9fff]{{0,3}}?(?:/|每一?)(?P<han>{_HAN})",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"每一?(?P<han>{_HAN})[^，,。；;\d]{{0,8}}$"
    rf"|\b(?:(?:each|every|per)[^\S\n]+(?P<noun>{_NOUN})|(?P<adverb>{_ADVERB}))\b[^,.;\d]{{0,24}}$",
    re.IGNORECASE,
)


def other(said: str, known: str) -> str:
    """Return what is wrong where the folded statement ``said`` has a number per one time and the quote per another, else ""."""
    theirs: dict[float, set[str]] = {}
    for number, time in _rates(known):
        theirs.setdefault(number, set()).add(time)
    for number, time in _rates(said):
        if number in theirs and time not in theirs[number]:
            return f"the statement says {number:g} per {time}, the quote per {' or '.join(sorted(theirs[number]))}"
    return ""


_PERIOD = re.compile(
    rf"\b(?:per|an?|each|every|for\s+one|one)\s+(?:whole\s+|full\s+)?(?P<noun>{_NOUN})\b(?!\s+(?:ticket|pass|card|trip|old|later|after|ago|before))|\b(?P<adverb>{_ADVERB})\b"
    rf"|(?:每一?个?|一个?)(?P<han>{_HAN})",
    re.IGNORECASE,
)


def periods_of(question: str) -> frozenset[str]:
    """Return the times that a folded question asks an amount of: 一天多少钱, per hour."""
    found = (match["noun"] or match["adverb"] or match["han"] for match in _PERIOD.finditer(question))
    return frozenset(_OF[word.lower()] for word in found)


def told_by(text: str) -> frozenset[str]:
    """Return the times of which a folded text tells an amount."""
    return frozenset(time for _, time in _rates(text))


def _rates(text: str) -> Iterator[tuple[float, str]]:
    """The numbers of a text that are of a time each, with it."""
    for number in numbers(text):
        after = _AFTER.match(text, number.end)
        match = after or _BEFORE.search(text[max(0, number.start - 40) : number.start])
        if match is not None:
            yield number.low, _OF[(match["noun"] or match["adverb"] or match["han"]).lower()]
