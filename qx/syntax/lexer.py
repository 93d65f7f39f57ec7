"""Tokens of the query expression.  Only what is clearly syntax becomes syntax; linear time, never raises.

Two passes: the first finds the quotes that enclose a phrase and the parentheses that enclose a group, the second cuts
the text at them.  A quote or parenthesis without its partner, or inside a word (``27" monitor``, ``f(x)``, ``:)``), is
literal.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Literal

from qx.serial import value

DEPTH = 16
"""Levels of groups; deeper parentheses are literal."""

CLAUSES = 64
"""Pieces of syntax in one query; what follows the last of them is literal words, but for what is excluded."""

FIELDS = frozenset(("intitle", "author"))
MINUS = "-－"
_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』"}
_OPEN, _CLOSE = "(（", ")）"
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_SITE = re.compile(r"(?:site)[:：]\.?([^\W_][\w-]*(?:\.[\w-]+)*(?:/[\w\-./~%+]*)?)(?=[\s)）]|$)", re.I)
_FILETYPE = re.compile(r"(?:filetype|ext)[:：]\.?([A-Za-z0-9]{1,8})(?=[\s)）]|$)", re.I)
_DATE = r"\d{4}(?:[-/]\d{1,2}){0,2}"
_WHEN = re.compile(rf"(before|after)[:：]({_DATE})(?=[\s)）]|$)", re.I)
_END = rf"{_DATE}|-?\d{{1,15}}(?:\.\d{{1,9}})?"
_RANGE = re.compile(rf"([^\W\d][\w.-]{{0,30}})[:：]({_END})?\.\.({_END})?(?=[\s)）]|$)")
_FIELD = re.compile(r"([^\W\d][\w.-]{0,30})[:：](?=\S)")
_BROKEN_RANGE = re.compile(r"[^\s\"“「『(（]*\.\.")
"""After a field's colon: two dots that are no range, so nobody knows what was meant."""
_FIELD_BEFORE = re.compile(r"(?:^|[\s(（\-－])([^\W\d][\w.-]{0,30})[:：]$")
_NEGATIVE_NUMBER = re.compile(r"[-－]\d[\d.,:/-]*\S{0,2}(?=[\s)）]|$)")

Kind = Literal["word", "literal", "phrase", "open", "close", "minus", "field", "site", "filetype", "range"]


@value
class Token:
    """``text`` is the word, phrase, field, host or extension; a range has its ends too (no field: ``published``)."""

    kind: Kind
    text: str = ""
    low: str | None = None
    high: str | None = None


def tokens(text: str, fields: frozenset[str] = FIELDS) -> list[Token]:
    """Return the tokens of ``text``; ``fields`` are the names that may stand before a colon."""
    return _Lexer(text, fields).run()


