"""A language model whose every answer, delay and failure is written down beforehand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import ClassVar

from pydantic import Field

from qx.errors import ProviderError
from qx.hookspecs import Services
from qx.llm import Capabilities, Completion, CompletionRequest, Delta, Finish, ToolCall
from qx.model import Model
from qx.serial import value
from qx.text.tokens import estimate
from qx.types import Usage


class ScriptExhausted(BaseException):
    """The script has no answer for this call.  No ``Exception``: code under test must not take it for a failed model."""


@value
class Answer:
    """One scripted call: after ``delay`` seconds it gives ``text`` and ``tool_calls``, or raises ``error``.

    ``input_tokens`` and ``output_tokens`` are estimated where they are None.
    """

    text: str = ""
    delay: float = 0.0
    error: Exception | None = None
    finish: Finish = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()


Scripted = str | Exception | Completion | Answer
Script = Sequence[Scripted] | Callable[[CompletionRequest], Scripted]


class Settings(Model):
    """The options of ``provider: scripted``: ``instance`` (see ``ScriptedLLM.named``), or answers of its own."""

    model: str = ""
    instance: str | None = None
    answers: tuple[str, ...] = ()
    delay: float = Field(default=0.0, ge=0)


class ScriptedLLM:
    """Implements ``LLMProvider`` and ``SupportsStream``.

    Args:
        script: The answers in order, or a function of the request.  Text answers, exceptions are raised.
        default: The answer when the script has ended; None: ``ScriptExhausted``.
        delay: Seconds before every answer that names no delay of its own.

    Attributes:
        requests: Every request so far.
        running, peak: Calls under way, and the most that ever were at once.
        cancelled: Calls that were cancelled while they waited.
        closed: Whether ``aclose`` was called.
    """

    Settings = Settings
    _instances: ClassVar[dict[str, ScriptedLLM]] = {}

    def __init__(
        self,
        script: Script = (),
        *,
        default: Scripted | None = None,
        delay: float = 0.0,
        capabilities: Capabilities | None = None,
    ) -> None:
        self._script = script if callable(script) else list(script)
        self._default = default
        self._delay = delay
        self._capabilities = capabilities or Capabilities()
        self.requests: list[CompletionRequest] = []
        self.running = 0
        self.peak = 0
        self.cancelled = 0
        self.closed = False

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> ScriptedLLM:
        if settings.instance is not None:
            return cls._instances[settings.instance]
        return cls(settings.answers, delay=settings.delay)

    def named(self, name: str) -> ScriptedLLM:
        """Make this one what ``options: {instance: name}`` means in profiles of this process; returns itself."""
        self._instances[name] = self
        return self

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return len(self.requests)

    def capabilities(self, model: str, /) -> Capabilities:
        return self._capabilities

    async def complete(self, request: CompletionRequest, /) -> Completion:
        answer = self._next(request)
        self.running += 1
        self.peak = max(self.peak, self.running)
        try:
            await asyncio.sleep(answer.delay or self._delay)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1
        if answer.error is not None:
            raise _fresh(answer.error)
        return _completion(answer, request)

    async def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]:
        """Yield the answer a word at a time."""
        completion = await self.complete(request)
        for word in re.findall(r"\S+\s*|\s+", completion.text):
            yield Delta(text=word)
        yield Delta(usage=completion.usage, finish=completion.finish)

    async def aclose(self) -> None:
        self.closed = True

    def _next(self, request: CompletionRequest) -> Answer:
        self.requests.append(request)
        if callable(self._script):
            return _answer(self._script(request))
        if self._script:
            return _answer(self._script.pop(0))
        if self._default is None:
            raise ScriptExhausted(
                f"call {self.calls} has no scripted answer; it asks: {request.messages[-1].content[:200]!r}"
            )
        return _answer(self._default)


def _answer(scripted: Scripted) -> Answer:
    if isinstance(scripted, Answer):
        return scripted
    if isinstance(scripted, Completion):
        usage = scripted.usage
        return Answer(
            text=scripted.text,
            finish=scripted.finish,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            tool_calls=scripted.tool_calls,
        )
    return Answer(error=scripted) if isinstance(scripted, Exception) else Answer(text=scripted)


def _fresh(error: Exception) -> Exception:
    """A copy: one object raised twice would carry the first raise's traceback and context along."""
    if not isinstance(error, ProviderError):
        return error
    copy = type(error)(str(error), plugin=error.plugin, step=error.step, retry_after=error.retry_after)
    copy.__cause__ = error.__cause__
    return copy


def _completion(answer: Answer, request: CompletionRequest) -> Completion:
    written = sum(estimate(message.content) for message in request.messages)
    usage = Usage(
        calls=1,
        input_tokens=written if answer.input_tokens is None else answer.input_tokens,
        output_tokens=estimate(answer.text) if answer.output_tokens is None else answer.output_tokens,
    )
    return Completion(
        text=answer.text, usage=usage, model=request.model, finish=answer.finish, tool_calls=answer.tool_calls
    )
