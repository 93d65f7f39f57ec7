"""The query line: an expression in the API's dialect, never longer than the API reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qx.builtin.web.settings import Settings
from qx.syntax import DIALECTS, And, Dialect, Expression, FileType, Range, Rendered, Site, Terms, render, words
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

    Where it would be longer than the engine reads, the looked-for words alone are left of it, as many as fit; what was
    left out is in ``unexpressed``.
    """
    whole = render(_all(expression, added), dialect)
    if _fits(whole.text, dialect):
        return whole
    parts = expression.parts if isinstance(expression, And) else (expression,)
    kept = [part for part in parts if isinstance(part, (Site, FileType, Range))]
    plain = Terms(words=words(expression))
    for restrictions in ([*kept, *added], added):
        shorter = render(_all(plain, restrictions), dialect)
        if _fits(shorter.text, dialect):
            break
    else:
        shorter = render(plain, dialect)
    return Rendered(text=shorter.text, unexpressed=(*shorter.unexpressed, TOO_LONG))


def _all(expression: Expression, added: Sequence[Expression]) -> Expression:
    if not added:
        return expression
    parts = expression.parts if isinstance(expression, And) else (expression,)
    return And(parts=(*parts, *added))


def _fits(text: str, dialect: Dialect) -> bool:
    chars, count = dialect.max_chars, dialect.max_words
    return (chars is None or width(text, dialect) <= chars) and (count is None or len(text.split()) <= count)
