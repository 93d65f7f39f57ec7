"""The contracts of processors: for queries before they are searched, for hits after.  A class may be either or both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from qx.types import Expansion

if TYPE_CHECKING:
    from qx.context import Context
    from qx.ranking import Ranking


@runtime_checkable
class QueryProcessor(Protocol):
    """Registered through ``qx_post_processors``; chosen under ``expand.processors`` of a profile."""

    async def process_queries(self, expansion: Expansion, context: Context, /) -> Expansion:
        """Return the expansion to go on with.  ``queries[0]`` stays the original."""
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class HitProcessor(Protocol):
    """Registered through ``qx_post_processors``; chosen under ``search.processors`` of a profile.

    One that only puts hits in another order may say so by a class attribute ``reorders = True``: it is left out where
    the caller wants an order of their own.  What others leave is put back into that order.  One that asks a model, an
    embedder or a service says so by ``calls = True``: it is left out of the raw query's hits that a stream shows first.
    """

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Return the list to go on with: filtered, reordered, judged.  Use ``ranking.pick``; look at few hits."""
        ...

    async def aclose(self) -> None: ...
