"""Which documents an expression matches: the tree, read as ``qx.syntax.tree`` says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from qx.filters.fieldmap import FieldMap
from qx.in_memory.entry import Entry
from qx.in_memory.words import phrase, terms
from qx.syntax import And, Expression, Field, Not, Or, Phrase, Site, Terms, render
from qx.text.naming import names
from qx.urls import host_of


@dataclass
class Matcher:
    """Tells, of one request, which documents match.

    Attributes:
        paths: The searched fields, in the order of an entry's.
        fields: The field map, for the names before a colon.
        missing: Parts of the expression that there are no words for here; they count as matching.
    """

    paths: Sequence[str]
    fields: FieldMap
    missing: dict[str, None] = field(default_factory=dict[str, None])

    def __call__(self, expression: Expression, entry: Entry) -> bool:
        """Return whether a document matches."""
        return self._matches(expression, entry, entry.fields)

    def _matches(self, expression: Expression, entry: Entry, texts: Sequence[str], *, ids: bool = True) -> bool:
        match expression:
            case Terms():  # any of the words
                found = any(term in text for word in expression.words for term in terms(word) for text in texts)
                return found or (ids and is_called(entry, expression.words))
            case Phrase():
                wanted = phrase(expression.text)
                found = bool(wanted) and any(wanted in text for text in texts)
                return found or (ids and is_called(entry, (expression.text,)))
            case And():
                return all(self._matches(part, entry, texts, ids=ids) for part in expression.parts)
            case Or():
                return any(self._matches(part, entry, texts, ids=ids) for part in expression.parts)
            case Not():
                inner = expression.expression  # an exclusion excludes words, never an id
                return not self._sayable(inner) or not self._matches(inner, entry, texts, ids=False)
            case Field():
                at = self._place(expression.name)
                within = texts if at is None else entry.fields[at : at + 1]
                return at is None or self._matches(expression.expression, entry, within, ids=False)
            case Site():
                return _is_of(entry.document.url, expression.host)
            case _:
                return self._said(expression)

    def _sayable(self, expression: Expression) -> bool:
        """Whether all of an exclusion can be looked for; one that cannot is left out, and noted as missing."""
        match expression:
            case And() | Or():
                said = [self._sayable(part) for part in expression.parts]  # each, to note all that is missing
                return all(said)
            case Not():
                return self._sayable(expression.expression)
            case Field():
                return self._place(expression.name) is not None and self._sayable(expression.expression)
            case Terms() | Phrase() | Site():
                return True
            case _:
                return not self._said(expression)

    def _place(self, name: str) -> int | None:
        """The searched field that stands behind a name, noted as missing where there is none."""
        stored = self.fields.get("title" if name == "intitle" else name)
        path = stored.name if stored is not None else "title" if name == "intitle" else name
        if path in self.paths:
            return self.paths.index(path)
        self.missing.setdefault(f"{name}:")
        return None

    def _said(self, expression: Expression) -> bool:
        self.missing.setdefault(render(expression, "qx").text)
        return True


def is_called(entry: Entry, words: Sequence[str]) -> bool:
    """Return whether words are, or hold, the id of a document."""
    return entry.document.id in ids_of(tuple(words))


@lru_cache(maxsize=16384)  # each document is held against every leaf of an expression, which may have thousands
def ids_of(words: tuple[str, ...]) -> frozenset[str]:
    """Return the ids that words are, or hold."""
    return frozenset(names(words).ids)


def _is_of(url: str | None, site: str) -> bool:
    host, _, path = site.partition("/")
    found = host_of(url)
    wanted = host_of(f"https://{host}")
    if not wanted or not (found == wanted or found.endswith(f".{wanted}")):
        return False
    return not path or f"/{path}" in (url or "")


__all__ = ["Matcher", "ids_of", "is_called"]
