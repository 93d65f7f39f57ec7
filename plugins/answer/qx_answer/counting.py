"""Numbers that count no things: an age, a share, how long something takes.  Who asks how many members there are hears of none."""

from __future__ import annotations

import re

_N = r"(?:\d[\d.,]*|[〇一二三四五六七八九十百两半]+|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|half\s+an?)\b)"
_AGE = re.compile(
    rf"\b(?:aged?|ages)\s+(?:of\s+|from\s+|over\s+|under\s+|between\s+)?{_N}(?:\s*(?:-|to|and)\s*{_N})?|{_N}\s?[岁歲]",
    re.IGNORECASE,
)
_SHARE = re.compile(
    rf"(?:{_N})[\s-](?:third|quarter|fourth|fifth|sixth|seventh|eighth|tenth)s?\b|\bhalf\b(?!\s+a\s+dozen)|(?<!\d)\d{{1,3}}/\d{{1,3}}(?![/\d])"
    rf"|{_N}\s?(?:%|per\s?cent\b)|[一二三四五六七八九十百]+分之[一二三四五六七八九十百]+|一半|半数",
    re.IGNORECASE,
)
_UNITS = (
    ("second", "秒"),
    ("minute", "分钟"),
    ("hour", "小时", "钟头"),
    ("day", "天"),
    ("week", "周", "星期"),
    ("month", "个月", "几月"),
    ("year", "年"),
)
_LONG = re.compile(
    rf"{_N}[\s-]?(?:and\s+a\s+half\s+|个?半?)?(?P<unit>second|minute|hour|day|week|month|year|秒|分钟|小时|钟头|天|周(?!年)|星期|个月|年(?![级代]))s?",
    re.IGNORECASE,
)


def without_measures(text: str, question: str) -> str:
    """Return a text without its ages, shares and lengths of time, but for what the question itself asks the number of.

    Args:
        text: A sentence.
        question: How many days, 几岁: what it names is kept.
    """
    asked = question.lower()
    if not re.search(r"\bage\b|\bold\b|[岁歲]", asked):
        text = _AGE.sub(" ", text)
    text = _SHARE.sub(" ", text)
    return _LONG.sub(lambda match: match[0] if _is_named(match["unit"].lower(), asked) else " ", text)


def _is_named(unit: str, asked: str) -> bool:
    """Whether a question names a unit, be it in the other language."""
    return any(word in asked for words in _UNITS if unit in words for word in words)
