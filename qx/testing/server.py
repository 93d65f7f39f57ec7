"""A loopback server that speaks the OpenAI API and misbehaves on demand."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Self

from qx.serial import empty, value

if TYPE_CHECKING:
    from aiohttp import web

Kind = Literal[
    "answer", "rate-limit", "quota", "error", "malformed", "not-json-object", "wrong-key", "unknown-model", "too-long",
    "hang", "drop", "redirect", "filter", "oversize", "drip",
]  # fmt: skip
"""What the server does with a call; ``hang`` never answers, ``drop`` closes the connection, ``drip`` streams for ever."""


@value
class Reaction:
    """How one call is answered.

    ``delay`` is in seconds; ``refuses`` names a request parameter that this server does not take (400);
    ``body`` goes over the answer's own fields.
    """

    kind: Kind = "answer"
    text: str = "ok"
    delay: float = 0.0
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=empty)
    refuses: str | None = None
    body: Mapping[str, Any] = field(default_factory=empty)


Chooser = Callable[[Mapping[str, Any]], Reaction]

_ERRORS: Mapping[str, tuple[int, str, str]] = {
    "rate-limit": (429, "rate_limit_exceeded", "Too many requests, slow down."),
    "quota": (
        429,
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    "error": (500, "server_error", "The server had an error."),
    "wrong-key": (401, "invalid_api_key", "Incorrect API key provided: {key}."),
    "unknown-model": (404, "model_not_found", "The model does not exist."),
    "too-long": (400, "context_length_exceeded", "This model's maximum context length is 8192 tokens."),
    "filter": (400, "content_filter", "The response was filtered."),
}


class ModelServer:
    """``async with ModelServer() as server``: it listens on a free port of 127.0.0.1.

    Attributes:
        calls: ``(path, headers, body)`` of every call so far.
        connections: How many connections were made.
        aborted: Calls whose client left before the answer was complete.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, str], Mapping[str, Any]]] = []
        self.connections = 0
        self.aborted = 0
        self._reactions: list[Reaction] = []
        self._default: Reaction | Chooser = Reaction()
        self._runner: web.AppRunner | None = None
        self._port = 0
        self._seen: set[object] = set()

    @property
    def url(self) -> str:
        """The ``api_base``."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        """The JSON bodies of the calls so far."""
        return [body for _, _, body in self.calls]

    def react(self, *reactions: Reaction, default: Reaction | Chooser | None = None) -> None:
        """Answer the next calls by ``reactions``, one each, then by ``default`` (None: as before)."""
        self._reactions = list(reactions)
        if default is not None:
            self._default = default

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until ``condition`` holds: ``await server.until(lambda: server.aborted)``."""
        while not condition():  # noqa: ASYNC110 - the condition is the caller's
            await asyncio.sleep(0.001)

    async def __aenter__(self) -> Self:
        from aiohttp import web

        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if request.transport not in self._seen:
            self._seen.add(request.transport)
            self.connections += 1
        body: dict[str, Any] = await request.json()
        self.calls.append((request.path_qs, dict(request.headers), body))
        reaction = self._choose(body)
        try:
            await asyncio.sleep(reaction.delay)
            return await self._answer(request, body, reaction)
        except (asyncio.CancelledError, ConnectionResetError):
            self.aborted += 1
            raise

    def _choose(self, body: Mapping[str, Any]) -> Reaction:
        if self._reactions:
            return self._reactions.pop(0)
        return self._default(body) if callable(self._default) else self._default

    async def _answer(self, request: web.Request, body: dict[str, Any], reaction: Reaction) -> web.StreamResponse:
        from aiohttp import web

        headers = dict(reaction.headers)
        if reaction.refuses is not None and reaction.refuses in json.dumps(body):
            message = f"Unsupported parameter: '{reaction.refuses}' is not supported with this model."
            if reaction.refuses == "max_tokens":
                message += " Use 'max_completion_tokens' instead."
            return _error(400, "unsupported_parameter", message, headers)
        match reaction.kind:
            case "hang":
                await asyncio.Event().wait()
            case "drop":
                if request.transport is not None:
                    request.transport.abort()
                return web.Response()
            case "redirect":
                return web.Response(status=307, headers={"Location": "http://127.0.0.1:9/elsewhere?key=x"} | headers)
            case "malformed":
                return web.Response(text='{"choices": [{"mess', status=reaction.status or 200, headers=headers)
            case "not-json-object":
                return web.json_response(["nothing", "here"], headers=headers)
            case "oversize":
                return web.json_response({"choices": [], "padding": "x" * 20_000_000})
            case "answer" | "drip":
                return await _answered(request, body, reaction, headers)
            case _:
                status, code, message = _ERRORS[reaction.kind]
                key = request.headers.get("Authorization", "").removeprefix("Bearer ")
                return _error(reaction.status or status, code, message.format(key=key), headers)
        return web.Response()


def _error(status: int, code: str, message: str, headers: Mapping[str, str]) -> web.Response:
    from aiohttp import web

    return web.json_response({"error": {"code": code, "message": message}}, status=status, headers=headers)


async def _answered(
    request: web.Request, body: dict[str, Any], reaction: Reaction, headers: Mapping[str, str]
) -> web.StreamResponse:
    from aiohttp import web

    if request.path.endswith("embeddings"):
        return web.json_response(_embedded(body) | dict(reaction.body), headers=headers)
    if body.get("stream"):
        return await _streamed(request, reaction, headers)
    message = {"role": "assistant", "content": reaction.text}
    answer = {
        "id": "chatcmpl-1",
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
    return web.json_response(answer | dict(reaction.body), status=reaction.status or 200, headers=headers)


async def _streamed(request: web.Request, reaction: Reaction, headers: Mapping[str, str]) -> web.StreamResponse:
    from aiohttp import web

    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"} | dict(headers))
    await response.prepare(request)

    async def send(item: object) -> None:
        text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        await response.write(f"data: {text}\n\n".encode())

    for piece in reaction.text:
        await send({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
    while reaction.kind == "drip":
        await send({"choices": [{"index": 0, "delta": {"content": "."}, "finish_reason": None}]})
        await asyncio.sleep(0.01)
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "stop"}
    await send({"choices": [last]})
    await send({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": len(reaction.text)}})
    await send("[DONE]")
    return response


def _embedded(body: Mapping[str, Any]) -> dict[str, Any]:
    from qx.testing.embedder import FakeEmbedder

    texts: Sequence[str] = body["input"]
    vectors = FakeEmbedder(dimensions=body.get("dimensions", 16)).vectors(texts)
    as_text = body.get("encoding_format") == "base64"
    data = [
        {"index": i, "embedding": base64.b64encode(v).decode() if as_text else memoryview(v).cast("f").tolist()}
        for i, v in enumerate(vectors)
    ]
    return {"data": data, "model": body["model"], "usage": {"prompt_tokens": len(texts), "total_tokens": len(texts)}}


def unused_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on: a connection to it is refused."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
