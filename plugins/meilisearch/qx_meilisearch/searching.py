"""Requests to one multi-search, and its lists back to responses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlsplit

from qx.backend import SearchRequest, SearchResponse, Sort
from qx.errors import BadRequest, QxError, UsageError
from qx.filters import NOTHING, Compare, combine, simplify
from qx.filters.fieldmap import FieldMap, lower
from qx.filters.matching import evaluate
from qx.serial import value
from qx.syntax import FileType, Site, asks_nothing, typed_filter
from qx.syntax.tree import words as words_of
from qx.text.segment import Segmenter
from qx.types import Hit
from qx_meilisearch.clauses import Within
from qx_meilisearch.documents import Layout, at, floats, holds
from qx_meilisearch.filters import MAX_SIZE, compile_filter, joined, seconds, size
from qx_meilisearch.plan import Lookup, Plan, Planner
from qx_meilisearch.pool import Listed, Pooled, frequencies, pool
from qx_meilisearch.settings import Settings
from qx_meilisearch.state import State
from qx_meilisearch.tokens import extensions, sites, spelt, token
from qx_meilisearch.words import Vocabulary, literal

SECONDS_PER_LOOKUP = 0.01
"""What one query of a multi-search may cost: a generous estimate, by which the time that is left chooses how many."""
PARTIAL = "facets count the {} documents that its lists brought, not all that match"
FILTERING = 0.2
"""What a long filter may cost a request in all: its time comes again with every query."""

EMPTY = SearchResponse(ids=(), scores=(), hit=lambda index: _no_hit(index), total=0)


def _no_hit(index: int) -> Hit:
    raise IndexError(index)


@value
class Prepared:
    """One request as queries.  ``paged``: Meilisearch itself cuts the page, as there is one list only."""

    request: SearchRequest
    plan: Plan
    queries: tuple[Mapping[str, Any], ...]
    paged: bool


class Searcher:
    """Translates for one state of an index."""

    def __init__(self, settings: Settings, fields: FieldMap, state: State, segmenter: Segmenter) -> None:
        self._settings = settings
        self._fields = fields
        self._state = state
        self._layout: Layout = state.layout(fields)
        self._filters = state.filters()
        self._vocabulary = Vocabulary(segmenter, state.stop_words, prefixes=state.prefixes)
        self._planner = Planner(self._vocabulary, self._place, self._attribute, state.searches, self._called)

    def prepare(self, request: SearchRequest, *, share: int) -> Prepared | SearchResponse:
        """Return the queries of ``request``, or its response where nothing has to be asked.

        Args:
            request: The request.
            share: How many requests the time is for.

        Raises:
            BadRequest: it cannot be asked like that.
        """
        expression, typed = typed_filter(request.expression)
        lowered = lower(typed, self._fields)
        wanted = simplify(combine(request.filter, lowered.filter))
        if wanted == NOTHING or (wanted is None and request.target != "vector" and asks_nothing(expression)):
            return EMPTY
        if wanted is not None and size(wanted) > MAX_SIZE:
            raise BadRequest(
                f"the backend '{self._settings.name}' cannot carry a filter of {size(wanted):,} values and conditions: "
                f"Meilisearch takes too long for more than {MAX_SIZE:,}; filter by something that says the same in fewer"
            )
        depth = request.offset + request.limit
        time, filtering = request.timeout / max(1, share), seconds(wanted)
        most = max(1, min(self._settings.subqueries, int(time / (SECONDS_PER_LOOKUP + filtering))))
        if filtering > SECONDS_PER_LOOKUP:  # the answer is worth waiting for, not every list of it
            most = max(1, min(most, int(min(time, FILTERING) / filtering)))
        plan = self._planner.plan(expression, most=most, depth=depth)
        lookups = self._with_vector(request, [] if request.target == "vector" else list(plan.lookups))
        if not lookups and wanted is not None and request.target != "vector":
            lookups = [Lookup(kind="browse", depth=depth)]
        unexpressed = (*plan.unexpressed, *(f"{u.leaf.field}: ({u.reason})" for u in lowered.unlowered))
        if not lookups:
            return replace(EMPTY, unexpressed=unexpressed)
        base = compile_filter(wanted, self._filters.leaf) if wanted is not None else ""
        paged = len(lookups) == 1 and not lookups[0].check and not request.boosts
        return Prepared(
            request=request,
            plan=replace(plan, lookups=tuple(lookups), unexpressed=unexpressed),
            queries=tuple(self._query(lookup, request, base, paged=paged) for lookup in lookups),
            paged=paged,
        )

    def respond(self, prepared: Prepared, results: Sequence[Any]) -> SearchResponse:
        """Put the lists of one request together.

        Raises:
            UsageError: a list goes on below where the engine ends it.
        """
        request, layout = prepared.request, self._layout
        self._check_depth(request, results)
        answered = zip(prepared.plan.lookups, results, strict=True)
        pairs = [(lookup, result) for lookup, result in answered if lookup.kind != "named" or result.hits]
        lists = [self._listed(lookup, result, prepared) for lookup, result in pairs]
        merged = pool(lists, layout, self._state.documents, self._settings.semantic_ratio)
        merged = self._boosted(merged, request)
        if request.sort:
            merged = as_listed(merged, lists[0], layout.key) if len(lists) == 1 else sorted_pool(merged, request.sort)
        first = 0 if prepared.paged else request.offset
        keys = merged.keys[first : first + request.limit]
        documents = [merged.documents[key] for key in keys]
        marked = self._vocabulary.units(words_of(request.expression), 32)

        def hit(index: int) -> Hit:
            return layout.hit(documents[index], self._settings.name, marked)

        return SearchResponse(
            ids=tuple(layout.id(document) for document in documents),
            scores=merged.scores[first : first + request.limit],
            hit=hit,
            identities=tuple(layout.location(document) for document in documents),
            total=lists[0].total if prepared.paged else merged.total,
            facets=self._facets(request, [result for _, result in pairs], merged, exact=len(lists) == 1),
            frequencies=frequencies(lists),
            documents=self._state.documents or None,
            unexpressed=prepared.plan.unexpressed,
            notes=(PARTIAL.format(len(merged.keys)),)
            if request.facets and len(lists) > 1 and merged.total is None
            else (),
        )

    def _check_depth(self, request: SearchRequest, results: Sequence[Any]) -> None:
        most = self._state.most
        if request.offset + request.limit > most and any(int(r.estimated_total_hits or 0) >= most for r in results):
            raise UsageError(
                f"the backend '{self._settings.name}': meilisearch lists no more than {most:,} hits, and "
                f"{request.limit:,} after the first {request.offset:,} go further: narrow the search by a filter, or raise "
                "`pagination.maxTotalHits` of the index"
            )

    def _query(self, lookup: Lookup, request: SearchRequest, base: str, *, paged: bool) -> dict[str, Any]:
        query: dict[str, Any] = {
            "index_uid": self._settings.index,
            "q": lookup.q,
            "matching_strategy": lookup.strategy,
            "limit": request.limit if paged else lookup.depth,
            "offset": request.offset if paged else 0,
            "attributes_to_retrieve": self._layout.retrieved(),
        }
        if condition := joined([base, lookup.filter]):
            query["filter"] = condition
        if lookup.attributes:
            query["attributes_to_search_on"] = list(lookup.attributes)
        if request.sort:
            query["sort"] = [name for sort in request.sort for name in self._sort(sort)]
        if request.facets:
            query["facets"] = [self.facet(name) for name in request.facets]
        if self._settings.locales:
            query["locales"] = list(self._settings.locales)
        if lookup.kind == "vector":
            ratio = 1.0 if request.target == "vector" else self._settings.semantic_ratio
            query["hybrid"] = {"embedder": self._settings.embedder, "semantic_ratio": ratio}
            if request.vector is not None:
                query["vector"] = floats(request.vector)
        return query

    def _with_vector(self, request: SearchRequest, lookups: list[Lookup]) -> list[Lookup]:
        """Add the query by vectors, where the index has an embedder and the request is for it."""
        source = self._state.embedders.get(self._settings.embedder)
        wants = request.target == "vector" or (request.target == "any" and bool(lookups))
        if not wants:
            return lookups
        text = literal(request.text)
        able = source is not None and (request.vector is not None or (source != "userProvided" and bool(text)))
        if not able:
            if request.target == "vector":
                raise BadRequest(
                    f"the backend '{self._settings.name}' cannot search by vectors: "
                    + ("the request has none" if source else f"its index has no embedder '{self._settings.embedder}'")
                )
            return lookups
        has_vector = '"qx.vector" = true' if self._state.made == "own" else ""
        by_vector = Lookup(kind="vector", q=text, filter=has_vector, depth=request.offset + request.limit)
        return [*lookups, by_vector]

    def _listed(self, lookup: Lookup, result: Any, prepared: Prepared) -> Listed:
        hits = cast("list[Mapping[str, object]]", result.hits)
        kept = [hit for hit in hits if all(self._passes(hit, inside) for inside in lookup.check)]
        total = int(result.estimated_total_hits or 0)
        complete = not prepared.paged and len(hits) < lookup.depth
        return Listed(lookup=lookup, hits=kept, total=len(kept) if lookup.check else total, complete=complete)

    def _passes(self, hit: Mapping[str, object], inside: Within) -> bool:
        if inside.field in ("site", "filetype"):
            url = self._layout.location(hit)
            known = sites(url) if inside.field == "site" else extensions(url)
            return (token(inside.text) in known) is not inside.negative
        name = self._attribute(inside.field)
        text = at(hit, name) if name else None
        texts = cast("Sequence[object]", text) if isinstance(text, (list, tuple)) else (text,)
        found = any(holds(str(item), inside.text, phrase=inside.phrase) for item in texts if item is not None)
        return found is not inside.negative

    def _boosted(self, merged: Pooled, request: SearchRequest) -> Pooled:
        if not request.boosts:
            return merged
        scores = dict(zip(merged.keys, merged.scores, strict=True))
        for boost in request.boosts:
            wanted = Compare(field=boost.field, op="eq", value=boost.value)
            for key in merged.keys:
                if evaluate(wanted, merged.documents[key]):
                    scores[key] *= boost.weight
        keys = tuple(sorted(merged.keys, key=lambda key: -scores[key]))
        return replace(merged, keys=keys, scores=tuple(scores[key] for key in keys))

    def _facets(
        self, request: SearchRequest, results: Sequence[Any], merged: Pooled, *, exact: bool
    ) -> dict[str, list[tuple[str, int]]]:
        """Meilisearch's own counts of a single list; of several lists, what the hits that came hold."""
        found: dict[str, list[tuple[str, int]]] = {}
        for name in request.facets:
            if exact:
                counts = cast("Mapping[str, int]", (results[0].facet_distribution or {}).get(self.facet(name), {}))
            else:
                counts = _counted(merged, name)
            found[name] = self.readable(counts) if exact else _by_count(counts)
        return found

    def readable(self, counts: Mapping[str, int]) -> list[tuple[str, int]]:
        """Return the counts of a facet, most frequent first, tokens read back."""
        if self._state.made != "own":
            return _by_count(counts)
        found: Counter[str] = Counter()
        for name, count in counts.items():
            if (text := spelt(name)) is not None:
                found[text] += count  # true and "true", 8 and "8" read alike
        return _by_count(found)

    def facet(self, field: str) -> str:
        """Return the attribute whose values are counted for ``field``."""
        return f"qx.is.{field}" if self._state.made == "own" else field

    def _sort(self, sort: Sort) -> list[str]:
        way = "desc" if sort.descending else "asc"
        if self._state.made != "own":
            return [f"{sort.field}:{way}"]
        return [f"qx.{kind}.{sort.field}:{way}" for kind in ("number", "at", "is")]

    def _place(self, node: Site | FileType) -> str | None:
        if self._state.made != "own":
            return None
        name, text = ("site", node.host) if isinstance(node, Site) else ("type", node.extension.lower())
        if name == "site":
            parts = urlsplit(f"//{text}")
            text = (parts.hostname or "") + parts.path.rstrip("/")
        return f'"qx.{name}" = "{token(text)}"'

    def _called(self, ids: Sequence[str]) -> str:
        name = "id" if self._state.made == "own" else self._layout.key
        wanted = Compare(field=name, op="in", value=tuple(ids))
        return "" if self._filters.inexpressible(wanted) else self._filters.leaf(wanted)

    def _attribute(self, field: str) -> str | None:
        name = {"intitle": "title", "intext": "text", "inurl": "url"}.get(field, field)
        if name in self._fields and self._fields[name].type in ("number", "date", "bool"):
            return None  # what the syntax could not read as such a value
        if name in self._fields:
            return self._fields[name].name
        return getattr(self._layout, name) if name in ("title", "text", "url") else None


