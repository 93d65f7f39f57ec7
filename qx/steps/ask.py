"""Asking the model for one stage: prompt, call, repair ladder, at most one re-ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from qx.context import Context
from qx.errors import BudgetExceeded, ProviderError
from qx.llm import CompletionRequest, Message
from qx.serial import replace
from qx.settings import LLM
from qx.steps.drafts import DraftError, Stage
from qx.steps.prompt import PromptBook, RenderedPrompt
from qx.types import SubQuery

T = TypeVar("T")

RE_ASK_TEMPERATURE = 0.1


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What was read of an answer: the value, or why there is none; ``rung`` is the ladder's."""

    value: T | None
    rung: str
    error: str | None = None


Reader = Callable[[str], Reading[T]]


class Asker:
    """Asks one engine's model.

    Args:
        book: The engine's prompts.
        llm: The profile's ``llm`` block.
        think: Let the model reason before it answers; its answer is then not bound to the schema.
    """

    def __init__(self, book: PromptBook, llm: LLM, *, think: bool = False) -> None:
        self._book = book
        self._llm = llm
        self._think = think

    def prompt(
        self,
        stage: Stage,
        payload: Mapping[str, Any],
        *,
        language: str,
        count: int,
        strategies: Sequence[str] | None = None,
        tier: str | None = None,
        batch: bool = False,
    ) -> RenderedPrompt:
        """Render a stage's prompt as it would be sent."""
        return self._book.render(
            stage,
            payload,
            language=language,
            count=count,
            strategies=strategies,
            variant=self._llm.tier(tier).variant,
            think=self._think,
            batch=batch,
        )

    def repeating(self, candidates: Sequence[SubQuery], query: str) -> tuple[SubQuery, ...]:
        """Return the candidates that are no queries but parts of the instructions, read out to the user."""
        instructions = self._book.instructions
        if not instructions.may_be_repeated([one.text for one in candidates]):
            return ()
        return tuple([one for one in candidates if instructions.are_repeated(one.text, query)])

    def answer_tokens(self, stage: Stage) -> int:
        """Tokens that the answer for one query may take."""
        return self._llm.max_tokens.of(stage)

    def iteration(
        self, payload: Mapping[str, Any], *, language: str, count: int, strategies: Sequence[str]
    ) -> RenderedPrompt:
        """Render the question what is still missing."""
        return self._book.render_iteration(payload, language=language, count=count, strategies=strategies)

    async def ask(
        self, prompt: RenderedPrompt, read: Reader[T], context: Context, *, tier: str | None = None, items: int = 1
    ) -> T:
        """Send ``prompt`` and read the answer; ask once more, quoting the error, if it cannot be read.

        Args:
            items: How many queries the answer is for; output tokens and time grow with it.

        Raises:
            ProviderError, BudgetExceeded: no answer could be had.
            DraftError: two answers, and neither can be read.
        """
        request = self._request(prompt, context, tier=tier, items=items)
        answer, reading = await self._once(request, read, context, tier)
        if reading.value is not None:
            return reading.value
        try:
            again = _quoting(request, answer, reading.error or "it is not the JSON that was asked for")
            _, second = await self._once(again, read, context, tier)
        except (ProviderError, BudgetExceeded) as error:
            raise DraftError(
                f"the model's answer could not be read ({reading.error}), nor asked again: {error}"
            ) from error
        if second.value is None:
            raise DraftError(f"the model's answer could not be read, twice: {second.error}")
        return second.value

    def _request(self, prompt: RenderedPrompt, context: Context, *, tier: str | None, items: int) -> CompletionRequest:
        temperature = self._llm.temperature
        bound = context.capabilities(tier).schema and not self._think
        return CompletionRequest(
            model="",
            messages=prompt.messages,
            schema=prompt.schema if bound else None,
            max_tokens=self._llm.max_tokens.of(prompt.step) * items,
            temperature=temperature.understand if prompt.step == "understand" else temperature.expand,
            timeout=self._llm.timeout * items,
        )

    async def _once(
        self, request: CompletionRequest, read: Reader[T], context: Context, tier: str | None
    ) -> tuple[str, Reading[T]]:
        completion = await context.complete(request, tier=tier)
        with context.span("parse") as span:
            reading = read(completion.text)
            span.set(rung=reading.rung, finish=completion.finish, error=reading.error)
        return completion.text, reading


def _quoting(request: CompletionRequest, answer: str, error: str) -> CompletionRequest:
    complaint = f"That could not be used: {error}. Answer again, with the JSON object alone."
    return replace(
        request,
        messages=(
            *request.messages,
            Message(role="assistant", content=answer[:2000] or "-"),
            Message(role="user", content=complaint),
        ),
        temperature=min(request.temperature, RE_ASK_TEMPERATURE),
    )
