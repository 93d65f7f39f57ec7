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

    What it returns still passes the guard: it need not check for drift or duplicates.
    """

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        """Return candidate queries, best first; none if there is nothing good."""
        ...