def failed_query(error: QxError) -> int | None:
    """Return which query of a multi-search made all of it fail, if Meilisearch says so."""
    match = re.search(r"Inside `\.queries\[(\d+)\]", str(error))
    return int(match[1]) if match else None


def as_listed(merged: Pooled, found: Listed, key: str) -> Pooled:
    """Return the pool in the order of its one list, which Meilisearch has sorted."""
    keys = tuple(dict.fromkeys(str(hit.get(key)) for hit in found.hits))
    return replace(merged, keys=keys, scores=tuple(1.0 / (place + 1) for place in range(len(keys))))


def sorted_pool(merged: Pooled, sorts: Sequence[Sort]) -> Pooled:
    """Return the pool in the order of fields: numbers before text, documents without a value last."""
    keys = list(merged.keys)
    for sort in reversed(sorts):
        found = [(_rank(at(merged.documents[key], sort.field)), key) for key in keys]
        known = [(rank, key) for rank, key in found if rank is not None]
        known.sort(key=lambda pair: pair[0], reverse=sort.descending)
        keys = [*(key for _, key in known), *(key for rank, key in found if rank is None)]
    return replace(merged, keys=tuple(keys), scores=tuple(1.0 / (place + 1) for place in range(len(keys))))


def _rank(item: object) -> tuple[int, float, str] | None:
    if isinstance(item, (list, tuple)):
        item = next(iter(cast("Sequence[object]", item)), None)
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return (0, float(item), "")
    return None if item is None else (1, 0.0, str(item))


def _counted(merged: Pooled, field: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for key in merged.keys:
        found = at(merged.documents[key], field)
        items = cast("Sequence[object]", found) if isinstance(found, (list, tuple)) else (found,)
        for item in {_text(item) for item in items if item is not None}:
            counts[item] = counts.get(item, 0) + 1
    return counts


def _text(item: object) -> str:
    return str(item).lower() if isinstance(item, bool) else str(item)


def _by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
