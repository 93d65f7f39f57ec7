"""Numbers and measures of a text as comparable values: ``5000元以下`` and ``under 5,000 yuan`` are one figure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from qx.serial import value
from qx.text import numerals, quantities

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NUMERAL = re.compile(r"[\d零〇一二两三四五六七八九十百千万亿半几兩萬億]")
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
_IN_WORDS = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"\w+teen|\w+ty|hundred|thousand|million|half|couple|dozen|few|several)\b",
    re.IGNORECASE,
)
"""Text without a numeral or one of these has no number: most of it, and this is faster than looking for one."""
_SCALED = re.compile(r"[一二两三四五六七八九十几兩幾\d]\s?[百千万亿萬億]")
_LEADING = frozenset("一二两三四五六七八九十兩0123456789")
_ON = frozenset("行夜计里岛山佛金军页年")
"""What makes a name or a year of the numerals before it: 三百六十行, 一千零一夜, 三千里."""
_LARGE = 100
_YEAR = range(1900, 2101)
_UPPER = frozenset({"le", "lt"})
_LOWER = frozenset({"ge", "gt"})


@value
class Figure:
    """One number or range.  ``unit`` is canonical, None where there is none; ``text`` the words it was written in."""

    low: float | None
    high: float | None
    unit: str | None = None
    kind: str = "plain"
    op: str = "eq"
    text: str = ""

    @property
    def is_year(self) -> bool:
        """Whether it can be read as a year."""
        written = self.kind != "money" and any(ch.isdigit() for ch in self.text)
        return written and self.unit is None and self.low == self.high and self.low in _YEAR


def _bare(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None  # 1.2.3 is a version, not a number


@lru_cache(maxsize=2048)
def find(text: str) -> tuple[Figure, ...]:
    """Return the figures of ``text``: measures first, then the bare numbers outside of them."""
    if not _NUMERAL.search(text) and not (_LATIN.search(text) and _IN_WORDS.search(text)):
        return ()
    found: list[Figure] = []
    taken: list[tuple[int, int]] = []
    for q in quantities.find(text):
        if not any(ch.isdigit() for ch in q.text) and q.kind in {"count", "plain"} and not _counted(q):
            continue  # 一台, 三种: words of speech, not limits
        found.append(Figure(low=q.low, high=q.high, unit=q.unit, kind=q.kind, op=q.op, text=q.text))
        taken.append((q.start, q.end))
    for number in _spelt(text):
        if not any(start < number.end and number.start < end for start, end in taken):
            said = text[number.start : number.end]
            found.append(Figure(low=number.low, high=number.high, text=said))
            taken.append((number.start, number.end))
    for match in _DIGITS.finditer(text):
        if any(start <= match.start() < end for start, end in taken):
            continue
        number = _bare(match.group())
        if number is not None:
            found.append(Figure(low=number, high=number, text=match.group()))
    return tuple(found)


def _counted(quantity: quantities.Quantity) -> bool:
    """Whether a quantity in words is a value: it limits (二十以内) or is written with its hundreds (三百人)."""
    return quantity.op != "eq" or (quantity.high or quantity.low or 0) >= _LARGE


def _spelt(text: str) -> Iterator[numerals.Number]:
    """The large numbers with a Chinese scale that no unit marks: 三萬, 两千, 5亿; a name made of them (三百六十行) is none."""
    if not _SCALED.search(text):
        return
    for number in numerals.numbers(numerals.fold_width(text)):
        said, on = text[number.start : number.end], text[number.end : number.end + 1]
        scaled = number.style in ("han", "arabic") and _SCALED.search(said) is not None
        if scaled and number.high >= _LARGE and said[0] in _LEADING and (not on or on not in _ON):
            yield number


def _values(figure: Figure) -> frozenset[float]:
    return frozenset(round(v, 6) for v in (figure.low, figure.high) if v is not None)


def opposed(a: Figure, b: Figure) -> bool:
    """Whether one is an upper and the other a lower limit."""
    return (a.op in _UPPER and b.op in _LOWER) or (a.op in _LOWER and b.op in _UPPER)


def _other_currency(a: Figure, b: Figure) -> bool:
    """Whether both are money, and not of one currency: $500 and 500€."""
    return a.kind == b.kind == "money" and a.unit is not None and b.unit is not None and a.unit != b.unit


def _loosens(a: Figure, b: Figure) -> bool:
    """Whether ``a`` is a limit and ``b`` none of its direction: 5000元 and 5000元左右 are not 5000元以下."""
    side = next((ops for ops in (_UPPER, _LOWER) if a.op in ops), None)
    return side is not None and b.op not in side and b.op != "range"


def same(a: Figure, b: Figure) -> bool:
    """Whether two figures say one number: equal values, and no two units that differ."""
    if a.unit is not None and b.unit is not None and a.unit != b.unit:
        return False
    if _loosens(a, b):
        return False
    return ((a.low, a.high) == (b.low, b.high) or _values(a) == _values(b)) and not opposed(a, b)


def kept(figure: Figure, others: tuple[Figure, ...]) -> bool:
    """Whether ``others`` hold ``figure``; a range also as its two ends."""
    if any(same(figure, other) for other in others):
        return True
    values = _values(figure)
    ends: set[float] = set()
    for other in others:
        if not opposed(figure, other) and not _loosens(figure, other) and not _other_currency(figure, other):
            ends |= _values(other)
    return bool(values) and values <= ends


def changed(
    wanted: tuple[Figure, ...], others: tuple[Figure, ...], *, said: tuple[Figure, ...] = ()
) -> tuple[Figure, Figure] | None:
    """Return one of ``wanted`` and the figure of ``others`` in its place: like unit and kind, other value.

    Args:
        said: More figures of the same text, as those of names: they take nobody's place (the 4070 of "RTX 4070").
    """
    if not wanted:
        return None
    for other in others:  # a second limit of what has one: "above $500" beside "under $1000"
        if other.op in _UPPER | _LOWER and other.unit is not None and not kept(other, wanted):
            for figure in wanted:
                if figure.op in _UPPER | _LOWER and figure.unit == other.unit:
                    return figure, other
    missing = [figure for figure in wanted if not kept(figure, others)]
    if not missing:
        return None
    for other in others:
        if kept(other, wanted) or (said and kept(other, said)):
            continue
        for figure in missing:
            years = figure.is_year and other.is_year
            if years or (not figure.is_year and not other.is_year and figure.unit == other.unit):
                return figure, other
            if _other_currency(figure, other):
                return figure, other
            if opposed(figure, other) and _values(figure) == _values(other):
                return figure, other
    return None
