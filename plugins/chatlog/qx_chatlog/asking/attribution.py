"""Whose words they are: what a question says of one speaker may be another's."""

from __future__ import annotations

from typing import Final

from qx.operation import Principal
from qx_chatlog.index.speakers import named
from qx_chatlog.store import ChatStore, Controls, Search

FEWER: Final = 0.7
"""Of the best score of anybody else: one who is asked about and has less did not say it (measured: it finds 39 % of
LoCoMo's questions that put one's doings in the other's mouth, and wrongly 8 % of the others)."""
_WORDS = Controls(fusion=False, window=0, near=False, speakers=False)
_LOOKED_AT = 50


async def of_another(store: ChatStore, principal: Principal, text: str) -> str | None:
    """Return the speaker whose words fit ``text``, where it names another one alone and hardly any of theirs fit.

    None: it names nobody or several, nothing fits at all, or what fits is the named speaker's.
    """
    result = await store.search(principal, Search(text=text, limit=_LOOKED_AT, controls=_WORDS))
    hits = [one for one in result.hits if one.message.speaker]
    speakers = dict.fromkeys(one.message.speaker for one in hits)
    sessions = await store.sessions(principal, Search().filters)
    asked = named(text, dict.fromkeys((*speakers, *(name for one in sessions for name in one.speakers))))
    if len(asked) != 1:
        return None
    theirs = max((one.score for one in hits if one.message.speaker == asked[0]), default=0.0)
    others = [one for one in hits if one.message.speaker != asked[0]]
    if not others or theirs >= FEWER * others[0].score:
        return None
    return others[0].message.speaker
