"""A text as quotations of it are compared: without markup, entities, width, case, spacing and punctuation.

``fold`` makes two layers.  The *plain* layer has one code point for each of the original (more only where one stands for
several, such as ``ﬁ``): markup, invisible characters and the rest of an entity become fillers, what belongs to a number
becomes a code of its own.  The *core* is what is left of it without its gaps (spaces, punctuation, fillers); quotes are
looked for there, with the speed of ``str.find``, and its offsets are worked out only where something is found.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import compress

from qx.text.figures import BETWEEN, KEPT, encode_figures
from qx.text.letter_forms import HIDDEN, REST, unified

MARKUP = "*"
"""Stands for markup, which may or may not part words."""
NONE, SOFT, HARD = 0, 1, 2
"""What stands between two characters of the core: nothing; punctuation or markup; white space alone."""

_CACHED = 200_000
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ENTITY = re.compile(r"&(?:amp;){0,3}(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_HIDDEN = re.compile(r"<!--[^<>-]*+(?>(?:-(?!->)[^<>-]*+)*)-->|<(script|style)\b[^<>]*+>[^<]*+</\1\s*+>", re.IGNORECASE)
_NAMES = (
    "a|abbr|address|article|aside|b|bdi|bdo|big|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|del|"
    "details|dfn|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|"
    "input|ins|kbd|label|legend|li|link|main|mark|meta|nav|nbsp|noscript|object|ol|option|p|picture|pre|q|rp|rt|ruby|s|"
    "samp|section|select|shy|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|"
    "thead|time|title|tr|tt|u|ul|var|video|audio|wbr"
)
_TAG = re.compile(rf"<\x00*+/?(?:{_NAMES})(?:\s[^<>]*+|\s*+/)?>", re.IGNORECASE)
_LINK = re.compile(
    r"\]\((?:(?:https?|ftp|mailto):|[/#]|\.{1,2}/|[\w-]{1,64}[./])[^()\s]{0,2000}+(?:\s+\"[^\"\n]{0,200}\")?\)",
    re.IGNORECASE,
)
_BLOCKQUOTE = re.compile(r"^[ \t]{0,3}(?:>[ \t]{1,3}){1,8}", re.MULTILINE)
_APOSTROPHE = re.compile(r"['’ʼ‘＇](?<=[^\W\d_].)(?=[^\W\d_])")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\W]")
_PUNCTUATION = re.compile(r"[^\x00-\x7f\w]")
_GAP = re.compile(rf"[^{KEPT}\w]+|_+")
_DELETED = {i: None for i in range(128) if not (chr(i).isalnum() or chr(i) in KEPT)}
_WHOLE_SCRIPTS = re.compile(
    "[\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd]"
)
"""Characters of scripts that write no spaces: each may begin or end a quote."""


class _Kept(dict[str, bool]):
    """Whether a character belongs to the core, worked out once for each."""

    def __missing__(self, character: str) -> bool:
        kept = self[character] = character.isalnum() or character in KEPT
        return kept


_IS_KEPT = _Kept()


class Folded:
    """A text ready for comparison.

    Attributes:
        original: The text as it was.
        plain: Folded, fillers and gaps included.
        starts: For each code point of ``plain`` its index in ``original``.
        core: ``plain`` without its gaps.
    """

    def __init__(self, original: str, plain: str, starts: Sequence[int]) -> None:
        self.original = original
        self.plain = plain
        self.starts = starts
        self.core = _core(plain)

    @cached_property
    def offsets(self) -> Sequence[int]:
        """For each code point of ``core`` its index in ``plain``."""
        return list(compress(range(len(self.plain)), map(_IS_KEPT.__getitem__, self.plain)))

    def gap(self, at: int) -> str:
        """What stands before ``core[at]``, fillers left out; all of it at the ends."""
        first = self.offsets[at - 1] + 1 if at else 0
        last = self.offsets[at] if at < len(self.core) else len(self.plain)
        return self.plain[first:last].replace(REST, "").replace(HIDDEN, "") if first < last else ""

    def parted(self, at: int) -> int:
        """``NONE``, ``SOFT`` or ``HARD``: what parts ``core[at]`` from the one before; the ends are ``SOFT``."""
        if at <= 0 or at >= len(self.core):
            return SOFT
        if self.offsets[at] - self.offsets[at - 1] == 1:
            return NONE
        gap = self.gap(at)
        return NONE if not gap else HARD if gap.isspace() else SOFT

    def is_boundary(self, at: int) -> bool:
        """Whether a quote may begin or end before ``core[at]``: words of spaced scripts and numbers stay whole."""
        if self.parted(at) != NONE:
            return True
        one, other = self.core[at - 1], self.core[at]
        return BETWEEN in (one, other) or is_unspaced(one) or is_unspaced(other)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where ``core[first:last]`` (not empty) stands in the original; code points, end exclusive."""
        end = self.offsets[last - 1] + 1
        while end < len(self.plain) and self.plain[end] == REST:
            end += 1
        return self.starts[self.offsets[first]], self.starts[end - 1] + 1

    def written(self, first: int, last: int) -> str:
        """Return ``core[first:last]`` as the original has it."""
        start, end = self.span(first, last)
        return self.original[start:end]


def is_unspaced(character: str) -> bool:
    """Whether its script writes no spaces (Han, kana)."""
    return character > "\u3004" and _WHOLE_SCRIPTS.match(character) is not None


def fold(text: str) -> Folded:
    """Return ``text`` folded; that of the last texts is remembered."""
    return _remembered(text) if len(text) <= _CACHED else _folded(text)


@lru_cache(maxsize=128)
def _remembered(text: str) -> Folded:
    return _folded(text)


def _folded(text: str) -> Folded:
    plain = _CONTROL.sub(" ", text)
    if "&" in plain:
        plain = _ENTITY.sub(_decoded, plain)
    if "<" in plain:
        plain = _TAG.sub(_fill, _HIDDEN.sub(_fill, plain))
    if "](" in plain:
        plain = _LINK.sub(_fill, plain)
    if "> " in plain:
        plain = _BLOCKQUOTE.sub(_fill, plain)
    if any(mark in plain for mark in "'’ʼ‘＇"):
        plain = _APOSTROPHE.sub(HIDDEN, plain)
    starts: Sequence[int] = range(len(plain))
    if plain.isascii():
        return Folded(text, encode_figures(plain.lower()), starts)
    plain, starts = unified(plain, starts)
    return Folded(text, encode_figures(plain), starts)


def _decoded(match: re.Match[str]) -> str:
    said = match[0]
    found = html.unescape(html.unescape(said.replace("&amp;", "&")))
    if found == said or len(found) > len(said) or not found:
        return said
    return _CONTROL.sub(" ", found) + REST * (len(said) - len(found))


def _fill(match: re.Match[str]) -> str:
    return MARKUP * len(match[0])


def _core(plain: str) -> str:
    if not plain.isascii() and _BEYOND_ASCII.search(plain) is None:
        plain = _PUNCTUATION.sub(MARKUP, plain)
    return plain.translate(_DELETED) if plain.isascii() else _GAP.sub("", plain)
