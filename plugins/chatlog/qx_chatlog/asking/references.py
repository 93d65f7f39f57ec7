"""What ``他说的那个方法``, "that idea of hers" or an ambiguous 苹果 mean, by the current conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.text import quotes, segment
from qx.text.normalise import fold
from qx.types import Turn

PRONOUN = re.compile(r"他们|她们|它们|他|她|它|\b(?:he|she|it|they|him|her|them|his|hers|its|their)\b", re.IGNORECASE)
POINTING = re.compile(
    r"(?:那|这)(?:个|本|家|件|次|位|部|款|种|首|条|篇|场|些)(?P<zh>[一-鿿]{1,4})?|\b(?:that|this|those|these) (?P<en>[a-z]+)",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:老|小|阿)[一-鿿](?![一-鿿]?(?:师傅|时|子))|[一-鿿]{1,3}(?:老师|经理|总|医生|教授|同学|先生|女士)|\b[A-Z][a-z]+(?: [A-Z][a-z]+)?\b"
)
_STARTS = frozenset(
    [
        "The",
        "This",
        "That",
        "What",
        "When",
        "Where",
        "Who",
        "Why",
        "How",
        "Yes",
        "No",
        "Ok",
        "Okay",
        "And",
        "But",
        "So",
        "I",
        "It",
        "He",
        "She",
        "They",
        "We",
        "You",
        "My",
    ]
)
_LIGHT = frozenset(
    ["a", "an", "the", "this", "that", "his", "her", "my", "our", "your", "of", "is", "was", "use", "used", "called"]
)
_CUT = re.compile(r"[了的是用讲说叫做和与在把对我你他她它有这那过着给跟被]|一个|一种|一套|推荐|介绍|提到|建议|试试")
"""Words that come before a name and are no part of it."""
MOST = 8
"""Words that the conversation gives at most."""
_LATELY = 6
"""Turns that are looked at, from the latest back."""


def resolved(
    text: str, keywords: Sequence[str], history: Sequence[Turn], speakers: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the words of the conversation that ``text`` leaves out; () where it points at nothing, or nothing is there.

    Args:
        keywords: Those of ``text``: what they name is looked for first.
        history: The current conversation, oldest first.
        speakers: Names that are known to be people's.
    """
    turns = [turn.content for turn in reversed(history) if turn.role in ("user", "assistant")][:_LATELY]
    if not turns:
        return ()
    found: list[str] = []
    if PRONOUN.search(text):
        found += _person(turns, speakers)
    pointing = POINTING.search(text)
    if pointing is not None:
        found += _thing(turns, _noun(pointing), keywords)
    elif found or _ambiguous(keywords, turns):
        found += _beside(turns, keywords)
    known = {fold(word) for word in keywords}
    return tuple(word for word in dict.fromkeys(found) if fold(word) not in known)[:MOST]


def _noun(pointing: re.Match[str]) -> str:
    """The 方法 of 那个方法我试过."""
    said = segment.keywords(pointing["zh"] or pointing["en"] or "")
    return said[0] if said else ""


def _person(turns: Sequence[str], speakers: Sequence[str]) -> list[str]:
    """Who was spoken of last."""
    for turn in turns:
        names = [name for name in speakers if name and fold(name) in fold(turn)]
        names += [name for match in _PERSON.finditer(turn) if (name := match[0]).split()[0] not in _STARTS]
        if names:
            return [max(names, key=turn.rfind)]
    return []


def _thing(turns: Sequence[str], noun: str, keywords: Sequence[str]) -> list[str]:
    """What the pointed-at ``noun`` (方法) was called: a name that ends like it, a title, the words beside it."""
    for find in (_called, _titles):
        for turn in turns:
            if found := find(turn, noun):
                return found[-2:]
    return _beside(turns, [noun, *keywords] if noun else keywords)


def _titles(turn: str, noun: str) -> list[str]:
    return [phrase.text for phrase in quotes.phrases(turn)]


def _called(turn: str, noun: str) -> list[str]:
    """Names that end as ``noun`` does: 番茄工作法 is a 方法, "time-boxing method" is a method."""
    if not noun:
        return []
    if noun.isascii():
        found = re.findall(rf"\b((?:[\w-]+ ){{1,2}}{re.escape(noun)})s?\b", turn, re.IGNORECASE)
        return [" ".join(word for word in one.split() if word.casefold() not in _LIGHT) for one in found]
    last = re.escape(noun[-1])
    runs = [one for run in re.findall(rf"[一-鿿]{{1,12}}?{last}(?!{last})", turn) for one in [_CUT.split(run)[-1]]]
    return [run for run in runs if len(run) > 2 and run != noun]


def _ambiguous(keywords: Sequence[str], turns: Sequence[str]) -> bool:
    """Whether a short question's words were spoken of just now, so that the talk says which sense is meant."""
    return len(keywords) <= 3 and any(fold(word) in fold(turn) for word in keywords for turn in turns)


def _beside(turns: Sequence[str], keywords: Sequence[str]) -> list[str]:
    """Content words of the latest turn that shares a word with the question, else of the latest turn."""
    shared = [turn for turn in turns if any(word and fold(word) in fold(turn) for word in keywords)]
    known = {fold(word) for word in keywords}
    words = segment.keywords((shared or turns)[0])
    return [word for word in words if fold(word) not in known and len(word) > 1][:4]
