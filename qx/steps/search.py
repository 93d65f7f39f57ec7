"""The step ``search``: Expansion -> Rankings.  Every sub-query on every backend that takes it, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from qx.backend import SearchRequest, SearchResponse, SupportsVectors
from qx.calls.connection import Connection
from qx.context import Context
from qx.embedder import EmbedRequest
from qx.errors import ProviderError, ProviderTimeout, QxError
from qx.filters import Filter
from qx.filters.fieldmap import lower
from qx.filters.inference import relaxations
from qx.ranking import Ranking
from qx.settings import Search
from qx.steps.requests import Asked, asked, canonical_facets, is_empty, request_for, wanted
from qx.types import Expansion, Hit, ListReport, Status, Target

RESERVE = 0.04
"""Share of the remaining time that merging and ordering may need."""


class SearchFailed(ProviderError):
    """Every backend failed; the text lists each cause."""


class SearchStep:
    """Runs an expansion's queries.

    Args:
        connections: The engine's backends, in the profile's order.
        settings: Depth, order, identity.
    """

    def __init__(self, connections: Sequence[Connection], settings: Search) -> None:
        self._connections = connections
        self._settings = settings

    async def __call__(self, value: Expansion, context: Context, /) -> tuple[Ranking, ...]:
        queries, typed = asked(value.queries, context.query, value.understanding, context.filterable)
        filters = wanted(context.query, value.understanding, typed, context.filterable)
        if is_empty(queries[0].expression) and filters.all is None:
            return ()
        found = await self._first(queries, filters.all, context)
        if not any(ranking.keys for ranking in found) and filters.inferred is not None:
            found = await self._relaxed(queries, filters.all, found, context)
        causes = _causes(found)
        if not causes:
            return found
        early = context.first_pass
        before = await early.rankings() if early is not None else ()
        if not any(ranking.keys for ranking in before):
            raise SearchFailed("every search backend failed: " + causes)
        context.degrade("search", "the raw query's hits", causes)
        return (*before, *found)

    async def run(self, queries: Sequence[Asked], tree: Filter | None, context: Context) -> tuple[Ranking, ...]:
        """Run ``queries`` with the canonical filter ``tree``; what fails or is late is a ranking that says so."""
        if self._settings.order == "sequential":
            return await self._one_by_one(queries, tree, context)
        return await self._at_once(queries, tree, context)

    async def _first(self, queries: Sequence[Asked], tree: Filter | None, context: Context) -> tuple[Ranking, ...]:
        """Use the raw query's lists where they are of the same words and filter; run the rest."""
        early = context.first_pass
        if early is None or early.text != queries[0].text or repr(early.filter) != repr(tree):
            return await self.run(queries, tree, context)
        if self._settings.order == "sequential":
            first = await early.rankings()
            others = await self._one_by_one(queries[1:], tree, context, before=first)
        elif len(queries) > 1:
            first, others = await asyncio.gather(early.rankings(), self._at_once(queries[1:], tree, context))
        else:
            first, others = await early.rankings(), ()
        return (*(replace(r, query=queries[0].query) for r in first), *others)

    async def _relaxed(
        self,
        queries: Sequence[Asked],
        tree: Filter | None,
        before: tuple[Ranking, ...],
        context: Context,
    ) -> tuple[Ranking, ...]:
        """Do without inferred conditions, softest first, until something is found; never without the caller's."""
        for weaker in relaxations(tree):
            found = await self._at_once(queries, weaker.filter, context)
            if any(ranking.keys for ranking in found):
                told = ", ".join(f"{leaf.field} {getattr(leaf, 'op', 'exists')}" for leaf in weaker.dropped)
                context.note(f"nothing met every condition; relaxed: {told}")
                return found
        return before

    async def _one_by_one(
        self, queries: Sequence[Asked], tree: Filter | None, context: Context, *, before: Sequence[Ranking] = ()
    ) -> tuple[Ranking, ...]:
        enough = context.options.offset + context.options.limit
        found: list[Ranking] = []
        for query in queries:
            if len({key for ranking in (*before, *found) for key in ranking.keys}) >= enough:
                found += [_empty(query, c.name, "skipped", "there were enough hits") for c in self._connections]
                continue
            found += await self._at_once([query], tree, context)
        return tuple(found)

    async def _at_once(self, queries: Sequence[Asked], tree: Filter | None, context: Context) -> tuple[Ranking, ...]:
        vector = await self._vector(queries, context)
        left = context.budget.remaining().seconds
        work = [asyncio.ensure_future(self._ask(c, queries, tree, vector, context)) for c in self._connections]
        try:
            await asyncio.wait(work, timeout=None if left is None else left * (1 - RESERVE))
        finally:
            late = [task for task in work if not task.done()]
            for task in late:
                task.cancel()
            if late:
                await asyncio.gather(*late, return_exceptions=True)
        found: list[Ranking] = []
        for connection, task in zip(self._connections, work, strict=True):
            if task.cancelled():
                reason = "no answer before the deadline"
                found += [_empty(query, connection.name, "timeout", reason) for query in queries]
            else:
                found += task.result()
        return tuple(found)

    async def _vector(self, queries: Sequence[Asked], context: Context) -> bytes | None:
        if not any(q.query.strategy == "original" for q in queries) or not context.has_embedder:
            return None
        if not any(isinstance(c.backend, SupportsVectors) for c in self._connections):
            return None
        try:
            made = await context.embed(EmbedRequest(texts=(queries[0].query.text,)))
        except QxError as error:
            context.degrade("search", "without vectors", str(error))
            return None
        return made.vectors[0]

    async def _ask(
        self,
        connection: Connection,
        queries: Sequence[Asked],
        tree: Filter | None,
        vector: bytes | None,
        context: Context,
    ) -> list[Ranking]:
        pairs: list[tuple[Asked, SearchRequest]] = []
        found: list[Ranking] = []
        for query in queries:
            for target in _targets(connection, query, vector):
                made = request_for(
                    query, connection.backend, tree, context.options, depth=self._settings.depth, target=target
                )
                if isinstance(made, str):
                    found.append(_empty(query, connection.name, "skipped", made))
                    continue
                identity = self._identity(connection)
                made = replace(made, vector=vector if target == "vector" else None, identity=identity)
                pairs.append((query, made))
        if not pairs:
            return found or [
                _empty(query, connection.name, "skipped", f"not for {query.query.target}") for query in queries
            ]
        began = context.clock.monotonic()
        with context.span(f"backend {connection.name}", requests=len(pairs)):
            answers = await connection.ask(
                [request for _, request in pairs], lambda: context.budget.remaining().seconds
            )
        took = round((context.clock.monotonic() - began) * 1000, 3)
        unlowered = tuple(f"{u.leaf.field}: {u.reason}" for u in lower(tree, connection.backend.fields).unlowered)
        made = [self._ranking(q, answer, connection, took) for (q, _), answer in zip(pairs, answers, strict=True)]
        return found + [
            replace(r, report=replace(r.report, filter=request.filter, unlowered=unlowered)) if r.report else r
            for r, (_, request) in zip(made, pairs, strict=True)
        ]

    def _identity(self, connection: Connection) -> str | None:
        name = self._settings.identity
        if name == "id":
            return None
        fields = connection.backend.fields
        return fields[name].name if name in fields else name

    def _ranking(self, asked: Asked, answer: SearchResponse | QxError, connection: Connection, took: float) -> Ranking:
        name = connection.name
        if isinstance(answer, QxError):
            status: Status = "timeout" if isinstance(answer, ProviderTimeout) else "failed"
            empty = _empty(asked, name, status, str(answer))
            return replace(empty, report=replace(empty.report, took=took) if empty.report else None)
        keys: dict[str, int] = {}
        for index, key in enumerate(self._keys(answer, name)):
            keys.setdefault(key, index)
        places = tuple(keys.values())

        def hit(index: int) -> Hit:
            return answer.hit(places[index])

        return Ranking(
            query=asked.query,
            backend=name,
            keys=tuple(keys),
            scores=tuple(answer.scores[i] for i in places),
            hit=hit,
            frequencies=answer.frequencies,
            facets=canonical_facets(answer.facets, connection.backend),
            total=answer.total,
            report=ListReport(
                query=asked.query,
                backend=name,
                hits=len(places),
                total=answer.total,
                took=took,
                unexpressed=answer.unexpressed,
            ),
        )

    def _keys(self, answer: SearchResponse, backend: str) -> list[str]:
        by = self._settings.identity
        if by == "id":
            return [f"id:{id}" for id in answer.ids]
        identities = answer.identities or (None,) * len(answer.ids)
        own = [f"{backend}:{id}" for id in answer.ids]
        if by == "url":
            from qx.urls import url_key

            return [f"url:{url_key(url)}" if url else key for url, key in zip(identities, own, strict=True)]
        return [f"{by}:{value}" if value else key for value, key in zip(identities, own, strict=True)]


