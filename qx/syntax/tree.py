"""The tree of a query expression.  ``node`` names the kind of a node in JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

from qx.serial import value


@value
class Terms:
    """Words as they were typed, in order: a document with any of them matches, with more of them better."""

    words: tuple[str, ...]
    node: Literal["terms"] = "terms"


@value
class Phrase:
    """Words that stand together in this order."""

    text: str
    node: Literal["phrase"] = "phrase"


@value
class And:
    """All of ``parts``."""

    parts: tuple[Expression, ...]
    node: Literal["and"] = "and"


@value
class Or:
    """Any of ``parts``."""

    parts: tuple[Expression, ...]
    node: Literal["or"] = "or"


@value
class Not:
    """Nothing that ``expression`` matches."""

    expression: Expression
    node: Literal["not"] = "not"


@value
class Field:
    """``expression`` (words or a phrase) within the field ``name``, such as ``intitle`` or ``author``."""

    name: str
    expression: Expression
    node: Literal["field"] = "field"


@value
class Site:
    """Pages of a host, with an optional path: ``zhihu.com``, ``github.com/python``, ``edu``."""

    host: str
    node: Literal["site"] = "site"


@value
class FileType:
    """Files with this extension, without the dot."""

    extension: str
    node: Literal["filetype"] = "filetype"


@value
class Range:
    """``low`` to ``high`` of a field, inclusive; absent ends are open.

    Ends are numbers or ISO dates (``2023``, ``2023-05``).  ``published`` comes from ``after:`` (from that date on) and
    ``before:`` (``exclusive``: earlier than ``high``).
    """

    field: str
    low: int | float | str | None = None
    high: int | float | str | None = None
    exclusive: bool = False
    node: Literal["range"] = "range"


Expression = Terms | Phrase | And | Or | Not | Field | Site | FileType | Range

NOTHING = Terms(words=())
_PICTURES = "So"
"""A category of Unicode that is looked for beside letters and figures."""


def is_wordless(expression: Expression) -> bool:
    """Whether nothing of it can be looked for: marks alone (``.``, ``"`` and the like), which an engine may take for none."""
    if isinstance(expression, (And, Or)):
        return all(map(is_wordless, expression.parts))
    if isinstance(expression, (Terms, Phrase)):
        text = "".join(expression.words) if isinstance(expression, Terms) else expression.text
        return not any(c.isalnum() or unicodedata.category(c) == _PICTURES for c in text)
    return False


def walk(expression: Expression, *, negative: bool = False) -> Iterator[tuple[Expression, bool]]:
    """Yield the leaves from left to right, each with whether it is negated."""
    if isinstance(expression, (And, Or)):
        for part in expression.parts:
            yield from walk(part, negative=negative)
    elif isinstance(expression, Not):
        yield from walk(expression.expression, negative=not negative)
    elif isinstance(expression, Field):
        yield from walk(expression.expression, negative=negative)
    else:
        yield expression, negative


def asks_nothing(expression: Expression) -> bool:
    """Return whether nothing is looked for: no word, phrase, site or range, or exclusions alone.

    Without a filter an engine answers that with nothing, never with everything (else); with one, with all that passes.
    """
    return not any(not negative and (not isinstance(leaf, Terms) or leaf.words) for leaf, negative in walk(expression))


def words(expression: Expression) -> tuple[str, ...]:
    """Return the words that are looked for, those of phrases and fields too, in order."""
    return _words(expression, negative=False)


def negated(expression: Expression) -> tuple[str, ...]:
    """Return the words that are excluded, in order."""
    return _words(expression, negative=True)


def _words(expression: Expression, *, negative: bool) -> tuple[str, ...]:
    found: list[str] = []
    for leaf, excluded in walk(expression):
        if excluded is negative:
            if isinstance(leaf, Terms):
                found += leaf.words
            elif isinstance(leaf, Phrase):
                found += leaf.text.split()
    return tuple(found)


def conjunction(parts: Sequence[Expression]) -> Expression:
    """Return the flat ``And`` of ``parts``: without empty ones, a single one by itself."""
    flat: list[Expression] = []
    for part in parts:
        flat += part.parts if isinstance(part, And) else () if part == NOTHING else (part,)
    return flat[0] if len(flat) == 1 else And(parts=tuple(flat)) if flat else NOTHING


def disjunction(parts: Sequence[Expression]) -> Expression:
    """Return the flat ``Or`` of ``parts``."""
    flat: list[Expression] = []
    for part in parts:
        flat += part.parts if isinstance(part, Or) else () if part == NOTHING else (part,)
    return flat[0] if len(flat) == 1 else Or(parts=tuple(flat)) if flat else NOTHING


def negation(expression: Expression) -> Expression:
    """Return what excludes ``expression``, with ``Not`` over leaves only."""
    if isinstance(expression, Not):
        return expression.expression
    if isinstance(expression, Or):
        return conjunction([negation(part) for part in expression.parts])
    if isinstance(expression, And):
        return disjunction([negation(part) for part in expression.parts])
    if isinstance(expression, Terms):
        return conjunction([Not(expression=Terms(words=(word,))) for word in expression.words])
    return Not(expression=expression)


def within(name: str, expression: Expression) -> Expression:
    """Return ``expression`` looked for in the field ``name``, with ``Field`` over words and phrases only."""
    if isinstance(expression, And):
        return conjunction([within(name, part) for part in expression.parts])
    if isinstance(expression, Or):
        return disjunction([within(name, part) for part in expression.parts])
    if isinstance(expression, Not):
        return Not(expression=within(name, expression.expression))
    if isinstance(expression, Terms):
        return conjunction([Field(name=name, expression=Terms(words=(word,))) for word in expression.words])
    return Field(name=name, expression=expression) if isinstance(expression, Phrase) else expression
