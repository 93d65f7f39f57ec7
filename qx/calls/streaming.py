"""One call to a provider, whole or as it is written; and what stands between its pieces and their reader."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Generic, TypeGuard, TypeVar, cast

from qx.errors import BadRequest, BadResponse
from qx.failures import guarded
from qx.llm import Completion, CompletionRequest, Delta, Finish, LLMProvider, SupportsStream
from qx.text.tokens import estimate
from qx.types import Usage

T = TypeVar("T")

LONGEST_WORD = 4096
"""Characters that are held back at most."""


class Reader:
    """Who is told the text of an answer as it is written.

    Attributes:
        has_begun: Whether something was told: from then on there is no other try.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self.has_begun = False

    def __call__(self, text: str) -> None:
        self.has_begun = True
        self._tell(text)


async def called(name: str, provider: LLMProvider, request: CompletionRequest, tell: Reader | None) -> Completion:
    """Ask ``provider``, whose endpoint messages call ``name``.

    Args:
        tell: Told the text while it is written; all at once where the provider cannot stream, or is to call tools.

    Raises:
        ProviderError: one of its kinds.
    """
    if tell is not None and not request.tools and _can_stream(provider, request.model):
        return await _streamed(name, provider, request, tell)
    completion = await guarded(name, provider.complete(request))
    if not isinstance(cast("object", completion), Completion):
        raise BadResponse(f"{name}: the provider returned no Completion but {type(completion).__name__}")
    if completion.finish == "filter" and not completion.text.strip():
        raise BadRequest(f"{name}: the endpoint's content filter withheld the answer")
    if tell is not None and completion.text:
        tell(completion.text)
    return completion


def _can_stream(provider: LLMProvider, model: str) -> TypeGuard[SupportsStream]:
    return isinstance(provider, SupportsStream) and provider.capabilities(model).stream


async def _streamed(name: str, provider: SupportsStream, request: CompletionRequest, tell: Reader) -> Completion:
    parts: list[str] = []

    async def read() -> tuple[Usage | None, Finish]:
        usage: Usage | None = None
        finish: Finish = "stop"
        deltas = provider.stream(request)
        try:
            async for delta in deltas:
                if delta.text:
                    parts.append(delta.text)
                    tell(delta.text)
                usage, finish = delta.usage or usage, delta.finish or finish
        finally:
            if isinstance(deltas, AsyncGenerator):
                await cast("AsyncGenerator[Delta]", deltas).aclose()
        return usage, finish

    usage, finish = await guarded(name, read())
    text = "".join(parts)
    if finish == "filter" and not text.strip():
        raise BadRequest(f"{name}: the endpoint's content filter withheld the answer")
    return Completion(text=text, usage=usage or _guessed(request, text), model=request.model, finish=finish)


def _guessed(request: CompletionRequest, text: str) -> Usage:
    """The tokens of an answer whose endpoint does not count: else a budget would never end."""
    written = sum(estimate(message.content) for message in request.messages)
    return Usage(calls=1, input_tokens=written, output_tokens=estimate(text))


class Words:
    """Passes text on in whole words, changed: so that a key or a placeholder is seen whole, however it was split.

    What is held back is the run of ASCII characters without a space at the end, of which all of these are made.
    """

    def __init__(self, change: Callable[[str], str]) -> None:
        self._change = change
        self._held = ""

    def feed(self, text: str) -> str:
        """Take the next piece and return what is whole by now."""
        held = self._held + text
        tail = re.search(r"[!-~]*\Z", held)
        cut = len(held) if tail is None or len(tail[0]) > LONGEST_WORD else tail.start()
        ready, self._held = held[:cut], held[cut:]
        return self._change(ready) if ready else ""

    def rest(self) -> str:
        """Return what was held back last."""
        ready, self._held = self._held, ""
        return self._change(ready) if ready else ""


class Pump(Generic[T]):
    """Runs a call in a task of its own, so that a slow reader holds up neither it nor its time limit.

    Args:
        call: Is given whom to tell the text, and returns the whole.
    """

    def __init__(self, call: Callable[[Reader], Awaitable[T]]) -> None:
        self._came: asyncio.Queue[str | None] = asyncio.Queue()
        self._task = asyncio.ensure_future(self._run(call))

    async def _run(self, call: Callable[[Reader], Awaitable[T]]) -> T:
        try:
            return await call(Reader(self._came.put_nowait))
        finally:
            self._came.put_nowait(None)

    async def texts(self) -> AsyncIterator[str]:
        """Yield the text as it comes."""
        while (text := await self._came.get()) is not None:
            yield text

    async def result(self) -> T:
        """Return what the call returned, or raise what it raised."""
        return await self._task

    async def end(self) -> None:
        """End the call, be it done or not."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