def _targets(connection: Connection, asked: Asked, vector: bytes | None) -> list[Target]:
    """The sides of a backend that a sub-query goes to: words where it takes words; the original by meaning too."""
    accepts, target = connection.backend.accepts, asked.query.target
    words: list[Target] = [side for side in ("lexical", "web") if side in accepts]
    if "any" in accepts and not words:
        words = ["any"]
    if target in ("lexical", "web"):
        chosen: list[Target] = (
            [target] if target in accepts else ["any"] if "any" in accepts and target == "lexical" else []
        )
    elif target == "vector":
        chosen = []
    else:
        chosen = words[:1]
    if vector is not None and asked.query.strategy == "original" and "vector" in accepts:
        chosen.append("vector")
    return chosen


def _no_hit(index: int) -> Hit:
    raise IndexError(index)


def _empty(asked: Asked, backend: str, status: Status, reason: str) -> Ranking:
    report = ListReport(query=asked.query, backend=backend, status=status, reason=reason)
    return Ranking(query=asked.query, backend=backend, keys=(), scores=(), hit=_no_hit, report=report)


def _causes(found: Sequence[Ranking]) -> str:
    """Why all that were asked failed; empty where one answered: then it is a result, if an empty one."""
    reports = [r.report for r in found if r.report is not None and r.report.status != "skipped"]
    if any(report.status == "ok" for report in reports):
        return ""
    return "; ".join(dict.fromkeys(f"{report.backend}: {report.reason}" for report in reports))
