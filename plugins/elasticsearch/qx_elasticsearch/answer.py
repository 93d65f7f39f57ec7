"""The answer of ``_search`` -> ids and scores; hits are made when somebody asks for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from qx.backend import SearchRequest, SearchResponse
from qx.errors import BadResponse, UsageError
from qx.filters.fieldmap import StoredField
from qx.types import Highlight, Hit
from qx_elasticsearch.body import FACET, MARKS, SPELLED, Body, too_deep
from qx_elasticsearch.catalog import Catalog
from qx_elasticsearch.documents import hit_of, id_of, url_of
from qx_elasticsearch.values import decoded, leaves, moment_of, plain_number


def nothing(body: Body) -> SearchResponse:
    """Return the answer to a request that asks for nothing."""

    def hit(index: int) -> Hit:
        raise IndexError(index)

    return SearchResponse(ids=(), scores=(), hit=hit, total=0, unexpressed=body.unexpressed)


def response(
    answer: Mapping[str, Any], body: Body, request: SearchRequest, catalog: Catalog,
    fields: Mapping[str, StoredField], *, backend: str, place: str,
) -> SearchResponse:  # fmt: skip
    """Return what an answer says.

    Raises:
        BadResponse: it has not the shape of one.
        UsageError: the list goes on below where the engine ends it.
    """
    try:
        found: Sequence[Mapping[str, Any]] = answer["hits"]["hits"]
        ids = tuple(id_of(hit) for hit in found)
        scores = tuple(_scores(found, request))
        total = _total(answer["hits"], request)
        facets = {name: _facet(answer["aggregations"][str(i)], catalog, name) for i, name in enumerate(body.facets)}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadResponse(f"{place} answered something that is no search result ({type(error).__name__})") from error

    if body.cut is not None and request.offset + len(found) >= body.cut and (total is None or total > body.cut):
        raise UsageError(f"{place}: {too_deep(request, body.cut)}")

    def hit(index: int) -> Hit:
        made = hit_of(found[index], backend=backend, catalog=catalog, fields=fields)
        return replace(made, highlights=tuple(_highlights(found[index], fields)))

    return SearchResponse(
        ids=ids,
        scores=scores,
        hit=hit,
        identities=tuple(url_of(hit, catalog, fields) for hit in found),
        total=total,
        facets=facets,
        unexpressed=body.unexpressed,
    )


def counted(buckets: Sequence[Mapping[str, Any]], *, open: bool, kept: str = "") -> Iterator[tuple[str, int]]:
    """Yield (value, count) of an aggregation's buckets, values as people read them.

    Args:
        buckets: Of the aggregation.
        open: Whether the field's values are written as ``qx_elasticsearch.values`` says.
        kept: Where the field is in ``_source``, for buckets that come with a document.
    """
    for bucket in buckets:
        key: Any = bucket["key"]
        if open:
            key = decoded(str(key))
        elif "key_as_string" in bucket:
            key = _as_stored(str(bucket["key_as_string"]), bucket.get(SPELLED), kept)
        elif isinstance(key, float):
            key = plain_number(key)
        if key is not None:
            yield str(key), int(bucket["doc_count"])


def _as_stored(key: str, example: Mapping[str, Any] | None, kept: str) -> str:
    """A value as the document of its bucket spells it; without one a date without the zeros that Elasticsearch adds."""
    moment = moment_of(key)
    for hit in example["hits"]["hits"] if example else ():
        for path, item in leaves(hit.get("_source") or {}):
            if path == kept and isinstance(item, str) and moment is not None and moment_of(item) == moment:
                return item
    return key.removesuffix("T00:00:00.000Z") if key.endswith("T00:00:00.000Z") else key.replace(".000Z", "Z")


def _scores(found: Sequence[Mapping[str, Any]], request: SearchRequest) -> Iterator[float]:
    """A sorted list has no scores: its places stand for them."""
    for index, hit in enumerate(found):
        score = -float(request.offset + index) if request.sort else float(hit.get("_score") or 0.0)
        if not isfinite(score):
            raise ValueError("a score is no number")
        yield score


def _total(hits: Mapping[str, Any], request: SearchRequest) -> int | None:
    total: Any = hits.get("total")
    if request.target == "vector" or not total:  # every document is near in some degree
        return None
    return int(total["value"]) if total["relation"] == "eq" else None


def _facet(answer: Mapping[str, Any], catalog: Catalog, name: str) -> tuple[tuple[str, int], ...]:
    buckets = (answer.get("values") or answer)["buckets"]
    kept = catalog.source_path(name)
    return tuple(counted(buckets, open=catalog.column(name).kind == "open", kept=kept))[:FACET]


def _highlights(found: Mapping[str, Any], fields: Mapping[str, StoredField]) -> Iterator[Highlight]:
    names = {stored.name: canonical for canonical, stored in fields.items()}
    for name, fragments in (found.get("highlight") or {}).items():
        for fragment in fragments:
            text, spans = _unmarked(fragment)
            yield Highlight(field=names.get(name, name.removeprefix("typed.")), text=text, spans=tuple(spans))


def _unmarked(fragment: str) -> tuple[str, list[tuple[int, int]]]:
    """A fragment without its marks, and what they stood around."""
    text, spans = "", list[tuple[int, int]]()
    first, *rest = fragment.split(MARKS[0])
    text += first
    for part in rest:
        marked, _, after = part.partition(MARKS[1])
        if marked:
            spans.append((len(text), len(text) + len(marked)))
        text += marked + after
    return text, spans
