"""How old somebody is: who asks of a child of ten is told by "children from four to fifteen", 4至15岁, 12岁以下."""

from __future__ import annotations

import re

from qx.text.numerals import fold_width, numbers

_ASKED = re.compile(r"(?<![a-z\d])(?P<en>\d{1,3}|[a-z]{1,9}(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)[- ]years?[- ]olds?\b|(?P<zh>\d{1,3}|[一二三四五六七八九十]{1,3})周?岁", re.IGNORECASE)  # fmt: skip
_JOINS = re.compile(
    r"\s{0,4}(?:岁|周岁|years?(?: old)?)?\s{0,4}(?:to|and|until|up to|-|–|至|到|~|—)\s{0,4}", re.IGNORECASE
)
_UNDER = re.compile(
    r"(?:under|below|younger than|up to|not yet|未满|不满|不足|低于)\s*(?:the age of\s*)?$", re.IGNORECASE
)
_OVER = re.compile(r"(?:over|above|older than|at least|from|from the age of|aged|满|年满|超过)\s*(?:the age of\s*)?$", re.IGNORECASE)  # fmt: skip
_AFTER = re.compile(r"\s{0,4}(?:周?岁|years?(?: old| of age)?)?\s{0,4}(?P<low>及?以下|以内|or (?:younger|under)|and under)|\s{0,4}(?:周?岁|years?(?: old| of age)?)?\s{0,4}(?P<high>及?以上|or (?:older|over)|and over)", re.IGNORECASE)  # fmt: skip
_OF_AGE = re.compile(
    r"岁|\b(?:years? old|aged?|child(?:ren)?|kids?|adults?|seniors?|pupils?|minors?|teens?|(?:anyone|anybody|everyone|those|people|persons|nobody|visitors|guests)\s+(?:aged|under|over|below|above|from))\b",
    re.IGNORECASE,
)
_OLDEST = 120


def age_in(question: str) -> tuple[str, float] | None:
    """Return how a question writes somebody's age, and the age; None: it names none."""
    for match in _ASKED.finditer(fold_width(question)):
        found = [number for number in numbers(match["en"] or match["zh"]) if number.low <= _OLDEST]
        if found:
            return match[0], found[0].low
    return None


def covers(text: str, age: float) -> bool:
    """Whether ``text`` says something of people of that age: by the age itself, or by a stretch with it inside."""
    if _OF_AGE.search(text) is None:
        return False
    found = [number for number in numbers(text) if number.low <= _OLDEST]
    for i, one in enumerate(found):
        before, after = text[max(0, one.start - 24) : one.start], text[one.end : one.end + 24]
        if i + 1 < len(found) and _JOINS.fullmatch(text[one.end : found[i + 1].start]):
            if one.low <= age <= found[i + 1].low:
                return True
            continue
        if i and _JOINS.fullmatch(text[found[i - 1].end : one.start]):
            continue
        bound = _AFTER.match(after)
        if (_UNDER.search(before) or (bound and bound["low"])) and age < one.low + (
            1 if bound and "及" in bound[0] else 0
        ):
            return True
        if (_OVER.search(before) or (bound and bound["high"])) and age >= one.low:
            return True
    return False
