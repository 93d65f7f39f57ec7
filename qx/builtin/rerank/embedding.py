"""``rerank by: embedding``: nearness of meaning to the query, by the profile's embedder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.builtin.rerank.method import Task
from qx.builtin.vectors import cosine, embedded, said

if TYPE_CHECKING:
    from qx.context import Context


class Embedding:
    """Implements ``Method``: cosines of vectors.

    Args:
        clip: Code points of a hit's title and text that are embedded.
    """

    pace = 0.005
    top = 100

    def __init__(self, *, clip: int) -> None:
        self._clip = clip

    async def scores(self, task: Task, context: Context, /) -> Sequence[float]:
        """Score every hit, in two calls that run together.

        Raises:
            ProviderError: the embedder failed.
            ProfileError: the profile names none.
            BudgetExceeded: nothing is left for the calls.
        """
        texts = list(dict.fromkeys(said(hit, self._clip) for hit in task.hits))
        try:
            async with asyncio.TaskGroup() as group:
                query = group.create_task(embedded(context, [task.query], query=True, timeout=task.seconds))
                documents = group.create_task(embedded(context, texts, query=False, timeout=task.seconds))
        except ExceptionGroup as failed:  # one reason says enough
            raise failed.exceptions[0] from failed
        near = dict(zip(texts, (cosine(query.result()[0], v) for v in documents.result()), strict=True))
        return [near[said(hit, self._clip)] for hit in task.hits]


__all__ = ["Embedding"]
