"""Words of neighbours: a message is about what those around it in its session speak of.

People ask in one message and answer in the next: the answer often holds none of the words that are looked for.  So each
word of the query counts for a message with the most that the message itself, or one up to ``REACH`` places away, gives:

    score(m) = sum over words w of max over messages n of the session, |m - n| <= REACH, of FADE ** |m - n| * bm25(w, n)

The maximum, and not a sum: a word said in three messages in a row is still one word.  Measured on LoCoMo: see
``benchmarks/chatlog_eval.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from qx.serial import value
from qx_chatlog.index.columns import Numbers, Rows, Scores

REACH: Final = 4
"""Places to both sides; further ones gave nothing more."""
FADE: Final = 0.75
"""What a word keeps of its score a place further; 0.7 to 0.8 do as well."""
COMMON: Final = 20_000
"""A word of more messages counts where it stands only: it tells little, and its neighbours are most of a long log."""


@value
class Talks:
    """Messages side by side, session after session.

    Attributes:
        turns: Numbers of messages, in the order of the talk within each session.
        place: Of each message, by its number, where it is in ``turns``.
        session: Of each place.
    """

    turns: Numbers
    place: Numbers
    session: Numbers


def talks(rows: Rows) -> Talks:
    """Put all messages of a user side by side."""
    time = rows["time"]
    if len(rows) > 1 and bool(np.all(time[1:] >= time[:-1])):  # they came in the order in which they were sent
        turns = np.argsort(rows["session"], kind="stable")
    else:
        turns = np.lexsort((time, rows["session"]))
    place = np.empty(len(rows), dtype=np.intp)
    place[turns] = np.arange(len(rows))
    return Talks(turns=turns, place=place, session=rows["session"][turns])


def spread(at: Talks, words: Iterable[tuple[Numbers, Scores]]) -> Scores:
    """Return the score of every message, by number.

    Args:
        words: Of each word, the messages that hold it and what it gives to each.
    """
    total = np.zeros(len(at.turns))
    for numbers, given in words:
        if len(numbers) > COMMON:
            total[at.place[numbers]] += given
        elif len(numbers):
            total += _reached(at, at.place[numbers], given)
    return total[at.place]


def _reached(at: Talks, places: Numbers, given: Scores) -> Scores:
    """What one word gives to every place."""
    count = len(at.turns)
    most = np.zeros(count)
    most[places] = given
    session = at.session[places]
    for step in range(1, REACH + 1):
        faded = given * FADE**step
        for there in (places - step, places + step):
            inside = (there >= 0) & (there < count)
            inside[inside] = at.session[there[inside]] == session[inside]
            reached = there[inside]
            most[reached] = np.maximum(most[reached], faded[inside])
    return most
