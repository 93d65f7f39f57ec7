"""Sub-queries that are words: an operator in one of them is text that somebody generated, and asks for nothing.

A model that writes ``laptop site:example.com`` as another wording would search elsewhere, ``laptop price:..200`` would
filter by what nobody said.  Strategies that are meant as syntax (``boolean``, ``site``) keep their operators, and so does
what the user typed, wherever it is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qx.syntax import And, Expression, Field, Not, Or, Phrase, Terms, words
from qx.text import negation

PLAIN = frozenset(
    {
        "spelling",
        "keywords",
        "synonym",
        "generalize",
        "refine",
        "decompose",
        "senses",
        "translate",
        "step-back",
        "pseudo-document",
        "feedback",
    }
)
"""Strategies whose sub-queries are words."""
TYPED = frozenset({"original", "exclude", "dated", "rule"})
"""Strategies whose ranges are the user's, or the profile's own; those of all others were inferred by somebody."""
_MARKS = re.compile(r"[\"“”「」()（）*~^]+|(?<!\S)[-+－＋]+(?=\S)")
_PREFIX = re.compile(r"(?<![\w.])(?!https?:)([^\W\d_][\w.-]+)[:：](?=[^\s/\\])")
_WORDS = re.compile(r"\b(?:AND|OR|NOT|NEAR)\b")


def operators(expression: Expression) -> frozenset[str]:
    """Return what an expression demands beside words: each exclusion, site, range, and the kinds of the others."""
    return frozenset(_operators(expression))


def _operators(expression: Expression) -> Iterator[str]:
    if isinstance(expression, (And, Or)):
        if isinstance(expression, Or):
            yield "or"
        for part in expression.parts:
            yield from _operators(part)
    elif isinstance(expression, Field):
        yield f"field {expression.name}"
        yield from _operators(expression.expression)
    elif isinstance(expression, Not) and isinstance(expression.expression, (Terms, Phrase)):
        yield from (f"not {word}" for part in words(expression.expression) for word in part.casefold().split())
    elif not isinstance(expression, (Terms, Phrase)):
        yield repr(expression)


def said(text: str, expression: Expression) -> frozenset[str]:
    """Return the ``operators`` that a query has, with what it rules out in words: "not HP" may be written ``-HP``."""
    excluded = {word for one in negation.find(text) for word in one.target.casefold().split()}
    return operators(expression) | {f"not {word}" for word in excluded}


def literal(text: str) -> str:
    """Return ``text`` without the signs of a syntax, in this or in an engine's: ``-HP brand:x`` says ``HP brand x``."""
    bare = _PREFIX.sub(r"\1 ", _MARKS.sub(" ", text))
    return " ".join(_WORDS.sub(lambda match: match[0].lower(), bare).split())


__all__ = ["PLAIN", "TYPED", "literal", "operators", "said"]
