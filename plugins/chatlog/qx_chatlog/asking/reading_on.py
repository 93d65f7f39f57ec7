"""Reading on around what a question speaks of, where the answer often stands without a word of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qx.serial import value
from qx_chatlog.asking import adjacency, changes, kinds, wording
from qx_chatlog.asking.question import Question
from qx_chatlog.asking.record import Searched, given
from qx_chatlog.log import Log, coverage, touches
from qx_chatlog.message import Message
from qx_chatlog.store import Filters

CLOSE: Final = 0.75
"""Of the most words that one of the messages holds."""
_ANCHORS: Final = 3
_READ: Final = 2
"""Anchors around which is read, of so many best."""
_TAKEN_FROM: Final = 3
"""Messages after a change in which what holds instead is named."""
_FOLLOWING, _SHOWN = 4, 6
"""Messages after the anchors that are shown, and of the anchors and these together."""


@value
class ReadOn:
    """What came of it.

    Attributes:
        anchors: Those that were given, in another order; what answers beside one of them is the first.
        lead: That one.
        following: What was said right after the best of them.
        searched: What was read.
    """

    anchors: list[Message]
    lead: Message | None
    following: list[Message]
    searched: tuple[Searched, ...]


async def read(
    log: Log, question: Question, words: Sequence[str], anchors: Sequence[Message], whose: Filters
) -> ReadOn:
    """Read around the best of ``anchors`` (at least one).

    Args:
        words: The content words of the question.
        whose: The speakers or roles whose words are asked for.
    """
    kind, newest = kinds.asked(question.text), question.order == "newest"
    held = {one.id: coverage(words, one) for one in anchors}
    most = max(held.values())
    anchors = list(anchors)
    if kind in ("reason", "colour"):  # numbers and days went first already
        anchors.sort(key=lambda one: not (held[one.id] >= most / 3 and kinds.tells(kind, one.content)))
    told = kind in kinds.SHOWN and kinds.tells(kind, anchors[0].content, question.text)
    lead: Message | None = None
    after: dict[str, Message] = {}
    searched: list[Searched] = []
    for anchor in [one for one in anchors[:_ANCHORS] if held[one.id] >= CLOSE * most][:_READ]:
        around = await log.around(anchor.id, before=adjacency.BEFORE, after=adjacency.AFTER)
        messages = [one.message for one in around]
        found = adjacency.beside(
            question.text, words, anchor, messages, newest=newest, whose=whose, people=question.people
        )
        searched.append(Searched(tool="search_around", arguments=given(message=anchor.id), found=len(found.after)))
        if lead is None and (newest or not told):
            lead = found.lead
            if newest and kind == "date" and lead is not None and not _is_of_the_matter(lead, messages, words, log):
                lead = None
        after |= {one.id: one for one in found.after}
    if lead is not None:
        anchors = [lead, *(one for one in anchors if one.id != lead.id)]
    if kind is None and held.get(anchors[0].id) == 1.0:
        return ReadOn(anchors=anchors, lead=lead, following=[], searched=tuple(searched))  # it is what was looked for
    near = sum(part >= most / 2 for part in held.values())
    room = max(1, min(_FOLLOWING, _SHOWN - near) - told)
    known = {one.id for one in anchors}
    following = [one for one in after.values() if one.id not in known][:room]
    return ReadOn(anchors=anchors, lead=lead, following=following, searched=tuple(searched))


async def instead(log: Log, question: Question, words: Sequence[str], change: Message) -> Message | None:
    """Return what was named after a change that names nothing: "cancelled" - "New date?" - "Thursday week"."""
    kind = kinds.asked(question.text)
    if kind not in kinds.STATED or kinds.tells(kind, change.content, question.text):
        return None
    around = [one.message for one in await log.around(change.id, before=0, after=_TAKEN_FROM)]
    named = adjacency.beside(question.text, words, change, around).lead
    return named if named is not None and _is_of_the_matter(named, around, words, log) else None


def _is_of_the_matter(one: Message, around: Sequence[Message], words: Sequence[str], log: Log) -> bool:
    """Whether what names a day has no other matter: it shares a word, takes something back, answers, or names nothing else."""
    if touches(words, one) or wording.CORRECTION.search(one.content) or changes.is_bare(one, log):
        return True
    place = next((n for n, other in enumerate(around) if other.id == one.id), 0)
    return place > 0 and kinds.poses(around[place - 1].content)
