"""An expression as alternatives, each of which Meilisearch can be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from qx.serial import value
from qx.syntax import And, Expression, Field, FileType, Not, Or, Phrase, Range, Site, Terms
from qx_meilisearch.words import literal

MAX_CLAUSES = 32


@value
class Within:
    """Words (or a phrase) that a canonical field must hold, or must not."""

    field: str
    text: str
    phrase: bool = False
    negative: bool = False


@value
class Clause:
    """What one kind of match must fulfil: all of it.

    Attributes:
        groups: Of each group of words any one must be there.
        phrases: Stand in the document as they are.
        excluded: Words and phrases that must not be there, as they are rendered.
        within: What single fields must hold.
        places: ``site:`` and ``filetype:`` nodes, with whether they are negated.
        unexpressed: What could not be said.
    """

    groups: tuple[tuple[str, ...], ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    within: tuple[Within, ...] = ()
    places: tuple[tuple[Site | FileType, bool], ...] = ()
    unexpressed: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for."""
        return not (self.groups or self.phrases or self.excluded or self.within or self.places)

    def joined(self, other: Clause) -> Clause:
        """Return what asks for both."""
        return Clause(
            groups=self.groups + other.groups,
            phrases=self.phrases + other.phrases,
            excluded=self.excluded + other.excluded,
            within=self.within + other.within,
            places=self.places + other.places,
            unexpressed=self.unexpressed + other.unexpressed,
        )


def alternatives(expression: Expression) -> tuple[Clause, ...]:
    """Return the clauses of which any may match; none where nothing is asked for."""
    found = tuple(clause for clause in _alternatives(expression) if not clause.empty or clause.unexpressed)
    if len(found) <= MAX_CLAUSES:
        return found
    cut = replace(found[0], unexpressed=(*found[0].unexpressed, f"{len(found) - MAX_CLAUSES} more alternatives"))
    return (cut, *found[1:MAX_CLAUSES])


def _alternatives(expression: Expression) -> tuple[Clause, ...]:
    if isinstance(expression, Or):
        return _any(expression.parts)
    if isinstance(expression, And):
        return _all(expression.parts)
    if isinstance(expression, Not):
        return (_negated(expression.expression),)
    if isinstance(expression, Terms):
        words = tuple(word for word in expression.words if literal(word))
        return (Clause(groups=(words,)),) if words else ()
    if isinstance(expression, Phrase):
        return (Clause(phrases=(expression.text,)),) if literal(expression.text) else ()
    if isinstance(expression, Field):
        return tuple(Clause(within=(inside,)) for inside in _within(expression, negative=False))
    if isinstance(expression, (Site, FileType)):
        return (Clause(places=((expression, False),)),)
    return (Clause(unexpressed=(_shown(expression),)),)


def _any(parts: Sequence[Expression]) -> tuple[Clause, ...]:
    """Alternatives that are words alone make one group: they are looked up together."""
    clauses = [clause for part in parts for clause in _alternatives(part)]
    plain = [
        clause.groups[0] for clause in clauses if clause == Clause(groups=clause.groups) and len(clause.groups) == 1
    ]
    rest = [clause for clause in clauses if not (clause == Clause(groups=clause.groups) and len(clause.groups) == 1)]
    words = tuple(chain.from_iterable(plain))
    return (Clause(groups=(words,)), *rest) if words else tuple(rest)


def _all(parts: Sequence[Expression]) -> tuple[Clause, ...]:
    found: tuple[Clause, ...] = (Clause(),)
    for part in parts:
        options = _alternatives(part)
        if not options:
            continue  # no word in it: it asks for nothing
        found = tuple(left.joined(right) for left in found for right in options)
        if len(found) > MAX_CLAUSES:
            dropped = f"{len(found) - MAX_CLAUSES} more combinations"
            found = (replace(found[0], unexpressed=(*found[0].unexpressed, dropped)), *found[1:MAX_CLAUSES])
    return tuple(clause for clause in found if clause != Clause())


def _negated(expression: Expression) -> Clause:
    if isinstance(expression, Terms):
        words = [plain for word in expression.words if (plain := literal(word))]
        return Clause(excluded=tuple(f'-"{word}"' for word in words))
    if isinstance(expression, Phrase):
        plain = literal(expression.text)
        return Clause(excluded=(f'-"{plain}"',) if plain else ())
    if isinstance(expression, Field):
        return Clause(within=tuple(_within(expression, negative=True)))
    if isinstance(expression, (Site, FileType)):
        return Clause(places=((expression, True),))
    return Clause(unexpressed=(f"NOT {_shown(expression)}",))


def _within(field: Field, *, negative: bool) -> list[Within]:
    inner = field.expression
    texts = inner.words if isinstance(inner, Terms) else (inner.text,) if isinstance(inner, Phrase) else ()
    return [
        Within(field=field.name, text=plain, phrase=isinstance(inner, Phrase), negative=negative)
        for text in texts
        if (plain := literal(text))
    ]


def _shown(expression: Expression) -> str:
    if isinstance(expression, Range):
        return f"{expression.field}:{expression.low or ''}..{expression.high or ''}"
    return f"an expression of kind '{expression.node}'"
