"""Many queries in one model call: ids go out, ids come back, and whatever is missing is done alone.

A batch is as many queries as fit the model's window (``expand.batch`` at most; halved until it fits).  An entry that is
missing, doubled or malformed falls out of the batch: its query is asked alone, as if there had been no batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from qx.context import Context
from qx.errors import BudgetExceeded, ProviderError
from qx.repair import parse_object
from qx.steps.ask import Asker, Reading
from qx.steps.drafts import DraftError, Stage
from qx.text import tokens

T = TypeVar("T")


class _Items(BaseModel):
    model_config = ConfigDict(extra="ignore")
    items: list[Any]


def split(
    payloads: Sequence[Mapping[str, Any]], *, answer: int, size: int, overhead: int, window: int | None
) -> list[range]:
    """Cut ``payloads`` into consecutive batches of at most ``size`` that fit ``window`` tokens (None: unknown).

    Args:
        answer: Tokens that the answer to one of them may take.
        overhead: Tokens of the prompt around them.
    """

    def cost(part: range) -> int:
        return overhead + sum(tokens.estimate(str(payloads[i])) + answer for i in part)

    todo = [range(i, min(i + size, len(payloads))) for i in range(0, len(payloads), size)]
    done: list[range] = []
    while todo:
        part = todo.pop(0)
        if window is not None and len(part) > 1 and cost(part) > window:
            middle = part.start + len(part) // 2
            todo[:0] = [range(part.start, middle), range(middle, part.stop)]
        else:
            done.append(part)
    return done


async def ask_batch(
    stage: Stage,
    payloads: Sequence[Mapping[str, Any]],
    asker: Asker,
    context: Context,
    *,
    language: str,
    count: int,
    strategies: Sequence[str],
    tier: str | None = None,
) -> dict[int, Mapping[str, Any]]:
    """Ask for all ``payloads`` in one call.

    Returns:
        The usable entries by position; a position that is not there is to be asked alone.
    """
    items = [{"id": i + 1, **payload} for i, payload in enumerate(payloads)]
    prompt = asker.prompt(
        stage, {"items": items}, language=language, count=count, strategies=strategies, tier=tier, batch=True
    )

    def read(text: str) -> Reading[_Items]:
        parsed = parse_object(text, _Items)
        return Reading(parsed.value, parsed.rung, parsed.error)

    try:
        answer = await asker.ask(prompt, read, context, tier=tier, items=len(items))
    except (ProviderError, BudgetExceeded, DraftError) as error:
        with context.span("batch", size=len(items)) as span:
            span.set(failed=str(error))
        return {}
    return _by_position(answer.items, len(items))


def _by_position(entries: Sequence[Any], count: int) -> dict[int, Mapping[str, Any]]:
    found: dict[int, Mapping[str, Any]] = {}
    numbers: list[int] = []
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        fields = cast("dict[str, Any]", entry)
        number = fields.get("id")
        if not isinstance(number, int) or not 1 <= number <= count:
            continue
        numbers.append(number)
        result = fields.get("result", {k: v for k, v in fields.items() if k != "id"})
        if isinstance(result, dict) and result:
            found[number - 1] = cast("dict[str, Any]", result)
    doubled = {number - 1 for number, times in Counter(numbers).items() if times > 1}
    return {i: found[i] for i in found if i not in doubled}
