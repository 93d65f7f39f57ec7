"""The contract of a processor.  Query processors change an expansion before it is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from qx.types import Expansion

if TYPE_CHECKING:
    from qx.context import Context


@runtime_checkable
class QueryProcessor(Protocol):
    """Registered through ``qx_post_processors``; chosen under ``expand.processors`` of a profile."""

    async def process_queries(self, expansion: Expansion, context: Context, /) -> Expansion:
        """Return the expansion to go on with.  ``queries[0]`` stays the original."""
        ...

    async def aclose(self) -> None: ...
