"""Questions for a measure, and what says it without its words: "how far" is told by 90 km, 多久 by 两小时, "when does it begin" by "from 10 pm to 7 am"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

_N = r"(?:\d[.,]?|[一二三四五六七八九十百千半两几]|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|half\s+an?|several)\b)"
"""How a number ends: what stands before says nothing, and to read it would cost its length for each of its digits."""
_EN_TIME = r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|years?|terms?|semesters?|decades?|centur(?:y|ies))"
_LENGTH = re.compile(
    rf"{_N}[\s-]?(?:km|m|cm|mm|mi|ft|miles?|(?:kilo|centi|milli)?met(?:re|er)s?|feet|foot|yards?|inch(?:es)?|steps|blocks)\b"
    rf"|{_N}\s?(?:公里|千米|厘米|毫米|里路|里地|海里|米|步|站地?)",
    re.IGNORECASE,
)
_ON_FOOT = re.compile(rf"{_N}[\s-]?(?:minutes?|hours?)['’]?\s+(?:walk|on\s+foot|by|drive|ride|away|from)\b|分钟(?:路程|车程|步行)|(?:步行|走路|开车|骑车).{{0,4}}分钟", re.I)  # fmt: skip
_DURATION = re.compile(
    rf"{_N}[\s-]?(?:and\s+a\s+half\s+)?(?:working\s+|calendar\s+|full\s+|more\s+)?{_EN_TIME}\b|\b(?:until|permanent(?:ly)?|for\s+life|for\s+ever|overnight)\b"
    rf"|{_N}\s?(?:个)?(?:多|半)?(?:工作日|小时|钟头|分钟|秒钟?|刻钟|星期|季度|学期|天|日|晚|夜|周|月|年)|终身|永久|长期|整夜",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    rf"{_N}[\s-]?(?:characters?|letters?|digits?|signs|words?|pages?|lines?)\b|{_N}\s?(?:个)?(?:字符|字|位|页|行)", re.I
)
_WEIGHT = re.compile(
    rf"{_N}[\s-]?(?:kg|kilos?|kilograms?|g|grams?|tonnes?|tons?|pounds?|lbs?|ounces?|oz)\b|{_N}\s?(?:公斤|千克|毫克|克|吨|斤|两)",
    re.IGNORECASE,
)
_VOLUME = re.compile(
    rf"{_N}[\s-]?(?:lit(?:re|er)s?|l|ml|cl|millilit(?:re|er)s?|gallons?|cups?|pints?|cubic|bottles?|gb|tb|mb|people|persons|seats)\b|{_N}\s?(?:毫升|升|立方|杯|瓶|人)",
    re.IGNORECASE,
)
_DEGREES = re.compile(rf"{_N}\s?(?:°|degrees?\b|℃)|{_N}\s?(?:摄氏)?度|零下", re.IGNORECASE)
_OFTEN = re.compile(
    rf"\b(?:every|each|daily|weekly|monthly|yearly|annually|hourly|once|twice|per\s+(?:day|week|month|year))\b|\btimes\s+(?:an?|per|each)\b"
    rf"|每|天天|{_N}\s?次|常年",
    re.IGNORECASE,
)
_STRETCH = re.compile(
    r"[\d一二三四五六七八九十](?:(?<=\d)(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|o['’]clock|点半?|时)?\s*(?:to|until|till|and|-|–|—|~|至|到)\s*(?:上午|下午|中午|晚上|傍晚|凌晨|次日)?\s*(?:\d{1,2}|noon|midnight)(?:[:.]\d\d)?\s?(?:[ap]\.?m|o['’]clock|点|时|:)?"
    r"|(?<=[一二三四五六七八九十])点[半一二三四五十刻分]*(?:至|到|—|-|~)(?:上午|下午|中午|晚上|傍晚|凌晨|次日)?[一二三四五六七八九十]{1,2}点)"
)
"""Of folded text; all that it may begin with stands first, so that it is looked for in a fraction of the time."""
_LOUDNESS = re.compile(rf"{_N}\s?(?:dba?\b|decibels?\b|分贝)", re.IGNORECASE)
TELLING = frozenset(("distance", "weight", "temperature", "volume", "loudness"))
"""Measures so rare that a source about the thing has them of it."""
COMMON = frozenset(("duration", "writing", "frequency"))
"""Measures that many sentences have: what has one says little of the question by it."""
_ASKED: tuple[tuple[str, re.Pattern[str], tuple[re.Pattern[str], ...]], ...] = (
    ("distance", re.compile(r"\bhow\s+far\b(?!\s+(?:ahead|in\s+advance|back))|多远|多少(?:公里|里路|千米)", re.I), (_LENGTH, _ON_FOOT)),
    ("writing", re.compile(r"\bhow\s+long\s+(?:must|should|may|can)\b.{0,200}\bbe\b", re.I), (_WRITTEN, _DURATION, _LENGTH)),
    (
        "duration",
        re.compile(
            r"\b(?:for\s+)?how\s+long\b|\bhow\s+far\s+(?:ahead|in\s+advance)\b|\bhow\s+much\s+(?:time|longer)\b|多久|多长时间|多少时间",
            re.I,
        ),
        (_DURATION, _LENGTH),
    ),
    ("height", re.compile(r"\bhow\s+(?:high|tall|deep|wide|thick|broad)\b|多(?:[高深宽厚]|长(?!时间))", re.I), (_LENGTH,)),
    (
        "volume",
        re.compile(
            r"\bhow\s+much\b.{0,200}\b(?:fits?|holds?|goes?\s+in|takes?)\b|\bhow\s+many\s+(?:lit(?:re|er)s|gallons|cups)\b|\bcapacity\b|容量|容积|装多少|多少升",
            re.I,
        ),
        (_VOLUME,),
    ),
    ("weight", re.compile(r"\bhow\s+heavy\b|\bhow\s+much\s+(?:does|do|did|may|can)\b.{0,200}\bweigh\b|\bweight\s+(?:limit|of)\b|多重|多少(?:公斤|千克|斤)|几(?:公斤|斤)", re.I), (_WEIGHT,)),
    ("temperature", re.compile(r"\bhow\s+(?:hot|cold|warm)\b|\b(?:what|which)\s+temperatures?\b|\bhow\s+many\s+degrees\b|多少度|几度|什么温度|温度.{0,4}多少", re.I), (_DEGREES,)),
    ("loudness", re.compile(r"\bhow\s+(?:loud|noisy)\b|噪[音声](?:有|是)?多[大少]|多大的?噪[音声]|多吵|多少分贝", re.I), (_LOUDNESS,)),
    ("frequency", re.compile(r"\bhow\s+often\b|\bhow\s+many\s+times\b|多久.{0,8}一次|几次|多少次", re.I), (_OFTEN, _DURATION)),
)  # fmt: skip
_EDGES = frozenset(("begin", "begins", "start", "starts", "end", "ends", "finish", "finishes", "开始", "结束", "起", "开门", "关门", "open", "opens", "close", "closes"))  # fmt: skip
"""Words for the ends of a stretch of time."""


def asked(question: str) -> tuple[str, Callable[[str], bool]] | None:
    """Return the measure that a folded question asks for, and whether a folded text has one; None: it asks for none."""
    for name, asks, patterns in _ASKED:
        if asks.search(question):
            return name, partial(_has, patterns)
    return None


def _has(patterns: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def tells_stretch(text: str) -> bool:
    """Whether a folded text says from when to when."""
    return _STRETCH.search(text) is not None


def is_edge(word: str) -> bool:
    """Whether a word says that a stretch of time begins or ends."""
    return word.casefold() in _EDGES
