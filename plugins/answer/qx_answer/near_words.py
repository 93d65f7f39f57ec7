"""A question in other words of its language: hens for chickens, 饮酒 for 喝酒; for an index that compares words.

It asks the same once more, and counts as a search of its own.
"""

from __future__ import annotations

from qx.text.language import identify
from qx_answer.concepts import wordings
from qx_answer.terms import terms

_EACH = 4
"""Other words for one at most."""


def near_query(text: str) -> str:
    """Return the names of ``text`` and the other words for what it speaks of; empty where no list has any."""
    ascii_only = not identify(text).startswith("zh")
    found: list[str] = []
    known = False
    for term in terms(text):
        if term.text.startswith("("):  # a measure, which no word names
            continue
        other = [] if term.name else [w for w in wordings(term.text) if w.isascii() is ascii_only and w != term.text]
        known = known or bool(other)
        found += other[:_EACH] or [term.text]
    return " ".join(dict.fromkeys(found)) if known else ""
