"""Strategy ``iterate``: the model judges the coverage of its own list, marks the marginal ones and fills the holes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic import BaseModel, ConfigDict

from qx.context import Context
from qx.repair import parse_object
from qx.steps.ask import Asker, Reading
from qx.steps.drafts import MODEL_STRATEGIES, analysis_json, read_query
from qx.steps.understand import shown
from qx.text import normalise
from qx.text.clean import clean
from qx.types import SubQuery, Understood


class _Coverage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    aspects: list[Any] = []
    marginal: list[Any] = []
    queries: list[Any] = []


@dataclass(frozen=True, slots=True)
class Iteration:
    """One round: what stays, what the model found marginal, what it added."""

    kept: tuple[SubQuery, ...]
    marginal: tuple[SubQuery, ...]
    added: tuple[SubQuery, ...]


async def iterate(
    value: Understood, queries: Sequence[SubQuery], asker: Asker, context: Context, *, limit: int
) -> Iteration:
    """Ask the model once what ``queries`` still lack.

    Raises:
        ProviderError, BudgetExceeded, DraftError: no usable answer.
    """
    payload = {
        "query": shown(value.understanding.standalone or clean(value.query.text).text),
        "analysis": analysis_json(value.understanding),
        "queries": [q.text for q in queries],
    }
    prompt = asker.iteration(payload, language=value.understanding.language, count=limit)

    def read(text: str) -> Reading[_Coverage]:
        parsed = parse_object(text, _Coverage)
        return Reading(parsed.value, parsed.rung, parsed.error)

    coverage = await asker.ask(prompt, read, context)
    named = {normalise.fold(str(item)) for item in coverage.marginal}
    marginal = tuple(q for q in queries if normalise.fold(q.text) in named)
    covered = "、".join(str(a) for a in coverage.aspects[:6])
    added = tuple(
        _saying_why(read_query(text, strategy, None, why, MODEL_STRATEGIES), covered)
        for text, strategy, why in map(_draft, coverage.queries[:limit])
        if text
    )
    return Iteration(tuple(q for q in queries if q not in marginal), marginal, added)


def _draft(item: object) -> tuple[str, str | None, str | None]:
    if isinstance(item, dict):
        fields = cast("dict[str, Any]", item)
        parts = [fields.get(key) for key in ("text", "strategy", "why")]
        text, strategy, why = (part.strip() if isinstance(part, str) else None for part in parts)
        return text or "", strategy, why
    return (item.strip() if isinstance(item, str) else ""), None, None


def _saying_why(query: SubQuery, covered: str) -> SubQuery:
    """Say in ``why`` what the list covered before this query filled a hole."""
    return replace(query, why=query.why or f"iterate: not covered by {covered}")
