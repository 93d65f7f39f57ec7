"""The provider ``llamacpp``: what needs no model always, what needs one with ``QX_TEST_MODEL=file.gguf``."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("qx_llamacpp", reason="the plugin qx-query-llamacpp is not installed")

from qx.clock import SystemClock
from qx.errors import BadRequest, BadResponse, Closed, NotAllowed, ProfileError, ProviderTimeout
from qx.llm import CompletionRequest, LLMProvider, Message
from qx.testing import LLMProviderConformance, TestServices
from qx_llamacpp.provider import LlamaCpp, Settings
from qx_llamacpp.server import Server

MODEL = os.path.abspath(os.environ["QX_TEST_MODEL"]) if os.environ.get("QX_TEST_MODEL") else ""
needs_model = [
    pytest.mark.model,
    pytest.mark.skipif(not MODEL, reason="QX_TEST_MODEL does not name a GGUF file"),
]
SCHEMA = {
    "type": "object",
    "properties": {
        "queries": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string", "maxLength": 20}}
    },
    "required": ["queries"],
    "additionalProperties": False,
}


def request(text: str = "Three queries about red shoes, as JSON.", **fields: Any) -> CompletionRequest:
    messages = (Message(role="user", content=text),)
    return CompletionRequest(**{"model": "", "messages": messages, "max_tokens": 80, "timeout": 60.0} | fields)


class Native:
    """Stands for the library's server: calls back with chunks, as it does."""

    def __init__(self, chunks: list[Any], *, result: Any = None, pause: float = 0.0) -> None:
        self.chunks = chunks
        self.result = result
        self.pause = pause
        self.bodies: list[dict[str, Any]] = []
        self.made = 0

    def handle_chat_completions(self, body: dict[str, Any], callback: Callable[[Mapping[str, Any]], bool]) -> Any:
        self.bodies.append(body)
        for chunk in self.chunks:
            if isinstance(chunk, Exception):
                raise chunk
            self.made += 1
            if callback(chunk):
                return None
            time.sleep(self.pause)
        return self.result


def piece(text: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


USAGE = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


@pytest.fixture
async def fake() -> AsyncIterator[Callable[[Native], LlamaCpp]]:
    made: list[LlamaCpp] = []

    def one(native: Native, *, parallel: int = 1) -> LlamaCpp:
        server = Server(native, ThreadPoolExecutor(max_workers=parallel))
        made.append(LlamaCpp(Settings(model="m.gguf"), server, SystemClock()))
        return made[-1]

    yield one
    for provider in made:
        await provider.aclose()


async def test_an_answer_is_put_together(fake: Any) -> None:
    native = Native([piece(None), piece("红"), piece("鞋"), piece(None, "length"), USAGE])
    completion = await fake(native).complete(request(schema=SCHEMA, temperature=0.1))
    assert (completion.text, completion.finish) == ("红鞋", "length")
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (7, 2)
    body = native.bodies[0]
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (body["max_tokens"], body["temperature"], body["stream"]) == (80, 0.1, True)


@pytest.mark.parametrize(
    ("native", "kind", "text"),
    [
        (Native([ValueError("Expected 'messages' to be an array")]), BadRequest, "does not take the request"),
        (Native([piece("a")]), BadResponse, "in the middle"),
        (
            Native([], result={"error": {"code": 400, "message": "too big", "type": "exceed_context_size_error"}}),
            BadRequest,
            "too long",
        ),
    ],
)
async def test_failures_are_errors_of_qx(fake: Any, native: Native, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        await fake(native).complete(request())


async def test_a_timeout_stops_the_model(fake: Any) -> None:
    native = Native([piece("x")] * 10_000, pause=0.001)
    with pytest.raises(ProviderTimeout):
        await fake(native).complete(request(timeout=0.05))
    assert native.made < 1000


async def test_leaving_a_stream_stops_the_model(fake: Any) -> None:
    native = Native([piece("x")] * 10_000, pause=0.001)
    provider = fake(native)
    stream = provider.stream(request())
    async for _ in stream:
        break
    await stream.aclose()
    await provider.aclose()
    assert native.made < 1000


async def test_a_cancelled_call_that_waits_for_a_thread_never_runs(fake: Any) -> None:
    native = Native([piece("x")] * 50 + [piece(None, "stop")], pause=0.002)
    provider = fake(native)
    first = asyncio.ensure_future(provider.complete(request()))
    second = asyncio.ensure_future(provider.complete(request()))
    await asyncio.sleep(0.02)
    second.cancel()
    assert (await first).text == "x" * 50
    assert len(native.bodies) == 1


async def test_closing_ends_the_threads(fake: Any) -> None:
    provider = fake(Native([piece("x")] * 10_000, pause=0.001))
    call = asyncio.ensure_future(provider.complete(request()))
    await asyncio.sleep(0.01)
    await provider.aclose()
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    with pytest.raises(Closed):
        await provider.complete(request())
    assert not [t for t in threading.enumerate() if t.name.startswith("ThreadPoolExecutor")]


async def test_the_file_is_checked_before_anything_is_loaded(services: TestServices, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"absent\.gguf cannot be read"):
        await LlamaCpp.create(Settings(model="absent.gguf"), services)
    (tmp_path / "text.gguf").write_text("hello")
    with pytest.raises(ProfileError, match="not a GGUF file"):
        await LlamaCpp.create(Settings(model="text.gguf"), services)
    with pytest.raises(NotAllowed):
        await LlamaCpp.create(Settings(model="/etc/passwd"), services)


async def test_a_broken_model_file_is_an_error_of_the_profile(services: TestServices, tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ProfileError, match="cannot load"):
        await LlamaCpp.create(Settings(model="broken.gguf"), services)


def test_importing_the_plugin_does_not_import_the_library() -> None:
    code = "import sys, qx_llamacpp, qx_llamacpp.provider; sys.exit('xllamacpp' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


class TestWithAModel(LLMProviderConformance):
    pytestmark = needs_model
    timeout = 120.0

    @pytest.fixture
    async def provider(self, services: TestServices, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LLMProvider]:
        monkeypatch.setenv("QX_ALLOW_PATHS", str(Path(MODEL).parent))
        made = await LlamaCpp.create(Settings(model=MODEL, n_ctx=1024, parallel=2), services)
        yield made
        await made.aclose()

    async def test_the_answer_follows_the_schema(self, provider: LLMProvider) -> None:
        completion = await provider.complete(request(schema=SCHEMA, max_tokens=200))
        found = json.loads(completion.text)
        assert list(found) == ["queries"]
        assert 1 <= len(found["queries"]) <= 3
        assert all(len(query) <= 20 for query in found["queries"])

    async def test_a_request_that_is_too_long_says_so(self, provider: LLMProvider) -> None:
        with pytest.raises(BadRequest, match="too long"):
            await provider.complete(request("word " * 3000))

    async def test_its_port_takes_nobodys_requests(self, provider: LLMProvider, services: TestServices) -> None:
        address = provider._server._native.listening_address  # type: ignore[attr-defined]
        body = {"messages": [{"role": "user", "content": "x"}]}
        reply = await services.http.send("POST", f"{address}/v1/chat/completions", json=body, timeout=10)
        assert reply.status == 401
