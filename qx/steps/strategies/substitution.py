"""Where a query's words may be replaced by others: longest wordings first, never inside of another word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from qx.rules import tokens
from qx.rules.talk import COMPLEMENTS
from qx.rules.terms import has_han, segmenter
from qx.rules.wording import Wording
from qx.serial import value
from qx.text import negation
from qx.text.normalise import characters_simplified
from qx.text.segment import stem

T = TypeVar("T")

_LONGEST_WORDING = 24
_LONGEST_LATIN = 64
"""Characters of a wording in letters: "reinforcement learning from human feedback"."""
_HEAD = re.compile(r"([a-z]+(?: [a-z]+)*?) (?:to|of|for|in|with|at) [a-z]", re.IGNORECASE)


@value
class Place:
    """A wording that can be replaced: ``text[start:end]``, known under ``key``."""

    start: int
    end: int
    key: str


def places(text: str, known: Mapping[str, T], wording: Wording) -> tuple[Place, ...]:
    """Return the wordings of ``text`` that ``known`` has, left to right, without overlap."""
    shadow = characters_simplified(text).lower()
    if len(shadow) != len(text):
        return ()
    words = segmenter(wording.knowledge.lexicon).words(text)
    starts, ends = {w.start for w in words}, {w.end for w in words}
    for constraint in wording.understanding.constraints:
        start = text.find(constraint.text) if constraint.text else -1
        if start >= 0:
            starts.add(start)
            ends.add(start + len(constraint.text))
    found: list[Place] = []
    measured = [(at, at + len(words)) for words in tokens.compared(text) if (at := text.find(words)) >= 0]
    at = 0
    denied = _DENYING.search(shadow) is not None
    while at < len(text):
        place = _at(shadow, at, known, starts, ends)
        if (
            place is None
            or (denied and is_denied(shadow, place.start))
            or any(start < place.end and place.start < end for start, end in measured)
        ):
            at += 1
        else:
            found.append(place)
            at = place.end
    return tuple(found)


_DENYING = re.compile("[不没未]")
_DENIED = re.compile(r"(?:[不没未]|不是|没有|(?:不是?|没有?)(?:很|太|够|那么|怎么|特别|非常|十分)|不会太)的?\s?$")


def is_denied(text: str, start: int) -> bool:
    """Whether a Chinese word negates what begins at ``start``: 贵 of 不贵 is not to be written in other words alone."""
    return has_han(text[start : start + 1]) and _DENIED.search(text[max(0, start - 6) : start]) is not None


def _at(shadow: str, at: int, known: Mapping[str, T], starts: set[int], ends: set[int]) -> Place | None:
    longest = _LONGEST_LATIN if shadow[at].isascii() and at in starts else _LONGEST_WORDING
    for size in range(min(longest, len(shadow) - at), 0, -1):
        end = at + size
        piece = shadow[at:end]
        if piece != piece.strip():
            continue
        # A Chinese wording of three or more characters may be cut by the segmenter; a shorter one must be a word.
        aligned = at in starts and end in ends
        if not aligned and not (has_han(piece) and size >= 3):
            continue
        if shadow[end : end + 1] == "不" and shadow[end + 1 : end + 2] in COMPLEMENTS:
            continue  # 登录 of 登录不上 is no word by itself
        if piece in known:
            return Place(start=at, end=end, key=piece)
        if piece.isascii() and aligned and piece.isalpha() and stem(piece) in known:
            return Place(start=at, end=end, key=stem(piece))
    return None


GENERAL = "general"
"""The pack of everyday words."""
_CODES = frozenset({"exception", "error-code"})


def of_the_trade(own: str, others: Sequence[tuple[str, str]], wording: Wording) -> Sequence[tuple[str, str]]:
    """The wordings of a word with where they come from; beside an error no everyday ones of a single English word.

    There it is a word of the trade: the job of a batch job is no position.
    """
    if " " in own or not own.isascii() or _CODES.isdisjoint(wording.types):
        return others
    return [one for one in others if one[1] != GENERAL]


def substitute(text: str, changes: Sequence[tuple[Place, str]]) -> str:
    """Return ``text`` with each place replaced."""
    out: list[str] = []
    last = 0
    for place, other in sorted(changes, key=lambda c: c[0].start):
        out += [_leading(text[last : place.start], text[place.start : place.end], other), _spaced(text, place, other)]
        last = place.end + _said_twice(text, place, other)
    return " ".join("".join([*out, text[last:]]).split())


def _said_twice(text: str, place: Place, other: str) -> int:
    """How many characters after ``place`` the new wording ends with already: 货 of 还没发货, where 还没发 is 未发货."""
    if not has_han(other[-1:]):
        return 0
    following = characters_simplified(text[place.end : place.end + 3])
    ending = characters_simplified(other)
    return next((size for size in (3, 2, 1) if len(following) >= size and ending.endswith(following[:size])), 0)


_ARTICLE = re.compile(r"(?<![\w'-])(?P<article>an?)\s+$", re.IGNORECASE)
_VOWEL = re.compile(
    r"(?!(?-i:U[A-Z])|(?:uni(?!n|m)|us[aeiu]|eu|ur[aieo]|ut[ei]|one\b|once|ub[ei]|u-|ufo\b))[aeiou]|(?:hour|honest|heir|honou?r)|(?-i:[FHLMNRSX](?=[A-Z0-9.-]|\b))",
    re.IGNORECASE,
)
"""How a word begins before which "an" stands: an invoice, an hour, an SSD; a unit, a bill, a USB stick."""


def _leading(before: str, own: str, other: str) -> str:
    """``before`` with the article that goes with the new word: "an invoice" becomes "a bill"."""
    match = _ARTICLE.search(before)
    if match is None or not own[:1].isascii() or not other[:1].isascii() or not other[:1].isalpha():
        return before
    right = "an" if _VOWEL.match(other) else "a"
    said = match["article"]
    if said.lower() == right:
        return before
    right = right.capitalize() if said[0].isupper() and len(before) == len(match[0]) else right
    return before[: match.start("article")] + right + before[match.end("article") :]


def excluding(place: Place, text: str) -> bool:
    """Whether ``place`` is a part of what ``text`` rules out: another wording beside it would rule out two things."""
    return any(n.start < place.end and place.start < n.end for n in negation.find(text))


def agreeing(own: str, key: str, other: str) -> str:
    """``other`` in the number of the word it replaces: ``toddlers`` -> "young children" where "toddler" is known."""
    head = _HEAD.match(other)
    if head is not None and own.lower() != key and own.lower().endswith("s"):  # place to eat -> places to eat
        return agreeing(own, key, head[1]) + other[head.end(1) :]
    if own.lower() == key or not own.lower().endswith("s") or other.endswith("s") or not other.isascii():
        return other
    for one, many in (("child", "children"), ("person", "people"), ("man", "men"), ("woman", "women")):
        if other.endswith(one):
            return other[: -len(one)] + many
    return other + ("es" if other.endswith(("x", "ch", "sh")) else "s")


def _spaced(text: str, place: Place, other: str) -> str:
    """Put spaces around a Latin wording that comes to stand beside Chinese."""
    before = " " if place.start and text[place.start - 1].isalnum() and not has_han(other[:1]) else ""
    after = " " if place.end < len(text) and text[place.end].isalnum() and not has_han(other[-1:]) else ""
    return before + other + after
