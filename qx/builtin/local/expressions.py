"""A query expression as a tantivy query, built from objects: no text of a user ever meets a query parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from qx import filters
from qx.builtin.local import codes
from qx.builtin.local.analysis import Analysis, Piece
from qx.builtin.local.filters import all_of, any_of, compile_filter, none_of
from qx.builtin.local.named import is_code, named, names
from qx.builtin.local.schema import tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.filters.fieldmap import FieldMap, lower
from qx.syntax import And, Expression, Field, FileType, Not, Or, Phrase, Range, Site, Terms, render, typed_filter, words

MOST_PIECES = 1024
"""Words of one request; what is beyond them is left out and reported."""
MOST_OF_A_TEXT = 400
"""Words of one typed word (a page of text without a space)."""
TIE = 0.1
WEAK, NEAR, PARTS = 0.3, 0.3, 0.5
"""What parts of a word, near words, and the parts of ``POL-358`` count beside the whole."""


@dataclass
class Compiler:
    """Makes the query of one request.

    Attributes:
        boosts: Column of a searched field -> weight.
        titles: The columns of ``intitle:``.
        texts: Path -> column of every searched field.
        unexpressed: What had to be left out.
        wanted: The tokens that highlights mark.
    """

    snapshot: Snapshot
    analysis: Analysis
    fields: FieldMap
    boosts: Mapping[str, float]
    titles: Sequence[str]
    texts: Mapping[str, str]
    unexpressed: list[str] = field(default_factory=list[str])
    wanted: set[str] = field(default_factory=set[str])
    left: int = MOST_PIECES

    def query(self, expression: Expression) -> Any | None:
        """Return the query; None where nothing is looked for."""
        found = self._any(expression)
        if self.left < 0:
            self.unexpressed.append(f"{-self.left} more words than the {MOST_PIECES} of one request")
        return found

    def phrase(self, text: str) -> Any | None:
        """Return the query for the words of ``text`` side by side."""
        return self._phrase(text, self.boosts, shown=False)

    def near(self, word: str, slips: int) -> Any | None:
        """Return the query for what is written nearly like a word; None for text of several, or without letters."""
        pieces = self.analysis.pieces(word)
        if len(pieces) != 1 or len(pieces[0].tokens) != 1 or pieces[0].uncut:
            return None
        token = pieces[0].tokens[0]
        library, schema = tantivy(), self.snapshot.schema
        return any_of([library.Query.fuzzy_term_query(schema, column, token, distance=slips) for column in self.boosts])

    def _any(self, expression: Expression) -> Any | None:
        if isinstance(expression, Terms):
            return self._terms(expression)
        if isinstance(expression, Phrase):
            return self._called((expression.text,), self._phrase(expression.text, self.boosts))
        if isinstance(expression, And):
            return self._all(expression)
        if isinstance(expression, Or):
            parts = [self._any(part) for part in expression.parts]
            known = [part for part in parts if part is not None]
            return any_of(known) if known else None
        if isinstance(expression, Not):
            inner = self._strict(expression.expression)
            return None if inner is None else none_of(inner)
        return self._restriction(expression)

    def _all(self, expression: And) -> Any | None:
        library = tantivy()
        clauses: list[tuple[Any, Any]] = []
        texts: list[Any | None] = []
        for part in expression.parts:
            if isinstance(part, Not):
                inner = self._strict(part.expression)
                if inner is not None:
                    clauses.append((library.Occur.MustNot, inner))
                continue
            inner = self._any(part)
            if words(part):
                texts.append(inner)
            if inner is not None:
                clauses.append((library.Occur.Must, inner))
        if not clauses:
            return None
        if texts and all(text is None for text in texts):  # mere marks: `?! site:x` is not all of the site
            return library.Query.empty_query()
        if all(occur == library.Occur.MustNot for occur, _ in clauses):
            clauses.append((library.Occur.Must, library.Query.all_query()))
        return library.Query.boolean_query(clauses)

    def _strict(self, expression: Expression) -> Any | None:
        """Return the query that matches only what holds all of a word: for exclusions."""
        if isinstance(expression, Terms):
            parts = [self._phrase(word, self.boosts, shown=False) for word in expression.words]
            known = [part for part in parts if part is not None]
            return self._called(expression.words, any_of(known) if known else None)
        if isinstance(expression, Phrase):
            return self._called((expression.text,), self._phrase(expression.text, self.boosts, shown=False))
        if isinstance(expression, (And, Or)):
            parts = [self._strict(part) for part in expression.parts]
            known = [part for part in parts if part is not None]
            return None if not known else all_of(known) if isinstance(expression, And) else any_of(known)
        return self._any(expression)

    def _terms(self, expression: Terms) -> Any | None:
        typed = [self.analysis.pieces(word)[:MOST_OF_A_TEXT] for word in expression.words]
        said = [piece for found in typed for piece in found]
        counts = Counter(piece.text for piece in said)
        pieces = list({piece.text: piece for piece in said}.values())
        content = [piece for piece in pieces if piece.content] or pieces
        kept = content[: max(self.left, 0)]
        self.left -= len(content)
        parts = [self._piece(piece, counts[piece.text]) for piece in kept]
        parts += [self._joined(pair) for pair in _amounts(pieces)]
        return self._called(expression.words, any_of(parts) if parts else None)

    def _called(self, said: Sequence[str], query: Any | None) -> Any | None:
        """Return ``query`` or what is called by one of the names in ``said``."""
        parts = named(names(said), self.snapshot, self.fields, max(self.boosts.values(), default=1.0))
        if not parts:
            return query
        return any_of([query, *parts]) if query is not None else any_of(parts)

    def _piece(self, piece: Piece, times: int) -> Any:
        library = tantivy()
        for found in (piece, *piece.also):
            self.wanted.update((found.text,) if found.uncut else found.tokens)
        whole = self._tokens(piece, float(times))
        parts = [self._tokens(other, NEAR * times) for other in piece.also]
        share = times * (WEAK / len(piece.weak) if piece.uncut and piece.weak else PARTS)
        weak = () if is_code(piece.text) and self._is_held(piece.text, whole) else piece.weak
        parts += [self._fields([(0, token)], self.boosts, share) for token in weak]
        if not parts:
            return whole
        return library.Query.boolean_query([(library.Occur.Should, part) for part in (whole, *parts)])

    def _is_held(self, code: str, whole: Any) -> bool:
        """Whether any document holds a code or is called so: then its parts are no words of the query."""
        called = named(names((code,)), self.snapshot, self.fields, 1.0)
        return self.snapshot.number(any_of([whole, *called])) > 0

    def _joined(self, pair: tuple[str, str]) -> Any:
        """Return the query for ``16gb`` where ``16 GB`` was typed."""
        tokens = self.analysis.sequence("".join(pair))
        return self._tokens(
            Piece(text="", tokens=tuple(t for _, t in tokens), steps=tuple(at for at, _ in tokens)), 1.0
        )

    def _tokens(self, piece: Piece, weight: float) -> Any:
        sequence = list(zip(piece.steps, piece.tokens, strict=True))
        return self._fields(sequence, self.boosts, weight)

    def _phrase(self, text: str, boosts: Mapping[str, float], *, shown: bool = True) -> Any | None:
        sequence = self.analysis.sequence(text)[:MOST_OF_A_TEXT]
        self.left -= max(len(sequence), 1)
        if not sequence or self.left < -MOST_PIECES:
            return None
        if shown:
            self.wanted.update(token for _, token in sequence)
        return self._fields(sequence, boosts, 1.0)

    def _fields(self, sequence: Sequence[tuple[int, str]], boosts: Mapping[str, float], weight: float) -> Any:
        library = tantivy()
        schema = self.snapshot.schema
        parts: list[Any] = []
        for column, boost in boosts.items():
            if len(sequence) == 1:
                part = library.Query.term_query(schema, column, sequence[0][1])
            else:
                part = library.Query.phrase_query(schema, column, list(sequence))
            parts.append(part if boost * weight == 1.0 else library.Query.boost_query(part, boost * weight))
        return parts[0] if len(parts) == 1 else library.Query.disjunction_max_query(parts, TIE)

    def _restriction(self, expression: Field | Site | FileType | Range) -> Any | None:
        if isinstance(expression, Field):
            return self._field(expression)
        if isinstance(expression, Site):
            return self.snapshot.exact(codes.site_token(expression.host))
        if isinstance(expression, FileType):
            return self.snapshot.exact(codes.extension_token(expression.extension))
        _, tree = typed_filter(expression)
        lowered = lower(tree, self.fields)
        if lowered.filter is None or lowered.unlowered:
            self.unexpressed.append(render(expression, "qx").text)
            return None
        compiled = compile_filter(lowered.filter, self.snapshot)
        if compiled.checked:
            self.unexpressed.append(render(expression, "qx").text)
            return None
        return compiled.query

    def _field(self, expression: Field) -> Any | None:
        text = " ".join(words(expression.expression))
        if expression.name == "intitle":
            return self._phrase(text, dict.fromkeys(self.titles, 1.0))
        stored = self.fields.get(expression.name)
        path = codes.resolved(stored.name if stored is not None else expression.name)
        if path in self.texts:
            return self._phrase(text, {self.texts[path]: 1.0})
        if path == "id":
            same = filters.Compare(field=path, op="in", value=(text, text.upper(), text.lower()))
            return compile_filter(same, self.snapshot).query
        if not self.snapshot.having(path, "e"):
            self.unexpressed.append(f"{expression.name}:")
            return self._phrase(text, self.boosts)
        return self._values(path, text)

    def _values(self, path: str, text: str) -> Any:
        """Return the query for the values of a keyword field that hold the words of ``text`` together."""
        wanted = [token for _, token in self.analysis.sequence(text)]
        held: list[Any] = []
        for known in self.snapshot.texts(path):
            tokens = [token for _, token in self.analysis.sequence(known)]
            if any(tokens[i : i + len(wanted)] == wanted for i in range(len(tokens) - len(wanted) + 1)):
                held.append(self.snapshot.exact(codes.token(path, "s", codes.text_code(known))))
        number = filters.Compare(field=path, op="eq", value=text.casefold() == "true")
        if text.casefold() in ("true", "false"):
            held.append(compile_filter(number, self.snapshot).query)
        if len(held) > MOST_PIECES:
            self.unexpressed.append(f"{len(held) - MOST_PIECES} more values of '{path}' that hold '{text}'")
        return any_of(held[:MOST_PIECES])


def _amounts(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """Return the pairs of a number and a short unit that stand side by side."""
    return [
        (number.text, unit.text)
        for number, unit in pairwise(pieces)
        if number.text.isdecimal() and number.text.isascii() and unit.text.isascii() and unit.text.isalpha()
        and len(unit.text) <= 3
    ]  # fmt: skip
