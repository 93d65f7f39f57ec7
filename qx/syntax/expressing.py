"""What of an expression a dialect can say: tree -> smaller tree, and the parts that were left out or became words."""

from __future__ import annotations

from collections.abc import Callable

from qx.serial import value
from qx.syntax.dialects import QX, Dialect
from qx.syntax.escaping import quoted, sayable
from qx.syntax.tree import (
    NOTHING,
    And,
    Expression,
    Field,
    FileType,
    Not,
    Or,
    Phrase,
    Range,
    Site,
    Terms,
    conjunction,
    disjunction,
    negation,
)


@value
class Expressed:
    """``expression`` holds only what the dialect has a form for; words that would be empty are gone."""

    expression: Expression
    unexpressed: tuple[Expression, ...] = ()


def express(expression: Expression, dialect: Dialect) -> Expressed:
    """Return what of ``expression`` can be said in ``dialect``.

    A phrase and the words of a field become plain words, alternatives become words side by side; exclusions, sites,
    file types and ranges without a form are left out.  All of them are reported.
    """
    missing: list[Expression] = []
    reduced = _reduced(expression, dialect, missing.append)
    return Expressed(expression=reduced, unexpressed=tuple(dict.fromkeys(missing)))


def _reduced(expression: Expression, dialect: Dialect, report: Callable[[Expression], None]) -> Expression:
    if isinstance(expression, Terms):
        return Terms(words=tuple(word for word in expression.words if sayable(word, dialect)))
    if isinstance(expression, And):
        return _all(expression, dialect, report)
    if isinstance(expression, Or):
        return _any(expression, dialect, report)
    if isinstance(expression, Not):
        return _none(expression, dialect, report)
    if isinstance(expression, Phrase):
        if dialect.phrase:
            return expression if quoted(expression.text) else NOTHING
        report(expression)
        return Terms(words=tuple(expression.text.split()))
    if isinstance(expression, Field):
        inner = _reduced(expression.expression, dialect, report)
        if inner == NOTHING or expression.name in dialect.fields or dialect is QX:
            return inner if inner == NOTHING else Field(name=expression.name, expression=inner)
        report(expression)
        return inner
    if _has_form(expression, dialect):
        return expression
    report(expression)
    return NOTHING


def _has_form(expression: Site | FileType | Range, dialect: Dialect) -> bool:
    if isinstance(expression, Site):
        return dialect.site is not None
    if isinstance(expression, FileType):
        return dialect.filetype is not None
    if expression.field != "published" or dialect.after is None or dialect.before is None:
        return dialect.ranges is not None
    return True


def _all(expression: And, dialect: Dialect, report: Callable[[Expression], None]) -> Expression:
    parts: list[Expression] = []
    gap = False  # something between two runs of words was left out: they are one run again
    for part in expression.parts:
        reduced = _reduced(part, dialect, report)
        last = parts[-1] if parts else None
        if reduced == NOTHING:
            gap = True
        elif gap and isinstance(reduced, Terms) and isinstance(last, Terms):
            parts[-1] = Terms(words=last.words + reduced.words)
        else:
            parts.append(reduced)
            gap = False
    return conjunction(parts)


def _any(expression: Or, dialect: Dialect, report: Callable[[Expression], None]) -> Expression:
    parts: list[Expression] = []
    for part in expression.parts:
        if isinstance(part, Not) and not dialect.mixed:
            report(part)
            continue
        missing: list[Expression] = []
        reduced = _reduced(part, dialect, missing.append)
        if not dialect.mixed and _only_excludes(reduced):
            report(part)
            continue
        for one in missing:
            report(one)
        parts.append(reduced)
    found = disjunction(list(dict.fromkeys(parts)))
    if not isinstance(found, Or) or dialect.either is not None:
        return found
    report(expression)
    return conjunction(found.parts)


def _only_excludes(expression: Expression) -> bool:
    return isinstance(expression, Not) or (
        isinstance(expression, And) and all(isinstance(part, Not) for part in expression.parts)
    )


def _none(expression: Not, dialect: Dialect, report: Callable[[Expression], None]) -> Expression:
    inner = expression.expression
    if isinstance(inner, (And, Or, Not)) or (isinstance(inner, Terms) and len(inner.words) != 1):
        return _reduced(negation(inner), dialect, report)
    if dialect.exclude is None or (isinstance(inner, Field) and inner.name not in dialect.fields and dialect is not QX):
        report(expression)
        return NOTHING
    if isinstance(inner, (Site, FileType, Range)) and not _has_form(inner, dialect):
        report(expression)
        return NOTHING
    reduced = _reduced(inner, dialect, report)
    return NOTHING if reduced == NOTHING else Not(expression=reduced)
