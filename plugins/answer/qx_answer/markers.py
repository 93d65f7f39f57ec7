"""Markers of sources in a text: ``[1]``, ``[1, 2]``, ``[[4]]``, ``【3】``; the index of a list in code is none.

A writer numbers the sources as they were shown; a reader sees them numbered by first appearance.  Text may come in pieces:
what may become a marker is held until it is one or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from qx.text.numerals import fold_width

_NUMBERS = r"\s*\d{1,4}(?:\s*[,，、;；]\s*\d{1,4})*\s*"
_MARKER = re.compile(
    rf"(?P<code>```.*?(?:```|\Z)|`[^`\n]*`)"
    rf"|(?P<space>(?:(?<![ \t])[ \t]+)?)(?P<marker>\[\[(?P<double>{_NUMBERS})\]\]|[\[［](?P<single>{_NUMBERS})[\]］]|【(?P<wide>{_NUMBERS}(?:†[^】\n]{{0,40}})?)】)",
    re.DOTALL,
)
_INSIDE = r"[\s\d,，、;；]{0,60}(?:†[^】\n]{0,40})?"
_PENDING = re.compile(rf"(?:(?>(?:[ \t]*[\[［【]{{1,2}}{_INSIDE}[\]］】]{{0,2}})+)[ \t]*[.-]?|[ \t]+)\Z")
"""The end of a text in pieces that may become a marker, or that says what a marker is."""
_AFTER_CODE = re.compile(r"[ \t]*(?:[=(\[{+*/<>]|\.\w|->)")
_WORD_BEFORE = re.compile(r"[A-Za-z0-9_)\]]+$")
_LONGEST = 80
"""Characters of a marker that is held back."""


class Numbering:
    """Numbers sources by first appearance, each once.

    Args:
        shown: The ids of the sources in the order in which the writer saw them: its 1 is the first.
    """

    def __init__(self, shown: Sequence[str]) -> None:
        self._shown = tuple(shown)
        self._numbers: dict[str, int] = {}

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the cited sources, in the order of their numbers."""
        return tuple(self._numbers)

    def number(self, id_: str) -> int:
        """Return the number of a source, a new one where it appears for the first time."""
        return self._numbers.setdefault(id_, len(self._numbers) + 1)

    def numbers(self, written: Iterable[int]) -> tuple[int, ...]:
        """Return what a reader sees for numbers that a writer wrote, each once; of sources that were not shown nothing."""
        known = (self._shown[n - 1] for n in written if 1 <= n <= len(self._shown))
        return tuple(dict.fromkeys(self.number(id_) for id_ in known))


class Renumbered:
    """A text in pieces, its markers renumbered.

    ::

        reader = Renumbered(Numbering(["a", "b"]))
        reader.feed("So it is [")   # "So it is"
        reader.feed("2].")          # " [1]."
        reader.end()                # ""
    """

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._held = ""
        self._before = ""

    def feed(self, piece: str) -> str:
        """Return what can be read so far; what may be the beginning of a marker or of code waits."""
        text = self._held + piece
        cut = _safe(text)
        self._held = text[cut:]
        return self._told(text[:cut])

    def end(self) -> str:
        """Return the rest."""
        text, self._held = self._held, ""
        return self._told(text)

    def _told(self, text: str) -> str:
        def shown(match: re.Match[str]) -> str:
            return match["space"] + "".join(f"[{n}]" for n in self._numbering.numbers(numbers_of(match)))

        told = _replaced(self._before + text, len(self._before), shown)
        self._before = (self._before + text)[-_LONGEST:].replace("`", "'")  # code that was told is closed
        return told


def without_markers(text: str) -> str:
    """Return ``text`` without its markers: a sentence as it is claimed."""
    return _replaced(text, 0, lambda match: "")


def marked(text: str) -> tuple[int, ...]:
    """Return the numbers of the markers of ``text``, in order, as they were written."""
    found: list[int] = []

    def keep(match: re.Match[str]) -> str:
        found.extend(numbers_of(match))
        return match[0]

    _replaced(text, 0, keep)
    return tuple(found)


def numbers_of(match: re.Match[str]) -> list[int]:
    """Return the numbers of one marker."""
    inside = match["double"] or match["single"] or match["wide"]
    return [int(number) for number in re.findall(r"\d+", fold_width(inside.partition("†")[0]))]


def _replaced(text: str, start: int, new: Callable[[re.Match[str]], str]) -> str:
    """``text[start:]`` with its markers replaced; what is before is only looked at."""
    parts: list[str] = []
    at, last, index = start, -1, False
    for match in _MARKER.finditer(text):
        if match["code"] is not None:
            continue
        index = index if match.start() == last else _is_index(text, match)
        last = match.end()
        if index or match.start() < start:
            continue
        parts += (text[at : match.start()], _joined(match, new(match)))
        at = match.end()
    return "".join((*parts, text[at:]))


def _joined(match: re.Match[str], new: str) -> str:
    """What stands for a marker: without it, the space before it goes too."""
    return new if new.strip() else ""


def _is_index(text: str, match: re.Match[str]) -> bool:
    """Whether it is an index or a list of code, or a link: right after a name of code, or before what only code has."""
    if match["wide"] is not None or match["double"] is not None:
        return False
    if text[: match.start()].endswith("=") or text.startswith("(", match.end()):
        return True
    word = None if match["space"] else _WORD_BEFORE.search(text, max(0, match.start() - 40), match.start())
    if word is None:
        return False
    end = match.end()
    while (following := _MARKER.match(text, end)) is not None and following["marker"]:
        end = following.end()
    return _AFTER_CODE.match(text, end) is not None or not _is_prose(word[0])


def _is_prose(word: str) -> bool:
    """Whether it is a word of a sentence, rather than a name of code."""
    if word.isdigit() or (word.isupper() and word.isalpha() and len(word) > 1):
        return True
    return word.isalpha() and (word.islower() or word.istitle()) and word.lower() in _words()


@cache
def _words() -> frozenset[str]:
    """Words of English that are no usual names of code."""
    from qx.text.frequencies import english

    return frozenset(english()) - {
        "arr",
        "args",
        "argv",
        "list",
        "array",
        "vec",
        "row",
        "rows",
        "data",
        "items",
        "matrix",
        "buf",
        "buffer",
        "str",
        "tuple",
        "dict",
        "map",
    }


_CODE = re.compile(r"`[^`\n]*`")
_LINE_OF_CODE = 400
"""Characters for which code that is open waits for its end."""


def _open_code(text: str) -> int | None:
    """Where code begins that is not closed yet, read from the left as markers are; None: there is none."""
    at = 0
    while (start := text.find("`", at)) >= 0:
        if text.startswith("```", start):
            end = text.find("```", start + 3)
            if end < 0:
                return start
            at = end + 3
            continue
        closed = _CODE.match(text, start)
        if closed is not None and closed[0] + text[closed.end() :] != "``":  # which may become a fence
            at = closed.end()
            continue
        if "\n" not in text[start:] and len(text) - start < _LINE_OF_CODE:
            return start
        at = start + 1
    return None


def _safe(text: str) -> int:
    """How much of a text in pieces can be told: up to code that is open, or to what may become a marker."""
    begun = _open_code(text)
    if begun is not None:
        return begun
    pending = _PENDING.search(text, max(0, len(text) - _LONGEST * 4))
    return pending.start() if pending is not None else len(text)
