"""One question to the profile's model whose answer is an object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from qx.context import Context
from qx.errors import BadResponse
from qx.llm import CompletionRequest, Message
from qx.repair import parse_object

M = TypeVar("M", bound=BaseModel)


async def ask(
    context: Context,
    model: type[M],
    messages: tuple[Message, ...],
    *,
    tokens: int,
    schema: Mapping[str, Any] | None = None,
    timeout: float = 60.0,  # noqa: ASYNC109 the provider's own; the account's time ends it before
) -> M:
    """Return what the profile's model says; asked once more, with what was wrong, where it cannot be read.

    Args:
        tokens: What it may write.
        schema: In place of the model's own JSON Schema.

    Raises:
        BadResponse: what it says cannot be read.
        ProviderError, BudgetExceeded: it does not answer.
    """
    left = context.budget.remaining().seconds
    request = CompletionRequest(
        model="",
        messages=messages,
        schema=schema or model.model_json_schema(),
        max_tokens=tokens,
        temperature=0.0,
        timeout=timeout if left is None else max(0.1, min(timeout, left)),
    )
    parsed = parse_object((completion := await context.complete(request)).text, model)
    if parsed.value is None or parsed.error is not None:
        said = Message(role="assistant", content=completion.text[:2000])
        wrong = Message(role="user", content=f"This cannot be read: {parsed.error}. Answer with the JSON object alone.")
        again = replace(request, messages=(*messages, said, wrong))
        second = parse_object((await context.complete(again)).text, model)
        parsed = second if second.value is not None and second.error is None else parsed
    if parsed.value is None or (parsed.error is not None and not any(parsed.value.model_dump().values())):
        raise BadResponse(f"the model's answer cannot be read: {parsed.error}")
    return parsed.value
