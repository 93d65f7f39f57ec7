"""Expression -> the query line of an engine's dialect, with what could not be said there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from qx.serial import value
from qx.syntax.dialects import DIALECTS, QX, Dialect
from qx.syntax.escaping import escaped, quoted
from qx.syntax.expressing import express
from qx.syntax.tree import And, Expression, Field, FileType, Not, Or, Phrase, Range, Site, Terms

_WIDE = "\u2e80"
"""From here on are the scripts that are written without spaces, or with wide characters."""


@value
class Rendered:
    """``text`` for the engine; ``unexpressed`` parts in qx's own syntax, as ``price:..2000``."""

    text: str
    unexpressed: tuple[str, ...] = ()


@value
class _Part:
    """One part of the line; only plain ``words`` may be left out where the line gets too long."""

    texts: tuple[str, ...]
    words: bool = False


def render(expression: Expression, dialect: Dialect | str) -> Rendered:
    """Return the query line of ``expression``.

    What the dialect has no form for is left out, or becomes plain words (a phrase, a field's words), and is reported;
    so are words past the engine's limit.

    Raises:
        KeyError: no dialect of that name.
    """
    chosen = DIALECTS[dialect] if isinstance(dialect, str) else dialect
    expressed = express(expression, chosen)
    line = _Line(chosen)
    text = line.of(expressed.expression)
    canonical = _Line(QX)
    missing = [canonical.of(part) for part in expressed.unexpressed]
    return Rendered(text=text, unexpressed=(*filter(None, missing), *line.problems))


