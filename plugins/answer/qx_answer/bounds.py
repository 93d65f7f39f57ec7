"""On which side of a number a text puts what it says: within 30 days, after 30 days, 30天内, 500元以上."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from qx.text.numerals import Number, numbers
from qx_answer import negations

Side: TypeAlias = Literal["low", "high"]
_LOW = (
    r"within|up\s+to|under|below|less\s+than|fewer\s+than|at\s+most|no(?:t)?\s+(?:more|later|longer|higher|greater|older)\s+than"
    r"|(?:short|low|young|earli|light|small)er\s+than"
    r"|before|by|until|(?:does|do|may|must|can)\s+not\s+exceed|not\s+(?:exceeding|after|above|over|beyond)"
)
_HIGH = (
    r"above|over|more\s+than|greater\s+than|at\s+least|no(?:t)?\s+(?:less|fewer|earlier|lower|younger)\s+than|after|beyond|exceed(?:s|ing)?|since"
    r"|from|starting\s+(?:at|from)|not\s+(?:before|below|under|within)"
    r"|(?:long|high|old|lat|heavi|larg)er\s+than"
)
_BEFORE = re.compile(
    rf"(?:(?P<low>\b(?:{_LOW})|不得?超过|不多于|不高于|不大于|不晚于|不迟于|低于|少于|小于|至多|最多|不到|不满|未满|上限[是为]?|限|最[长高大久晚迟][\u4e00-\u9fff]{{0,4}})"
    rf"|(?P<high>\b(?:{_HIGH})|不低于|不少于|不小于|不早于|超过|高于|多于|大于|至少|最少|满|逾|自|从|(?:至少|最[短低小早])[\u4e00-\u9fff]{{0,4}}))"
    r"\s*(?:the\s+|a\s+|the\s+first\s+)?(?:[€$£¥]|EUR\s|USD\s|CHF\s)?$",
    re.IGNORECASE,
)
_UNIT = r"\s{0,4}(?:[A-Za-z%‰€$°]{1,12}|[个個]?[\u4e00-\u9fff]{1,2}?)?\s{0,4}[)）]?"
_AFTER = re.compile(
    rf"{_UNIT}(?:(?P<low>or\s+(?:less|fewer|younger|earlier|below|under)\b|and\s+(?:below|under|younger)\b|及?以[内下前]|之[内前下]|内(?!容|部|存)|前(?!台|部|面|提|后))"
    r"|(?P<high>or\s+(?:more|older|later|above|longer)\b|and\s+(?:above|more|over|older|up)\b|及?以[上后外]|之[后外上]|起|后(?!台|面|续|备)))",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"\bno(?:t)?\s+(?:(?P<most>more|longer|higher|greater|older|later)|less|fewer|shorter|lower|smaller|younger|earlier)\s+than"
    r"(?=\s+(?:the\s+|an?\s+)?[€$£¥]?\s?(?:\d|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|twelve\b|half\b|[a-z]+(?:teen|ty)\b))",
    re.IGNORECASE,
)
_TURNS = re.compile(r"\bonly\b|才|禁止", re.IGNORECASE)


def affirmed(text: str) -> str:
    """Return ``text`` with bounds that deny told without a denial: no more than three is at most three."""
    return _NO_MORE.sub(lambda match: "at most" if match["most"] else "at least", text)


def opposite(said: str, sentence: str, whole: str) -> str | None:
    """Return what is wrong where folded texts put the same number on different sides, else None.

    Args:
        said, sentence, whole: The statement, the sentence of the quote that is nearest to it, all of the quote.
    """
    mine = {number.low: (number, side) for number, side in _sides(said)}
    if not mine:
        return None
    theirs: dict[float, set[Side]] = {}
    for number, side in _sides(whole):
        theirs.setdefault(number.low, set()).add(side)
    for low, (number, side) in mine.items():
        if low not in theirs or side in theirs[low] or _negations(said) != _negations(sentence):
            continue
        written = said[number.start : number.end].strip()
        return f"the statement puts it on one side of {written}, the quote on the other"
    return None


def turned_round(said: str, whole: str) -> bool:
    """Whether one denies on the other side of a number what the other says on this one: both say the same then."""
    theirs: dict[float, set[Side]] = {}
    for number, side in _sides(whole):
        theirs.setdefault(number.low, set()).add(side)
    other = any(number.low in theirs and side not in theirs[number.low] for number, side in _sides(said))
    return other and _negations(said) != _negations(whole)


def without(text: str) -> str:
    """Return a text with its bounds left out."""
    rest = text
    for number in numbers(text):
        for match in (_BEFORE.search(text[max(0, number.start - 30) : number.start]), _AFTER.match(text, number.end)):
            rest = rest if match is None else rest.replace(match[0], " ", 1)
    return rest


def _sides(text: str) -> Iterator[tuple[Number, Side]]:
    for number in numbers(text):
        before = _BEFORE.search(text[max(0, number.start - 30) : number.start])
        after = _AFTER.match(text, number.end)
        found = [match for match in (after, before) if match is not None]
        sides: list[Side] = ["low" if match["low"] else "high" for match in found]
        if sides:
            yield number, sides[0]


def _negations(text: str) -> int:
    """Whether something beside the bounds is denied: 0 or 1."""
    rest = without(text)
    return (len(negations.spans(rest)) + len(_TURNS.findall(rest))) % 2
