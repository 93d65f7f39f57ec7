"""The query line: an expression in the API's dialect, never longer than the API reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qx.builtin.web.settings import Settings
from qx.syntax import DIALECTS, And, Dialect, Expression, FileType, Not, Range, Rendered, Site, Terms, render, words
from qx.syntax.rendering import width

TOO_LONG = "operators: the query is longer than the engine reads"


def dialect_of(settings: Settings) -> Dialect:
    """Return the dialect with the profile's own limits."""
    found = DIALECTS[settings.dialect]
    return replace(
        found, max_chars=settings.max_chars or found.max_chars, max_words=settings.max_words or found.max_words
    )


def query_line(expression: Expression, added: Sequence[Expression], dialect: Dialect) -> Rendered:
    """Return the line of ``expression`` with the restrictions ``added``.

    Where it would be longer than the engine reads, the looked-for words alone are left of it, as many as fit; where
    restrictions leave no room for any word, they go first.  What was left out is in ``unexpressed``.
    """
    whole = render(_all(expression, added), dialect)
    parts = expression.parts if isinstance(expression, And) else (expression,)
    kept = [part for part in parts if isinstance(part, (Site, FileType, Range))]
    looked_for = words(expression)
    beside = [part for part in parts if isinstance(part, (Site, FileType, Range, Not))]
    if _fits(whole.text, dialect) and not (looked_for and is_wordless(whole, [*beside, *added], dialect)):
        return whole
    plain = Terms(words=looked_for)
    for restrictions in ([*kept, *added], added):
        shorter = render(_all(plain, restrictions), dialect)
        if _fits(shorter.text, dialect) and not (looked_for and is_wordless(shorter, restrictions, dialect)):
            break
    else:
        shorter = render(plain, dialect)
    return Rendered(text=shorter.text, unexpressed=(*shorter.unexpressed, TOO_LONG))


def is_wordless(line: Rendered, restrictions: Sequence[Expression], dialect: Dialect) -> bool:
    """Return whether a line says nothing but ``restrictions``: it would ask for whatever is there."""
    return line.text == render(And(parts=tuple(restrictions)), dialect).text


def _all(expression: Expression, added: Sequence[Expression]) -> Expression:
    if not added:
        return expression
    parts = expression.parts if isinstance(expression, And) else (expression,)
    return And(parts=(*parts, *added))


def _fits(text: str, dialect: Dialect) -> bool:
    chars, count = dialect.max_chars, dialect.max_words
    return (chars is None or width(text, dialect) <= chars) and (count is None or len(text.split()) <= count)
