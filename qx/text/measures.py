"""One number with its unit: ``16GB``, ``$50``, ``38.5度``; and what only looks like one (``RTX 3070``, ``第3章``)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from qx.serial import replace, value
from qx.text.compounds import Compound, compounds
from qx.text.numerals import Number, numbers
from qx.text.unit_reading import QuoteMarks, read_unit
from qx.text.units import CURRENCIES, CURRENCY, CURRENCY_NAME, QuantityKind, Unit

_RESOLUTION = re.compile(
    r"\s?(?:电视|電視|显示|屏|分辨|视频|高清|超清|画质|投影|摄像|蓝光|@|tv|monitor|display|resolution|video|uhd|screen|camera|60|120|144)",
    re.I,
)
_ORDINAL = re.compile(
    r"(?:第|#|\b(?:top|no\.|chapter|level|season|step|part|lesson|grade|page|figure|version|ver\.?|v|episode))\s?$",
    re.I,
)
_UNIT_BEFORE = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,6}(?:\.[0-9]{1,3})?\s?[A-Za-z]{1,4}[-/+]$")
_MASKS = re.compile(
    r"(?<![0-9])[0-9]++(?>(?:\.[0-9]++){2,}|(?:[-/][0-9]++){2,}|(?::[0-9]++)+|[xX×*][0-9]++(?:[xX×*][0-9]++)?)"
    r"|(?<![0-9])(?:19|20)[0-9]{2}[-/](?:0?[1-9]|1[0-2])(?![0-9])"
    r"|(?<![0-9])(?:\+?86[\s-]?)?1[3-9][0-9][\s-]?[0-9]{4}[\s-]?[0-9]{4}(?![0-9])"
    r"|(?<![0-9])(?:400|800)-[0-9]{3,4}-?[0-9]{3,4}(?![0-9])|\(?[0-9]{3,4}\)[\s-]?[0-9]{3,4}-[0-9]{4}"
)
_MORE = re.compile(r"[多几来余](?=[的个個元块美欧万人岁年天斤公米台次%名张只件小])")
_AND_A_HALF = re.compile(r"个半(?=小时|钟头|月|星期|礼拜)")
_CURRENCY_TOO = re.compile(r"\s?(?:元|块钱?|rmb|yuan|dollars?|usd|cny)(?![A-Za-z])", re.I)
_YEN = re.compile(r"\s?(?:日元|円|jpy)", re.I)
_PRICED = re.compile(
    r"\s?(?:元|块钱?|圆)(?![\u4e00-\u9fff]*[币元圆])|(?=$|[\s,，。、;；)）的以之内左上起到至~-])(?!\s?[年月日号])"
)
"""What follows an amount whose currency stands before it: 港币800(元), 台币五千(左右)."""
_BOUNDED = re.compile(r"[A-Za-z]{1,6}(?:/[a-z]{1,3})?(?:以[上下内]|之内|起步)")
"""A unit that no table has, with its bound: 20000Pa以上."""
_TENTHS = "一二三四五六七八九"
_BELOW_ZERO = re.compile(r"(?:零下|minus\s|(?<![0-9A-Za-z])-)$", re.I)


@value
class Measure:
    """A number and its unit; ``kind`` None: no unit.  ``low == high`` unless the number is vague."""

    start: int
    end: int
    low: float
    high: float
    kind: QuantityKind | None = None
    unit: str | None = None
    scale: float = 1.0
    style: str = "arabic"


def measures(text: str) -> Iterator[Measure]:
    """Yield the numbers of folded ``text`` that can be quantities, with their units."""
    masked = _masked(text)
    marks = QuoteMarks(text)
    waiting = deque(compounds(text))
    for start, end, *_ in waiting:
        masked[start:end] = b"\x01" * (end - start)
    for number in numbers(text):
        while waiting and waiting[0].start <= number.start:
            yield _whole(waiting.popleft())
        if masked[number.start]:
            continue
        found = _measure(text, number, marks)
        if found is not None:
            yield found
    for compound in waiting:
        yield _whole(compound)


def _whole(one: Compound) -> Measure:
    return Measure(start=one.start, end=one.end, low=one.low, high=one.high, kind=one.kind, unit=one.unit)


def _masked(text: str) -> bytearray:
    masked = bytearray(len(text) + 1)
    for match in _MASKS.finditer(text):
        masked[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return masked


def _measure(text: str, number: Number, marks: QuoteMarks) -> Measure | None:
    before = text[max(0, number.start - 12) : number.start]
    currency = CURRENCY.search(before)
    if currency is None and _part_of_a_name(before, number):
        return None
    low, high, end = _more(text, number)
    bare = Measure(start=number.start, end=end, low=low, high=high, scale=number.scale, style=number.style)
    if currency:
        return _money(text, bare, currency)
    if before.endswith("百分之"):
        return replace(bare, start=bare.start - 3, kind="percent", unit="percent")
    found = read_unit(text, number, end, marks)
    if (name := CURRENCY_NAME.search(before)) and (after := _PRICED.match(text, end)):
        start = bare.start - len(name[0])
        return replace(bare, start=start, end=after.end(), kind="money", unit=CURRENCIES[name["name"]])
    if found is None:
        follows = text[end : end + 1]
        part = follows.isascii() and (follows.isalpha() or follows == "_")
        return bare if not part or (_BOUNDED.match(text, end) and not before.rstrip()[-1:].isascii()) else None
    return _with_unit(text, bare, found[0], found[1], before)


def _more(text: str, number: Number) -> tuple[float, float, int]:
    """Read what extends the number itself: 2000多, 两个半."""
    low, high, end = number.low, number.high, number.end
    more = _MORE.match(text, end)
    if more and low == high and low >= 10:
        high, end = low + _step(low, number.scale), more.end()
    if half := _AND_A_HALF.match(text, end):
        low, high, end = low + 0.5, high + 0.5, half.end()
    return low, high, end


def _money(text: str, bare: Measure, currency: re.Match[str]) -> Measure:
    """A currency sign before the number; ``¥`` is the yen where the unit after says so."""
    sign = currency[0].strip()
    unit = CURRENCIES.get(sign.lower(), sign.upper())
    if unit == "CNY" and (yen := _YEN.match(text, bare.end)):
        unit, end = "JPY", yen.end()
    else:
        extra = _CURRENCY_TOO.match(text, bare.end)
        end = extra.end() if extra else bare.end
    return replace(bare, start=bare.start - len(currency[0]), end=end, kind="money", unit=unit)


def _with_unit(text: str, bare: Measure, unit: Unit, end: int, before: str) -> Measure:
    low, high, start = bare.low * unit.factor, bare.high * unit.factor, bare.start
    if unit.kind in ("duration", "weight", "age") and text[end : end + 1] == "半":
        low, high, end = low + 0.5 * unit.factor, high + 0.5 * unit.factor, end + 1
    if unit.unit == "m" and bare.style == "han" and text[end : end + 1] and text[end] in _TENTHS:
        low = high = round(low + (_TENTHS.index(text[end]) + 1) / 10, 1)
        end += 1
    if unit.kind == "temperature" and (below := _BELOW_ZERO.search(before)):
        low, high, start = -high, -low, start - len(below[0])
    return replace(bare, start=start, end=end, low=low, high=high, kind=unit.kind, unit=unit.unit)


def _step(low: float, scale: float) -> float:
    if scale > 1 and low % scale == 0:
        return scale
    step = 1.0
    while low % (step * 10) == 0 and step * 10 <= low:
        step *= 10
    return step


def _part_of_a_name(before: str, number: Number) -> bool:
    """``gpt-4``, ``RTX3070``, ``第3章``, ``top 10``: a number that belongs to the word before it."""
    if number.style == "words":
        return before[-1:] in ("-", "_")
    last = before[-1:]
    if last and last.isascii() and (last.isalpha() or last in "_#@"):
        return number.style == "arabic"
    if before.lower().endswith("sub-"):
        return False
    if last in ("-", "/", ".", "+", ":") and before[-2:-1].isascii() and before[-2:-1].isalpha():
        return _UNIT_BEFORE.search(before) is None
    return _ORDINAL.search(before) is not None


def is_resolution(text: str, measure: Measure) -> bool:
    """Whether a number with ``k`` is a picture size (``4K电视``), not thousands."""
    return (
        measure.scale == 1000
        and text[measure.end - 1 : measure.end] in "kK"
        and _RESOLUTION.match(text, measure.end) is not None
    )
