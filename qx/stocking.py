"""The side of an engine that fills its backends: one of them by name, and what writes documents into it."""

from __future__ import annotations

from qx.backend import SearchBackend
from qx.budget import Budget, Cost, RequestBudget
from qx.errors import UsageError
from qx.indexing.journal import Journal
from qx.indexing.writing import Indexer
from qx.parts import Parts
from qx.paths import file_name, home
from qx.request import RequestContext
from qx.searching import no_backend
from qx.types import Query, SearchOptions


class Stocking:
    """What ``Engine`` has of it."""

    _parts: Parts

    def _check_open(self) -> None:
        raise NotImplementedError

    def _request(
        self, query: Query | str, budget: Budget | None, options: SearchOptions | None = None
    ) -> RequestContext:
        raise NotImplementedError

    def backend(self, name: str | None = None) -> SearchBackend:
        """Return one of the profile's backends; without a name the only one.

        Raises:
            UsageError: there is none of that name, or several and no name.
            ProfileError: the profile names none at all.
            Closed: the engine is closed.
        """
        self._check_open()
        known = {connection.name: connection.backend for connection in self._parts.connections}
        if name is None and len(known) == 1:
            return next(iter(known.values()))
        if not known:
            raise no_backend(self._parts.profile)
        if name not in known:
            said = f"there is no backend {name!r}" if name else "the profile names several backends: choose one"
            raise UsageError(f"{said} (known: {', '.join(known)})")
        return known[name]

    def indexer(self, name: str | None = None) -> Indexer:
        """Return what writes documents into a backend (see ``backend``).

        Raises:
            UsageError: there is no such backend, or it cannot be written to.
        """
        backend = self.backend(name)
        clock = self._parts.resources.clock
        context = self._request("index", RequestBudget(Cost(), clock.monotonic))
        block = self._parts.profile.search.backends[backend.name]
        # one journal for an index, whoever writes to it; what an address alone does not tell apart, its name does
        place = [block.type, backend.endpoint, *(block.settings.get(key) for key in ("index", "collection"))]
        journal = Journal(home() / "indexing" / f"{file_name(repr(place))}.json", block.model_dump_json())
        return Indexer(backend, context, journal)
