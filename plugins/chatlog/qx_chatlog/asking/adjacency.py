"""What stands beside what a question speaks of: people ask in one message and answer in the next, in other words.

"I've finally sold the old Volvo" - "To whom??" - "The young couple from number 9": only the first of them shares a word with
"Who bought the Volvo?".  Messages around one that a question speaks of are weighed:

    weight(m) = FADE ** (places away) * (1 + SHARE * part of the question's words that it holds)
                * TELLS where it states what is wanted * REPLIES where what it follows asks for that too

One that weighs more than the message itself leads, where it is of the same talk and, if somebody's words are asked for,
theirs.  Where the last word is asked for it is the last that states what is wanted, as long as the talk goes on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from qx.serial import value
from qx_chatlog.asking import kinds
from qx_chatlog.asking.kinds import Kind
from qx_chatlog.asking.wording import OLDEST
from qx_chatlog.log import coverage
from qx_chatlog.message import Message
from qx_chatlog.store import Filters

BEFORE: Final = 2
AFTER: Final = 5
"""Messages that are looked at on either side of one."""
FADE_AFTER: Final = 0.85
FADE_BEFORE: Final = 0.75
"""What is left of a message's weight a place further: answers come after what they answer."""
TELLS: Final = 2.0
GIVES_REASON: Final = 3.0
"""Beside a word of reason: 因为, "because"; reasons are given before and after alike."""
REPLIES: Final = 3.0
ASKS: Final = 0.4
PAUSE: Final = timedelta(hours=12)
AT_ONCE: Final = timedelta(hours=1)
"""Between two messages: where it is longer another talk begins; where it is no longer they are one breath."""
SHARE: Final = 0.4
_THEIR_OWN: Final = re.compile(
    r"\b(?:mine|my|I (?:paid|spent|bought|took))\b|我(?:的|那|这|家|自己|花|买)", re.IGNORECASE
)
"""Words for what is the speaker's own."""
_ANYBODYS: Final = Filters()
_NEEDED: Final = 1.05
"""How much more a neighbour has to weigh than the message itself."""


@value
class Beside:
    """What was found around one message.

    Attributes:
        lead: What answers rather than the message itself, if anything does.
        after: What followed it, in the order of the talk.
    """

    lead: Message | None
    after: tuple[Message, ...]


def beside(
    question: str,
    words: Sequence[str],
    anchor: Message,
    around: Sequence[Message],
    *,
    newest: bool = False,
    whose: Filters = _ANYBODYS,
    people: Sequence[str] = (),
) -> Beside:
    """Return what of ``around`` answers a question that ``anchor`` is about.

    Args:
        words: The question's content words.
        around: The messages around it and itself, in the order of the talk.
        newest: The last word is asked for.
        whose: The speakers or roles whose words are asked for; nobody else's lead.
        people: Whom the question names: what others say of their own is no answer.
    """
    place = next((n for n, one in enumerate(around) if one.id == anchor.id), None)
    if place is None:
        return Beside(lead=None, after=())
    after = tuple(_of_one_talk(anchor, around[place + 1 : place + 1 + AFTER], PAUSE))
    kind = kinds.asked(question)
    if kind is None:
        return Beside(lead=None, after=after)
    if newest and kind in kinds.STATED:
        breath = _of_one_talk(anchor, after, AT_ONCE)
        said = [one for one in breath if kinds.tells(kind, one.content, question) and not OLDEST.search(one.content)]
        said = [one for one in said if _is_theirs(one, whose, people)]
        return Beside(lead=said[-1] if said else None, after=after)
    before = _of_one_talk(anchor, around[:place][::-1], PAUSE)[::-1]
    around, place = (*before, anchor, *after), len(before)
    measured = kinds.measured(question)
    weights: dict[str, float] = {anchor.id: _weight(kind, question, words, anchor, 0)}
    for n, one in enumerate(around):
        states = kinds.tells(kind, one.content, question)
        replies = _replies(kind, around, n)
        if n != place and _is_theirs(one, whose, people) and (states if measured or kind in kinds.ALONE else replies):
            weights[one.id] = _weight(kind, question, words, one, n - place) * (REPLIES if replies else 1)
    best = max(around, key=lambda one: weights.get(one.id, 0.0))
    if best.id != anchor.id and weights[best.id] > _NEEDED * weights[anchor.id]:
        return Beside(lead=best, after=after)
    theirs = [one for one in after if _is_theirs(one, whose, people)]
    return Beside(lead=_reply(kind, question, anchor, theirs), after=after)


def _is_theirs(one: Message, whose: Filters, people: Sequence[str]) -> bool:
    """Whether a message may answer for those whose words are asked for, or who are spoken of."""
    if people and one.speaker not in people and _THEIR_OWN.search(one.content):
        return False
    return (not whose.speakers or one.speaker in whose.speakers) and (not whose.roles or one.role in whose.roles)


def _of_one_talk(anchor: Message, away: Sequence[Message], pause: timedelta) -> list[Message]:
    """What stands ``away`` from an anchor, the nearest first, up to where the talk paused for longer."""
    kept: list[Message] = []
    last = anchor.time
    for one in away:
        if abs(one.time - last) > pause:
            break
        kept.append(one)
        last = one.time
    return kept


def _reply(kind: Kind, question: str, anchor: Message, after: Sequence[Message]) -> Message | None:
    """What another one says to an anchor that asks itself; None: it asks nothing, or is not answered."""
    if not kinds.poses(anchor.content):
        return None
    said = (one for one in after if one.who != anchor.who and _says(one))
    return next((one for one in said if kind not in kinds.STATED or kinds.tells(kind, one.content, question)), None)


def _replies(kind: Kind, around: Sequence[Message], n: int) -> bool:
    """Whether a message answers what was said before it, which asks for a thing of this kind; others may not have known it."""
    one = around[n]
    before = next((other for other in reversed(around[:n]) if not kinds.evades(other.content)), None)
    if before is None or before.who == one.who or not _says(one) or not kinds.poses(before.content):
        return False
    return kinds.agree(kind, kinds.asked(before.content))


def _says(one: Message) -> bool:
    return not kinds.poses(one.content) and not kinds.evades(one.content)


def _weight(kind: Kind, question: str, words: Sequence[str], one: Message, away: int) -> float:
    weight = (FADE_AFTER if away > 0 or kind == "reason" else FADE_BEFORE) ** abs(away)
    weight *= 1 + SHARE * coverage(words, one)
    if kinds.poses(one.content):
        return weight * ASKS
    if kinds.tells(kind, one.content, question) and (away or kind in kinds.STATED):
        weight *= GIVES_REASON if kind == "reason" else TELLS
    return weight
