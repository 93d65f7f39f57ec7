"""Fractions and discounts in words, written in figures: two thirds and 三分之二 are 2/3, 九五折 is 9.5折."""

from __future__ import annotations

import re

from qx.text.numerals import fold_width, value_of

_COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_OF = ("third", "quarter", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_VALUES = {
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_EN = re.compile(rf"\b(?P<count>{'|'.join(_COUNT)})[\s-](?P<of>{'|'.join(_OF)})(?P<many>s)?\b", re.IGNORECASE)
_HAN = "[一二三四五六七八九十]"
_ZH = re.compile(rf"(?P<of>{_HAN}{{1,3}}|\d{{1,3}})分之(?P<count>{_HAN}{{1,3}}|\d{{1,3}})")
_OFF = re.compile(r"(?P<tens>[一二三四五六七八九])(?P<ones>[一二三四五六七八九])?折(?![叠扇磨])")
_TWO_FIGURES = re.compile(r"(?<![\d.])([1-9])([1-9])(?=\s?折(?![叠扇磨]))")
_WRITTEN = re.compile(r"(?<![\d/])\d{1,3}\s?/\s?\d{1,3}(?![\d/])")


def alike(statement: str, quote: str) -> tuple[str, str]:
    """Return a statement and its quote with discounts in figures, and fractions where one of the two writes them so.

    Where neither does, they stay in words: three quarters are 75 %, and as "3/4" they would not be.
    """
    statement, quote = _discounts(statement), _discounts(quote)
    if _WRITTEN.search(fold_width(statement)):
        return statement, _fractions(quote)
    if _WRITTEN.search(fold_width(quote)):
        return _fractions(statement), quote
    return statement, quote


def _discounts(text: str) -> str:
    if "折" not in text:
        return text
    return _TWO_FIGURES.sub(r"\1.\2", _OFF.sub(_discount, fold_width(text)))


def _fractions(text: str) -> str:
    return _EN.sub(_spelt, _ZH.sub(_fraction, text))


def _spelt(match: re.Match[str]) -> str:
    count = _COUNT.index(match["count"].lower()) + 1
    if (count == 1) == bool(match["many"]):  # "two third places" counts places
        return match[0]
    return f"{count}/{_VALUES[match['of'].lower()]}"


def _fraction(match: re.Match[str]) -> str:
    count, of = _number(match["count"]), _number(match["of"])
    return match[0] if count is None or of is None else f"{count}/{of}"


def _discount(match: re.Match[str]) -> str:
    tens, ones = _number(match["tens"]), _number(match["ones"]) if match["ones"] else None
    return f"{tens}折" if ones is None else f"{tens}.{ones}折"


def _number(written: str) -> int | None:
    found = value_of(written)
    return None if found is None else int(found)
