"""The contract of a language-model provider.

A provider translates one ``CompletionRequest`` into one call and its answer back.  It has no retry, cache or fallback
of its own: the core owns those (``qx.calls.completer``).  Vendor exceptions become the errors of ``qx.errors``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import field
from typing import Any, Literal, Protocol, runtime_checkable

from qx.serial import empty, value
from qx.types import Role, Usage

Finish = Literal["stop", "length", "filter", "tools"]


@value
class ToolCall:
    """``arguments`` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@value
class Message:
    """One turn.  ``tool_calls`` are an assistant's; ``tool_call_id`` is of the call that a ``tool`` message answers."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@value
class Tool:
    """A function that the model may ask for.  ``parameters`` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=empty)


@value
class CompletionRequest:
    """One call.  Static messages first, the query last, so that prompt caches hit.

    ``timeout`` is in seconds and bounds the whole call.  ``options`` are vendor parameters passed through.
    """

    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    tools: tuple[Tool, ...] = ()
    max_tokens: int = 512
    temperature: float = 0.0
    timeout: float = 10.0
    options: Mapping[str, Any] = field(default_factory=empty)


@value
class Completion:
    """A whole answer.  ``finish`` is why it ended: ``length`` means cut, ``filter`` withheld, ``tools`` that calls follow."""

    text: str
    usage: Usage
    model: str
    finish: Finish = "stop"
    tool_calls: tuple[ToolCall, ...] = ()


@value
class Delta:
    """A piece of a streamed answer; the last one carries ``usage`` and ``finish``."""

    text: str = ""
    usage: Usage | None = None
    finish: Finish | None = None


@value
class Capabilities:
    """What a model can do.  ``context`` is its window in tokens, None where unknown."""

    schema: bool = True
    tools: bool = True
    stream: bool = True
    context: int | None = None


@runtime_checkable
class LLMProvider(Protocol):
    """Registered through ``qx_llm_providers``; made by its class's ``create(settings, services)``."""

    def capabilities(self, model: str, /) -> Capabilities:
        """Return what ``model`` can do, without a call."""
        ...

    async def complete(self, request: CompletionRequest, /) -> Completion:
        """Make one call.

        Raises:
            ProviderError: one of its kinds (``qx.errors``), never a vendor's exception.
        """
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class SupportsStream(Protocol):
    """A provider that can stream."""

    def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]: ...
