"""The contract of an expansion strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context


@runtime_checkable
class Strategy(Protocol):
    """Registered by name through ``qx_steps``; chosen under ``expand.strategies``.

    What it returns still passes the guard: it need not check for drift or duplicates.  A class with a true ``reads_hits``
    uses the hits of the first pass (``context.first_pass``): it runs within a search, beside the others, and what it
    made is not kept with the rest of an expansion.
    """

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        """Return candidate queries, best first; none if there is nothing good."""
        ...


def reads_hits(strategy: object) -> bool:
    """Return whether a strategy (or its class) uses the hits of the first pass."""
    return bool(getattr(strategy, "reads_hits", False))
