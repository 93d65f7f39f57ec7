"""An expression as what Qdrant takes: weighted terms for the sparse vector, and a filter for everything strict.

``red shoes`` is terms alone: a document with any of them comes, with more of them earlier.  Phrases, required and
excluded words, sites, file types and ranges become conditions on the payload.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from qdrant_client import models

from qx.filters import And as FilterAnd
from qx.filters import Compare
from qx.filters.fieldmap import FieldMap, lower
from qx.syntax.tree import And, Expression, Field, FileType, Not, Or, Phrase, Range, Site, Terms
from qx.text.naming import names
from qx_qdrant.analysis import Analysis
from qx_qdrant.bm25 import id_term
from qx_qdrant.filters import any_of, compiled, inexpressible, path
from qx_qdrant.points import FILE_TYPE, ID, SITES, TEXT_WORDS, TITLE_WORDS

TERMS = 1024
"""Terms of one query at most."""
ID_WEIGHT = 1000.0
"""Weight of the id of a document: more than any number of words."""
CLAUSES = 512
"""Conditions of one filter at most; what goes beyond is told as unexpressed."""
_TITLE = frozenset(("title", "intitle", "allintitle"))
_TEXT = frozenset(("text", "intext", "inbody", "allintext"))


@dataclass
class Plan:
    """What one expression comes to.

    Attributes:
        terms: Term -> weight, of everything that is looked for.
        telling: Those of which a hit holds one at least; the others (stop words) only order.  Never empty beside terms.
        condition: What must hold besides; None: nothing.
        words: The condition that any of the words is there, where no sparse vector sees to that.
        unexpressed: Parts that were left out, as they are written.
        empty: Whether nothing at all is asked for.
    """

    terms: dict[str, float] = field(default_factory=dict[str, float])
    telling: frozenset[str] = frozenset()
    condition: Any = None
    words: Any = None
    unexpressed: list[str] = field(default_factory=list[str])
    empty: bool = False


class Compiler:
    """Compiles expressions for one collection.

    Args:
        own: Whether qx analysed the documents: else words are looked for with Qdrant's own tokenizer in the fields.
    """

    def __init__(self, fields: FieldMap, analysis: Analysis, *, own: bool) -> None:
        self._fields = fields
        self._analysis = analysis
        self._own = own

    def plan(self, expression: Expression) -> Plan:
        """Return what ``expression`` comes to."""
        run = _Run(self._fields, self._analysis, self._own)
        strict = run.visit(expression)
        telling = frozenset(run.telling | run.called if run.telling else run.terms)
        plan = Plan(terms=run.terms, telling=telling, condition=strict, unexpressed=run.unexpressed)
        plan.empty = not run.terms and (strict is None or not _asks(expression))
        loose, rest = _apart(expression)
        if loose is not None:
            again = _Run(self._fields, self._analysis, self._own)
            plan.words = None if self._own else again.visit(loose)
            plan.condition = again.visit(And(parts=rest)) if rest else None
        return plan

    def words(self, text: str) -> Any:
        """Return the condition that a document holds ``text``: a word, or words that stand together."""
        return _Run(self._fields, self._analysis, self._own).phrase(text, (TITLE_WORDS, TEXT_WORDS))


def _loose(expression: Expression) -> bool:
    """Return whether the sparse vector alone says it: words, or alternatives of words."""
    if isinstance(expression, (Or, And)) and len(expression.parts) == 1:
        return _loose(expression.parts[0])
    return isinstance(expression, Terms) or (
        isinstance(expression, Or) and all(_loose(part) for part in expression.parts)
    )


def _apart(expression: Expression) -> tuple[Expression | None, tuple[Expression, ...]]:
    """Return the words that only the order depends on, and the parts that must hold whatever the order.

    Words that stand alone, or beside nothing but exclusions, sites and ranges, need no condition: a search by meaning
    may then find what has none of them.
    """
    if _loose(expression):
        return expression, ()
    if isinstance(expression, And):
        looked_for = [part for part in expression.parts if not isinstance(part, Not) and _words(part)]
        if len(looked_for) == 1 and _loose(looked_for[0]):
            return looked_for[0], tuple(part for part in expression.parts if part is not looked_for[0])
    return None, ()


def _asks(expression: Expression) -> bool:
    """Return whether something is looked for: exclusions alone would bring everything else."""
    if isinstance(expression, And):
        return any(_asks(part) for part in expression.parts)
    if isinstance(expression, Or):
        return bool(expression.parts) and all(_asks(part) for part in expression.parts)
    return not isinstance(expression, Not)


class _Run:
    """One compilation: gathers terms and clauses on its way."""

    def __init__(self, fields: FieldMap, analysis: Analysis, own: bool) -> None:
        self._fields = fields
        self._analysis = analysis
        self._own = own
        self._clauses = 0
        self.terms: dict[str, float] = {}
        self.telling: set[str] = set()
        self.called: set[str] = set()
        self.unexpressed: list[str] = []

    def visit(self, node: Expression, *, negative: bool = False) -> Any:
        """Return the condition for ``node``; None where it asks for nothing or cannot be said."""
        if isinstance(node, And):
            return self._all([self.visit(part, negative=negative) for part in node.parts])
        if isinstance(node, Or):
            return self._any(node, negative)
        if isinstance(node, Not):
            inner = self.visit(node.expression, negative=not negative)
            return None if inner is None else models.Filter(must_not=[inner])
        if isinstance(node, Terms):
            return self._terms(node, negative, (TITLE_WORDS, TEXT_WORDS))
        if isinstance(node, Phrase):
            called = self._called((node.text,), negative)
            self._look_for(node.text, negative)
            found = self.phrase(node.text, (TITLE_WORDS, TEXT_WORDS))
            return found if found is None or called is None else any_of([found, called])
        if isinstance(node, Field):
            return self._field(node, negative)
        if isinstance(node, Range):
            return self._range(node)
        return self._place(node)

    def phrase(self, text: str, keys: Sequence[str]) -> Any:
        """Return the condition that the words of ``text`` stand together in one of ``keys``."""
        tokens = self._analysis.stream(text)
        if not tokens:
            return None
        self._clauses += len(keys)
        if self._clauses > CLAUSES:
            self._leave_out(f'"{text}"' if len(tokens) > 1 else text)
            return None
        if not self._own:
            return self._foreign(text, len(tokens) > 1)
        match = models.MatchPhrase(phrase=" ".join(tokens))
        return any_of([models.FieldCondition(key=key, match=match) for key in keys])

    def _foreign(self, text: str, together: bool) -> Any:
        """Return the condition on the texts of a collection that qx did not write."""
        names = [f.name for n, f in self._fields.items() if n in ("title", "text") or f.type == "text"]
        match = models.MatchPhrase(phrase=text) if together else models.MatchText(text=text)
        return any_of([models.FieldCondition(key=path(name), match=match) for name in names or ["title", "text"]])

    def _terms(self, node: Terms, negative: bool, keys: Sequence[str]) -> Any:
        called = self._called(node.words, negative)
        for word in node.words:
            self._look_for(word, negative)
        found = [self.phrase(word, keys) for word in dict.fromkeys(node.words)]
        known = [condition for condition in (*found, called) if condition is not None]
        # a list that was cut short would keep documents out: then no condition is better
        return any_of(known) if known and self._clauses <= CLAUSES else None

    def _called(self, words: Sequence[str], negative: bool) -> Any:
        """Look for the documents that ``words`` call by their ids; return the condition that it is one of them."""
        ids = () if negative else names(words).ids
        if not self._own:
            points = [id for text in ids if (id := _foreign_id(text)) is not None]
            return models.HasIdCondition(has_id=points) if points else None
        for id in ids:
            self.terms[id_term(id)] = ID_WEIGHT
            self.called.add(id_term(id))
        return models.FieldCondition(key=ID, match=models.MatchAny(any=list(ids))) if ids else None

    def _look_for(self, text: str, negative: bool) -> None:
        if not negative:
            self.telling |= self._analysis.telling_terms(text)
            for term, weight in self._analysis.query_terms(text).items():
                self.terms[term] = self.terms.get(term, 0.0) + weight

    def _all(self, parts: Sequence[Any]) -> Any:
        known = [part for part in parts if part is not None]
        return None if not known else known[0] if len(known) == 1 else models.Filter(must=known)

    def _any(self, node: Or, negative: bool) -> Any:
        conditions: list[Any] = []
        for part in node.parts:
            before = dict(self.terms)
            condition = self.visit(part, negative=negative)
            if condition is None:
                continue
            conditions.append(condition)
            if not negative and self.terms == before and any(_words(other) for other in node.parts):
                self._leave_out(_written(part))  # a score needs words: what has none would never come
        return any_of(conditions) if conditions and self._clauses <= CLAUSES else None

    def _field(self, node: Field, negative: bool) -> Any:
        name = node.name.casefold()
        inner = node.expression
        text = inner.text if isinstance(inner, Phrase) else " ".join(inner.words) if isinstance(inner, Terms) else ""
        keys = (TITLE_WORDS,) if name in _TITLE else (TEXT_WORDS,) if name in _TEXT else None
        if keys is not None and self._own:
            self._look_for(text, negative)
            return self.phrase(text, keys)
        stored = self._fields.get("title" if name in _TITLE else "text" if name in _TEXT else name)
        if stored is None or not text:
            self._leave_out(_written(node))
            self._look_for(text, negative)
            return None
        self._clauses += 1
        if keys is not None or stored.type == "text":
            self._look_for(text, negative)
            return models.FieldCondition(key=path(stored.name), match=models.MatchText(text=text))
        lowered = lower(Compare(field=name, op="eq", value=text, origin="typed"), self._fields)
        condition = self._lowered(lowered.filter, node)
        if condition is None:  # what the field cannot hold is words: else a filter beside it would let everything pass
            self._look_for(text, negative)
        return condition

    def _range(self, node: Range) -> Any:
        leaves: list[Compare] = []
        if node.low is not None:
            leaves.append(Compare(field=node.field, op="ge", value=node.low, origin="typed"))
        if node.high is not None:
            op = "lt" if node.exclusive else "le"
            leaves.append(Compare(field=node.field, op=op, value=node.high, origin="typed"))
        lowered = lower(FilterAnd(filters=tuple(leaves)), self._fields)
        if lowered.unlowered or not leaves:
            self._leave_out(_written(node))
            return None
        return self._lowered(lowered.filter, node)

    def _lowered(self, tree: Any, node: Expression) -> Any:
        if tree is None or inexpressible(tree):
            self._leave_out(_written(node))
            return None
        return compiled(tree)

    def _place(self, node: Site | FileType) -> Any:
        if not self._own:
            self._leave_out(_written(node))
            return None
        self._clauses += 1
        if isinstance(node, Site):
            key, wanted = SITES, node.host.casefold().removeprefix("www.").strip("/.")
        else:
            key, wanted = FILE_TYPE, node.extension.casefold().lstrip(".")
        if not wanted:
            return None
        return models.FieldCondition(key=key, match=models.MatchValue(value=wanted))

    def _leave_out(self, written: str) -> None:
        if len(self.unexpressed) < 20:
            self.unexpressed.append(written)


def _foreign_id(text: str) -> int | str | None:
    """Return the id of a point that qx did not write: a whole number of 64 bits or a UUID; None for other text."""
    if text.isascii() and text.isdigit():
        return int(text) if len(text) < 20 else None
    try:
        return str(UUID(text)) if len(text) == 36 else None
    except ValueError:
        return None


def _words(node: Expression) -> bool:
    if isinstance(node, (And, Or)):
        return any(_words(part) for part in node.parts)
    return isinstance(node, (Terms, Phrase, Field))


def _written(node: Expression) -> str:
    """Return a part of an expression as people write it."""
    if isinstance(node, Site):
        return f"site:{node.host}"
    if isinstance(node, FileType):
        return f"filetype:{node.extension}"
    if isinstance(node, Range):
        ends = ("" if end is None else str(end) for end in (node.low, node.high))
        return f"{node.field}:{'..'.join(ends)}"
    if isinstance(node, Field):
        return f"{node.name}:{_written(node.expression)}"
    if isinstance(node, Phrase):
        return f'"{node.text}"'
    if isinstance(node, Terms):
        return " ".join(node.words)
    if isinstance(node, Not):
        return f"-{_written(node.expression)}"
    return "(" + (" OR " if isinstance(node, Or) else " AND ").join(map(_written, node.parts)) + ")"
