"""Documents that a rule of the profile pins, fetched by their ids where no list has brought them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from qx.backend import SearchRequest, SearchResponse, SupportsFilter
from qx.calls.connection import Connection
from qx.errors import QxError
from qx.filters import Compare, Filter, combine
from qx.filters.fieldmap import lower
from qx.ranking import Ranking
from qx.request import RequestContext
from qx.searching.results import Standing, joined
from qx.searching.rewriting import Rewritten
from qx.serial import replace
from qx.settings import Search
from qx.steps.fuse import nothing
from qx.steps.listing import listed
from qx.steps.lowering import Prepared, identity_field
from qx.syntax import Terms
from qx.types import SubQuery


class Pins:
    """Fetches what is pinned.

    Args:
        connections: The engine's backends.
        settings: The profile's: what tells when two documents are one thing.
    """

    def __init__(self, connections: Sequence[Connection], settings: Search) -> None:
        self._connections = connections
        self._settings = settings

    async def fetched(self, standing: Standing, rewritten: Rewritten, context: RequestContext) -> Standing:
        """Return ``standing`` with the pinned documents that are not in it; notes name those that nobody holds."""
        there = {standing.ranked.hit(i).id for i in range(len(standing.ranked.keys))} if rewritten.pin else set[str]()
        missing = tuple(id for id in rewritten.pin if id not in there and id not in rewritten.block)
        if not missing:
            return standing
        lists = await asyncio.gather(*(self._asked(c, missing, context) for c in self._connections))
        ranked = standing.ranked
        for found in lists:
            ranked = joined(ranked, replace(nothing(()), keys=found.keys, scores=found.scores, hit=found.hit))
        held = {found.hit(i).id for found in lists for i in range(len(found.keys))}
        for id in missing:
            context.note(f"pinned {id}: " + ("fetched by its id" if id in held else "no backend returns it by its id"))
        outcome = "ok" if held and ranked.outcome == "empty" else ranked.outcome
        return replace(standing, ranked=replace(ranked, outcome=outcome))

    async def _asked(self, connection: Connection, ids: tuple[str, ...], context: RequestContext) -> Ranking:
        """The documents of one backend with ``ids`` that pass the caller's filter."""
        backend, tree = connection.backend, Compare(field="id", op="in", value=ids)
        lowered = lower(context.query.filters, backend.fields)
        whole: Filter | None = combine(tree, lowered.filter)
        if (
            not isinstance(backend, SupportsFilter)
            or lowered.unlowered
            or whole is None
            or backend.inexpressible(whole)
        ):
            return nothing(())
        identity = identity_field(self._settings.identity, backend)
        request = SearchRequest(
            text="", expression=Terms(words=()), filter=whole, limit=len(ids), identity=identity, highlights=False
        )
        answer = (await connection.ask([request], lambda: context.budget.remaining().seconds))[0]
        if isinstance(answer, QxError):
            context.degrade("search", "without what is pinned", str(answer))
        found = self._listed(request, answer, connection)
        return found.pick([i for i in range(len(found.keys)) if found.hit(i).id in ids])

    def _listed(self, request: SearchRequest, answer: SearchResponse | QxError, connection: Connection) -> Ranking:
        query = SubQuery(text="", strategy="pin", why="rule of the profile")
        made = Prepared(request=request)
        return listed(query, made, answer, connection, identity=self._settings.identity, took=0.0)
