"""Step-back prompting: the more general question behind a specific one, by the model.

Source: Zheng et al., "Take a Step Back: Evoking Reasoning via Abstraction in Large Language Models" (2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qx.rules.wording import Wording
from qx.steps.strategies.asking import ask
from qx.steps.strategies.candidates import candidate, why
from qx.types import Query, SubQuery, Understanding

if TYPE_CHECKING:
    from qx.context import Context

_TASK = (
    "Write one more general search query whose results hold the background needed to answer the given one. "
    "Keep its subject, its language and script, numbers, identifiers and exclusions."
)


class StepBackStrategy:
    """Nothing without a model."""

    async def expand(self, query: Query, understanding: Understanding, context: Context, /) -> Sequence[SubQuery]:
        if not context.has_model:
            return ()
        wording = Wording.of(query, understanding, context.knowledge)
        text = await ask(context, _TASK, {"query": wording.text, "language": wording.language})
        return (candidate(text, "step-back", why(wording, "step-back")),) if text else ()
