"""Measures of several numbers that are one quantity: ``1 1/2 inch``, ``6'2"``, ``1米8``, ``5尺2``, ``1.5/2m``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from qx.text.numerals import value_of
from qx.text.units import UNITS, QuantityKind

_HINT = re.compile(
    r"[0-9][/'′]|[½¼¾⅓⅔⅛⅜⅝⅞]|[0-9一二两三四五六七八九][米尺块元]|[0-9]\s?(?:ft|f[eo]{2}t|英尺)", re.IGNORECASE
)
_VULGAR = {"½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8}
_BEFORE = r"(?<![A-Za-z0-9_./'-])"
_FRACTION = re.compile(
    _BEFORE + r"(?:(?:(?P<whole>[0-9]{1,3})(?:[\s-]|\sand\s))?(?P<over>[0-9]{1,2})/(?P<under>[0-9]{1,2})(?![0-9/.])"
    r"|(?P<units>[0-9]{0,3})\s?(?P<vulgar>[½¼¾⅓⅔⅛⅜⅝⅞]))"
    r"[\s-]?(?P<unit>inch(?:es)?|in(?=\s?(?:$|[x×,;]))|[\"″”]|feet|foot|ft|miles?|lbs?|pounds?|oz|ounces?|hours?|英寸|寸|英里|英尺|磅)(?![a-z])",
    re.IGNORECASE,
)
_FEET = re.compile(
    _BEFORE
    + r"(?P<feet>[0-9]{1,2})(?:\s?(?:ft|feet|foot|英尺)\.?\s?(?P<far>[0-9]{1,2}(?:\.5)?)\s?(?:[\"″”]|''|in(?:ch(?:es)?)?(?![a-z])|英寸|寸)"
    r"|(?:['′]|ft)(?P<near>[0-9]{1,2}(?:\.5)?)(?:\s?(?:[\"″”]|''|in(?:ch(?:es)?)?(?![a-z]))|(?![\w.'′]))"
    r"|['′]\s(?P<apart>[0-9]{1,2}(?:\.5)?)\s?(?:[\"″”]|'')"
    r")",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?<![A-Za-z0-9_.零一二两三四五六七八九十百千万])(?P<whole>[0-9]{1,4}|[一二两三四五六七八九])(?P<unit>[米尺块元])"
    r"(?P<part>[0-9]{1,2}|[一二三四五六七八九]{1,2})[毛角]?"
    r"(?![0-9.%零一二两三四五六七八九十百千万米尺块元厘公根条個个件套张卷只台双支瓶袋包次人天年月分mc])",
    re.IGNORECASE,
)
_EITHER = re.compile(
    _BEFORE + r"(?P<one>[0-9]{1,4}(?:\.[0-9]{1,2})?)/(?P<two>[0-9]{1,4}(?:\.[0-9]{1,2})?)\s?"
    r"(?P<unit>km|cm|mm|m|kg|gb|tb|mah|hz|w|米|厘米|公斤|寸|英寸|inch(?:es)?)(?![a-z0-9/])",
    re.IGNORECASE,
)
_DECIMALS = {"米": (1.0, "m"), "尺": (100 / 3, "cm"), "块": (1.0, "CNY"), "元": (1.0, "CNY")}
_OTHERS: dict[str, tuple[QuantityKind, str]] = {
    "in": ("length", "inch"),
    '"': ("length", "inch"),
    "″": ("length", "inch"),
    "”": ("length", "inch"),
    "pound": ("weight", "lb"),
    "pounds": ("weight", "lb"),
    "m": ("length", "m"),
    "w": ("power", "W"),
}


class Compound(NamedTuple):
    """One quantity of several numbers; ``low`` and ``high`` differ where there is a choice (``1.5/2m``)."""

    start: int
    end: int
    low: float
    high: float
    kind: QuantityKind
    unit: str | None


def compounds(text: str) -> list[Compound]:
    """Return those of folded ``text`` in order; none overlap."""
    if not _HINT.search(text):
        return []
    found: list[Compound] = []
    for one in sorted([*_feet(text), *_fractions(text), *_parts(text), *_either(text)]):
        if not found or found[-1].end <= one.start:
            found.append(one)
    return found


def _fractions(text: str) -> Iterator[Compound]:
    for match in _FRACTION.finditer(text):
        if match["vulgar"]:
            amount = int(match["units"] or 0) + _VULGAR[match["vulgar"]]
        else:
            over, under = int(match["over"]), int(match["under"])
            if not 0 < over < under:
                continue
            amount = int(match["whole"] or 0) + over / under
        kind, unit = _unit(match["unit"])
        yield Compound(match.start(), match.end(), round(amount, 6), round(amount, 6), kind, unit)


def _feet(text: str) -> Iterator[Compound]:
    """Feet and inches, in inches."""
    for match in _FEET.finditer(text):
        inches = float(match["far"] or match["near"] or match["apart"])
        if inches < 12:
            total = int(match["feet"]) * 12 + inches
            yield Compound(match.start(), match.end(), total, total, "length", "inch")


def _parts(text: str) -> Iterator[Compound]:
    """Tenths behind the unit: 1米8, 一米七五, 5尺2, 3块5."""
    for match in _PART.finditer(text):
        whole, unit = value_of(match["whole"]), match["unit"]
        digits = "".join(str("零一二三四五六七八九".find(c) if not c.isdigit() else c) for c in match["part"])
        if whole is None or (unit in "块元" and (len(digits) > 1 or match["whole"] == "一")):
            continue
        factor, name = _DECIMALS[unit]
        amount = round(float(f"{int(whole)}.{digits}") * factor, 2)
        yield Compound(match.start(), match.end(), amount, amount, "money" if unit in "块元" else "length", name)


def _either(text: str) -> Iterator[Compound]:
    """Two sizes to choose from: both are of one kind, so that 8/256GB (memory and storage) are none."""
    for match in _EITHER.finditer(text):
        one, two = float(match["one"]), float(match["two"])
        if one < two <= 2 * one:
            kind, unit = _unit(match["unit"])
            yield Compound(match.start(), match.end(), one, two, kind, unit)


def _unit(word: str) -> tuple[QuantityKind, str | None]:
    known = _OTHERS.get(word.lower())
    return known or (UNITS[word.lower()].kind, UNITS[word.lower()].unit)


__all__ = ["Compound", "compounds"]
