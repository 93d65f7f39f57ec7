"""What the collection holds: words with their document frequencies, and the values of fields."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from qdrant_client import models

from qx.filters.fieldmap import FieldMap
from qx_qdrant.analysis import Analysis
from qx_qdrant.collection import State
from qx_qdrant.connection import Connection
from qx_qdrant.expression import Compiler
from qx_qdrant.facets import facet

AT_ONCE = 8


class Vocabulary:
    """Answers questions about one collection as it was last seen."""

    def __init__(
        self, connection: Connection, state: State, fields: FieldMap, analysis: Analysis, *, seconds: float
    ) -> None:
        self._connection = connection
        self._state = state
        self._compiler = Compiler(fields, analysis, own=state.mark is not None)
        self._seconds = seconds

    async def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many documents each term occurs; of several words, where they stand together."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(term: str) -> int:
            condition = self._compiler.words(term)
            if condition is None:
                return 0
            async with gate:
                found = await self._connection.call(
                    "count",
                    collection_name=self._state.physical,
                    count_filter=models.Filter(must=[condition]),
                    exact=True,
                    seconds=self._seconds,
                )
            return int(found.count)

        unique = list(dict.fromkeys(terms))
        return dict(zip(unique, await asyncio.gather(*map(one, unique)), strict=True))

    async def values(self, field: str, *, limit: int) -> Sequence[tuple[str, int]]:
        """Return the values of a stored field with their counts, most frequent first."""
        if limit < 1:
            return ()
        return await facet(self._connection, self._state, field, None, seconds=self._seconds, limit=limit)
