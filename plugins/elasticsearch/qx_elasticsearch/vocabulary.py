"""What an index holds: in how many documents a word occurs, which values a field has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qx.errors import AuthError
from qx.filters.fieldmap import FieldMap
from qx.text.near import may_be_misspelt, reach, words_near
from qx_elasticsearch.answer import counted
from qx_elasticsearch.body import facet
from qx_elasticsearch.catalog import Catalog
from qx_elasticsearch.connection import Connection
from qx_elasticsearch.documents import hit_of
from qx_elasticsearch.query import QueryCompiler
from qx_elasticsearch.values import readable
from qx_elasticsearch.wording import pieces

_LONGEST_TERM = 200
_BATCH = 500
_MOST_VALUES = 10_000
_NEAR_DOCUMENTS = 50


async def frequencies(
    terms: Sequence[str], connection: Connection, index: str, catalog: Catalog, compiler: QueryCompiler,
    *, timeout: float,  # noqa: ASYNC109 the client's own
) -> dict[str, int]:  # fmt: skip
    """Return in how many documents each term occurs.

    Words of one piece are looked up together by ``_termvectors`` with an artificial document.  Its statistics take in
    documents that were deleted or replaced lately, so what occurs in an index that has some is counted; so are terms of
    several pieces (as phrases), and all where an index has several shards, whose statistics are apart.
    """
    found: dict[str, int] = {}
    wanted = [term for term in dict.fromkeys(terms) if 0 < len(term) <= _LONGEST_TERM and pieces(term)]
    if catalog.own and catalog.shards == 1:
        single = [term for term in wanted if len(pieces(term)) == 1]
        for at in range(0, len(single), _BATCH):
            found.update(await _vectors(single[at : at + _BATCH], connection, index, timeout=timeout))
        if any(found.values()) and await _deletions(connection, index, timeout=timeout):
            found = {term: count for term, count in found.items() if not count}
    phrases = [term for term in wanted if term not in found]
    for at in range(0, len(phrases), _BATCH):
        found.update(await _counted(phrases[at : at + _BATCH], connection, index, compiler, timeout=timeout))
    return {term: found.get(term, 0) for term in terms}


async def values(
    field: str,
    limit: int,
    connection: Connection,
    index: str,
    catalog: Catalog,
    *,
    timeout: float,  # noqa: ASYNC109
) -> tuple[tuple[str, int], ...]:
    """Return the values of a stored field with their counts, most frequent first."""
    column = catalog.column(field)
    aggregation = facet(column, field, max(1, min(limit, _MOST_VALUES)))
    body = {"size": 0, "aggs": {"found": aggregation}, "track_total_hits": False}
    answer = await connection.call(lambda client: client.search(index=index, body=body), timeout=timeout)
    with connection.reading("count of values"):
        found: Mapping[str, Any] = answer["aggregations"]["found"]
        buckets = (found.get("values") or found)["buckets"]
        return tuple(counted(buckets, open=column.kind == "open"))[:limit]


async def spellings(
    terms: Sequence[str], limit: int, connection: Connection, index: str, catalog: Catalog, fields: FieldMap,
    compiler: QueryCompiler, *, timeout: float,  # noqa: ASYNC109
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Return words near each term, out of some documents that hold one."""
    wanted = [
        term for term in dict.fromkeys(terms) if len(term) <= _LONGEST_TERM and reach(term) and may_be_misspelt(term)
    ]
    if not wanted:
        return {}
    searches: list[Mapping[str, Any]] = []
    for term in wanted:
        searches += [{}, {"size": _NEAR_DOCUMENTS, "track_total_hits": False, "query": compiler.near(term)}]
    answer = await connection.call(lambda client: client.msearch(index=index, searches=searches), timeout=timeout)
    found: dict[str, tuple[str, ...]] = {}
    with connection.reading("list of search results"):
        for term, part in zip(wanted, answer["responses"], strict=True):
            if "error" in part:
                raise connection.refused(int(part.get("status", 400)), part)
            hits = [hit_of(hit, backend="", catalog=catalog, fields=fields) for hit in part["hits"]["hits"]]
            found[term] = words_near(term, (f"{hit.title}\n{hit.text}" for hit in hits))[:limit]
    return found


async def _deletions(connection: Connection, index: str, *, timeout: float) -> bool:  # noqa: ASYNC109
    """Whether deleted documents may still be in the statistics; they are taken to be there where that may not be seen."""
    try:
        answer = await connection.call(lambda client: client.indices.stats(index=index, metric="docs"), timeout=timeout)
    except AuthError:
        return True
    with connection.reading("count of documents"):
        return int(answer["_all"]["primaries"]["docs"]["deleted"]) > 0


async def _vectors(
    terms: Sequence[str],
    connection: Connection,
    index: str,
    *,
    timeout: float,  # noqa: ASYNC109
) -> dict[str, int]:
    starts: dict[int, str] = {}
    text = ""
    for term in terms:
        starts[len(text.encode("utf-16-le")) // 2] = term  # Java counts UTF-16
        text += f"{readable(term)}\n"
    body: dict[str, Any] = {
        "doc": {"all": text},
        "fields": ["all"],
        "term_statistics": True,
        "field_statistics": False,
        "offsets": True,
        "positions": False,
    }
    answer = await connection.call(lambda client: client.termvectors(index=index, body=body), timeout=timeout)
    found = dict.fromkeys(terms, 0)
    with connection.reading("list of terms"):
        field: Mapping[str, Any] = answer["term_vectors"].get("all") or {}
        for statistics in (field.get("terms") or {}).values():
            for token in statistics["tokens"]:
                if (term := starts.get(token["start_offset"])) is not None:
                    found[term] = max(found[term], int(statistics.get("doc_freq", 0)))
    return found


async def _counted(
    terms: Sequence[str], connection: Connection, index: str, compiler: QueryCompiler,
    *, timeout: float,  # noqa: ASYNC109
) -> dict[str, int]:  # fmt: skip
    searches: list[Mapping[str, Any]] = []
    for term in terms:
        query = compiler.single(term) if len(pieces(term)) == 1 else compiler.phrase(term)
        searches += [{}, {"size": 0, "track_total_hits": True, "query": query}]
    answer = await connection.call(lambda client: client.msearch(index=index, searches=searches), timeout=timeout)
    found: dict[str, int] = {}
    with connection.reading("list of search results"):
        for term, part in zip(terms, answer["responses"], strict=True):
            if "error" in part:
                raise connection.refused(int(part.get("status", 400)), part)
            found[term] = int(part["hits"]["total"]["value"])
    return found


def types_body(paths: Sequence[str]) -> dict[str, Any]:
    """Return the search that shows of what types open attributes are."""
    aggregations = {str(i): {"terms": {"field": f"open.{path}", "size": 20}} for i, path in enumerate(paths)}
    return {"size": 0, "aggs": aggregations, "track_total_hits": False}
