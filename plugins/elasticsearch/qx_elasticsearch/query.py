"""An expression -> Query DSL.  User text only ever stands as a value of ``match``, ``term`` or ``regexp``: there is no
grammar in it to break out of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qx.backend import SearchRequest
from qx.filters.fieldmap import StoredField, lower
from qx.serial import value
from qx.syntax import And, Expression, Field, FileType, Not, Or, Phrase, Range, Site, Terms, render, typed_filter
from qx.syntax.tree import NOTHING
from qx.text.naming import names
from qx.text.normalise import simplified
from qx_elasticsearch.catalog import Catalog, Column
from qx_elasticsearch.filtering import ALL, Query, any_of, case_insensitive, compiled, none_of
from qx_elasticsearch.schema import FUNCTION_WORDS
from qx_elasticsearch.values import readable
from qx_elasticsearch.wording import CLAUSES, capped, pieces, pruned

_COMPOUND = range(2, 13)
"""Pieces of a word that is also looked for as a whole: ``POL-358``, ``打印机``."""

_COMPOUNDS = 24
_WHOLE = 0.5
"""Weight of a word as a whole beside that of its pieces."""

_OF_ITS_OWN = 1000.0
"""What the id of a document counts: more than any number of words."""

_RESERVED = re.compile(r"[.?+*|{}\[\]()\"\\#@&<>~^$/-]")


@value
class Asked:
    """What an expression asks for.

    Attributes:
        scoring: The query that ranks; None where no words are looked for.
        filters: What must hold besides, without a score.
        unexpressed: Parts that were left out or became plain words.
    """

    scoring: Query | None
    filters: tuple[Query, ...] = ()
    unexpressed: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether nothing is asked for."""
        return self.scoring is None and not self.filters


