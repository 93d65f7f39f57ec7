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

FACET = 50
"""Values that a facet lists."""

_COUNTED = 10_000
_CANDIDATES = 10_000


@value
class Body:
    """``query`` is None where nothing is asked for; ``facets`` are their stored names in the order of the answer."""

    query: dict[str, Any] | None
    facets: tuple[str, ...] = ()
    unexpressed: tuple[str, ...] = ()


def search_body(
    request: SearchRequest, catalog: Catalog, fields: Mapping[str, StoredField], *, match: str, highlight: bool
) -> Body:
    """Return the body for one request.

    Raises:
        BadRequest: the filter or the sorting has a field without exact values.
        UsageError: ``target: vector`` without a vector.
    """
    compiler = QueryCompiler(catalog, fields, match=match, mapped_id=mapped_id)
    asked = compiler.compile(request)
    filters = list(asked.filters)
    if request.filter is not None:
        filters.append(compiled(request.filter, catalog, mapped_id=mapped_id))
    if request.target != "vector" and request.filter is None and (asked.nothing or asks_nothing(request.expression)):
        return Body(query=None, unexpressed=asked.unexpressed)
    body: dict[str, Any] = {"size": request.limit, "from": request.offset, "_source": {"excludes": [catalog.vector]}}
    if request.target == "vector":
        body["knn"] = _nearest(request, catalog, filters)
    else:
        body["query"] = boosted(narrowed(asked.scoring, filters), request, catalog, mapped_id)
        body["track_total_hits"] = True if asked.scoring is None else _COUNTED
        if highlight and request.highlights and asked.scoring is not None and request.limit:
            body["highlight"] = _highlight(asked, compiler)
    if request.sort:
        body["sort"] = [_sort(catalog.column(s.field), s.field, descending=s.descending) for s in request.sort]
    if request.facets:
        body["aggs"] = {str(i): facet(catalog.column(name), name, FACET) for i, name in enumerate(request.facets)}
    return Body(query=body, facets=request.facets, unexpressed=asked.unexpressed)


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


def _sort(column: Column, name: str, *, descending: bool) -> dict[str, Any]:
    if column.kind == "text" and column.exact is None:
        raise BadRequest(f"elasticsearch keeps no exact values of '{name}', so it cannot be sorted by")
    how: dict[str, Any] = {"order": "desc" if descending else "asc", "missing": "_last"}
    if column.kind == "open":
        return {column.name: how}
    if column.nested:
        how["nested"] = {"path": column.nested}
    return {column.exact or column.name: {**how, "unmapped_type": "keyword"}}
