"""A tolerant reader of JSON-like text, which leaves out the item that the end of the text has cut.

It reads what a general repair library gets silently wrong: full-width punctuation (``｛“queries”：［“降噪”］｝``), quotes
inside strings (``["暗含的"小气"二字"]``) and a last string that was never finished (dropped, not completed).  A quote
ends a string only where something structural follows.  One pass, linear time.
"""

from __future__ import annotations

import re
from typing import Final, cast

from qx.serial import value

DEPTH = 64
"""Levels of nesting that are followed; deeper text is not an answer."""

OBJECT, ARRAY = "}", "]"
OPENERS = {"{": OBJECT, "｛": OBJECT, "[": ARRAY, "［": ARRAY, "【": ARRAY, "(": ARRAY, "（": ARRAY}
CLOSERS = {"}": OBJECT, "｝": OBJECT, "]": ARRAY, "］": ARRAY, "】": ARRAY, ")": ARRAY, "）": ARRAY}
COMMAS = frozenset(",，、;；")
COLONS = frozenset(":：")
QUOTES = {
    '"': '"＂',
    "＂": '＂"',
    "“": '”“"',
    "”": '”"',
    "'": "'",
    "＇": "＇'",
    "‘": "’‘'",
    "’": "’'",
    "「": "」",
    "『": "』",
}
_CLOSING = {opener: re.compile(rf"[\\{closers}]") for opener, closers in QUOTES.items()}
_SPACE = re.compile(r"(?:\s+|//[^\n]{0,300}(?=\n)|/\*.{0,300}?\*/)*", re.S)
_BARE = re.compile(r"[^\"“”＂{}\[\]｛｝［］【】,，、:：;；\n]+")
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?")
_NEXT_ITEM = re.compile(r"-?\d|\.\.\.|…|(?:true|false|null|True|False|None)\b")
_NEXT_KEY = re.compile(r"\w{1,40}\s{0,8}[:：]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LITERALS: dict[str, object] = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_HALF: Final = object()
_NOTHING: Final = object()


class TooDeep(ValueError):
    """The text nests deeper than ``DEPTH``."""


@value
class Document:
    """A value read from ``source[start:end]``; ``cut``: the text broke off inside it, what was half is left out."""

    value: object
    start: int
    end: int
    cut: bool = False


def read(text: str, start: int = 0) -> Document:
    """Read the array or object that opens at ``text[start]``.

    Raises:
        TooDeep: it nests deeper than ``DEPTH``.
    """
    reader = _Reader(text, start)
    found = reader.value()
    return Document(value=None if found is _HALF else found, start=start, end=reader.at, cut=reader.cut)


def read_items(text: str) -> Document:
    """Read comma-separated strings whose opening bracket is missing (``"a", "b"]``)."""
    reader = _Reader(text, 0)
    reader.stack.append(ARRAY)
    items = reader.array()
    return Document(value=items, start=0, end=reader.at, cut=reader.cut)


class _Reader:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.stack: list[str] = []
        self.cut = False

    def value(self) -> object:
        """Read one value; ``_HALF`` where the text ends inside it."""
        char = self.text[self.at]
        closer = OPENERS.get(char)
        if closer is not None:
            if len(self.stack) >= DEPTH:
                raise TooDeep
            self.at += 1
            self.stack.append(closer)
            return self.object() if closer == OBJECT else self.array()
        return self._string() if char in QUOTES else self._bare()

    def array(self) -> list[object]:
        items: list[object] = []
        while self._more():
            item = self.value()
            if item is not _HALF and item is not _NOTHING:
                items.append(item)
        return items

    def object(self) -> dict[str, object]:
        members: dict[str, object] = {}
        while self._more():
            key = self._key()
            if key is _HALF or not self._colon():
                continue
            item = self.value() if self.text[self.at] not in CLOSERS else _NOTHING
            if item is not _HALF and item is not _NOTHING:
                members[str(key)] = item
        return members

    def _key(self) -> object:
        char = self.text[self.at]
        if char in QUOTES:
            return self._string(key=True)
        if char in OPENERS:  # an object where a key belongs: read past it
            self.value()
            return _HALF
        return self._bare()

    def _more(self) -> bool:
        """Whether another member of the innermost container begins here; consumes separators and its end."""
        while not self.cut:
            self._skip()
            if self.at >= len(self.text):
                self.cut = True
                break
            char = self.text[self.at]
            if char in COMMAS or char in COLONS:
                self.at += 1
            elif char in CLOSERS:
                if self._closed(CLOSERS[char]):
                    return False
            else:
                return True
        self.stack.pop()
        return False

    def _closed(self, closer: str) -> bool:
        if self.stack[-1] == closer:
            self.at += 1
        elif closer not in self.stack:  # belongs to nothing: skip it
            self.at += 1
            return False
        self.stack.pop()
        return True

    def _colon(self) -> bool:
        """Consume the colon after a key and what is blank; False where no value follows."""
        self._skip()
        if self.at < len(self.text) and self.text[self.at] in COLONS:
            self.at += 1
            self._skip()
            if self.at < len(self.text):
                return self.text[self.at] not in COMMAS
        elif self.at < len(self.text):  # {"queries" ["a"]}: the colon is missing
            return self.text[self.at] in OPENERS or self.text[self.at] in QUOTES
        if self.at >= len(self.text):
            self.cut = True
        return False

    def _skip(self) -> None:
        self.at = self._blank(self.at)

    def _bare(self) -> object:
        match = _BARE.match(self.text, self.at)
        if match is None:
            self.at += 1
            return _NOTHING
        self.at = match.end()
        if self.at >= len(self.text):
            self.cut = True
            return _HALF
        word = match.group().strip()
        while word and self.text[self.at - 1] in "）)" and "(" not in word and "（" not in word:
            self.at -= 1  # the end of a tuple: ("a", 1)
            word = word[:-1].rstrip()
        if not word or word in ("...", "…"):
            return _NOTHING
        if word in _LITERALS:
            return _LITERALS[word]
        if _NUMBER.fullmatch(word):
            return float(word) if any(c in word for c in ".eE") else int(word)
        return word

    def _string(self, *, key: bool = False) -> object:
        opener = self.text[self.at]
        self.at += 1
        parts: list[str] = []
        inner = 0
        while match := _CLOSING[opener].search(self.text, self.at):
            parts.append(self.text[self.at : match.start()])
            self.at = match.end()
            if match.group() == "\\":
                parts.append(self._escape())
            elif self._ends(key=key, inside=inner % 2 == 1, last=parts[-1][-1:]):
                return "".join(parts)
            else:
                parts.append(match.group())
                inner += 1
        self.at = len(self.text)
        self.cut = True
        return _HALF

    def _escape(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += len(char)
        if char == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", code := self.text[self.at : self.at + 4]):
            self.at += 4
            return chr(int(code, 16))
        return _ESCAPES.get(char, char if char in "\"'/\\" else "\\" + char)

    def _ends(self, *, key: bool, inside: bool, last: str) -> bool:
        """Whether the quote just read ends its string: judged by what follows it."""
        after = self._blank(self.at)
        if after >= len(self.text):
            return True
        char = self.text[after]
        if char in CLOSERS:
            return CLOSERS[char] in self.stack
        if char in COLONS:
            return key
        if char in COMMAS:
            return self._continues(self._blank(after + 1), key=key)
        gap = self.text[self.at : after]
        opens = char in QUOTES or char in OPENERS
        return opens and bool(gap) and ("\n" in gap or (not inside and not last.isspace()))

    def _continues(self, after: int, *, key: bool) -> bool:
        if after >= len(self.text):
            return True
        char = self.text[after]
        if char in QUOTES or char in CLOSERS:
            return True
        if self.stack[-1] == OBJECT:
            return key or _NEXT_KEY.match(self.text, after) is not None
        return char in OPENERS or _NEXT_ITEM.match(self.text, after) is not None

    def _blank(self, at: int) -> int:
        """Return where blanks and comments that begin at ``at`` end."""
        return cast("re.Match[str]", _SPACE.match(self.text, at)).end()
