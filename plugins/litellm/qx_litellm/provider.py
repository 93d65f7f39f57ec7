"""The provider ``litellm``: any model that LiteLLM can call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from qx.addresses import HttpAddress
from qx.clock import Clock
from qx.errors import BadResponse, ProfileError, ProviderError
from qx.failures import Cause
from qx.hookspecs import Services
from qx.http import place
from qx.llm import Capabilities, Completion, CompletionRequest, Delta, Finish
from qx.model import Model
from qx.settings import Secret
from qx.types import Usage
from qx.wire import answer as answers
from qx.wire.dialect import response_format, wire_messages, wire_tools, with_schema_note
from qx_litellm import library
from qx_litellm.failures import translated

_NO_KEY = "no-key"
"""What litellm is given in place of a key, so that it does not look for one in the environment."""

_ENVIRONMENT_ONLY = frozenset(
    {"bedrock", "bedrock_converse", "sagemaker", "sagemaker_chat", "vertex_ai", "vertex_ai_beta"}
)
"""Vendors whose credentials litellm takes from the machine, whatever key it is given."""


class Settings(Model):
    """The options of ``provider: litellm``.

    ``environment_keys`` lets litellm find credentials in the environment (``AWS_...``, ``OPENAI_API_KEY``): for the
    operator's own profiles.  It is never combined with an ``api_base``, which would be sent them.
    ``mock_response`` makes litellm answer this text without a call.
    """

    model: str = ""
    api_base: HttpAddress | None = None
    api_key: Secret | None = None
    api_version: str | None = None
    environment_keys: bool = False
    schema_mode: Literal["auto", "json_schema", "none"] = Field(default="auto", alias="schema")
    strict: bool = False
    headers: Mapping[str, str] = Field(default_factory=dict)
    parameters: Mapping[str, Any] = Field(default_factory=dict)
    """Further keyword arguments of ``litellm.acompletion``, such as ``reasoning_effort``."""
    mock_response: str | None = None


class LiteLLM:
    """Implements ``LLMProvider`` and ``SupportsStream``."""

    Settings = Settings

    def __init__(self, settings: Settings, litellm: Any, clock: Clock) -> None:
        self._settings = settings
        self._litellm = litellm
        self._clock = clock
        self._closed = False
        library.acquire()

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> LiteLLM:
        if settings.environment_keys and settings.api_base is not None:
            raise ProfileError(
                "environment_keys and api_base exclude each other: keys of the environment would go to that address",
                hint="name the endpoint's own `api_key`",
            )
        litellm = await services.run_cpu(library.load)  # it takes seconds: not on the event loop
        made = cls(settings, litellm, services.clock)
        vendor = made._vendor(settings.model)
        if vendor in _ENVIRONMENT_ONLY and not settings.environment_keys:
            await made.aclose()
            raise ProfileError(
                f"model {settings.model!r} takes its credentials from the environment",
                hint="allow it with `options: {environment_keys: true}`",
            )
        return made

    def capabilities(self, model: str, /) -> Capabilities:
        name = model or self._settings.model
        try:
            found: Mapping[str, Any] = self._litellm.get_model_info(name)
        except Exception:  # noqa: BLE001 litellm raises a bare Exception for a model it does not know
            found = {}
        return Capabilities(
            schema=self._takes_schema(name),
            tools=bool(found.get("supports_function_calling", True)),
            context=found.get("max_input_tokens"),
        )

    async def complete(self, request: CompletionRequest, /) -> Completion:
        asked = self._with_model(request)
        answer = await self._call(asked)
        found = answers.completion(answer.model_dump(), place=self._place(asked.model), model=asked.model)
        return replace(found, usage=replace(found.usage, cost=self._cost(answer)))

    async def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]:
        """Yield the answer piece by piece."""
        asked = self._with_model(request)
        chunks = await self._call(asked, stream=True, stream_options={"include_usage": True})
        finish: Finish | None = None
        usage: Usage | None = None
        try:
            async for chunk in self._chunks(chunks, asked.model):
                usage = answers.usage(chunk["usage"]) if chunk.get("usage") else usage
                choice = (chunk.get("choices") or [{}])[0]
                finish = answers.finish(choice["finish_reason"]) if choice.get("finish_reason") else finish
                if text := (choice.get("delta") or {}).get("content"):
                    yield Delta(text=text)
        finally:
            await _close(chunks)
        if finish is None:
            raise BadResponse(f"{self._place(asked.model)} broke the stream off before the answer was complete")
        yield Delta(usage=usage, finish=finish)

    async def aclose(self) -> None:
        if not self._closed:
            self._closed = True
            await library.release()

    async def _call(self, request: CompletionRequest, **more: Any) -> Any:
        try:
            return await self._litellm.acompletion(**self._arguments(request), **more)
        except Exception as error:  # noqa: BLE001 litellm raises the SDKs' classes, and bare ones
            failure = self._failure(error, request.model)
        raise failure

    async def _chunks(self, chunks: Any, model: str) -> AsyncIterator[dict[str, Any]]:
        """The stream's chunks as plain data; what breaks while they arrive becomes an error of qx."""
        iterator = chunks.__aiter__()
        while True:
            try:
                chunk = await iterator.__anext__()
            except StopAsyncIteration:
                return
            except Exception as error:  # noqa: BLE001
                failure = self._failure(error, model)
                break
            yield chunk.model_dump()
        raise failure

    def _failure(self, error: Exception, model: str) -> ProviderError:
        """The error of qx; of litellm's own only type and text go along, since it holds request and key."""
        now: datetime = self._clock.now()
        failure = translated(error, self._litellm, place=self._place(model), model=model, now=now)
        failure.__cause__ = Cause(f"{type(error).__name__}: {str(error)[:500]}")
        return failure

    def _arguments(self, request: CompletionRequest) -> dict[str, Any]:
        settings = self._settings
        messages = request.messages
        found: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "timeout": request.timeout,
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
            "api_base": settings.api_base,
            "api_version": settings.api_version,
            "extra_headers": dict(settings.headers) or None,
            "mock_response": settings.mock_response,
        }
        if not settings.environment_keys:
            found["api_key"] = settings.api_key.get_secret_value() if settings.api_key else _NO_KEY
        elif settings.api_key is not None:
            found["api_key"] = settings.api_key.get_secret_value()
        if request.schema is not None:
            if self._takes_schema(request.model):
                found["response_format"] = response_format(request.schema, strict=settings.strict)
            else:
                messages = with_schema_note(messages, request.schema)
        if request.tools:
            found["tools"] = wire_tools(request.tools)
        found["messages"] = wire_messages([replace(m, content=_encodable(m.content)) for m in messages])
        kept = {name: item for name, item in found.items() if item is not None}
        return kept | dict(settings.parameters) | dict(request.options)

    def _takes_schema(self, model: str) -> bool:
        if self._settings.schema_mode != "auto":
            return self._settings.schema_mode == "json_schema"
        return bool(self._litellm.supports_response_schema(model=model))

    def _with_model(self, request: CompletionRequest) -> CompletionRequest:
        return request if request.model else replace(request, model=self._settings.model)

    def _cost(self, answer: Any) -> float | None:
        try:
            return self._litellm.completion_cost(completion_response=answer)
        except Exception:  # noqa: BLE001 a model whose price litellm does not know
            return None

    def _vendor(self, model: str) -> str:
        try:
            return self._litellm.get_llm_provider(model=model, api_base=self._settings.api_base)[1]
        except Exception:  # noqa: BLE001 an unknown model: the call will say so
            return ""

    def _place(self, model: str) -> str:
        return place(self._settings.api_base) if self._settings.api_base else f"litellm {model}"


def _encodable(text: str) -> str:
    """``text`` with lone surrogates replaced: the SDKs under litellm cannot send them."""
    return text.encode("utf-8", "replace").decode("utf-8")


async def _close(chunks: Any) -> None:
    """Close the connection of a stream that was left early; litellm's wrapper keeps the SDK's stream inside."""
    inner = getattr(chunks, "completion_stream", None)
    for name in ("aclose", "close"):
        close = getattr(inner, name, None)
        if close is not None:
            result = close()
            if hasattr(result, "__await__"):
                await result
            return
