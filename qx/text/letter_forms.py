"""One form for the letters, digits, spaces and dashes of a text: compatibility forms, composition, case.

Only what has another form is touched: normalising all of a long text (``unicodedata.normalize``) costs ten times as much.
The length stays but where one code point stands for several (``ﬁ``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

REST, HIDDEN = "\x00", "\x01"
"""Fillers: the rest of an entity or of a composed letter; what is invisible."""

_MAY_DIFFER = re.compile(
    "[^\x00-\x7f\u2018-\u201f\u2026\u3001-\u303f\u3041-\u309f\u30a1-\u30fa\u3400-\u9fff\uac00-\ud7a3\ud800-\udfff"
    "\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]"
)
"""Not ASCII, usual punctuation, kana, Han or Hangul, which are one form already."""
_INVISIBLE = re.compile(
    "[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_SYMBOLS = frozenset("％＜＞＝～＋＄￥￡￠／．")
_MARKS_OF_TRADE = frozenset("™®©℠ªº")


def unified(text: str, starts: Sequence[int]) -> tuple[str, Sequence[int]]:
    """Bring letters, digits, spaces and dashes to one form.

    Args:
        starts: For each code point of ``text`` where it stands in the original.

    Returns:
        The text, and where each of its code points stands.
    """
    marks, others = _found("".join(sorted(set(_MAY_DIFFER.findall(text)))))
    if marks is not None:
        text = marks.sub(_composed, text)
    if others is not None:
        text, starts = _substituted(text, starts, others, lambda match: form_of(match[0]))
    return text.casefold(), starts  # what is left of other letters than ASCII has one case


@lru_cache(maxsize=256)
def _found(characters: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Patterns for what of these characters changes: letters with marks of their own, and the others."""
    marks = [c for c in characters if _is_mark(c)]
    others = [c for c in characters if not _is_mark(c) and form_of(c) != c]
    return (
        re.compile(rf"[^\W_][{''.join(marks)}]{{1,30}}") if marks else None,
        re.compile(f"[{''.join(map(re.escape, others))}]") if others else None,
    )


def _is_mark(character: str) -> bool:
    """Whether it composes with the letter before it: accents, vowel signs, parts of Hangul, half-width voicing."""
    if _INVISIBLE.match(character):
        return False
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff" or character in "\uff9e\uff9f"


def _composed(match: re.Match[str]) -> str:
    found = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", match[0]).casefold())[: len(match[0])]
    return found + REST * (len(match[0]) - len(found))


@cache
def form_of(character: str) -> str:
    """Return one character as it is compared: ``Ａ`` a, ``㎏`` kg, ``²`` ^2, ``½`` *1/2; a symbol of no letter is kept."""
    if _INVISIBLE.match(character):
        return HIDDEN
    if character in _DASHES:
        return "-"
    if character.isspace():
        return " "
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    found = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    if character in _MARKS_OF_TRADE or not (character in _SYMBOLS or any(map(str.isalnum, found))):
        return character
    found = found.replace("\u2044", "/").replace("\u2212", "-")
    if found[0].isdecimal():
        raised = "SUPERSCRIPT" in unicodedata.name(character, "")
        return ("^" if raised else "*") + found
    return found


def _substituted(
    text: str, starts: Sequence[int], pattern: re.Pattern[str], form: Callable[[re.Match[str]], str]
) -> tuple[str, Sequence[int]]:
    """Replace what ``pattern`` finds; where that grows, its code points all begin where the match does, in order."""
    found = [(match.start(), match.end(), form(match)) for match in pattern.finditer(text)]
    grows = any(len(new) != end - start for start, end, new in found)
    if not grows:
        return pattern.sub(form, text), starts
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for start, end, new in found:
        parts += (text[at:start], new)
        places.extend(starts[at:start])
        places.extend(starts[min(start + i, end - 1)] for i in range(len(new)))
        at = end
    places.extend(starts[at:])
    return "".join((*parts, text[at:])), places
