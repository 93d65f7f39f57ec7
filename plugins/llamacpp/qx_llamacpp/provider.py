"""The provider ``llamacpp``: a local GGUF file, in this process, bound to the schema of each request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from qx.clock import Clock
from qx.errors import BadResponse, ProfileError, ProviderTimeout
from qx.hookspecs import Services
from qx.http import Reply
from qx.llm import Capabilities, Completion, CompletionRequest, Delta, Finish
from qx.model import Model
from qx.paths import home
from qx.tenant_folder import own_path
from qx.types import Usage
from qx.wire import answer as answers
from qx.wire.dialect import response_format, wire_messages
from qx.wire.refusal import refusal
from qx_llamacpp.server import Server


class Settings(Model):
    """The options of ``provider: llamacpp``; ``model`` is the path of the file.

    It may lie in the profile's folder, in ``models`` of qx's own folder, or where ``QX_ALLOW_PATHS`` allows.
    """

    model: str = Field(min_length=1)
    n_ctx: int = Field(default=4096, ge=256)
    """Tokens of one request with its answer."""
    threads: int | None = Field(default=None, ge=1)
    """None: one for each core."""
    parallel: int = Field(default=1, ge=1, le=64)
    """Requests that are worked on at once; each takes memory for ``n_ctx`` tokens."""
    gpu_layers: int = Field(default=0, ge=-1)
    """Layers on the GPU, where the installed build has one; -1: all."""
    seed: int = 0


class LlamaCpp:
    """Implements ``LLMProvider`` and ``SupportsStream``."""

    Settings = Settings

    def __init__(self, settings: Settings, server: Server, clock: Clock) -> None:
        self._settings = settings
        self._server = server
        self._clock = clock
        self._name = Path(settings.model).name

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> LlamaCpp:
        path = own_path(settings.model, services, allowed=((home() / "models").resolve(),))
        _check(path)
        server = await Server.load(
            path,
            context=settings.n_ctx,
            threads=settings.threads,
            parallel=settings.parallel,
            gpu_layers=settings.gpu_layers,
        )
        return cls(settings, server, services.clock)

    def capabilities(self, model: str, /) -> Capabilities:
        return Capabilities(schema=True, tools=False, context=self._settings.n_ctx)

    async def complete(self, request: CompletionRequest, /) -> Completion:
        texts: list[str] = []
        usage, finish = Usage(calls=1), None
        async for delta in self.stream(request):
            texts.append(delta.text)
            usage, finish = delta.usage or usage, delta.finish or finish
        return Completion(text="".join(texts), usage=usage, model=self._name, finish=finish or "stop")

    async def stream(self, request: CompletionRequest, /) -> AsyncIterator[Delta]:
        """Yield the answer token by token; leaving early stops the model."""
        deadline = asyncio.get_running_loop().time() + request.timeout
        chunks = self._server.chunks(self._body(request))
        finish: Finish | None = None
        usage: Usage | None = None
        try:
            while (chunk := await self._next(chunks, deadline)) is not None:
                self._raise_refusal(chunk)
                usage = answers.usage(chunk["usage"]) if chunk.get("usage") else usage
                choice = (chunk.get("choices") or [{}])[0]
                finish = answers.finish(choice["finish_reason"]) if choice.get("finish_reason") else finish
                if text := (choice.get("delta") or {}).get("content"):
                    yield Delta(text=text)
        finally:
            await chunks.aclose()  # type: ignore[attr-defined]
        if finish is None:
            raise BadResponse(f"llama.cpp ended {self._name}'s answer in the middle")
        yield Delta(usage=usage, finish=finish)

    async def aclose(self) -> None:
        await self._server.aclose()

    async def _next(self, chunks: AsyncIterator[Mapping[str, Any]], deadline: float) -> Mapping[str, Any] | None:
        try:
            async with asyncio.timeout_at(deadline):
                return await anext(chunks, None)
        except TimeoutError:
            pass
        raise ProviderTimeout(f"{self._name} did not finish its answer in time")

    def _body(self, request: CompletionRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "messages": wire_messages(request.messages),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": self._settings.seed,
            "cache_prompt": True,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.schema is not None:
            body["response_format"] = response_format(request.schema, strict=False)
        body |= dict(request.options)
        # Lone surrogates cannot cross into C++.
        return json.loads(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))

    def _raise_refusal(self, chunk: Mapping[str, Any]) -> None:
        error = chunk.get("error")
        if not error:
            return
        status = error.get("code") if isinstance(error, Mapping) else None
        reply = Reply(
            status=status if isinstance(status, int) else 500, headers={}, body=json.dumps(dict(chunk)).encode()
        )
        raise refusal(reply, place="llama.cpp", model=self._name, now=self._clock.now())


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ProfileError(f"the model file {path} cannot be read: {error.strerror}") from error
    if magic != b"GGUF":
        raise ProfileError(f"{path} is not a GGUF file")
