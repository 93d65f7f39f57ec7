"""Whether a question's words are in anybody's words at all: what is not there is not answered with what looks like it."""

from __future__ import annotations

from typing import Final

from qx_chatlog.asking import wording
from qx_chatlog.asking.question import Question
from qx_chatlog.log import Ask, Log, touches
from qx_chatlog.tools.calling import synonyms

_LOOKED_UP: Final = 12
_SEEN: Final = 5


async def unheard(log: Log, question: Question, *, half: bool = False) -> bool:
    """Whether more than half of the content words of ``question`` are in no message that somebody wrote.

    Words with a slip do not count, synonyms of the profile do; names and words of asking are no content.

    Args:
        half: Half of them is enough: nothing that was found holds what the question wants to hear.
    """
    if question.resolved:
        return False  # the current conversation gave the words
    people = (*question.people, question.stranger)
    names = {part.casefold() for name in people for part in (name, *name.split())}
    plain = [word.removesuffix("'s").removesuffix("’s") for word in question.keywords]
    words = [word for word in plain if word.casefold() not in wording.TALK | names and word not in question.stranger]
    words = words[:_LOOKED_UP]
    absent = [word for word in words if not await _said(log, word)]
    return len(absent) * 2 > len(words) - (half and bool(absent))


async def _said(log: Log, word: str) -> bool:
    for one in (word, *synonyms(log, word)):
        outcome = await log.search(Ask(text=one, how="keyword", limit=_SEEN))
        if any(touches([one, one], hit.message) for hit in outcome.hits):
            return True
    return False
