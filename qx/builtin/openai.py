"""The provider ``openai``: any OpenAI-compatible endpoint (OpenAI, Azure OpenAI, DeepSeek, Qwen, vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from qx.builtin.openai_connection import Connection, ConnectionSettings
from qx.errors import BadRequest
from qx.hookspecs import Services
from qx.llm import Capabilities, Completion, CompletionRequest, Delta
from qx.wire import answer as answers
from qx.wire.dialect import Dialect

_LESSONS = 4
"""Refusals of parameters that one call may learn from: two rungs of the schema, the token limit, the temperature."""


class Settings(ConnectionSettings):
    """The options of ``provider: openai``.

    ``schema``: how a JSON schema is sent; ``auto`` begins with ``json_schema`` and steps down when it is refused.
    ``context``: tokens of the model's window, where known.
    """

    schema_mode: Literal["auto", "json_schema", "json_object", "none"] = Field(default="auto", alias="schema")
    strict: bool | None = None
    """Strict schemas; None: at OpenAI and Azure."""
    max_tokens_parameter: Literal["auto", "max_tokens", "max_completion_tokens"] = "auto"
    reasoning_effort: str | None = None
    context: int | None = Field(default=None, ge=256)
    tools: bool = True


class OpenAI:
    """One endpoint (implements ``LLMProvider`` and ``SupportsStream``)."""

    Settings = Settings

    def __init__(self, settings: Settings, connection: Connection) -> None:
        self._settings = settings
        self._connection = connection
        self._dialects: dict[str, Dialect] = {}

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> OpenAI:
        return cls(settings, await Connection.create(settings, services))

    def capabilities(self, model: str, /) -> Capabilities:
        return Capabilities(
            schema=self._dialect(model).schema == "json_schema",
            tools=self._settings.tools,
            context=self._settings.context,
        )

    async def complete(self, request: CompletionRequest, /) -> Completion:
        asked, clock = self._with_model(request), asyncio.get_running_loop().time
        deadline, lessons = clock() + request.timeout, 0
        while True:
            body = self._body(asked)
            try:
                answer = await self._connection.post("chat/completions", asked.model, body, seconds=deadline - clock())
                return answers.completion(answer, place=self._connection.place, model=asked.model)
            except BadRequest as error:
                lessons += 1
                if lessons > _LESSONS or not self._dialect(asked.model).learn(error, body):
                    raise

    async def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]:
        """Yield the answer piece by piece; leaving early closes the connection."""
        asked, clock, place = self._with_model(request), asyncio.get_running_loop().time, self._connection.place
        deadline, lessons = clock() + request.timeout, 0
        while True:
            body = self._body(asked) | {"stream": True, "stream_options": {"include_usage": True}}
            left = deadline - clock()
            try:
                async with self._connection.stream("chat/completions", asked.model, body, seconds=left) as stream:
                    async for delta in answers.deltas(stream.lines(), place=place):
                        yield delta
                return
            except BadRequest as error:  # refused before the first piece
                lessons += 1
                if lessons > _LESSONS or not self._dialect(asked.model).learn(error, body):
                    raise

    async def aclose(self) -> None:
        """Nothing to close: the connections are the engine's."""

    def _with_model(self, request: CompletionRequest) -> CompletionRequest:
        model = request.model or self._settings.model
        if not model:
            raise BadRequest(f"no model is named for {self._connection.place}: set `model` in the `llm` block")
        return request if request.model else replace(request, model=model)

    def _body(self, request: CompletionRequest) -> dict[str, Any]:
        body = self._dialect(request.model).body(request)
        if self._settings.reasoning_effort:
            body["reasoning_effort"] = self._settings.reasoning_effort
        return body | dict(self._settings.body)

    def _dialect(self, model: str) -> Dialect:
        name = model or self._settings.model
        if name not in self._dialects:
            settings, hosted = self._settings, self._connection.is_openai
            chosen = settings.max_tokens_parameter
            self._dialects[name] = Dialect(
                self._connection.place,
                name,
                schema="json_schema" if settings.schema_mode == "auto" else settings.schema_mode,
                fixed=settings.schema_mode != "auto",
                strict=hosted if settings.strict is None else settings.strict,
                tokens=("max_completion_tokens" if hosted else "max_tokens") if chosen == "auto" else chosen,
            )
        return self._dialects[name]
