"""``rerank by: llm``: the profile's model grades the hits; it may only choose among offered ids and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from qx.builtin.rerank.method import Task
from qx.builtin.vectors import said
from qx.errors import BadResponse
from qx.grading import grade

if TYPE_CHECKING:
    from qx.context import Context


class Grade(StrEnum):
    """The labels that a model may choose."""

    perfect = "perfect"
    good = "good"
    partly = "partly"
    irrelevant = "irrelevant"


_WORTH: Mapping[str, float] = {"perfect": 3.0, "good": 2.0, "partly": 1.0, "irrelevant": 0.0}
_TASK = (
    "Grade how well each search result answers the user's query: perfect (answers it), good (helps much), partly "
    "(touches it), irrelevant."
)


class Judged:
    """Implements ``Method``: hits of one label keep their order.

    Args:
        clip: Code points of a hit's title and text that the model reads.
    """

    pace = 0.0
    top = 20

    def __init__(self, *, clip: int) -> None:
        self._clip = clip

    async def scores(self, task: Task, context: Context, /) -> Sequence[float | None]:
        """Grade every hit in one call.

        Raises:
            BadResponse: the profile has no model, or it chose a label that was not offered, or graded less than half.
            ProviderError, BudgetExceeded: the call failed.
        """
        texts = {f"r{nth}": said(hit, self._clip) for nth, hit in enumerate(task.hits, 1)}
        labels = [label.value for label in Grade]
        found = await grade(context, _TASK, texts, labels, query=task.query, called="results", timeout=task.seconds)
        if 2 * len(found) < len(texts):
            raise BadResponse(f"the model graded {len(found)} of {len(texts)} results", step="process")
        return [_WORTH[found[id_]] if id_ in found else None for id_ in texts]


__all__ = ["Grade", "Judged"]
