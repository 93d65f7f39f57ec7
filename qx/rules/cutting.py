"""Taking spans out of a query's text and putting the rest together again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qx.rules.terms import has_han
from qx.text import negation
from qx.text.lexicons import load_set
from qx.text.segment import Word

EDGE = " \t,.;:!?，。；：！？、~～…"
"""What no query begins or ends with, unless it begins a name: ``.NET``, ``~/.bashrc``, ``::before``."""
_SIGN = re.compile(r"(?<!\S)(?:\.(?=[A-Za-z0-9_])|~(?=/)|::?(?=[a-z-])|!(?=[a-z]))")
_SIGNED = re.compile(_SIGN.pattern + r"[A-Za-z0-9_./:-]*[A-Za-z0-9_]")

_DANGLING = re.compile(
    r"(?:[\s,]+(?:open|that|which|who|with|and|or|but|the|an?|(?:that|it|which|who)(?:['’]s|\s+(?:is|are))))+[\s,]*$",
    re.IGNORECASE,
)
_LED = re.compile(
    r"^[\s,]*(?:(?:and|or|but|nor)[\s,]+)+|^[\s,，]*(?:(?:或者|还是|以及|但是|而且|并且)(?=[\s\u4e00-\u9fff])|[和或但与](?=\s))",
    re.IGNORECASE,
)
"""What joins the query to something that is gone: "or computer" of "tablet or computer"."""


def signed(text: str) -> tuple[tuple[int, int], ...]:
    """Where names stand that begin with a sign: ``::before``."""
    return tuple(match.span() for match in _SIGNED.finditer(text))


def edged(text: str) -> str:
    """``text`` without what no query begins or ends with; the sign that begins a name stays."""
    bare = text.strip(EDGE)
    if not bare or text.startswith(bare):
        return bare
    start = text.index(bare)
    for at in range(max(0, start - 2), start):
        if _SIGN.match(text, at):
            return text[at:start] + bare
    return bare


_ASPECT = frozenset("了过着")
"""What goes between a verb and its object where a query is made of content words."""
_DEGREE = frozenset("好")
"""What no object is but says how much: the 好 of 要去冰岛了好激动."""
_BEFORE = r"(?:\b(?:in|on|at|for|during|with|by|this|of)\s+)?"
"""A preposition that goes with what it leads to."""


def without(text: str, words: str) -> str:
    """``text`` without ``words`` and the preposition that leads to them, once."""
    return re.sub(rf"{_BEFORE}{re.escape(words)}", " ", text, count=1)


def way(start: str, end: str) -> re.Pattern[str]:
    """From one place to another, which only the word between tells: 北京到上海."""
    return re.compile(rf"{re.escape(start)}\s?[到至去飞飛回]\s?{re.escape(end)}")


def overlapping(
    word: Word, span: tuple[int, int], text: str, pieces: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The fixed span that ``word`` runs into, and what of the word lies beyond it: 手机 of 国产手机 where 国产 is fixed."""
    before, beyond = (word.start, span[0]), (span[1], word.end)
    parts = [before, span, beyond] if word.content else [span]
    return [p for p in parts if p not in pieces[-1:] and p[0] < p[1] and _tells(text[p[0] : p[1]], p == span)]


def _tells(part: str, fixed: bool) -> bool:
    return fixed or (has_han(part) and any(ch not in load_set("particles_zh") for ch in part))


def whole(text: str) -> str:
    """``text`` from which something was taken away, without the words that led to it: "tent that" is "tent"."""
    return edged(_LED.sub("", _DANGLING.sub("", text)))


def told(text: str) -> str:
    """``text`` without what it asks the one who helps to leave (请不要让我换新的), unless that is all of it."""
    rest = text
    for start, end in reversed(negation.requests(text)):
        rest = f"{rest[:start].rstrip(EDGE)} {rest[end:].lstrip(EDGE)}"
    return rest if any(ch.isalnum() for ch in rest) else text


def _piece(text: str, start: int, end: int) -> str:
    """One piece without marks at its ends, with the sign that begins its name, which may stand before it."""
    if start and text[start - 1] in ".~:!":
        start = next((at for at in range(max(0, start - 2), start) if _SIGN.match(text, at)), start)
    return edged(text[start:end]) if start == 0 or text[start - 1].isspace() else text[start:end].strip(EDGE)


def inside(word: Word, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the word lies within one of ``spans`` (code points, end exclusive)."""
    return any(start <= word.start and word.end <= end for start, end in spans)


def join(text: str, pieces: Sequence[tuple[int, int]], fixed: Sequence[tuple[int, int]]) -> str:
    """Put pieces together: none between Chinese neighbours, else a space; fixed ones stand apart."""
    apart = set(fixed)
    out: list[str] = []
    last, short = (-1, -1), False
    for piece in pieces:
        start, end = piece
        touching = start == last[1] and has_han(text[max(0, start - 1) : start + 1])
        single = end - start == 1 and has_han(text[start:end]) and text[start] not in _DEGREE
        if done := text[last[1] : start] in _ASPECT and single:
            touching = True  # 扣了钱 is 扣钱
        elif short:
            touching = False
        short = done
        if out and (not touching or piece in apart or last in apart):
            out.append(" ")
        out.append(_piece(text, start, end))
        last = piece
    return " ".join("".join(out).split())
