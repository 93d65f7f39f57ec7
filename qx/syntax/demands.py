"""The parts of a query that hold for all of it and are no words: ranges, sites, file types, fields, groups.

Wordings are made of what is left, and get them back as they were typed: ``笔记本 -(联想 OR 惠普)`` is a query for
笔记本, whatever else it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from qx.serial import value
from qx.syntax.parser import parse
from qx.syntax.tree import And, Expression, Field, FileType, Not, Or, Range, Site

_OPENING, _CLOSERS = frozenset("(（"), frozenset(")）")
_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』"}
_AND = re.compile(r"(?<!\S)AND\s+$")
_SIGNS = re.compile(r"[:：(（]")


@value
class Demand:
    """``text`` as typed, from ``start`` (with an AND before it) to ``end`` (exclusive) of the query, and as it is read."""

    text: str
    start: int
    end: int
    expression: Expression

    @property
    def is_range(self) -> bool:
        """Whether it is a range, or what lies outside of one."""
        return isinstance(_inner(self.expression), Range)


def demands(text: str, fields: Iterable[str] = ()) -> tuple[Demand, ...]:
    """Return the demands of a query, in order; simple exclusions (``-word``) and phrases are none.

    Args:
        text: A query as typed.
        fields: Names beside ``intitle`` and ``author`` that may stand before a colon.
    """
    return _demands(text, frozenset(fields)) if _SIGNS.search(text) else ()


def left(text: str, found: Sequence[Demand]) -> str:
    """Return ``text`` with spaces where ``found`` stand, so that all else keeps its place."""
    for one in found:
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    return text


@lru_cache(maxsize=512)
def _demands(text: str, fields: frozenset[str]) -> tuple[Demand, ...]:
    whole = parse(text, fields=fields)
    parts = whole.parts if isinstance(whole, And) else (whole,)
    found: list[Demand] = []
    for start, end in _runs(text):
        said = text[start:end]
        expression = parse(said, fields=fields)
        read = expression.parts if isinstance(expression, And) else (expression,)
        # the parser has the last word: what is no part of the whole query was cut differently
        if all(_is_demand(part, said) and part in parts for part in read):
            joined = _AND.search(text[:start])  # what is left needs no word to be joined to it
            found.append(Demand(text=said, start=joined.start() if joined else start, end=end, expression=expression))
    return tuple(found)


def _is_demand(part: Expression, said: str) -> bool:
    if isinstance(_inner(part), (Range, Site, FileType, Field)):
        return True
    grouped = "(" in said or "（" in said
    return (isinstance(part, Or) and (grouped or any(_is_demand(one, "") for one in part.parts))) or (
        grouped and isinstance(part, Not)
    )


def _inner(part: Expression) -> Expression:
    return part.expression if isinstance(part, Not) else part


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Pieces between blanks, with what belongs to them: the NOT before one, what OR joins."""
    pieces = list(_pieces(text))
    at = 0
    while at < len(pieces):
        start, end = pieces[at]
        while text[start:end] != "OR" and at + 1 < len(pieces):
            after = text[slice(*pieces[at + 1])]
            if text[slice(*pieces[at])] in ("NOT", "OR") or after == "OR":
                at += 1
                end = pieces[at][1]
            else:
                break
        at += 1
        yield start, end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """What stands between blanks; a group or a phrase is one piece."""
    at, closing = 0, _closing(text)
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        start = at
        while at < len(text) and not text[at].isspace():
            at = _past(text, at, closing)
        yield start, at


def _closing(text: str) -> dict[int, int]:
    """The place of each opening bracket that is closed, with the place where it is."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for place, char in enumerate(text):
        if char in _OPENING:
            opened.append(place)
        elif char in _CLOSERS and opened:
            found[opened.pop()] = place
    return found


def _past(text: str, at: int, closing: Mapping[int, int]) -> int:
    """The place behind the character at ``at``, or behind the group or phrase that opens there."""
    char = text[at]
    if char in _QUOTES:
        end = text.find(_QUOTES[char], at + 1)
        return at + 1 if end < 0 else end + 1
    return closing.get(at, at) + 1


__all__ = ["Demand", "demands", "left"]
