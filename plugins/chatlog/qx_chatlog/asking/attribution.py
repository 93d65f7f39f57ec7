"""Whose words they are: what a question says of one speaker may be another's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from qx.operation import Principal
from qx_chatlog.asking import kinds
from qx_chatlog.index.answering import asks
from qx_chatlog.index.speakers import named
from qx_chatlog.log import coverage
from qx_chatlog.message import Message
from qx_chatlog.store import Controls, Search, SearchResult


class ChatReader(Protocol):
    """What of a store is asked for words."""

    async def search(self, principal: Principal, search: Search, /) -> SearchResult: ...


FEWER: Final = 0.7
"""Of the best score of anybody else: one who is asked about and has less did not say it (measured: it finds 56 % of
LoCoMo's questions that put one's doings in the other's mouth, and wrongly 9 % of the others)."""
_WORDS = Controls(fusion=False, window=0, near=False, speakers=False)
_LOOKED_AT = 50


def said_more(words: Sequence[str], messages: Iterable[Message], named: str, another: str) -> bool:
    """Whether ``another`` says more of ``words`` in one of ``messages`` than ``named`` does in any."""
    held: dict[str, float] = {named: 0.0, another: 0.0}
    for message in messages:
        if message.speaker in held:
            held[message.speaker] = max(held[message.speaker], coverage(words, message))
    return held[another] > held[named]


def tells_otherwise(question: str, asked: str, messages: Iterable[Message], another: str) -> bool:
    """Whether what ``another`` says is no answer in somebody else's mouth: it speaks of ``asked``, or states nothing wanted."""
    theirs = [one for one in messages if one.speaker == another]
    if any(_speaks_of(asked, one.content) for one in theirs):
        return True
    kind = kinds.asked(question)
    return kind in kinds.STATED and not any(kinds.tells(kind, one.content, question) for one in theirs)


def _speaks_of(name: str, text: str) -> bool:
    """Whether ``name`` is spoken of in ``text``, and not spoken to: "Bea is visiting", and no "Thanks, Bea!"."""
    for part in (name, name.split()[0]):
        form = (
            rf"\b{re.escape(part)}(?:['’]s\b|\s[a-z])"
            if part.isascii()
            else rf"{re.escape(part)}(?![，,！!。、？?\s]|$)"
        )
        if re.search(form, text):
            return True
    return False


async def of_another(store: ChatReader, principal: Principal, text: str, speakers: Iterable[str]) -> str | None:
    """Return the speaker whose words fit ``text``, where it names another one alone and hardly any of theirs fit.

    None: it names nobody or several, nothing fits at all, or what fits is the named speaker's.

    Args:
        speakers: Everybody who speaks in the log.
    """
    asked = named(text, speakers)
    if len(asked) != 1:
        return None
    result = await store.search(principal, Search(text=text, limit=_LOOKED_AT, controls=_WORDS))
    hits = [one for one in result.hits if one.message.speaker and not asks(one.message.content)]
    speakers = dict.fromkeys(one.message.speaker for one in hits)
    theirs = max((one.score for one in hits if one.message.speaker == asked[0]), default=0.0)
    others = [one for one in hits if one.message.speaker != asked[0]]
    if not others or theirs >= FEWER * others[0].score:
        return None
    return others[0].message.speaker
