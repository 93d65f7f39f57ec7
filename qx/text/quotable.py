"""A text as quotations of it are compared: without markup, entities, width, case, spacing and punctuation.

``fold`` makes two layers.  The *plain* layer has one code point for each of the original (more only where one stands for
several, such as ``ﬁ``): markup, invisible characters and the rest of an entity become fillers, what belongs to a number
becomes a code of its own.  The *core* is what is left of it without its gaps (spaces, punctuation, fillers); quotes are
looked for there, with the speed of ``str.find``, and its offsets are worked out only where something is found.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import compress

from qx.text.figures import BETWEEN, KEPT, encode_figures

REST, HIDDEN, MARKUP = "\x00", "\x01", "*"
"""Fillers: the rest of an entity or of a composed letter; what is invisible; markup, which may or may not part words."""
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
_SPACES = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_INVISIBLE = re.compile(
    "[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
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
    plain, starts = _unified(plain, starts)
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


def _unified(text: str, starts: Sequence[int]) -> tuple[str, Sequence[int]]:
    """Bring letters, digits, spaces and dashes to one form (compatibility, composition, case)."""
    composed, others, rare, unusual = _patterns()
    if unusual.search(text) is not None:
        text = _DASHES.sub("-", _SPACES.sub(" ", _INVISIBLE.sub(HIDDEN, text)))
        text = composed.sub(_form, text)
    folded = text.casefold()
    if len(folded) != len(text):
        text, starts = _substituted(text, starts, _longer_in_small_letters(), lambda m: m[0].casefold())
        folded = text.casefold()
    text, starts = _substituted(folded, starts, others, _form)
    return _substituted(text, starts, rare, _form) if _ASTRAL.search(text) is not None else (text, starts)


def _form(match: re.Match[str]) -> str:
    said = match[0]
    form = "".join(map(form_of, said)) if len(said) == 1 else _composed(said)
    return form + REST * (len(said) - len(form))


def _composed(cluster: str) -> str:
    found = unicodedata.normalize("NFKC", cluster).casefold()
    return unicodedata.normalize("NFKC", found)[: len(cluster)]


@cache
def form_of(character: str) -> str:
    """Return one character as it is compared: ``Ａ`` a, ``㎏`` kg, ``²`` ^2, ``½`` *1/2; one of no letter is kept."""
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    found = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
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
    if not found:
        return text, starts
    grows = any(len(new) != end - start for start, end, new in found)
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for start, end, new in found:
        parts += (text[at:start], new)
        if grows:
            places.extend(starts[at:start])
            places.extend(starts[min(start + i, end - 1)] for i in range(len(new)))
        at = end
    parts.append(text[at:])
    if not grows:
        return "".join(parts), starts
    places.extend(starts[at:])
    return "".join(parts), places


_RANGES = (
    *((0x80, 0x3400), (0xA640, 0xAC00), (0xD7B0, 0xD800), (0xF900, 0x10000), (0x10400, 0x10500), (0x1D400, 0x1D800)),
    *((0x1EE00, 0x1EF00), (0x1F100, 0x1F250), (0x1FBF0, 0x1FBFA), (0x2F800, 0x2FA20)),
)
"""Where characters are that have another form; the rest (most of Han, Hangul) is one already."""
_SYMBOLS = frozenset("％＜＞＝～＋＄￥￡￠／．‰")
_MARKS_OF_TRADE = frozenset("™®©℠ªº")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Letters with marks of their own; characters that have another form, usual and rare ones; what most texts lack."""
    marks: list[int] = [*range(0x1160, 0x1200), 0xFF9E, 0xFF9F]
    others: list[int] = []
    for code in (code for first, last in _RANGES for code in range(first, last)):
        character = chr(code)
        if unicodedata.category(character)[0] == "M":
            marks.append(code)
        elif character in _SYMBOLS or (_may_differ(character) and form_of(character) != character):
            others.append(code)
    usual = [code for code in others if code <= 0xFFFF]
    inside = _inside(code for code in sorted(marks) if code <= 0xFFFF)
    return (
        re.compile(rf"[^\W_]{inside}{{1,30}}"),
        re.compile(_inside(usual)),
        re.compile(_inside(code for code in others if code > 0xFFFF)),
        re.compile(inside[:-1] + "".join(p.pattern[1:-1] for p in (_SPACES, _DASHES, _INVISIBLE)) + "]"),
    )


def _inside(codes: Iterable[int]) -> str:
    """A class of characters as ranges."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "[" + "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in ranges) + "]"


def _may_differ(character: str) -> bool:
    """Whether it may have another form that has a letter or digit."""
    if character in _MARKS_OF_TRADE or "\ud800" <= character <= "\udfff":
        return False
    if character.isdecimal() or character.casefold() != character:
        return True
    if not unicodedata.decomposition(character):
        return False
    return any(c.isalnum() for c in unicodedata.normalize("NFKC", character))


@cache
def _longer_in_small_letters() -> re.Pattern[str]:
    longer = [chr(c) for first, last in _RANGES for c in range(first, last) if len(chr(c).casefold()) > 1]
    return re.compile(f"[{''.join(longer)}]")
