"""Searching one collection: requests in, points out."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any

from qdrant_client import models

from qx.backend import SearchRequest, SearchResponse
from qx.errors import BadRequest, BadResponse, QxError
from qx.filters.fieldmap import FieldMap
from qx.types import Hit
from qx_qdrant.analysis import Analysis
from qx_qdrant.bm25 import query_vector
from qx_qdrant.collection import State
from qx_qdrant.connection import Connection
from qx_qdrant.expression import TERMS, Compiler, Plan
from qx_qdrant.facets import counted, facet
from qx_qdrant.filters import compiled, path
from qx_qdrant.ordering import compare
from qx_qdrant.points import SITES, TEXT_WORDS, TITLE_WORDS, Unfit, document_id, floats, hit, value_at

BLOCK = 50
"""Lists are asked for in lengths of this."""
TIED = 10_000
"""Points that are looked at to put those of one score in one order, whatever part of the list is asked for."""
SORTED = 10_000
"""Matching documents that are put in order by a field at most."""
FUSED = 1000
"""Points that each side gives to a fused list at least: with another number the same points would come in another order."""
_DOCUMENT = models.PayloadSelectorExclude(exclude=[TITLE_WORDS, TEXT_WORDS, SITES])
"""What a hit is made of: the words that qx keeps beside the document stay where they are."""


@dataclass(frozen=True)
class Ask:
    """One request as Qdrant takes it; ``query`` None means that the answer is known to be empty."""

    request: SearchRequest
    plan: Plan
    query: models.QueryRequest | None
    condition: models.Filter | None
    notes: list[str] = field(default_factory=list[str])

    @property
    def ranked(self) -> bool:
        """Whether the points come in the order of a score."""
        return self.query is not None and (self.query.query is not None or bool(self.query.prefetch))


class Searching:
    """The reading side of one collection as it was last seen."""

    def __init__(
        self, connection: Connection, state: State, fields: FieldMap, analysis: Analysis, *, dense: str, sparse: str
    ) -> None:
        self._connection = connection
        self._state = state
        self._fields = fields
        self._analysis = analysis
        self._dense, self._sparse = dense, sparse
        self._own = state.mark is not None and state.sparse

    async def search(self, request: SearchRequest) -> SearchResponse:
        """Run one request."""
        return await self._answer(self._asked(request), None)

    async def search_many(self, requests: Sequence[SearchRequest]) -> list[SearchResponse | QxError]:
        """Run several in one round trip, and one by one when Qdrant refuses one of them."""
        asked = [self._tried(request) for request in requests]
        together = [
            (i, ask.query)
            for i, ask in enumerate(asked)
            if isinstance(ask, Ask) and ask.query is not None and not ask.request.sort
        ]
        points: dict[int, Any] = {}
        if together:
            try:
                answers = await self._connection.call(
                    "query_batch_points",
                    collection_name=self._state.physical,
                    requests=[query for _, query in together],
                    seconds=max(request.timeout for request in requests),
                )
                if len(answers) != len(together):
                    raise self._broken(f"{len(answers)} lists for {len(together)} requests")
                points = {i: answer.points for (i, _), answer in zip(together, answers, strict=True)}
            except BadRequest:
                points = {}  # one bad request fails the batch: each on its own
            except QxError as error:
                return [ask if isinstance(ask, QxError) else error for ask in asked]

        async def one(i: int, ask: Ask | QxError) -> SearchResponse | QxError:
            if isinstance(ask, QxError):
                return ask
            try:
                return await self._answer(ask, points.get(i))
            except QxError as error:
                return error

        return list(await asyncio.gather(*(one(i, ask) for i, ask in enumerate(asked))))

    def _tried(self, request: SearchRequest) -> Ask | QxError:
        try:
            return self._asked(request)
        except QxError as error:
            return error

    def _asked(self, request: SearchRequest) -> Ask:
        plan = Compiler(self._fields, self._analysis, own=self._own).plan(request.expression)
        by_meaning = request.target == "vector" or (request.vector is not None and self._state.dense > 0)
        wanted = (plan.condition, None if by_meaning else plan.words)
        must = [condition for condition in wanted if condition is not None]
        if request.filter is not None:
            must.append(compiled(request.filter))
        condition = None if not must else models.Filter(must=must)
        return Ask(request, plan, self._query(request, plan, condition), condition)

    def _query(self, request: SearchRequest, plan: Plan, condition: models.Filter | None) -> models.QueryRequest | None:
        sides = self._sides(request, plan)
        if not sides and (condition is None or (plan.empty and request.filter is None) or (plan.terms and self._own)):
            return None
        if not sides:
            limit = max(request.limit, 1)
            return models.QueryRequest(filter=condition, limit=limit, offset=request.offset, with_payload=_DOCUMENT)
        depth = -(-max(request.limit + request.offset, 1) // BLOCK) * BLOCK + 1
        each = max(FUSED, depth)
        first = {self._sparse: self._telling(plan, condition, each)}
        if len(sides) == 2:
            prefetch = [
                models.Prefetch(prefetch=first.get(name), query=query, using=name, filter=condition, limit=each)
                for name, query in sides
            ]
            fused = models.FusionQuery(fusion=models.Fusion.RRF)
            return models.QueryRequest(prefetch=prefetch, query=fused, limit=depth, with_payload=_DOCUMENT)
        name, query = sides[0]
        return models.QueryRequest(
            prefetch=first.get(name), query=query, using=name, filter=condition, limit=depth, with_payload=_DOCUMENT
        )

    def _telling(self, plan: Plan, condition: models.Filter | None, limit: int) -> models.Prefetch | None:
        """Return what finds the points that hold a telling word, for the words of the query to put in order.

        None: all of its words are telling.
        """
        telling = {term: weight for term, weight in plan.terms.items() if term in plan.telling}
        if len(telling) == len(plan.terms):
            return None
        vector = _sparse(telling)
        return models.Prefetch(query=vector, using=self._sparse, filter=condition, limit=limit)

    def _sides(self, request: SearchRequest, plan: Plan) -> list[tuple[str, Any]]:
        """Return the vectors to search with: the words', the meaning's, or both."""
        sides: list[tuple[str, Any]] = []
        if plan.terms and request.target != "vector" and self._own:
            sides.append((self._sparse, _sparse(plan.terms)))
        if request.vector is not None and request.target in ("any", "vector") and self._state.dense:
            try:
                dense = floats(request.vector)
            except Unfit as error:
                raise self._refused(str(error)) from error
            if len(dense) != self._state.dense:
                raise self._refused(
                    f"the query's vector has {len(dense)} numbers, the collection's have {self._state.dense}"
                )
            sides.append((self._dense, dense))
        elif request.target == "vector":
            raise self._refused("a vector search needs a query's vector and a collection with vectors")
        return sides

    def _refused(self, reason: str) -> BadRequest:
        return BadRequest(f"backend '{self._connection.name}': Qdrant at {self._connection.endpoint}: {reason}")

    def _broken(self, answer: str) -> BadResponse:
        return BadResponse(
            f"backend '{self._connection.name}': Qdrant at {self._connection.endpoint} answered {answer}"
        )

    async def _answer(self, ask: Ask, points: Any) -> SearchResponse:
        request = ask.request
        total: int | None = None
        if ask.query is None:
            points, total = [], 0
        elif request.sort:
            points, total = await self._sorted(ask)
        elif points is None:
            points = await self._points(ask)
        if ask.query is not None and ask.ranked and not request.sort:
            total = len(points) if len(points) < (ask.query.limit or 0) else None
            points = await self._in_order(ask, points, ask.query.limit or 0)
        elif total is None:
            total = await self._total(ask, len(points))
        facets = await self._facets(ask) if request.facets and ask.query is not None else {}
        return self._response(ask, points, total, facets)

    async def _points(self, ask: Ask, limit: int | None = None, payload: Any = _DOCUMENT) -> list[Any]:
        query = ask.query
        if query is None:
            return []
        answer = await self._connection.call(
            "query_points",
            collection_name=self._state.physical,
            query=query.query,
            using=query.using,
            prefetch=query.prefetch if limit is None else _deepened(query, limit),
            query_filter=query.filter,
            limit=query.limit if limit is None else limit,
            offset=query.offset if limit is None else None,
            with_payload=payload,
            seconds=ask.request.timeout,
        )
        return list(answer.points)

    async def _in_order(self, ask: Ask, points: Sequence[Any], limit: int) -> list[Any]:
        """Return the wanted part of a ranked list, points of one score in the order of their ids.

        Qdrant takes some of those at the end of a list, others for another length: all of them are looked at then.
        """
        begin, end = ask.request.offset, ask.request.offset + ask.request.limit
        there = {point.id: point for point in points}
        while end <= len(points) == limit < TIED and points[end - 1].score <= points[-1].score:
            limit = min(4 * limit, TIED)
            points = await self._points(ask, limit, payload=False)
        if len(points) == TIED and end <= TIED and points[end - 1].score <= points[-1].score:
            ask.notes.append(f"more than {TIED} documents of one score: pages may overlap there")
        wanted = sorted(points, key=lambda point: (-point.score, str(point.id)))[begin:end]
        missing = [point.id for point in wanted if point.id not in there]
        if missing:
            full = await self._retrieved(ask, missing)
            there |= {p.id: p.model_copy(update={"payload": full[p.id].payload}) for p in wanted if p.id in full}
        return [there[point.id] for point in wanted if point.id in there]

    async def _retrieved(self, ask: Ask, ids: Sequence[Any]) -> dict[Any, Any]:
        full = await self._connection.call(
            "retrieve",
            collection_name=self._state.physical,
            ids=list(ids),
            with_payload=_DOCUMENT,
            seconds=ask.request.timeout,
        )
        return {point.id: point for point in full}

    async def _total(self, ask: Ask, found: int) -> int | None:
        """Return how many match, where that is known or cheap to ask."""
        request = ask.request
        if found < request.limit and (found or not request.offset):
            return request.offset + found
        counted = await self._connection.call(
            "count",
            collection_name=self._state.physical,
            count_filter=ask.condition,
            exact=True,
            seconds=request.timeout,
        )
        return int(counted.count)

    async def _matching(self, ask: Ask, payload: Sequence[str]) -> list[Any]:
        """Return the points that match, as far as they are put in order, with a part of their payload."""
        if ask.query is not None and ask.ranked:
            return await self._points(ask, SORTED, payload=list(payload))
        points, _ = await self._connection.call(
            "scroll",
            collection_name=self._state.physical,
            scroll_filter=ask.condition,
            limit=SORTED,
            with_payload=list(payload),
            seconds=ask.request.timeout,
        )
        return list(points)

    async def _sorted(self, ask: Ask) -> tuple[list[Any], int | None]:
        """Return the wanted part of the matching points in the order of a field.

        Qdrant itself orders by one indexed number or date and leaves out points without it; this takes any field.
        """
        request = ask.request
        found = await self._matching(ask, [path(sort.field) for sort in request.sort])
        if len(found) == SORTED:
            ask.notes.append(f"only {SORTED} of the documents that match are put in order")
        order = cmp_to_key(lambda a, b: compare(a.payload or {}, b.payload or {}, request.sort))
        end = request.offset + request.limit
        best = heapq.nsmallest(end, found, key=order)[request.offset :]
        if not best:
            return [], len(found)
        by_id = await self._retrieved(ask, [point.id for point in best])
        return [by_id[p.id] for p in best if p.id in by_id], None if len(found) == SORTED else len(found)

    async def _facets(self, ask: Ask) -> Mapping[str, Sequence[tuple[str, int]]]:
        names = [path(name) for name in ask.request.facets]
        if ask.ranked:
            found = await self._matching(ask, names)  # what the words find: no filter says it
            if len(found) == SORTED:
                ask.notes.append(f"facets count the best {SORTED} documents, not all that match")
            return {name: counted(found, name) for name in ask.request.facets}
        return {
            name: await facet(self._connection, self._state, name, ask.condition, seconds=ask.request.timeout)
            for name in ask.request.facets
        }

    def _response(
        self, ask: Ask, points: Sequence[Any], total: int | None, facets: Mapping[str, Sequence[tuple[str, int]]]
    ) -> SearchResponse:
        request, fields, backend = ask.request, self._fields, self._connection.name
        ids = tuple(map(document_id, points))
        plain = bool(request.sort) or not ask.ranked
        count = len(points)
        scores = tuple(
            float(count - i) if plain else float(getattr(point, "score", 0.0)) for i, point in enumerate(points)
        )

        def made(index: int) -> Hit:
            payload = points[index].payload or {}
            return hit(payload, id=ids[index], backend=backend, score=scores[index], fields=fields)

        stored = fields.get("url")
        name = stored.name if stored is not None and not self._own else "url"
        urls = tuple(value_at(point.payload or {}, name) for point in points)
        return SearchResponse(
            ids=ids,
            scores=scores,
            hit=made,
            identities=tuple(url if isinstance(url, str) else None for url in urls),
            total=total,
            facets=facets,
            unexpressed=tuple(dict.fromkeys(ask.plan.unexpressed)),
            notes=tuple(dict.fromkeys(ask.notes)),
        )


def _sparse(terms: Mapping[str, float]) -> models.SparseVector:
    indices, values = query_vector(terms, TERMS)
    return models.SparseVector(indices=indices, values=values)


def _deepened(query: models.QueryRequest, limit: int) -> Any:
    """Return what a query chooses from, of ``limit`` points at least; two sides that are fused keep their lengths."""
    first = query.prefetch
    return (
        first.model_copy(update={"limit": max(first.limit or 0, limit)})
        if isinstance(first, models.Prefetch)
        else first
    )
