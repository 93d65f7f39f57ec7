"""Strategy ``iterate``: the model judges the coverage of its own list, marks the marginal ones and fills the holes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from qx.context import Context
from qx.repair import parse_object, queries_in
from qx.serial import replace
from qx.steps.ask import Asker, Reading
from qx.steps.drafts import analysis_json, read_queries
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
    value: Understood,
    queries: Sequence[SubQuery],
    asker: Asker,
    context: Context,
    *,
    limit: int,
    strategies: Sequence[str],
) -> Iteration:
    """Ask the model once what ``queries`` still lack.

    Args:
        limit: How many queries it may add.
        strategies: What it may label them with.

    Raises:
        ProviderError, BudgetExceeded, DraftError: no usable answer.
    """
    payload = {
        "query": shown(value.understanding.standalone or clean(value.query.text).text),
        "analysis": analysis_json(value.understanding),
        "queries": [q.text for q in queries],
    }
    prompt = asker.iteration(payload, language=value.understanding.language, count=limit, strategies=strategies)

    def read(text: str) -> Reading[_Coverage]:
        parsed = parse_object(text, _Coverage)
        return Reading(parsed.value, parsed.rung, parsed.error)

    coverage = await asker.ask(prompt, read, context)
    named = {normalise.fold(str(item)) for item in coverage.marginal}
    marginal = tuple(q for q in queries if normalise.fold(q.text) in named)
    covered = "、".join(str(a) for a in coverage.aspects[:6])
    added = read_queries(queries_in(coverage.queries)[:limit], strategies)
    told = tuple(q if q.why else replace(q, why=f"iterate: not covered by {covered}") for q in added)
    return Iteration(tuple(q for q in queries if q not in marginal), marginal, told)
