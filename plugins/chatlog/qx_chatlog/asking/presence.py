"""Whether a question's words are in anybody's words at all: what is not there is not answered with what looks like it."""

from __future__ import annotations

import re
from typing import Final

from qx_chatlog.asking import wording
from qx_chatlog.asking.question import Question
from qx_chatlog.log import Ask, Log, touches
from qx_chatlog.tools.calling import synonyms

_DEGREE: Final = re.compile(r"(?P<stem>[a-z]{3,})(?:er|est)", re.IGNORECASE)
_LOOKED_UP: Final = 12
_SEEN: Final = 5


async def unheard(log: Log, question: Question, *, half: bool = False, apart: bool = False) -> bool:
    """Whether more than half of the content words of ``question`` are in no message that somebody wrote.

    Words with a slip do not count, synonyms of the profile do; names and words of asking are no content.  Where messages
    are found by meaning too, all of them have to be missing, or a name.

    Args:
        half: Half of them is enough: nothing that was found holds what the question wants to hear.
        apart: No message holds all of them, and none that holds any holds what the question wants to hear: where each of
            them is spoken of, it is another thing's.
    """
    if question.resolved:
        return False  # the current conversation gave the words
    people = (*question.people, question.stranger)
    names = {part.casefold() for name in people for part in (name, *name.split())}
    plain = [word.removesuffix("'s").removesuffix("’s") for word in question.keywords]
    words = [word for word in plain if word.casefold() not in wording.TALK | names and word not in question.stranger]
    words = words[:_LOOKED_UP]
    absent = [word for word in words if not await _said(log, word)]
    if apart and len(words) > 1 and not absent:
        return True
    if log.context.has_embedder:  # other words may mean the same; a name means nobody else
        return any(_is_name(word, question.text) for word in absent) or (len(words) > 1 and len(absent) == len(words))
    return len(absent) * 2 > len(words) - (half and bool(absent))


def _is_name(word: str, question: str) -> bool:
    """Whether a word of a question has a capital that its place does not give it; "TV" stands for words, and is none."""
    return word[:1].isupper() and not word.isupper() and not question.lstrip().startswith(word)


def _compared(word: str) -> tuple[str, ...]:
    """Other degrees of an adjective: cheapest, cheaper, cheap."""
    match = _DEGREE.fullmatch(word)
    if match is None:
        return ()
    stem = match["stem"]
    stems = (
        stem,
        f"{stem}e",
        *((stem[:-1],) if stem[-1] == stem[-2] else ()),
        *((f"{stem[:-1]}y",) if stem[-1] == "i" else ()),
    )
    return tuple(one for one in (f"{stem}er", f"{stem}est", *stems) if one != word.casefold())


async def _said(log: Log, word: str) -> bool:
    for one in (word, *_compared(word), *synonyms(log, word)):
        outcome = await log.search(Ask(text=one, how="keyword", limit=_SEEN))
        if any(touches([one, one], hit.message) for hit in outcome.hits):
            return True
    return False
