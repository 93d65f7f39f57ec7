"""One request on one state of the index: which documents, in what order, with which counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from qx.backend import SearchRequest, Sort
from qx.builtin.local import codes
from qx.builtin.local.expressions import Compiler
from qx.builtin.local.filters import Compiled, all_of, compile_filter
from qx.builtin.local.schema import tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.builtin.local.sources import Body, Sources
from qx.builtin.local.vectors import VectorTable
from qx.filters import Filter
from qx.filters.conversion import number_text
from qx.filters.matching import beginning, evaluate
from qx.serial import value
from qx.syntax import asks_nothing
from qx.syntax import words as sought

POOL = 100
"""Places of each side that are looked at when words and vectors are merged."""
_RRF = 60
_MOST_FACETS = 100


@value
class Listed:
    """Keys of documents, best first; ``total`` None where it is not known."""

    keys: Sequence[int]
    scores: Sequence[float]
    total: int | None
    facets: Mapping[str, Sequence[tuple[str, int]]]


NOTHING = Listed(keys=(), scores=(), total=0, facets={})


def find(
    request: SearchRequest, snapshot: Snapshot, sources: Sources, compiler: Compiler, table: VectorTable | None
) -> Listed:
    """Run a request; ``table`` holds the vectors where they are to be compared."""
    words = None if asks_nothing(request.expression) else compiler.query(request.expression)
    if request.filter is None and words is None and table is None:
        return NOTHING
    if words is None and table is None and sought(request.expression):
        return NOTHING  # mere marks: no word to look for, and not everything that passes
    if request.filter is not None and words is None:
        words = compiler.query(request.expression)  # exclusions: what passes the filter without them
    passing = None if request.filter is None else compile_filter(request.filter, snapshot)
    search = _Search(request, snapshot, sources, words, passing)
    if table is not None and request.vector is not None and not request.sort:
        return search.by_vector(request.vector, table, hybrid=request.target == "any" and words is not None)
    return search.by_words()


class _Search:
    def __init__(
        self, request: SearchRequest, snapshot: Snapshot, sources: Sources, words: Any | None, passing: Compiled | None
    ) -> None:
        self._request = request
        self._snapshot = snapshot
        self._sources = sources
        self._words = words
        self._passing = passing

    def by_words(self) -> Listed:
        request, query = self._request, self._query()
        if self._passing is not None and self._passing.checked:
            keys, scores = self._checked(query)
            counted = self._counted(keys)
            if request.sort:
                keys, scores = self._sorted(keys)
            page = slice(request.offset, request.offset + request.limit)
            return Listed(keys=keys[page], scores=scores[page], total=len(keys), facets=counted)
        facets = {field: self._snapshot.values(codes.resolved(field), query, _MOST_FACETS) for field in request.facets}
        column = self._column(request.sort) if request.sort else None
        if request.sort and column is None:
            keys, scores = self._sorted(self._all(query)[0])
            page = slice(request.offset, request.offset + request.limit)
            return Listed(keys=keys[page], scores=scores[page], total=len(keys), facets=facets)
        order = (column, request.sort[0].descending) if request.sort else None
        keys, scores, total = self._page(query, request.limit, request.offset, order)
        return Listed(keys=keys, scores=scores, total=total, facets=facets)

    def by_vector(self, vector: bytes, table: VectorTable, *, hybrid: bool) -> Listed:
        request = self._request
        wanted = request.offset + request.limit
        pool = max(wanted, POOL)
        among: Sequence[int] | None = None
        if self._passing is not None:
            among = (
                self._checked(self._passing.query)[0] if self._passing.checked else self._all(self._passing.query)[0]
            )
        keys, scores = table.nearest(vector, pool, among)
        if hybrid:
            lexical = self._checked(self._query())[0] if self._passing is not None and self._passing.checked else None
            lexical = self._page(self._query(), pool, 0, None)[0] if lexical is None else lexical[:pool]
            keys, scores = _merged(lexical, keys)
        page = slice(request.offset, wanted)
        return Listed(keys=keys[page], scores=scores[page], total=None, facets={})

    def _query(self) -> Any:
        library = tantivy()
        scored = library.Query.all_query() if self._words is None else self._boosted(self._words)
        if self._passing is None:
            return scored
        if self._words is None:
            return library.Query.const_score_query(self._passing.query, 1.0)
        return all_of([scored, library.Query.const_score_query(self._passing.query, 0.0)])

    def _boosted(self, query: Any) -> Any:
        """Return ``query`` whose score counts ``weight`` times where a document has a boosted value."""
        library = tantivy()
        must, should = library.Occur.Must, library.Occur.Should
        for boost in self._request.boosts:
            leaf = self._snapshot.exact(codes.token(codes.resolved(boost.field), "s", codes.text_code(boost.value)))
            having = library.Query.boolean_query([(must, query), (must, library.Query.const_score_query(leaf, 0.0))])
            if boost.weight >= 1:
                more = library.Query.boost_query(having, boost.weight - 1)
            else:  # only the order counts: all others count more
                others = library.Query.boolean_query([(must, query), (library.Occur.MustNot, leaf)])
                more = library.Query.boost_query(others, 1 / max(boost.weight, 1e-6) - 1)
            query = library.Query.boolean_query([(must, query), (should, more)])
        return query

    def _page(
        self, query: Any, limit: int, offset: int, order: tuple[str | None, bool] | None
    ) -> tuple[list[int], list[float], int]:
        library = tantivy()
        most = max(self._snapshot.documents, 1)
        kept = min(limit, most)
        if kept < 1 or offset >= most:
            return [], [], int(self._snapshot.searcher.search(query, 1, count=True).count)
        if order is None:
            found = self._snapshot.searcher.search(query, kept, count=True, offset=offset)
        else:
            direction = library.Order.Desc if order[1] else library.Order.Asc
            found = self._snapshot.searcher.search(
                query, kept, count=True, offset=offset, order_by_field=order[0], order=direction
            )
        hits = found.hits
        keys = self._snapshot.keys([address for _, address in hits])
        scores = [float(score) for score, _ in hits] if order is None else _falling(len(hits), offset)
        return keys, scores, int(found.count)

    def _all(self, query: Any) -> tuple[list[int], list[float]]:
        keys, scores, _ = self._page(query, self._snapshot.documents, 0, None)
        return keys, scores

    def _checked(self, query: Any) -> tuple[list[int], list[float]]:
        """Return all that ``query`` matches and the filter lets pass, judged on the stored documents."""
        tree = cast(Filter, self._request.filter)
        keys, scores = self._all(query)
        records = self._records(keys)
        kept = [i for i, key in enumerate(keys) if evaluate(tree, records[key])]
        return [keys[i] for i in kept], [scores[i] for i in kept]

    def _records(self, keys: Sequence[int]) -> dict[int, Mapping[str, object]]:
        names = dict(zip(keys, self._sources.names(keys), strict=True))
        return {key: record(body, *names[key]) for key, body in self._sources.bodies(keys).items()}

    def _column(self, sort: Sequence[Sort]) -> str | None:
        """Return the column that one field is sorted by; None where the stored values must be compared.

        Tantivy takes the first of a document's values, whichever the direction asks for.
        """
        path = codes.resolved(sort[0].field)
        held = {kind for kind in "NSB" if self._snapshot.having(path, kind)}
        if len(sort) > 1 or len(held) != 1 or any(self._snapshot.having(path, kind) for kind in "MP"):
            return None
        return self._snapshot.column(path, "n" if held == {"N"} else "d") if held != {"B"} else None

    def _sorted(self, keys: Sequence[int]) -> tuple[list[int], list[float]]:
        records = self._records(keys)
        ordered = list(keys)
        for sort in reversed(self._request.sort):
            found = {key: _place(records.get(key, {}), sort) for key in ordered}
            known = [key for key in ordered if found[key] is not None]
            known.sort(key=lambda key: cast(Any, found[key]), reverse=sort.descending)
            ordered = known + [key for key in ordered if found[key] is None]
        return ordered, _falling(len(ordered), 0)

    def _counted(self, keys: Sequence[int]) -> dict[str, Sequence[tuple[str, int]]]:
        if not self._request.facets:
            return {}
        records = self._records(keys)
        counted: dict[str, Sequence[tuple[str, int]]] = {}
        for field in self._request.facets:
            counts = Counter(text for item in records.values() for text in {_written(v) for v in values(item, field)})
            counted[field] = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_FACETS]
        return counted


def record(body: Body, id: str, url: str | None) -> Mapping[str, object]:
    """Return a stored document as ``qx.filters.matching`` reads it."""
    own: dict[str, object] = {"id": id, "title": body.title, "text": body.text, "url": url, "metadata": body.metadata}
    return {**body.metadata, **own}


def values(item: Mapping[str, object], field: str) -> list[object]:
    """Return the values of a stored field."""
    wanted, found = codes.resolved(field), list[object]()
    for path, kind, part in codes.walk(
        {k: v for k, v in item.items() if k in ("id", "title", "text", "url", "metadata")}
    ):
        if path == wanted and kind in ("s", "n", "b"):
            found.append(("true" if part else "false") if kind == "b" else part)
    return found


def _place(item: Mapping[str, object], sort: Sort) -> tuple[int, Any] | None:
    """Return what a document is sorted by: its least value, or its greatest where the order falls."""
    places: list[tuple[int, Any]] = []
    for part in values(item, sort.field):
        if isinstance(part, (int, float)):
            places.append((0, part))
        elif isinstance(part, str):
            at = beginning(part)
            places.append((2, part) if at is None else (1, codes.microseconds(at)))
    return (max(places) if sort.descending else min(places)) if places else None


def _written(value: object) -> str:
    """Return a value as the index names it: equal numbers alike, whole or not."""
    return number_text(value) if isinstance(value, (int, float)) else str(value)


def _falling(number: int, offset: int) -> list[float]:
    return [1.0 / (offset + i + 1) for i in range(number)]


def _merged(lexical: Sequence[int], near: Sequence[int]) -> tuple[list[int], list[float]]:
    """Merge two lists by reciprocal rank (Cormack et al. 2009, k = 60)."""
    scores: dict[int, float] = {}
    for listed in (lexical, near):
        for rank, key in enumerate(listed, 1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (_RRF + rank)
    keys = sorted(scores, key=lambda key: -scores[key])
    return keys, [scores[key] for key in keys]
