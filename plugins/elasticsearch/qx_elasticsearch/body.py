"""A search request -> the body of ``_search``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qx.backend import SearchRequest
from qx.errors import BadRequest, UsageError
from qx.filters.fieldmap import StoredField
from qx.serial import value
from qx.syntax import asks_nothing
from qx_elasticsearch.catalog import Catalog, Column
from qx_elasticsearch.documents import floats, mapped_id
from qx_elasticsearch.filtering import Query, compiled
from qx_elasticsearch.query import Asked, QueryCompiler, boosted, narrowed

MARKS = ("\ue000qx\ue001", "\ue001qx\ue000")
"""Around what matched, in highlights: private characters that no text holds in this order."""

SPELLED = "spelled"
"""The aggregation within a date's bucket that shows how it was stored."""

FACET = 50
"""Values that a facet lists."""

WINDOW = 10_000
"""Hits that a list shows at most, where an index does not say otherwise."""

_COUNTED = 10_000
_CANDIDATES = 10_000


@value
class Body:
    """``query`` is None where nothing is asked for; ``facets`` are their stored names in the order of the answer.

    ``cut`` says how far down the engine lists, where more was wanted.
    """

    query: dict[str, Any] | None
    cut: int | None = None
    facets: tuple[str, ...] = ()
    unexpressed: tuple[str, ...] = ()


def search_body(
    request: SearchRequest, catalog: Catalog, fields: Mapping[str, StoredField], *, match: str, highlight: bool,
    window: int = WINDOW,
) -> Body:  # fmt: skip
    """Return the body for one request.

    Args:
        request: What is asked for.
        catalog: Says where it is.
        fields: The profile's field map, types filled in.
        match: Type of ``multi_match`` for words.
        highlight: Whether what matched is to be marked.
        window: How far down the lists of an index that qx made go (``max_result_window``).

    Raises:
        BadRequest: the filter or a facet has a field without exact values.
        UsageError: the order is by ids or by a field without exact values; ``target: vector`` without a vector.
    """
    compiler = QueryCompiler(catalog, fields, match=match, mapped_id=mapped_id)
    asked = compiler.compile(request)
    filters = list(asked.filters)
    if request.filter is not None:
        filters.append(compiled(request.filter, catalog, mapped_id=mapped_id))
    if request.target != "vector" and request.filter is None and (asked.nothing or asks_nothing(request.expression)):
        return Body(query=None, unexpressed=asked.unexpressed)
    cut = window if catalog.own and request.offset + request.limit > window else None
    start = min(request.offset, window) if cut else request.offset
    size = min(request.limit, window - start) if cut else request.limit
    body: dict[str, Any] = {"size": size, "from": start, "_source": {"excludes": [catalog.vector]}}
    if request.target == "vector":
        body["knn"] = _nearest(request, catalog, filters)
    else:
        body["query"] = boosted(narrowed(asked.scoring, filters), request, catalog, mapped_id)
        body["track_total_hits"] = True if asked.scoring is None else _COUNTED
        if highlight and request.highlights and asked.scoring is not None and size:
            body["highlight"] = _highlight(asked, compiler)
    if request.sort:
        body["sort"] = [_sort(s.field, catalog, descending=s.descending) for s in request.sort]
    if request.facets:
        body["aggs"] = {str(i): _spelled(catalog, name) for i, name in enumerate(request.facets)}
    return Body(query=body, cut=cut, facets=request.facets, unexpressed=asked.unexpressed)


def too_deep(request: SearchRequest, window: int) -> UsageError:
    """Return the error of a list that goes on below where the engine ends it."""
    return UsageError(
        f"elasticsearch lists no more than {window:,} hits, and {request.limit:,} after the first {request.offset:,} go "
        "further: narrow the search by a filter, or raise `index.max_result_window`"
    )


def _spelled(catalog: Catalog, name: str) -> dict[str, Any]:
    """The aggregation of a facet; dates come with a document each, which has them as they were stored."""
    column = catalog.column(name)
    found = facet(column, name, FACET)
    if column.kind == "date" and not column.nested:
        kept = catalog.source_path(name)
        found["aggs"] = {SPELLED: {"top_hits": {"size": 1, "_source": {"includes": [kept]}}}}
    return found


def facet(column: Column, name: str, size: int) -> dict[str, Any]:
    """Return the aggregation that counts the values of a field."""
    if column.kind == "text" and column.exact is None:
        raise BadRequest(f"elasticsearch keeps no exact values of '{name}', so they cannot be counted")
    found: dict[str, Any] = {"terms": {"field": column.exact or column.name, "size": size}}
    return {"nested": {"path": column.nested}, "aggs": {"values": found}} if column.nested else found


def _nearest(request: SearchRequest, catalog: Catalog, filters: list[Query]) -> dict[str, Any]:
    if request.vector is None:
        raise UsageError("a vector search needs the query's vector: the profile has no `embedder`")
    if not catalog.dimensions:
        raise BadRequest("the index holds no vectors: index the documents with the profile's `embedder`")
    if not (vector := floats(request.vector)):
        raise UsageError("the query's vector is empty or has no direction")
    wanted = max(1, request.limit + request.offset)
    found: dict[str, Any] = {
        "field": catalog.vector,
        "query_vector": vector,
        "k": min(wanted, _CANDIDATES),
        "num_candidates": min(_CANDIDATES, max(100, wanted * 2)),
    }
    return {**found, "filter": filters} if filters else found


def _highlight(asked: Asked, compiler: QueryCompiler) -> dict[str, Any]:
    return {
        "fields": {name: {} for name in compiler.searched},
        "highlight_query": asked.scoring,
        "require_field_match": False,
        "pre_tags": [MARKS[0]],
        "post_tags": [MARKS[1]],
        "fragment_size": 160,
        "number_of_fragments": 3,
        "max_analyzed_offset": 100_000,
    }


def _sort(name: str, catalog: Catalog, *, descending: bool) -> dict[str, Any]:
    column = catalog.column(name)
    if column.name == "_id" or (column.name == "id" and catalog.own):
        raise UsageError(
            "elasticsearch keeps no order of ids: sort by another field, such as a copy of it in `metadata`"
        )
    if column.kind == "text" and column.exact is None:
        raise UsageError(f"elasticsearch keeps no exact values of '{name}', so it cannot be sorted by")
    how: dict[str, Any] = {"order": "desc" if descending else "asc", "missing": "_last"}
    if column.kind == "open":
        return {column.name: how}
    if column.nested:
        how["nested"] = {"path": column.nested}
    return {column.exact or column.name: {**how, "unmapped_type": "keyword"}}
