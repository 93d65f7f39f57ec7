"""The provider ``litellm``, against litellm's own mock answers and a loopback server."""

import asyncio
import importlib.metadata
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("qx_litellm", reason="the plugin qx-query-litellm is not installed")

from qx.budget import Cost, RequestBudget
from qx.calls.completer import Completer
from qx.clock import SystemClock
from qx.errors import (
    AuthError,
    BadRequest,
    PluginError,
    ProfileError,
    ProviderError,
    ProviderTimeout,
    QuotaExhausted,
    RateLimited,
    Unavailable,
)
from qx.llm import CompletionRequest, LLMProvider, Message
from qx.settings import LLM
from qx.testing import LLMProviderConformance, ModelServer, Reaction, TestServices
from qx.testing.server import unused_port
from qx_litellm import library
from qx_litellm.provider import LiteLLM, Settings

# litellm's own code, under the pydantic and Python of the day; ours stays under warnings-as-errors.
pytestmark = [
    pytest.mark.filterwarnings(r"ignore:Items? .* on TypedDict class:UserWarning"),
    pytest.mark.filterwarnings(r"ignore:Pydantic serializer warnings:UserWarning"),
    # litellm makes it in a thread, which a cancelled call no longer waits for.
    pytest.mark.filterwarnings(r"ignore:coroutine 'OpenAIChatCompletion.acompletion' was never awaited:RuntimeWarning"),
    pytest.mark.filterwarnings(r"ignore::DeprecationWarning:litellm.*"),
]

KEY = "sk-canary-lite-4411"
SCHEMA = {"type": "object", "properties": {"queries": {"type": "array", "items": {"type": "string"}}}}


def request(text: str = "红色 鞋", **fields: Any) -> CompletionRequest:
    messages = (Message(role="user", content=text),)
    return CompletionRequest(**{"model": "openai/gpt-4o", "messages": messages, "timeout": 10.0} | fields)


@pytest.fixture
async def make(services: TestServices) -> AsyncIterator[Any]:
    made: list[LiteLLM] = []

    async def one(**options: Any) -> LiteLLM:
        provider = await LiteLLM.create(Settings.model_validate({"model": "openai/gpt-4o"} | options), services)
        made.append(provider)
        return provider

    yield one
    for provider in made:
        await provider.aclose()


async def test_a_mock_answer_has_text_usage_and_cost(make: Any) -> None:
    completion = await (await make(mock_response="好的")).complete(request())
    assert completion.text == "好的"
    assert completion.usage.input_tokens > 0
    assert completion.usage.cost is not None
    assert completion.usage.cost > 0


