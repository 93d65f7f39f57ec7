"""Words of a query that no document holds, and the words of the index that they may have been meant as.

A Latin word goes by its letters, where an engine can say what is near it (``SupportsSpelling``); Chinese by its sound:
two characters that are no word, and stand side by side in no document, where others of the same sound do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from qx.errors import QxError
from qx.steps.grounding.vocabulary import tell_unknown, times
from qx.syntax import demands, left, negated, parse
from qx.text import identifiers, quotes
from qx.text.clean import clean
from qx.text.near import distance, may_be_misspelt
from qx.text.pinyin import homophones
from qx.text.segment import HAN, comparable, keywords, pieces
from qx.types import Hit

if TYPE_CHECKING:
    from qx.context import Context

MOST_WORDS = 8
"""Words of a query that are looked at."""
MOST_SOUNDS = 120
"""Pairs of the same sound that the engines are asked for, in place of one."""
SECONDS, SECONDS_OF_NOTHING = 0.1, 0.5
"""How long the engines have to answer each question; where the query finds nothing at all there is more to gain."""

_HAN = re.compile(f"[{HAN}]")


async def respelt(text: str, hits: Sequence[Hit], context: Context) -> str | None:
    """Return a query with its unheld words as the index has them; None where it holds all, or has none like them.

    Args:
        text: The query as typed.
        hits: The first of what it finds: what they hold need not be asked for.
        context: Says what the engines hold.
    """
    vocabulary = context.vocabulary
    if vocabulary is None or not vocabulary.tells("frequencies"):
        return None
    held = {comparable(word) for hit in hits for word in keywords(f"{hit.title}\n{hit.text}")}
    words = [word for word in _words(text) if comparable(word) not in held]
    pairs = [pair for pair in _pairs(text) if not any(pair in f"{hit.title}\n{hit.text}" for hit in hits)]
    if not words and not pairs:
        return None
    seconds = SECONDS if hits else SECONDS_OF_NOTHING
    try:
        counts = await vocabulary.frequencies([*words, *pairs], seconds)
        unheld = [word for word in words if counts and not times(counts, word)]
        changes = await _near(unheld, context, seconds)
        for pair in pairs:
            if counts and not times(counts, pair) and (heard := await _heard(pair, context, seconds)):
                changes[pair] = heard
    except QxError as error:
        tell_unknown(context, error)
        return None
    return _changed(text, changes) if changes else None


async def _near(words: Sequence[str], context: Context, seconds: float) -> dict[str, str]:
    """The nearest word of the index for each; of equally near ones that in most documents."""
    vocabulary = context.vocabulary
    if not words or vocabulary is None or not vocabulary.tells("spellings"):
        return {}
    found = await vocabulary.spellings(words, seconds)
    near = [other for others in found.values() for other in others]
    counts = await vocabulary.frequencies(near, seconds) if near else {}
    return {
        word: min(others, key=lambda other: (distance(word, other), -times(counts, other), other))
        for word, others in found.items()
        if others
    }


async def _heard(pair: str, context: Context, seconds: float) -> str | None:
    """The pair of the same sound that most documents hold; one of its characters stays."""
    first, second = pair
    likely = [f"{other}{second}" for other in homophones(first)] + [f"{first}{other}" for other in homophones(second)]
    vocabulary = context.vocabulary
    if not likely or vocabulary is None:
        return None
    counts = await vocabulary.frequencies(likely[:MOST_SOUNDS], seconds)
    best = max(likely[:MOST_SOUNDS], key=lambda other: times(counts, other))
    return best if times(counts, best) else None


def _open(text: str) -> str:
    """The query with spaces in the place of what nobody respells: names and numbers, quotations, operators."""
    out = left(text, demands(text))
    for found in (*identifiers.find(out), *quotes.phrases(out)):
        out = f"{out[: found.start]}{' ' * (found.end - found.start)}{out[found.end :]}"
    return out


def _words(text: str) -> list[str]:
    out = {word.casefold() for word in negated(parse(text))}
    found = [word for word in keywords(_open(text)) if may_be_misspelt(word) and word.casefold() not in out]
    return list(dict.fromkeys(found))[:MOST_WORDS]


def _pairs(text: str) -> list[str]:
    """Two characters side by side that the dictionary has no word for."""
    cut = pieces(clean(_open(text)).text)
    single = [(a, b) for a, b in pairwise(cut) if len(a) == len(b) == 1 and _is_han(a) and _is_han(b)]
    return list(dict.fromkeys(f"{a}{b}" for a, b in single))[:MOST_WORDS]


def _is_han(character: str) -> bool:
    return _HAN.fullmatch(character) is not None


def _changed(text: str, changes: Mapping[str, str]) -> str:
    for wrong, right in changes.items():
        text = text.replace(wrong, right)
    return text


__all__ = ["respelt"]
