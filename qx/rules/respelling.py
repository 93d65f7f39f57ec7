"""Other spellings of a query's measures, from the packs' ``units``: ``15.6寸`` is ``15.6英寸`` and ``15.6 inch``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from qx.domain import Knowledge
from qx.rules.terms import has_han, plain
from qx.text import quantities
from qx.text.units import UNIT, canonical

_NUMBER = re.compile(r"\d[\d,.]*")


def respelt(text: str, language: str, knowledge: Knowledge) -> Iterator[tuple[str, str, str]]:
    """Yield (the measure as typed, another spelling, the text with it) for each measure that the packs can spell.

    The spellings of the query's own language come first; Chinese texts have those of others too.
    """
    known = _spellings(knowledge)
    if not known:
        return
    for quantity in quantities.find(text):
        words = known.get(quantity.unit or "")
        place = _measure(text, quantity.start, quantity.end) if words else None
        if words is None or place is None:
            continue
        start, end, number, unit = place
        for word in _ordered(words, language):
            if plain(word) != plain(unit):
                measure = _written(number, word)
                yield text[start:end], measure, _put(text, start, end, measure)


def _spellings(knowledge: Knowledge) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    return {canonical(one.unit)[0] or one.unit: one.words for one in knowledge.units}


def _measure(text: str, start: int, end: int) -> tuple[int, int, str, str] | None:
    """Where the number and its unit stand within an amount, whose words may say more: 至少27寸."""
    for number in _NUMBER.finditer(text, start, end):
        unit = UNIT.match(text, number.end())
        if unit is not None and unit.end() <= end:
            return number.start(), unit.end(), number[0], unit["unit"]
    return None


def _ordered(words: Mapping[str, tuple[str, ...]], language: str) -> tuple[str, ...]:
    own = language.split("-")[0]
    others = [
        word for tag, others in words.items() if tag != own for word in others if own == "zh" or not has_han(word)
    ]
    return tuple(dict.fromkeys((*words.get(own, ()), *others)))


def _written(number: str, word: str) -> str:
    return f"{number} {word}" if word.isalpha() and not has_han(word) else f"{number}{word}"


def _put(text: str, start: int, end: int, measure: str) -> str:
    after = " " if text[end : end + 1].isalnum() and measure[-1].isascii() else ""
    return " ".join(f"{text[:start]}{measure}{after}{text[end:]}".split())