class _Line:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.problems: list[str] = []

    def of(self, expression: Expression) -> str:
        parts = expression.parts if isinstance(expression, And) else (expression,)
        text = self._joined(self._shortened([self._part(part, grouped=len(parts) > 1) for part in parts]))
        limit = self.dialect.max_chars
        if limit is not None and width(text, self.dialect) > limit:
            self.problems.append(f"more than {limit} characters")
        return text

    # ---- the whole ----

    def _part(self, expression: Expression, *, grouped: bool) -> _Part:
        if isinstance(expression, Terms):
            return _Part(texts=tuple(self._words(expression)), words=True)
        return _Part(texts=(self._inline(expression, grouped=grouped),))

    def _words(self, terms: Terms) -> list[str]:
        return [piece for word in terms.words for piece in escaped(word, self.dialect)]

    def _joined(self, parts: Sequence[_Part]) -> str:
        """Join the parts; between two of words stands the dialect's word for "both"."""
        pieces: list[str] = []
        before: _Part | None = None
        for part in parts:
            meet = before is not None and before.words and part.words
            # a quoted word is a part of its own already
            if meet and self.dialect.both and '"' not in (pieces[-1][0], part.texts[0][0]):
                pieces.append(self.dialect.both)
            pieces += part.texts
            before = part
        return " ".join(pieces)

    def _shortened(self, parts: list[_Part]) -> list[_Part]:
        """Leave out the last words, and cut the one before them, until the line is short enough for the engine."""
        words = [(number, text) for number, part in enumerate(parts) if part.words for text in part.texts]
        room = self._room(parts)
        kept: list[tuple[int, str]] = []
        while len(kept) < len(words) and room.take(words[len(kept)][1]):
            kept.append(words[len(kept)])
        if len(kept) < len(words):
            left_out = " ".join(text for _, text in words[len(kept) :])
            number, text = words[len(kept)]
            if begun := self._begun(text, room, alone=not kept):
                kept.append((number, begun))
                left_out = left_out.removeprefix('"').removeprefix(begun.strip('"')).lstrip()
            self.problems.append(f"words past the limit: {left_out[:200]}")
        by_part: dict[int, list[str]] = {}
        for number, text in kept:
            by_part.setdefault(number, []).append(text)
        shorter = [_Part(texts=tuple(by_part.get(n, ())), words=True) if p.words else p for n, p in enumerate(parts)]
        return [part for part in shorter if part.texts]

    def _begun(self, text: str, room: _Room, *, alone: bool) -> str:
        """As much of a word as there is room for, empty where that says nothing.

        A run of Han is several words, and its beginning always says something; that of another word is better only than
        no word at all.
        """
        han = text.strip('"')[:1] >= _WIDE
        if not (han or alone) or room.words == 0 or room.chars is None:
            return ""
        plain = text[1:-1] if text.startswith('"') else text
        chars = room.chars - (not room.first)
        size = max(0, min(len(plain), chars))
        while size and width(plain[:size], self.dialect) > chars:
            size -= 1
        for shorter in range(size, max(size - 3, (1 if han else 3)), -1):  # quotes may have to be put around it
            begun = " ".join(escaped(plain[:shorter], self.dialect))
            if begun and width(begun, self.dialect) <= chars:
                return begun
        return ""

    def _room(self, parts: Sequence[_Part]) -> _Room:
        fixed = [text for part in parts if not part.words for text in part.texts]
        glue = len(self.dialect.both or "") + 1
        between = sum(glue for a, b in pairwise(parts) if a.words and b.words)
        taken = width(" ".join(fixed), self.dialect) + between
        words, chars = self.dialect.max_words, self.dialect.max_chars
        return _Room(
            words=None if words is None else words - sum(len(text.split()) for text in fixed),
            chars=None if chars is None else chars - taken,
            first=not fixed,
            dialect=self.dialect,
        )

    # ---- one part ----

    def _inline(self, expression: Expression, *, grouped: bool) -> str:
        if isinstance(expression, Terms):
            pieces = self._words(expression)
            return self._group(" ".join(pieces), grouped=grouped and len(pieces) > 1)
        if isinstance(expression, And):
            return self._group(self._joined([self._part(p, grouped=True) for p in expression.parts]), grouped=grouped)
        if isinstance(expression, Or):
            texts = [self._inline(part, grouped=True) for part in expression.parts]
            return self._group(f" {self.dialect.either} ".join(texts), grouped=grouped)
        if isinstance(expression, Not):
            return self._excluded(expression)
        if isinstance(expression, Phrase):
            return quoted(expression.text)
        return self._field(expression) if isinstance(expression, Field) else self._restriction(expression)

    def _group(self, text: str, *, grouped: bool) -> str:
        return f"({text})" if grouped and self.dialect.either else text

    def _excluded(self, expression: Not) -> str:
        inner = expression.expression
        text = " ".join(self._words(inner)) if isinstance(inner, Terms) else self._inline(inner, grouped=True)
        if isinstance(inner, Terms) and (" " in text.strip('"') or not text[:1].isalpha()):
            text = quoted(text) or text  # "-5" would be a number
        return (self.dialect.exclude or "") + text

    def _field(self, expression: Field) -> str:
        form = self.dialect.fields.get(expression.name, expression.name + ":{}")
        inner = expression.expression
        texts = self._words(inner) if isinstance(inner, Terms) else [self._inline(inner, grouped=True)]
        return " ".join(form.format(text) for text in texts)

    def _restriction(self, expression: Site | FileType | Range) -> str:
        if isinstance(expression, Site):
            return (self.dialect.site or "").format(expression.host)
        if isinstance(expression, FileType):
            return (self.dialect.filetype or "").format(expression.extension)
        if expression.field == "published" and self.dialect.after and self.dialect.before:
            return self._dates(expression)
        low, high = ("" if end is None else str(end) for end in (expression.low, expression.high))
        return (self.dialect.ranges or "").format(field=expression.field, low=low, high=high)

    def _dates(self, expression: Range) -> str:
        ends = ((self.dialect.after or "", expression.low), (self.dialect.before or "", expression.high))
        return " ".join(form.format(end) for form, end in ends if end is not None)


class _Room:
    """Counts down the words and characters that the line still takes."""

    def __init__(self, *, words: int | None, chars: int | None, first: bool, dialect: Dialect) -> None:
        self.words = words
        self.chars = chars
        self.first = first
        self.dialect = dialect

    def take(self, text: str) -> bool:
        """Whether ``text`` still fits; takes its room if so."""
        count, length = len(text.split()), width(text, self.dialect) + (not self.first)
        if (self.words is not None and count > self.words) or (self.chars is not None and length > self.chars):
            return False
        self.words = None if self.words is None else self.words - count
        self.chars = None if self.chars is None else self.chars - length
        self.first = False
        return True


def width(text: str, dialect: Dialect) -> int:
    """Return how many characters ``text`` counts for in the dialect's engine."""
    return len(text) + (dialect.wide - 1) * sum(1 for char in text if char >= _WIDE)
