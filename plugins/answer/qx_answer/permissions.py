"""Whether one text allows or provides a thing and another forbids or lacks it; no model is asked.

"Hens may be kept" and "nobody may keep hens", 可以养鹅 and 禁养鹅, 周末有早餐 and 周末不供应早餐.  A text takes a side by one
word; each negation beside it turns it round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from qx.serial import value
from qx.text.segment import HAN, comparable, is_content, words
from qx_answer import negations
from qx_answer.concepts import forms
from qx_answer.listed import rows

_AFTER = re.compile(r"(?:\s+(?:not|never|to|be|been|have|also|always))*\s+(?P<verb>[a-z]+)", re.IGNORECASE)
_GERUND = re.compile(r"\W*(?P<verb>[a-z]+ing)\b", re.IGNORECASE)
_HAN_VERB = re.compile(f"[{HAN}]")
_NOT = re.compile("[并绝决]?[不非未没]$")
"""Right before a word that takes a side: 并不禁止, which the core takes for no negation of a search."""
_PAIRS = (("allows", "forbids"), ("provides", "lacks"))
_MOST = 2
"""Negations of a text that can be told apart."""


@value
class Rule:
    """What a text rules of a thing.

    Attributes:
        affirms: Whether it allows or provides it.
        by: Its word for that.
        verb: What is done with the thing, as words are compared; empty: it names the thing alone.
        thing: The text without all these.
    """

    affirms: bool
    by: str
    verb: str
    thing: str

    def is_like(self, other: Rule) -> bool:
        """Whether both may speak of one doing: a rule about a thing need not say what is done with it."""
        return not self.verb or not other.verb or self.verb == other.verb or other.verb in _compared(self.verb)


def rule(text: str) -> Rule | None:
    """Return what a text rules; None where it does not, or more than one thing, or what depends on something."""
    for plus, minus in _PAIRS:
        found = list(_pattern(plus, minus).finditer(text))
        found = [match for match in found if len(match[0]) > 1 or _stands_alone(match)]
        if found:
            return _read(found[0], plus) if len(found) == 1 and not _is_open(text) else None
    return None


def opposed(statement: Rule | None, clause: Rule | None) -> str | None:
    """Return what is wrong where one affirms what the other denies; else None.

    Both must speak of the same: that is for the caller to know.
    """
    if statement is None or clause is None or statement.affirms is clause.affirms:
        return None
    return f"the statement says {statement.by!r}, the quote {clause.by!r}"


def agree(statement: Rule | None, clause: Rule | None) -> bool:
    """Whether both affirm, or both deny."""
    return statement is not None and clause is not None and statement.affirms is clause.affirms


def allows_or_forbids(text: str) -> bool:
    """Whether a text has a word by which it allows or forbids something."""
    return any(len(found[0]) > 1 or _stands_alone(found) for found in _pattern("allows", "forbids").finditer(text))


def _is_open(text: str) -> bool:
    return _pattern("depends", "happens").search(text) is not None


def _read(match: re.Match[str], plus: str) -> Rule | None:
    text, (start, end) = match.string, match.span()
    denying = _merged([*negations.spans(text), *(found.span() for found in _pattern("nobody").finditer(text))])
    denying = [(a, b) for a, b in denying if not start <= a < b <= end]
    if not any(b >= start and a < start for a, b in denying) and (before := _NOT.search(text, 0, start)):
        denying.append(before.span())
    if len(denying) > _MOST:
        return None
    verb, place = _verb(text, start, end) if plus == "allows" else ("", None)
    affirms = (_pattern(plus).fullmatch(match[0]) is not None) is (len(denying) % 2 == 0)
    left_out = [match.span(), *denying, *([place] if place else [])]
    thing = _pattern("everybody").sub(" ， ", _without(text, left_out))
    said = text[min([start, *(a for a, b in denying if b == start)]) : end]
    return Rule(affirms=affirms, by=said if len(denying) < 2 else match[0], verb=verb, thing=thing)


def _verb(text: str, start: int, end: int) -> tuple[str, tuple[int, int] | None]:
    """What is done, and where it stands: after the word, or first where the word comes last (keeping …, 养公鸡…)."""
    for found in (_AFTER.match(text, end), _GERUND.match(text)):
        if found is not None and is_content(found["verb"]) and found.end() != start:
            return comparable(found["verb"]), found.span("verb")
    listed = [word for word in words(text) if word.content]
    after = [word for word in listed if word.start >= end]
    for word in after[:1] or listed[:1]:
        if len(word.text) == 1 and _HAN_VERB.match(word.text) and (word.start == end or not after):
            return word.text, (word.start, word.end)
    return "", None


def _compared(verb: str) -> frozenset[str]:
    return frozenset(comparable(form) for form in forms(verb))


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} ， {text[end:]}"
    return text


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _stands_alone(match: re.Match[str]) -> bool:
    """Whether a word of one Han character is one: 可 is none of 可能, 有 none of 有效."""
    return any((word.start, word.end) == match.span() for word in words(match.string))


@cache
def _pattern(*kinds: str) -> re.Pattern[str]:
    """Any of the words of some kinds, the longer ones first."""
    listed = {word for _, ((kind,), found) in rows("permissions", columns=2) if kind in kinds for word in found}
    ordered = sorted(listed, key=lambda word: (-len(word), word))
    return re.compile("|".join(_written(word) for word in ordered), re.IGNORECASE)


def _written(word: str) -> str:
    return rf"\b{re.escape(word)}\b".replace(r"\ ", r"\s+").replace("'", "['’]") if word.isascii() else re.escape(word)
