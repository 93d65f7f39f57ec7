"""Cleaning of a query: what a person never meant to type goes, and offsets map back to the exact text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from qx.serial import value
from qx.text.remembered import remembered

_INLINE = "a|abbr|b|big|code|del|em|font|i|ins|kbd|label|mark|s|small|span|strike|strong|sub|sup|tt|u|wbr|mark"
_BLOCK = (
    "article|aside|blockquote|body|br|button|center|dd|div|dl|dt|footer|form|h[1-6]|head|header|hr|html|iframe|img|"
    "input|li|link|main|meta|nav|object|ol|option|p|pre|script|section|select|style|svg|table|tbody|td|textarea|"
    "th|thead|title|tr|ul|video|audio|noscript|embed"
)
_HIDDEN = re.compile(r"<!--[^<>-]*+(?>(?:-(?!->)[^<>-]*+)*)-->|<(script|style)\b[^<>]*+>[^<]*+</\1\s*+>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:(?P<block>{_BLOCK})|(?:{_INLINE}))(?:\s[^<>]*+|/)?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
# A joiner between letters of scripts that spell with it (Persian, Hindi) is part of the word.
_JOINED = "[\u0600-\u06ff\u0750-\u077f\u0900-\u0dff]"
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f"
    "\ufeff\ufff9-\ufffd\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;:?]{0,16}[ -/]?[@-~]|[()][A-Z0-9]|[@-Z\\^_])")
"""What colours a terminal, which begins with a control character and goes on with letters: ESC [31m."""
_JOINERS = re.compile("[\u200c\u200d]+")
_MARKS = re.compile(r"(?<=[^\s!?！？])[!?！？]{2,}+(?=\s|$|[^\x00-\x7f])|[！？]{2,}")
_REPEATED = re.compile(r"([。，、；：～…·])\1+|(?<=[^\W_])([,;~])\2+(?=\s|$|[^\x00-\x7f])")
_DOTS = re.compile(r"(?<=[^\W_])\.{3,}(?=\s|$|[^\x00-\x7f])")
_RULE = re.compile(r"(?<!\S)([-=*_~#])\1{3,}(?!\S)")
_SPACE = re.compile(r"\s+")
_UNCLEAN = re.compile(
    r"[<&]|[^\S ]|  |[!?！？]{2}|([。，、；：～…·,;~])\1|\.{3}|([-=*_~#])\2{3}|"
    + f"{_JOINERS.pattern}|{_INVISIBLE.pattern}"
)
"""What any of the rules could change; most texts have none of it."""


@value
class Cleaned:
    """A cleaned text and where each of its code points comes from.

    Attributes:
        text: The cleaned text.
        offsets: For each code point of ``text`` its index in the exact text (the first, where it stands for several).
        ends: For each code point of ``text`` the exclusive end, in the exact text, of what it stands for.
    """

    text: str
    offsets: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the exact text that ``text[start:end]`` stands for; ends are exclusive.

        Positions outside of the text are clipped; an empty span stays empty.
        """
        size = len(self.text)
        start, end = max(0, min(start, size)), max(0, min(end, size))
        if start >= end:
            at = self.offsets[start] if start < size else (self.ends[-1] if size else 0)
            return at, at
        return self.offsets[start], self.ends[end - 1]


@remembered
def clean(text: str) -> Cleaned:
    """Remove control, zero-width and direction characters, HTML, runs of punctuation and of white space.

    Case and width stay.  What is code or a name stays too: ``C++``, ``--flag``, ``==``, ``a ?? b``, ``2000..3000``.

    Args:
        text: Any string, broken surrogates included.

    Returns:
        The cleaned text with its offsets.
    """
    state = _State(text)
    if _UNCLEAN.search(text) is None:
        return state.result()
    if "<" in text:
        state.sub(_HIDDEN, lambda m: " ")
        state.sub(_TAG, lambda m: " " if m["block"] else "")
    if "&" in text:
        state.sub(_ENTITY, lambda m: html.unescape(m[0]))
    if "\x1b" in text:
        state.sub(_ESCAPE, lambda m: "")
    state.sub(_JOINERS, lambda m: m[0] if len(m[0]) == 1 and _joins(m) else "")
    state.sub(_INVISIBLE, lambda m: "")
    state.sub(_SPACE, lambda m: " ")
    state.sub(_MARKS, lambda m: "".join(dict.fromkeys(m[0])))
    state.sub(_REPEATED, lambda m: m[0][0])
    state.sub(_DOTS, lambda m: ".")
    state.sub(_RULE, lambda m: m[0][0])
    return state.result()


def replace_surrogates(text: str) -> str:
    """Return ``text`` with each lone surrogate as U+FFFD, so that it can be encoded; the length stays."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text


def _joins(match: re.Match[str]) -> bool:
    text, at = match.string, match.start()
    both = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return len(both) == 2 and all(re.match(_JOINED, c) for c in both)


class _State:
    """The text between two rules, with the start and end of each code point in the exact text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] | range = range(len(text))
        self.ends: list[int] | range = range(1, len(text) + 1)

    def sub(self, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str]) -> None:
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for match in pattern.finditer(self.text):
            new, (first, last) = replace(match), match.span()
            if new == match[0]:
                continue
            parts += (self.text[at:first], new)
            starts.extend(self.starts[at:first])
            ends.extend(self.ends[at:first])
            # A kept code point stands for itself, one of an entity for the whole of it; the last for the rest too.
            here = first
            for i, character in enumerate(new):
                if match[0][0] != "&":
                    here = max(here, self.text.find(character, here, last))
                starts.append(self.starts[here])
                ends.append(self.ends[last - 1 if i == len(new) - 1 or match[0][0] == "&" else here])
            at = last
        if not at:
            return
        self.text = "".join((*parts, self.text[at:]))
        starts.extend(self.starts[at:])
        ends.extend(self.ends[at:])
        self.starts, self.ends = starts, ends

    def result(self) -> Cleaned:
        first = 1 if self.text.startswith(" ") else 0
        last = len(self.text) - (1 if self.text.endswith(" ") and len(self.text) > first else 0)
        return Cleaned(
            text=self.text[first:last], offsets=tuple(self.starts[first:last]), ends=tuple(self.ends[first:last])
        )
