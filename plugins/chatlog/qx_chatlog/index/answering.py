"""What kind of message answers: none that asks itself, one that names a time, one of the time that is spoken of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import numpy as np

from qx_chatlog.index.columns import Mask, Rows, Scores
from qx_chatlog.index.filtering import microseconds
from qx_chatlog.message import Message
from qx_chatlog.store import Wanted

POOL: Final = 100
"""The best messages, which are looked at."""
ASKS: Final = 0.8
"""What is left of the score of a message that is a question."""
HOLDS: Final = 1.3
"""What the score of a message is multiplied by that holds what is wanted."""
THEN: Final = 3.0
"""What the score of a message is multiplied by that was sent at a likely time, or within ``AFTERWARDS``."""
AFTERWARDS: Final = timedelta(days=7)
"""People tell of a thing in the days after it."""
_DATE = re.compile(
    r"[0-9一二三四五六七八九十]\s?[年月日号點点周]|(?:周|星期|礼拜)[一二三四五六日天末]|[昨今明前后]天|[上下这本]个?(?:周|月|星期|礼拜|季)|[去今明前]年|[天周月年]前|刚刚|刚才|[早晚]上|下午|上午"
    r"|\b(?:(?:yester|to)day|tonight|tomorrow|last|next|ago|this (?:week|month|year|morning|summer|weekend)|week(?:end)?s?|months?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december|in may|may \d|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d\d)?\s?[ap]m)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"[0-9]|[一二两三四五六七八九十百千万半几]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|once|twice|a (?:few|couple|dozen)|half|several)\b",
    re.IGNORECASE,
)
_HOLDS = {"date": _DATE, "number": _NUMBER}
"""Signs of a time, of a number: quick, as a hundred messages are looked at, and no more than a preference."""
_ASKING = re.compile(r"(?:[?？]|[吗呢嘛][。!！~]*)[\s\"'”’)）\U0001f000-\U0001faff]*$")


def at_likely_time(rows: Rows, scores: Scores, likely: Sequence[tuple[datetime, datetime]]) -> Scores:
    """Return ``scores`` with messages of a likely time, or of the days after it, preferred."""
    then = np.zeros(len(rows), dtype=np.bool_)
    late = int(AFTERWARDS.total_seconds()) * 1_000_000
    for start, end in likely:
        then |= (rows["time"] >= microseconds(start)) & (rows["time"] - late < microseconds(end))
    return np.where(then, scores * THEN, scores) if then.any() else scores


def best(scores: Scores, keep: Mask, *, pool: int = POOL) -> list[int]:
    """Return the numbers of the ``pool`` messages that fit best."""
    numbers = np.flatnonzero(keep & (scores > 0))
    if len(numbers) > pool:
        numbers = numbers[np.argpartition(-scores[numbers], pool)[:pool]]
    return numbers.tolist()


def fitting(scores: Scores, messages: Mapping[int, Message], wants: Wanted) -> Scores:
    """Return ``scores`` with those of ``messages`` (by number) weighed by what kind of message they are."""
    sign = _HOLDS.get(wants)
    fit = scores.copy()
    for number, message in messages.items():
        if asks(message.content):
            fit[number] *= ASKS
        if sign is not None and sign.search(message.content):
            fit[number] *= HOLDS
    return fit


def names_time(text: str) -> bool:
    """Whether a message has signs of a time."""
    return _DATE.search(text) is not None


def asks(text: str) -> bool:
    """Whether a message ends in a question."""
    return _ASKING.search(text[-12:]) is not None
