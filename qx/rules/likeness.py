"""Whether two queries are one for a search engine: the same words in another case, width, spacing or order."""

from __future__ import annotations

import re

from qx.rules import figures
from qx.rules.terms import plain
from qx.serial import value
from qx.text import identifiers
from qx.text.normalise import similarity

_OPERATOR = re.compile(r"\b(?:site|filetype|intitle|inurl|author|before|after):\S+|\"[^\"]+\"|\bOR\b|\||(?<!\S)-\w+")
_PUNCTUATION = re.compile(r"[\s,.;:!?，。；：！？、·…~～]+")


@value
class Likeness:
    """One query made ready to be compared.

    Attributes:
        key: Folded, without punctuation and spaces between Chinese; equal keys are one query.
        operators: Its web syntax: a phrase query is not the same query without the quotes.
        figures: The numbers and identifiers that it names; unlike ones are never one query, however alike the rest.
    """

    text: str
    key: str
    operators: frozenset[str]
    figures: frozenset[str]


def likeness(text: str) -> Likeness:
    """Make ``text`` ready to be compared."""
    folded = plain(text)
    numbers = {f"{f.low}:{f.high}:{f.op}" for f in figures.find(folded)}
    named = {re.sub(r"[\s-]+", "", plain(i.text)) for i in identifiers.find(text)}
    return Likeness(
        text=folded,
        key=_PUNCTUATION.sub(" ", folded).strip() or folded,
        operators=frozenset(plain(op) for op in _OPERATOR.findall(text)),
        figures=frozenset(numbers | named),
    )


def alike(a: Likeness, b: Likeness, threshold: float) -> bool:
    """Whether ``a`` and ``b`` are one query: equal, or at least ``threshold`` similar with equal numbers and syntax."""
    if a.operators != b.operators:
        return False
    if a.key == b.key or a.key.replace(" ", "") == b.key.replace(" ", ""):
        return True
    if a.figures != b.figures:
        return False
    longer, shorter = max(len(a.text), len(b.text)), min(len(a.text), len(b.text))
    if 2 * shorter < threshold * (longer + shorter):  # the bound that indel similarity cannot pass
        return False
    return max(similarity(a.text, b.text), similarity(b.text, a.text)) >= threshold
