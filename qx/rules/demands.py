"""Operators in a candidate that the query does not have: exclusions, and alternatives that say something else.

``-red shoes`` for "red shoes" looks like another wording and asks for the contrary, ``red shoes OR anything`` for all
there is.  An exclusion must be one of the query's; what stands beside ``OR`` must be another wording of its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.domain import Knowledge
from qx.rules.terms import has_han, plain
from qx.syntax import And, Expression, Field, Not, Or, parse, words
from qx.text import negation
from qx.text.segment import keywords, stem
from qx.types import Understanding

_MADE = re.compile(r"(?<!\S)[-－−]\S|\b(?:OR|NOT)\b")
"""What only an operator looks like; most candidates have none of it."""
_SIGN = re.compile("[-－−ON]")
"""A character of each of them: to look for one of these is quicker."""
_LONGEST_WORDING = 8


def unasked(text: str, query: str, understanding: Understanding, knowledge: Knowledge) -> str | None:
    """Return why the operators of a candidate ask for something else than the query; None where they do not.

    Args:
        text: The candidate.
        query: The query in its own words.
    """
    if not _SIGN.search(text) or not _MADE.search(text):
        return None
    asked, folded = parse(query), plain(query)
    allowed = {plain(word) for word in _excluded(asked)}
    allowed |= {plain(one.target) for one in negation.find(query)} | set(map(plain, understanding.negations))
    allowed |= {plain(str(c.value)) for c in understanding.constraints if c.op == "ne"}
    found = parse(text)
    for word in _excluded(found):
        if not any(plain(word) in one or one in plain(word) for one in allowed if one):
            return f"excludes {word!r}, which the query does not"
    if _has_or(asked):
        return None
    own = {stem(plain(word)) for word in keywords(query)}
    for alternative in _alternatives(found):
        if not _is_wording(alternative, folded, own, knowledge):
            return f"asks for {alternative!r} as well"
    return None


def _excluded(tree: Expression) -> Iterator[str]:
    if isinstance(tree, Not):
        yield from words(tree.expression)
    elif isinstance(tree, (And, Or)):
        for part in tree.parts:
            yield from _excluded(part)
    elif isinstance(tree, Field):
        yield from _excluded(tree.expression)


def _has_or(tree: Expression) -> bool:
    return isinstance(tree, Or) or (isinstance(tree, And) and any(map(_has_or, tree.parts)))


def _alternatives(tree: Expression) -> Iterator[str]:
    """The words of each alternative that stands beside another."""
    if isinstance(tree, Or):
        for part in tree.parts:
            yield " ".join(words(part))
    elif isinstance(tree, And):
        for part in tree.parts:
            yield from _alternatives(part)


def _is_wording(text: str, folded: str, own: set[str], knowledge: Knowledge) -> bool:
    """Whether ``text`` is words of the query, has one of them, or is another name of one."""
    said = plain(text)
    found = keywords(text)
    if not found:
        return False
    if said in folded or any(stem(plain(word)) in own or plain(word) in folded for word in found):
        return True
    if any(plain(other) in folded for other, _ in knowledge.synonyms.get(said, ())):
        return True
    names = {plain(other) for piece in _pieces(folded) for other, _ in knowledge.synonyms.get(piece, ())}
    return said in names or not {plain(word) for word in found}.isdisjoint(names)


def _pieces(folded: str) -> Iterator[str]:
    """What of a query may have other names: parts of Chinese, runs of words."""
    if has_han(folded):
        for size in range(1, _LONGEST_WORDING + 1):
            yield from (folded[at : at + size] for at in range(len(folded) - size + 1))
    single = folded.split()
    for size in range(1, 5):
        yield from (" ".join(single[at : at + size]) for at in range(len(single) - size + 1))


__all__ = ["unasked"]
