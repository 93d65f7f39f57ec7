"""Expression -> the query line of an engine's dialect, with what could not be said there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from qx.serial import value
from qx.syntax.dialects import DIALECTS, QX, Dialect
from qx.syntax.escaping import escaped, quoted
from qx.syntax.tree import And, Expression, Field, FileType, Not, Or, Phrase, Range, Site, Terms, negation


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
    return _Renderer(chosen).run(expression)


class _Renderer:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.unexpressed: list[str] = []

    def run(self, expression: Expression) -> Rendered:
        parts = expression.parts if isinstance(expression, And) else (expression,)
        found = [part for part in (self._part(p, grouped=len(parts) > 1) for p in parts) if part.texts]
        text = self._joined(self._shortened(found))
        limit = self.dialect.max_chars
        if limit is not None and _width(text, self.dialect) > limit:
            self.unexpressed.append(f"more than {limit} characters")
        return Rendered(text=text, unexpressed=tuple(filter(None, dict.fromkeys(self.unexpressed))))

    # ---- the line ----

    def _part(self, expression: Expression, *, grouped: bool) -> _Part:
        if isinstance(expression, Terms):
            return _Part(texts=tuple(self._words(expression)), words=True)
        text = self._inline(expression, grouped=grouped)
        return _Part(texts=(text,) if text else ())

    def _words(self, terms: Terms) -> list[str]:
        limit = None if self.dialect.max_chars is None else self.dialect.max_chars // self.dialect.wide
        return [piece for word in terms.words for piece in escaped(word[:limit], self.dialect)]

    def _joined(self, parts: Sequence[_Part]) -> str:
        """Join the parts; between two of words stands the dialect's word for "both"."""
        pieces: list[str] = []
        for number, part in enumerate(parts):
            if number and part.words and parts[number - 1].words and self.dialect.both:
                pieces.append(self.dialect.both)
            pieces += part.texts
        return " ".join(pieces)

    def _shortened(self, parts: list[_Part]) -> list[_Part]:
        """Leave out the last words until the line is short enough for the engine."""
        words = [(number, text) for number, part in enumerate(parts) if part.words for text in part.texts]
        room = self._room(parts)
        kept = 0
        while kept < len(words) and room(words[kept][1]):
            kept += 1
        if kept == len(words):
            return parts
        left_out = " ".join(text for _, text in words[kept:])
        self.unexpressed.append(f"words past the limit: {left_out[:200]}")
        by_part: dict[int, list[str]] = {}
        for number, text in words[:kept]:
            by_part.setdefault(number, []).append(text)
        shorter = [_Part(texts=tuple(by_part.get(n, ())), words=True) if p.words else p for n, p in enumerate(parts)]
        return [part for part in shorter if part.texts]

    def _room(self, parts: Sequence[_Part]) -> _Room:
        fixed = [text for part in parts if not part.words for text in part.texts]
        glue = len(self.dialect.both or "") + 1
        between = sum(glue for a, b in pairwise(parts) if a.words and b.words)
        taken = _width(" ".join(fixed), self.dialect) + between
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
            return self._group(pieces, grouped=grouped and len(pieces) > 1)
        if isinstance(expression, And):
            parts = [self._part(part, grouped=True) for part in expression.parts]
            return self._group([self._joined([p for p in parts if p.texts])], grouped=grouped)
        if isinstance(expression, Or):
            return self._either(expression, grouped=grouped)
        if isinstance(expression, Not):
            return self._excluded(expression, grouped=grouped)
        if isinstance(expression, Phrase):
            return self._phrase(expression)
        return self._field(expression) if isinstance(expression, Field) else self._restriction(expression)

    def _group(self, pieces: Sequence[str], *, grouped: bool) -> str:
        text = " ".join(piece for piece in pieces if piece)
        return f"({text})" if text and grouped and self.dialect.either else text

    def _either(self, expression: Or, *, grouped: bool) -> str:
        said = [part for part in expression.parts if self.dialect.mixed or not isinstance(part, Not)]
        self.unexpressed += [_canonical(part) for part in expression.parts if part not in said]
        texts = list(dict.fromkeys(text for part in said if (text := self._inline(part, grouped=True))))
        if len(texts) < 2:
            return self._group(texts, grouped=False)
        if self.dialect.either is None:
            self.unexpressed.append(_canonical(expression))
            return " ".join(texts)
        return self._group([f" {self.dialect.either} ".join(texts)], grouped=grouped)

    def _excluded(self, expression: Not, *, grouped: bool) -> str:
        inner = expression.expression
        if isinstance(inner, (And, Or, Not)) or (isinstance(inner, Terms) and len(inner.words) != 1):
            return self._inline(negation(inner), grouped=grouped)
        if self.dialect.exclude is None:
            self.unexpressed.append(_canonical(expression))
            return ""
        text = " ".join(self._words(inner)) if isinstance(inner, Terms) else self._inline(inner, grouped=True)
        if isinstance(inner, Terms) and not text.startswith('"') and (" " in text or not text[:1].isalpha()):
            text = quoted(text)  # "-5" would be a number
        return " ".join(self.dialect.exclude + piece for piece in ([text] if text.startswith('"') else text.split()))

    def _phrase(self, expression: Phrase) -> str:
        if self.dialect.phrase:
            return quoted(expression.text)
        self.unexpressed.append(_canonical(expression))
        return " ".join(expression.text.split())

    def _field(self, expression: Field) -> str:
        form = self.dialect.fields.get(expression.name)
        if form is None and self.dialect is QX:
            form = expression.name + ":{}"
        inner = expression.expression
        texts = self._words(inner) if isinstance(inner, Terms) else [self._inline(inner, grouped=True)]
        if form is None:
            self.unexpressed.append(_canonical(expression))
            return " ".join(texts)
        return " ".join(form.format(text) for text in texts if text)

    def _restriction(self, expression: Site | FileType | Range) -> str:
        text = ""
        if isinstance(expression, Site):
            text = (self.dialect.site or "").format(expression.host)
        elif isinstance(expression, FileType):
            text = (self.dialect.filetype or "").format(expression.extension)
        elif expression.field == "published" and (self.dialect.after or self.dialect.before):
            text = self._dates(expression)
        elif self.dialect.ranges:
            low, high = ("" if end is None else str(end) for end in (expression.low, expression.high))
            text = self.dialect.ranges.format(field=expression.field, low=low, high=high)
        if not text:
            self.unexpressed.append(_canonical(expression))
        return text

    def _dates(self, expression: Range) -> str:
        after, before = self.dialect.after or "", self.dialect.before or ""
        ends = ((after, expression.low), (before, expression.high))
        return " ".join(form.format(end) for form, end in ends if end is not None)


class _Room:
    """Counts down the words and characters that the line still takes."""

    def __init__(self, *, words: int | None, chars: int | None, first: bool, dialect: Dialect) -> None:
        self.words = words
        self.chars = chars
        self.first = first
        self.dialect = dialect

    def __call__(self, text: str) -> bool:
        """Whether ``text`` still fits; takes its room if so."""
        count, length = len(text.split()), _width(text, self.dialect) + (not self.first)
        if (self.words is not None and count > self.words) or (self.chars is not None and length > self.chars):
            return False
        self.words = None if self.words is None else self.words - count
        self.chars = None if self.chars is None else self.chars - length
        self.first = False
        return True


def _width(text: str, dialect: Dialect) -> int:
    return len(text) + (dialect.wide - 1) * sum(1 for char in text if char >= "\u2e80")


def _canonical(expression: Expression) -> str:
    return _Renderer(QX).run(expression).text