class QueryCompiler:
    """Compiles expressions for one index.

    Args:
        catalog: Says which fields there are.
        fields: The profile's field map, types filled in.
        match: Type of ``multi_match`` for words.
        mapped_id: From a document's id to Elasticsearch's.
    """

    def __init__(
        self, catalog: Catalog, fields: Mapping[str, StoredField], *, match: str, mapped_id: Callable[[str], str]
    ) -> None:
        self._catalog = catalog
        self._fields = fields
        self._match = match
        self._mapped_id = mapped_id
        searched = catalog.searched(fields)
        self.searched = tuple(name for name, _ in searched)
        self._weighted = [name if boost == 1.0 else f"{name}^{boost:g}" for name, boost in searched]

    def compile(self, request: SearchRequest) -> Asked:
        """Return the query of a request's expression."""
        missing: list[str] = []
        expression, lost = capped(pruned(request.expression), CLAUSES // max(1, len(self._weighted)))
        if lost:
            missing.append(f"{lost} words too many for one query")
        parts = expression.parts if isinstance(expression, And) else (expression,)
        scoring: list[Query] = []
        filters: list[Query] = []
        for part in parts:
            found = None if part == NOTHING else self._part(part, missing)
            if found is not None:
                (filters if isinstance(part, (Not, Site, FileType, Range)) else scoring).append(found)
        query = None if not scoring else scoring[0] if len(scoring) == 1 else {"bool": {"must": scoring}}
        return Asked(scoring=query, filters=tuple(filters), unexpressed=tuple(dict.fromkeys(missing)))

    def _part(self, part: Expression, missing: list[str]) -> Query | None:
        if isinstance(part, Terms):
            return self._called(part.words, self._words(part.words))
        if isinstance(part, Phrase):
            return self._called((part.text,), self.phrase(part.text))
        if isinstance(part, And):
            return self._all(part, missing)
        if isinstance(part, Or):
            found = [q for p in part.parts if (q := self._part(p, missing)) is not None]
            return any_of(found) if found else None
        if isinstance(part, Not):
            excluded = self._excluded(part.expression, missing)
            return None if excluded is None else none_of(excluded)
        if isinstance(part, Field):
            return self._field(part, missing)
        return self._place(part, missing)

    def _all(self, part: And, missing: list[str]) -> Query | None:
        found = [q for p in part.parts if (q := self._part(p, missing)) is not None]
        return {"bool": {"must": found}} if found else None

    def _excluded(self, inner: Expression, missing: list[str]) -> Query | None:
        """What an exclusion excludes: a word of several pieces only as a whole."""
        if isinstance(inner, Terms):
            return any_of([self.phrase(word) for word in inner.words])
        return self._part(inner, missing)

    # ---- words ----

    def _called(self, words: Sequence[str], query: Query) -> Query:
        """Return ``query`` or the documents that ``words`` call by their ids, which come first."""
        ids = [self._mapped_id(id) for id in names(words).ids]
        if not ids:
            return query
        wanted: Query = {"ids": {"values": list(dict.fromkeys(ids)), "boost": _OF_ITS_OWN}}
        return any_of([query, wanted])

    def _words(self, words: Sequence[str]) -> Query:
        match: dict[str, Any] = {
            "query": " ".join((*words, *_simplified(words))),
            "type": self._match,
            "fields": self._weighted,
            "operator": "or",
            "lenient": True,
        }
        if self._catalog.words and not all(_function_word(word) for word in words):
            match["analyzer"] = self._catalog.words
        query: Query = {"multi_match": match}
        compounds = [word for word in words if len(pieces(word)) in _COMPOUND][:_COMPOUNDS]
        if not compounds:
            return query
        whole = [self.phrase(word, boost=_WHOLE) for word in compounds]
        return {"bool": {"must": [query], "should": whole}}

    def phrase(self, text: str, fields: Sequence[str] | None = None, *, boost: float = 1.0) -> Query:
        """Return the query for ``text`` as a phrase in ``fields`` (all that are searched)."""
        named = list(fields or self._weighted)
        match: dict[str, Any] = {"query": readable(text), "type": "phrase", "fields": named, "lenient": True}
        return {"multi_match": match if boost == 1.0 else {**match, "boost": boost}}

    def single(self, word: str) -> Query:
        """Return the query that counts a word of one piece: in qx's own layout one field holds all words."""
        return {"match": {"all": readable(word)}} if self._catalog.own else self.phrase(word)

    def near(self, word: str) -> Query:
        """Return the query for what is written nearly like a word; its stem may lie farther apart than itself."""
        fields = ["all"] if self._catalog.own else list(self.searched)
        slips = {"fuzziness": 2, "prefix_length": 1, "max_expansions": 50}
        return {"multi_match": {"query": readable(word), "fields": fields, "lenient": True, **slips}}

    def _field(self, part: Field, missing: list[str]) -> Query | None:
        inner = part.expression
        texts = inner.words if isinstance(inner, Terms) else (inner.text,) if isinstance(inner, Phrase) else ()
        column = self._named(part.name)
        if column is None or not texts or column.kind in ("number", "date", "bool"):
            missing.append(_shown(part))
            return self._part(inner, missing)
        if column.kind == "text":
            return any_of([self.phrase(text, [column.name]) for text in texts])
        return any_of([case_insensitive(column, text) for text in texts])

    def _named(self, name: str) -> Column | None:
        """The field that a name before a colon means."""
        if name == "intitle":
            return self._catalog.column(self._catalog.titled(self._fields))
        if name in self._fields:
            return self._catalog.column(self._fields[name].name)
        if self._catalog.own:
            return self._catalog.column(f"metadata.{name}")
        return self._catalog.column(name) if name in self._catalog.mapped else None

    # ---- places and ranges ----

    def _place(self, part: Expression, missing: list[str]) -> Query | None:
        found: Query | None = None
        if isinstance(part, Site):
            found = self._site(part.host)
        elif isinstance(part, FileType):
            found = self._file_type(part.extension.lower())
        elif isinstance(part, Range):
            lowered = lower(typed_filter(part)[1], self._fields)
            if lowered.filter is not None and not lowered.unlowered:
                found = compiled(lowered.filter, self._catalog, mapped_id=self._mapped_id)
        if found is None:
            missing.append(_shown(part))
        return found

    def _site(self, site: str) -> Query | None:
        host, _, path = site.partition("/")
        path = path.rstrip("/")
        if self._catalog.own:
            below = any_of([{"term": {"path": f"/{path}"}}, {"prefix": {"path": f"/{path}/"}}])
            return {"bool": {"filter": [{"term": {"host": host}}, *([below] if path else [])]}}
        column = self._catalog.url_column(self._fields)
        if column is None:
            return None
        rest = f"/{_escaped(path)}" if path else ""
        return _regexp(column, f"[a-zA-Z]+://([^/?#]*[.])?{_escaped(host)}(:[0-9]+)?{rest}([/?#].*)?")

    def _file_type(self, extension: str) -> Query | None:
        if self._catalog.own:
            return {"term": {"extension": extension}}
        column = self._catalog.url_column(self._fields)
        return None if column is None else _regexp(column, f"[^?#]*[.]{_escaped(extension)}([?#].*)?")


def boosted(query: Query, request: SearchRequest, catalog: Catalog, mapped_id: Callable[[str], str]) -> Query:
    """Return ``query`` with the request's boosts: documents with a value count more."""
    from qx.filters import Compare

    functions = [
        {
            "filter": compiled(Compare(field=boost.field, op="eq", value=boost.value), catalog, mapped_id=mapped_id),
            "weight": boost.weight,
        }
        for boost in request.boosts
    ]
    if not functions:
        return query
    return {
        "function_score": {"query": query, "functions": functions, "score_mode": "multiply", "boost_mode": "multiply"}
    }


def narrowed(scoring: Query | None, filters: Sequence[Query]) -> Query:
    """Return the query that ranks by ``scoring`` what passes ``filters``."""
    if not filters:
        return scoring or ALL
    return {"bool": {**({"must": [scoring]} if scoring is not None else {}), "filter": list(filters)}}


def _regexp(column: Column, pattern: str) -> Query:
    found: dict[str, Any] = {"value": pattern, "case_insensitive": True, "flags": "NONE"}
    return {"regexp": {column.name: found}}


def _escaped(text: str) -> str:
    return _RESERVED.sub(r"\\\g<0>", text)


def _function_word(word: str) -> bool:
    """Whether the analyzer that drops function words would leave nothing of ``word``, whatever signs stand in it."""
    said = unicodedata.normalize("NFKC", word).lower().replace("’", "'")
    return all(piece in FUNCTION_WORDS for piece in pieces(said))


def _simplified(words: Sequence[str]) -> list[str]:
    """Traditional words in Simplified characters and the mainland's words, which is how documents are found besides."""
    known = ((word, simplified(word)) for word in words if not word.isascii())
    return [said for word, said in known if said != word]


def _shown(part: Expression) -> str:
    return render(part, "qx").text
