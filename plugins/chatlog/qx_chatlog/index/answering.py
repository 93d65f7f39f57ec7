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
_ASKING = re.compile(r"(?:[?？]|[吗呢嘛][。!！~]*)[\s\"'”’)）\U0001f000-\U0001faff]*$")


def at_likely_time(rows: Rows, scores: Scores, likely: Sequence[tuple[datetime, datetime]]) -> Scores:
    """Return ``scores`` with messages of a likely time, or of the days after it, preferred."""
    then = np.zeros(len(rows), dtype=np.bool_)
    late = int(AFTERWARDS.total_seconds()) * 1_000_000
    for start, end in likely:
        then |= (rows["time"] >= microseconds(start)) & (rows["time"] - late < microseconds(end))
    return np.where(then, scores * THEN, scores) if then.any() else scores


def best(scores: Scores, keep: Mask) -> list[int]:
    """Return the numbers of the ``POOL`` messages that fit best."""
    numbers = np.flatnonzero(keep & (scores > 0))
    if len(numbers) > POOL:
        numbers = numbers[np.argpartition(-scores[numbers], POOL)[:POOL]]
    return numbers.tolist()


def fitting(scores: Scores, messages: Mapping[int, Message], wants: Wanted) -> Scores:
    """Return ``scores`` with those of ``messages`` (by number) weighed by what kind of message they are."""
    from qx_chatlog.asking.fitness import holds

    fit = scores.copy()
    for number, message in messages.items():
        if asks(message.content):
            fit[number] *= ASKS
        if wants != "statement" and holds(wants, message.searched):
            fit[number] *= HOLDS
    return fit


def asks(text: str) -> bool:
    """Whether a message ends in a question."""
    return _ASKING.search(text[-12:]) is not None