async def test_what_is_sent(make: Any, model_server: ModelServer) -> None:
    provider = await make(api_base=model_server.url, api_key=KEY, headers={"X-Team": "search"}, schema="json_schema")
    completion = await provider.complete(request(max_tokens=33, temperature=0.25, schema=SCHEMA))
    path, headers, body = model_server.calls[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert {name.lower(): text for name, text in headers.items()}["x-team"] == "search"
    assert (body["max_tokens"], body["temperature"], body["model"]) == (33, 0.25, "gpt-4o")
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (10, 5)


async def test_a_schema_goes_into_the_prompt_of_a_model_that_takes_none(make: Any, model_server: ModelServer) -> None:
    provider = await make(model="openai/some-local-model", api_base=model_server.url, schema="none")
    await provider.complete(request(model="", schema=SCHEMA))
    body = model_server.bodies[0]
    assert "response_format" not in body
    assert '"queries"' in body["messages"][0]["content"]
    assert not provider.capabilities("openai/some-local-model").schema


async def test_capabilities_come_from_litellms_table(make: Any) -> None:
    provider = await make()
    found = provider.capabilities("openai/gpt-4o")
    assert found.schema
    assert found.context == 128000
    assert provider.capabilities("openai/nobody-knows-it").context is None


async def test_keys_of_the_environment_are_not_sent(
    make: Any, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    await (await make(api_base=model_server.url)).complete(request())
    assert KEY not in str(model_server.calls[0][1])


async def test_environment_keys_are_for_the_vendors_own_address(services: TestServices) -> None:
    with pytest.raises(ProfileError, match="exclude each other"):
        await LiteLLM.create(Settings(environment_keys=True, api_base="http://elsewhere.example"), services)
    with pytest.raises(ProfileError, match="takes its credentials from the environment"):
        await LiteLLM.create(Settings(model="bedrock/anthropic.claude-3-haiku-20240307-v1:0"), services)


FAILURES: list[tuple[Reaction, type[ProviderError], bool]] = [
    (Reaction(kind="rate-limit", headers={"Retry-After": "7"}), RateLimited, True),
    (Reaction(kind="quota"), QuotaExhausted, False),
    (Reaction(kind="error"), Unavailable, True),
    (Reaction(kind="error", status=503), Unavailable, True),
    (Reaction(kind="wrong-key"), AuthError, False),
    (Reaction(kind="unknown-model"), BadRequest, False),
    (Reaction(kind="too-long"), BadRequest, False),
]


@pytest.mark.parametrize(("reaction", "kind", "retryable"), FAILURES)
async def test_each_failure_becomes_its_error(
    make: Any, model_server: ModelServer, reaction: Reaction, kind: type[ProviderError], retryable: bool
) -> None:
    model_server.react(reaction)
    with pytest.raises(kind) as caught:
        await (await make(api_base=model_server.url, api_key=KEY)).complete(request())
    assert type(caught.value) is kind
    assert caught.value.retryable is retryable
    assert len(model_server.calls) == 1  # litellm's own retries are off
    assert caught.value.__context__ is None
    if kind is RateLimited:
        assert caught.value.retry_after == 7.0


@pytest.mark.parametrize("kind", ["malformed", "drop", "not-json-object"])
async def test_what_cannot_be_read_is_an_error_of_qx(make: Any, model_server: ModelServer, kind: Any) -> None:
    model_server.react(Reaction(kind=kind))
    with pytest.raises(ProviderError):
        await (await make(api_base=model_server.url, api_key=KEY)).complete(request())
    assert len(model_server.calls) == 1


async def test_a_refused_connection_may_be_retried(make: Any) -> None:
    with pytest.raises(Unavailable):
        await (await make(api_base=f"http://127.0.0.1:{unused_port()}/v1")).complete(request())


async def test_a_hanging_server_is_a_timeout(make: Any, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="hang"))
    with pytest.raises(ProviderTimeout):
        await (await make(api_base=model_server.url)).complete(request(timeout=0.2))


async def test_no_key_reaches_the_caller_through_the_completer(make: Any, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="wrong-key"))  # the server repeats the key in its answer
    llm = LLM.model_validate({"provider": "litellm", "model": "openai/gpt-4o", "api_key": KEY})
    completer = Completer(llm, [await make(api_base=model_server.url, api_key=KEY)], clock=SystemClock())
    budget = RequestBudget(Cost(seconds=10), asyncio.get_running_loop().time)
    with pytest.raises(AuthError) as caught:
        await completer.complete(request(), budget=budget)
    assert KEY not in "".join(traceback.format_exception(caught.value))


async def test_a_stream_arrives_in_pieces(make: Any, model_server: ModelServer) -> None:
    model_server.react(Reaction(text="降噪耳机"))
    provider = await make(api_base=model_server.url, api_key=KEY)
    deltas = [delta async for delta in provider.stream(request())]
    assert "".join(delta.text for delta in deltas) == "降噪耳机"
    assert len(deltas) > 2
    assert deltas[-1].finish == "stop"


async def test_leaving_a_stream_early_closes_the_connection(make: Any, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="drip"))
    provider = await make(api_base=model_server.url, api_key=KEY)
    stream = provider.stream(request())
    async for _ in stream:
        break
    await stream.aclose()
    async with asyncio.timeout(5):
        await model_server.until(lambda: model_server.aborted)


@pytest.mark.parametrize("version", library.COMPROMISED)
async def test_a_compromised_release_is_not_imported(
    services: TestServices, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: version)
    monkeypatch.setattr(importlib, "import_module", lambda name: pytest.fail("imported"))
    with pytest.raises(PluginError, match="compromised"):
        await LiteLLM.create(Settings(), services)


def test_the_compromised_releases_are_excluded_from_installing_too() -> None:
    found = " ".join(importlib.metadata.requires("qx-query-litellm") or ())
    for version in library.COMPROMISED:
        assert f"!={version}" in found


def test_importing_the_plugin_does_not_import_litellm() -> None:
    code = "import sys, qx_litellm, qx_litellm.provider; sys.exit('litellm' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


class TestConformance(LLMProviderConformance):
    model = "openai/gpt-4o"

    @pytest.fixture
    async def provider(self, make: Any, model_server: ModelServer) -> LLMProvider:
        return await make(api_base=model_server.url, api_key=KEY)

    @pytest.fixture
    async def broken(self, make: Any) -> LLMProvider:
        return await make(api_base=f"http://127.0.0.1:{unused_port()}")