class _Lexer:
    def __init__(self, text: str, fields: frozenset[str]) -> None:
        self.text = text
        self.fields = fields
        self.phrases: dict[int, int] = {}  # where a quote opens -> where it closes
        self.groups: dict[int, Kind] = {}
        self.found: list[Token] = []
        self.clauses = 0
        self.closing = {
            mark: [m.start() for m in re.finditer(mark, text) if mark != '"' or self._ends(m.end())]
            for mark in set(_QUOTES.values())
        }
        self._enclosures()

    def run(self) -> list[Token]:
        at = 0
        while at < len(self.text):
            if self.text[at].isspace():
                at += 1
            elif self.clauses >= CLAUSES:
                rest = [word for word in self.text[at:].split() if word[0] not in MINUS or not word.strip(MINUS)]
                return [*self.found, *(Token(kind="literal", text=word) for word in rest)]
            else:
                at = self._token(at)
        return self.found

    # ---- the first pass ----

    def _enclosures(self) -> None:
        stack: list[tuple[int, bool]] = []
        at, groups = 0, 0
        while at < len(self.text):
            char = self.text[at]
            if char in _QUOTES and (end := self._phrase_end(at)) is not None:
                self.phrases[at] = end
                at = end
            elif char in _OPEN:
                real = groups < DEPTH and self._begins(at)
                groups += real
                stack.append((at, real))
            elif char in _CLOSE and stack:
                start, real = stack.pop()
                groups -= real
                if real and self._closes(at) and self.text[start + 1 : at].strip():
                    self.groups[start], self.groups[at] = "open", "close"
            at += 1

    def _phrase_end(self, at: int) -> int | None:
        """Return where the phrase that may open at ``at`` ends, None where it is a lone or an inner quote."""
        if self.text[at] == '"' and not self._begins(at) and not _CJK.match(self.text[at - 1]):
            return None
        ends = self.closing[_QUOTES[self.text[at]]]
        index = bisect_left(ends, at + 1)
        if index == len(ends) or not self.text[at + 1 : ends[index]].strip():
            return None
        return ends[index]

    def _begins(self, at: int) -> bool:
        """Whether a token may begin here: after a blank, a parenthesis, a minus or a field's colon."""
        before = self.text[at - 1] if at else " "
        if before.isspace() or before in _OPEN:
            return True
        if before in MINUS:
            return at < 2 or self.text[at - 2].isspace() or self.text[at - 2] in _OPEN
        match = _FIELD_BEFORE.search(self.text[max(0, at - 34) : at]) if before in ":：" else None
        return match is not None and match.group(1).casefold() in self.fields

    def _ends(self, at: int) -> bool:
        """Whether a phrase may end before ``at``: no Latin letter, digit or quote follows."""
        after = self.text[at : at + 1]
        return not after or _CJK.match(after) is not None or not (after.isalnum() or after in '"_')

    def _closes(self, at: int) -> bool:
        after = self.text[at + 1 : at + 2]
        return not after or after.isspace() or after in _CLOSE

    # ---- the second pass ----

    def _token(self, at: int) -> int:
        end = self.phrases.get(at)
        if end is not None:
            return self._clause(Token(kind="phrase", text=" ".join(self.text[at + 1 : end].split())), end + 1)
        if (group := self.groups.get(at)) is not None:
            self.found.append(Token(kind=group))
            self.clauses += group == "open"
            return at + 1
        if self._starts(at):
            if self._is_minus(at):
                return self._clause(Token(kind="minus"), at + 1)
            if (known := self._operator(at)) is not None:
                return self._clause(*known)
        return self._word(at)

    def _clause(self, token: Token, end: int) -> int:
        self.found.append(token)
        self.clauses += 1
        return end

    def _starts(self, at: int) -> bool:
        """Whether nothing of a word stands before ``at``."""
        before = self.text[at - 1] if at else " "
        return (
            before.isspace()
            or at - 1 in self.groups
            or (bool(self.found) and self.found[-1].kind in ("minus", "field"))
        )

    def _is_minus(self, at: int) -> bool:
        if (
            self.text[at] not in MINUS
            or at + 1 >= len(self.text)
            or (self.found and self.found[-1].kind in ("minus", "field"))
        ):
            return False
        if _NEGATIVE_NUMBER.match(self.text, at):
            return False
        return self.text[at + 1].isalnum() or at + 1 in self.phrases or self.groups.get(at + 1) == "open"

    def _operator(self, at: int) -> tuple[Token, int] | None:
        if match := _SITE.match(self.text, at):
            return Token(kind="site", text=match.group(1).rstrip("/")), match.end()
        if match := _FILETYPE.match(self.text, at):
            return Token(kind="filetype", text=match.group(1).casefold()), match.end()
        if match := _WHEN.match(self.text, at):
            after = match.group(1).casefold() == "after"
            low, high = (match.group(2), None) if after else (None, match.group(2))
            return Token(kind="range", low=low, high=high), match.end()
        if (match := _RANGE.match(self.text, at)) and (match.group(2) or match.group(3)):
            return Token(
                kind="range", text=match.group(1).casefold(), low=match.group(2), high=match.group(3)
            ), match.end()
        match = _FIELD.match(self.text, at)
        if match is None or match.group(1).casefold() not in self.fields or self.groups.get(match.end()) == "close":
            return None
        if match.group(1).casefold() not in FIELDS and _BROKEN_RANGE.match(self.text, match.end()):
            return None
        return Token(kind="field", text=match.group(1).casefold()), match.end()

    def _word(self, at: int) -> int:
        end = at
        while end < len(self.text) and not self.text[end].isspace():
            if end > at and (end in self.phrases or end in self.groups):
                break
            end += 1
        self.found.append(Token(kind="word", text=self.text[at:end]))
        return end
