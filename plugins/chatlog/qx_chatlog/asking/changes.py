"""What a correction changes: 寿宴改到四季饭店 is of the 寿宴, "Correction: the migration starts on Monday" of the migration.

A correction of another matter is none, however much of its wording a question shares.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.text import segment, times
from qx.text.normalise import fold
from qx_chatlog.asking import figures, wording
from qx_chatlog.asking.question import Question
from qx_chatlog.index.answering import names_time
from qx_chatlog.log import Log, coverage, touches
from qx_chatlog.message import NOBODYS, Message
from qx_chatlog.store import Filters

_MOVES = re.compile(
    r"[改换变挪调推]|恢复|提前|取消|作废|\b(?:moved|changed|rescheduled|postponed|pushed|switched|brought|cancel|went|gone|go|going|are|is)",
    re.IGNORECASE,
)
"""Corrections that name what they change before the word of change: 聚餐改到周六."""
_LEADS = re.compile(r"更正|纠正|correction|actually", re.IGNORECASE)
"""Corrections that name it after the word: "Correction: the launch is on Friday"."""
_CANCELLED = re.compile(r"取消|作废|\bcancel", re.IGNORECASE)
_LATER = 40
"""Messages after an anchor that are looked through."""
_ANYBODY = frozenset(["人", "事", "东西", "people", "thing"])
_CHANGING = re.compile(
    r"[换改变调挪推](?:[成到了为])?|更改|修改|调整|取消|chang\w*|mov(?:e|ed|ing)|switch\w*|resched\w*|postpon\w*|cancel\w*",
    re.IGNORECASE,
)
_OWNER = re.compile(r"['’]s$")
_CLAUSE = re.compile(r"[，。,.;；:：!！?？、\n]")
_NOUN = re.compile(r"\b(?:the|our|my|your|his|her|their|this|that) (\w+)", re.IGNORECASE)


def subject(change: Message, log: Log) -> tuple[str, ...]:
    """Return the words by which a correction names what it changes; () where it names nothing: 改到周六了."""
    text = change.content
    for match in reversed(list(wording.CORRECTION.finditer(text))):
        if _MOVES.match(match[0]):
            clause = _CLAUSE.split(text[: match.start()])[-1]
            words = [*_words(clause, log), *(noun[1] for noun in _NOUN.finditer(match[0]))]
        elif _LEADS.match(match[0]):
            clause = next((part for part in _CLAUSE.split(text[match.end() :]) if part.strip()), "")
            noun = _NOUN.match(clause.strip())
            direct = noun is not None or match[0].casefold() != "actually"
            words = [noun[1]] if noun is not None else list(_words(clause, log)[:1]) if direct else []
        else:
            words = []
        if words:
            return tuple(words)
    return ()


def is_bare(message: Message, log: Log) -> bool:
    """Whether a message names a time and no matter of its own: "Friday next week", 周四吧."""
    return not _words(message.content, log)


def topical(words: Sequence[str]) -> list[str]:
    """Return ``words`` without those of changing, which any correction holds: 换 of 证书是谁换的."""
    return [word for word in words if not _CHANGING.fullmatch(word)] or list(words)


def of_anchor(words: Sequence[str], anchor: Message) -> bool:
    """Whether all of ``words``, by which a correction names what it changes, stand in ``anchor``."""
    return bool(words) and all(touches([_OWNER.sub("", word)] * 2, anchor) for word in words)


def named_in(words: Sequence[str], question: str, messages: Sequence[Message]) -> bool:
    """Whether one of ``words`` stands in a question or in one of its anchors; whose it is has to, where that is said."""
    words = [word for word in words if _OWNER.search(word)] or words
    words = [_OWNER.sub("", word) for word in words]
    asked = fold(question)
    stems = {segment.comparable(word.text) for word in segment.words(asked)}
    if any(fold(word) in asked if not word.isascii() else segment.comparable(fold(word)) in stems for word in words):
        return True
    return any(touches([*words, *words], one) for one in messages)


def speaks_of(wants: wording.Wanted | None, change: Message) -> bool:
    """Whether a correction can be of what is asked for: another day is no correction of how many there are."""
    if wants is None or wants == "name" or _CANCELLED.search(change.content):
        return True
    return figures.is_figure(change.content) if wants == "number" else names_time(change.content)


def takes_back(
    change: Message, anchors: Sequence[Message], question: Question, words: Sequence[str], log: Log, least: float
) -> bool:
    """Whether a correction is of the anchors' matter: what it changes is named in the question or in one of them.

    Where it names nothing, it has to stand in an anchor's conversation, or to hold as much of the question.

    Args:
        words: The content words of the question, of which it has to hold the part ``least``.
    """
    if not speaks_of(question.wants, change):
        return False
    anchors = [one for one in anchors if one.id != change.id]
    named = subject(change, log)
    if named:
        return named_in(named, question.text, anchors)
    return coverage(topical(words), change) >= least or any(one.session == change.session for one in anchors)


async def by_name(anchor: Message, question: Question, log: Log) -> list[Message]:
    """Return later corrections of an anchor's talk that name what they change in its words: 火锅改到七点 of 请大家吃火锅.

    Only where a number or a day is asked for, of which a correction can be told to speak.
    """
    if question.wants not in ("number", "date"):
        return []
    read = await log.read(Filters(sessions=(anchor.session,), since=anchor.time, without=NOBODYS), limit=_LATER)
    return [
        one
        for one in read
        if one.id != anchor.id
        and wording.CORRECTION.search(one.content)
        and speaks_of(question.wants, one)
        and of_anchor(subject(one, log), anchor)
    ]


def _words(text: str, log: Log) -> tuple[str, ...]:
    """The content words of ``text``, without times, words of change and words of asking."""
    rest = wording.CORRECTION.sub(" ", text)
    for one in times.find(rest, now=log.now, zone=log.zone):
        rest = rest.replace(one.text, " ")
    return tuple(
        word
        for word in segment.keywords(rest)
        if word.casefold() not in wording.TALK and word not in wording.LIGHT and word not in _ANYBODY
    )
