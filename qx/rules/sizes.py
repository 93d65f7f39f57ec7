"""Sizes of clothes and shoes, which no unit marks: "size M or L", 36或37码, "size 8 and up"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.rules.reading import Reading
from qx.types import Constraint, Op

_LETTERS = r"(?:x{1,3}l|xx?s|[sml])"
_ONE = rf"(?:\d{{1,3}}(?:\.5)?|{_LETTERS})"
_OR = r"\s?(?:,?\s(?:or|and)\s|/|、|或者?|还是|和)\s?"
_SIZE = re.compile(
    rf"(?:\bsizes?\s?|尺码|码数|鞋码)[:：]?\s?(?P<first>{_ONE})(?![a-z0-9])(?P<more>(?:\s?码)?(?:(?:\s?,\s?{_ONE}(?![a-z0-9]))*{_OR}{_ONE}(?![a-z0-9.]|\s?(?:inch|cm|mm|%)))*)"
    rf"|(?<![a-z0-9.])(?P<marked>(?:(?:\d{{2}}(?:\.5)?|{_LETTERS})\s?码?{_OR})*(?:\d{{2}}(?:\.5)?|{_LETTERS}))\s?码(?![头率字])"
)
_EACH = re.compile(rf"(?<![a-z0-9.]){_ONE}(?![a-z0-9])")
_SPAN = re.compile(rf"\s?(?:-|~|to\s|到|至)\s?(?P<last>{_ONE})(?![a-z0-9])")
_UP = re.compile(r"\s?(?:(?:or|and)\s(?:larger|bigger|up|above|more|over|higher)\b|及?以上|\+)")
_DOWN = re.compile(r"\s?(?:(?:or|and)\s(?:smaller|below|under|less|down)\b|及?以下)")
_MOST = re.compile(
    r"(?:\bat\smost|\bmax(?:imum)?|\bunder|\bbelow|\b(?:smaller|less)\sthan|至多|最大|不大于|小于)\s?(?:an?\s)?$"
)
_LEAST = re.compile(
    r"(?:\bat\sleast|\bmin(?:imum)?|\bover|\babove|\b(?:larger|bigger|more)\sthan|大于|至少|最少|不小于)\s?(?:an?\s)?$"
)


_DENIED = re.compile(
    r"(?:\b(?:not|no|without|except|exclude|avoid)|n['’]t\s(?:want|need|show\sme))\s(?:in\s|an?\s|any\s)?$|(?<![要是])(?:不要|不是|除了|非|排除|别要)$"
)


def sizes(reading: Reading) -> Iterator[tuple[Constraint, tuple[int, int]]]:
    """Yield the sizes that are named, each of several; of letters with a bound nothing, for they have no order here."""
    text = reading.folded
    if "size" not in text and "码" not in text:
        return
    for match in _SIZE.finditer(text):
        start, end = match.span()
        said = [_read(each[0]) for each in _EACH.finditer(match["marked"] or f"{match['first']} {match['more']}")]
        denied = _DENIED.search(text, max(0, start - 16), start) is not None
        ops: list[tuple[Op, str | float]] = [("ne" if denied else "eq", one) for one in said]
        if len(said) == 1:
            bounded, end = _bounded(text, start, end, said[0])
            if bounded is not None:
                ops = [] if denied else bounded
        for op, size in ops:
            yield Constraint(field="size", op=op, value=size, text=reading.text[start:end]), (start, end)


def _bounded(text: str, start: int, end: int, size: str | float) -> tuple[list[tuple[Op, str | float]] | None, int]:
    """What a bound beside the size makes of it, and where it ends; None: there is none."""
    ops: list[tuple[Op, str | float]] | None = None
    if span := _SPAN.match(text, end):
        ops, end = [("ge", size), ("le", _read(span["last"]))], span.end()
    elif up := _UP.match(text, end):
        ops, end = [("ge", size)], up.end()
    elif down := _DOWN.match(text, end):
        ops, end = [("le", size)], down.end()
    elif _LEAST.search(text, max(0, start - 16), start):
        ops = [("ge", size)]
    elif _MOST.search(text, max(0, start - 16), start):
        ops = [("le", size)]
    if ops is not None and any(isinstance(value, str) for _, value in ops):
        ops = []
    return ops, end


def _read(written: str) -> str | float:
    if not written[0].isdigit():
        return written.upper()
    number = float(written)
    return int(number) if number.is_integer() else number
