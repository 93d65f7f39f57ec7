"""The provider ``openai`` against a loopback server: what is sent, what is read, what each failure becomes."""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any

import pytest

from qx.builtin.openai import OpenAI, Settings
from qx.errors import (
    AuthError,
    BadRequest,
    BadResponse,
    ProviderError,
    ProviderTimeout,
    QuotaExhausted,
    RateLimited,
    Unavailable,
)
from qx.llm import CompletionRequest, LLMProvider, Message, Tool, ToolCall
from qx.testing import LLMProviderConformance, ModelServer, Reaction, TestServices
from qx.testing.server import unused_port

SCHEMA = {
    "title": "answer",
    "type": "object",
    "properties": {"queries": {"type": "array", "maxItems": 8, "items": {"type": "string", "maxLength": 40}}},
    "required": ["queries"],
    "additionalProperties": False,
}
KEY = "sk-canary-55aa66"


def request(**fields: Any) -> CompletionRequest:
    messages = (Message(role="system", content="Rewrite."), Message(role="user", content="红色 鞋"))
    return CompletionRequest(**{"model": "m", "messages": messages, "timeout": 5.0, "temperature": 0.1} | fields)


async def provider(services: TestServices, server: ModelServer, **options: Any) -> OpenAI:
    given = {"model": "m", "api_base": server.url, "api_key": KEY} | options
    return await OpenAI.create(Settings.model_validate(given), services)


async def test_what_is_sent_and_what_is_read(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(text="好的"))
    completion = await (await provider(services, model_server)).complete(request(max_tokens=77))
    path, headers, body = model_server.calls[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Rewrite."}, {"role": "user", "content": "红色 鞋"}],
        "max_tokens": 77,
        "temperature": 0.1,
    }
    assert completion.text == "好的"
    assert completion.finish == "stop"
    assert (completion.usage.calls, completion.usage.input_tokens, completion.usage.output_tokens) == (1, 10, 5)


async def test_without_a_key_none_is_sent(
    services: TestServices, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9")
    await (await provider(services, model_server, api_key=None)).complete(request())
    assert "Authorization" not in model_server.calls[0][1]


async def test_azure_puts_key_deployment_and_version_where_azure_wants_them(
    services: TestServices, model_server: ModelServer
) -> None:
    made = await provider(services, model_server, azure={"api_version": "2024-10-21", "deployment": "my gpt"})
    await made.complete(request(schema=SCHEMA))
    path, headers, body = model_server.calls[0]
    assert path == "/v1/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21"
    assert headers["api-key"] == KEY
    assert "Authorization" not in headers
    assert "max_completion_tokens" in body


async def test_extra_headers_body_and_organisation_go_along(services: TestServices, model_server: ModelServer) -> None:
    made = await provider(
        services,
        model_server,
        headers={"X-Team": "search"},
        body={"top_p": 0.5},
        organisation="org-1",
        reasoning_effort="low",
    )
    await made.complete(request(options={"seed": 7}))
    _, headers, body = model_server.calls[0]
    assert (headers["X-Team"], headers["OpenAI-Organization"]) == ("search", "org-1")
    assert (body["top_p"], body["seed"], body["reasoning_effort"]) == (0.5, 7, "low")


async def test_a_schema_goes_as_response_format(services: TestServices, model_server: ModelServer) -> None:
    made = await provider(services, model_server)
    assert made.capabilities("m").schema
    await made.complete(request(schema=SCHEMA))
    sent = model_server.bodies[0]["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": False}}


async def test_a_strict_schema_has_no_keyword_that_openai_refuses(
    services: TestServices, model_server: ModelServer
) -> None:
    named = {**SCHEMA, "properties": {"maxLength": {"type": "string", "maxLength": 3}}, "required": ["maxLength"]}
    await (await provider(services, model_server, strict=True)).complete(request(schema=named))
    sent = model_server.bodies[0]["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["properties"] == {"maxLength": {"type": "string"}}
    open_object = {"type": "object", "properties": {"a": {"type": "object"}}}
    await (await provider(services, model_server, strict=True)).complete(request(schema=open_object))
    assert model_server.bodies[1]["response_format"]["json_schema"]["strict"] is False


async def test_a_refused_response_format_steps_down_and_is_remembered(
    services: TestServices, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "qx")

    def old_server(body: Mapping[str, Any]) -> Reaction:
        return Reaction(refuses="response_format" if "response_format" in body else "(nothing)")

    model_server.react(default=old_server)
    made = await provider(services, model_server)
    await made.complete(request(schema=SCHEMA))
    kinds = [body.get("response_format", {}).get("type") for body in model_server.bodies]
    assert kinds == ["json_schema", "json_object", None]
    system = model_server.bodies[-1]["messages"][0]
    assert system["role"] == "system"
    assert json.dumps(SCHEMA) in system["content"]
    assert not made.capabilities("m").schema
    assert made.capabilities("another model").schema
    await made.complete(request(schema=SCHEMA))
    assert len(model_server.calls) == 4  # learnt once
    assert "schema is none from now on" in caplog.text


async def test_a_chosen_schema_mode_is_kept(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(refuses="response_format"))
    made = await provider(services, model_server, schema="json_schema")
    with pytest.raises(BadRequest, match="response_format"):
        await made.complete(request(schema=SCHEMA))
    assert len(model_server.calls) == 1


async def test_the_schema_goes_into_the_prompt_where_nothing_else_is_allowed(
    services: TestServices, model_server: ModelServer
) -> None:
    made = await provider(services, model_server, schema="none")
    only_user = (Message(role="user", content="q"),)
    await made.complete(request(schema=SCHEMA, messages=only_user))
    body = model_server.bodies[0]
    assert "response_format" not in body
    assert [m["role"] for m in body["messages"]] == ["system", "user"]


async def test_a_model_that_wants_other_parameters_gets_them(services: TestServices, model_server: ModelServer) -> None:
    def reasoning(body: Mapping[str, Any]) -> Reaction:
        if "max_tokens" in body:
            return Reaction(refuses="max_tokens")
        return Reaction(refuses="temperature" if "temperature" in body else "(nothing)")

    model_server.react(default=reasoning)
    made = await provider(services, model_server)
    await made.complete(request(max_tokens=9))
    await made.complete(request(max_tokens=9))
    assert len(model_server.calls) == 4
    assert model_server.bodies[-1]["max_completion_tokens"] == 9
    assert "temperature" not in model_server.bodies[-1]


async def test_tools_and_tool_calls(services: TestServices, model_server: ModelServer) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "鞋"}'}}
    answer = {"choices": [{"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    model_server.react(Reaction(body=answer))
    made = await provider(services, model_server)
    tool = Tool(name="search", description="Search.", parameters={"type": "object"})
    completion = await made.complete(request(tools=(tool,)))
    assert completion.finish == "tools"
    assert completion.tool_calls == (ToolCall(id="c1", name="search", arguments='{"q": "鞋"}'),)
    assert model_server.bodies[0]["tools"][0]["function"]["name"] == "search"
    back = (
        Message(role="assistant", content="", tool_calls=completion.tool_calls),
        Message(role="tool", content="3 found", tool_call_id="c1"),
    )
    await made.complete(request(messages=back))
    sent = model_server.bodies[1]["messages"]
    assert sent[0]["tool_calls"][0]["function"] == {"name": "search", "arguments": '{"q": "鞋"}'}
    assert sent[1]["tool_call_id"] == "c1"


@pytest.mark.parametrize(
    ("reason", "finish"), [("stop", "stop"), ("length", "length"), ("content_filter", "filter"), ("eos", "stop")]
)
async def test_finish_reasons(services: TestServices, model_server: ModelServer, reason: str, finish: str) -> None:
    choice = {"message": {"content": "x"}, "finish_reason": reason}
    model_server.react(Reaction(body={"choices": [choice]}))
    assert (await (await provider(services, model_server)).complete(request())).finish == finish


async def test_a_refusal_counts_as_filtered(services: TestServices, model_server: ModelServer) -> None:
    choice = {"message": {"content": None, "refusal": "I can't."}, "finish_reason": "stop"}
    model_server.react(Reaction(body={"choices": [choice]}))
    assert (await (await provider(services, model_server)).complete(request())).finish == "filter"


FAILURES: list[tuple[Reaction, type[ProviderError], bool, str]] = [
    (Reaction(kind="rate-limit", headers={"Retry-After": "7"}), RateLimited, True, "slow down"),
    (Reaction(kind="quota"), QuotaExhausted, False, "quota .* is used up"),
    (Reaction(kind="quota", status=402), QuotaExhausted, False, "quota"),
    (Reaction(kind="error"), Unavailable, True, "failed \\(500: The server had an error"),
    (Reaction(kind="error", status=503), Unavailable, True, "503"),
    (Reaction(kind="error", status=504), ProviderTimeout, True, "504"),
    (Reaction(kind="malformed"), BadResponse, False, "not JSON"),
    (Reaction(kind="malformed", status=502), Unavailable, True, "502"),
    (Reaction(kind="not-json-object"), BadResponse, False, "not an object"),
    (Reaction(body={"choices": []}), BadResponse, False, "without a message"),
    (Reaction(body={"choices": [{"message": None}]}), BadResponse, False, "without a message"),
    (Reaction(body={"error": {"code": "insufficient_quota", "message": "no"}}), QuotaExhausted, False, "quota"),
    (Reaction(kind="wrong-key"), AuthError, False, "refused the key"),
    (Reaction(kind="wrong-key", status=403), AuthError, False, "403"),
    (Reaction(kind="unknown-model"), BadRequest, False, "no such address or model 'm'"),
    (Reaction(kind="too-long"), BadRequest, False, "too long for 'm'"),
    (Reaction(kind="filter"), BadRequest, False, "content filter"),
    (Reaction(kind="redirect"), BadResponse, False, "redirects"),
    (Reaction(kind="drop"), Unavailable, True, "broke"),
]


@pytest.mark.parametrize(("reaction", "kind", "retryable", "text"), FAILURES)
async def test_each_failure_becomes_its_error(
    services: TestServices,
    model_server: ModelServer,
    reaction: Reaction,
    kind: type[ProviderError],
    retryable: bool,
    text: str,
) -> None:
    model_server.react(reaction)
    with pytest.raises(kind, match=text) as caught:
        await (await provider(services, model_server)).complete(request())
    assert type(caught.value) is kind
    assert caught.value.retryable is retryable
    if kind is RateLimited:
        assert caught.value.retry_after == 7.0


async def test_a_hanging_server_is_a_timeout(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="hang"))
    with pytest.raises(ProviderTimeout, match="did not answer"):
        await (await provider(services, model_server)).complete(request(timeout=0.05))


async def test_a_stream_arrives_in_pieces(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(text="降噪耳机"))
    made = await provider(services, model_server)
    deltas = [delta async for delta in made.stream(request())]
    assert [d.text for d in deltas] == ["降", "噪", "耳", "机", ""]
    assert deltas[-1].finish == "stop"
    assert deltas[-1].usage is not None
    assert deltas[-1].usage.output_tokens == 4
    assert model_server.bodies[0]["stream_options"] == {"include_usage": True}


async def test_cancelling_a_stream_closes_the_connection(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="drip"))
    made = await provider(services, model_server)
    seen = asyncio.Event()

    async def watch() -> None:
        async for _ in made.stream(request()):
            seen.set()

    task = asyncio.ensure_future(watch())
    await seen.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await model_server.until(lambda: model_server.aborted)


async def test_cancelling_a_call_closes_the_connection(services: TestServices, model_server: ModelServer) -> None:
    model_server.react(Reaction(kind="hang"))
    task = asyncio.ensure_future((await provider(services, model_server)).complete(request()))
    await model_server.until(lambda: model_server.calls)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await model_server.until(lambda: model_server.aborted)


@pytest.mark.parametrize(
    ("reaction", "kind"), [(Reaction(kind="wrong-key"), AuthError), (Reaction(kind="rate-limit"), RateLimited)]
)
async def test_a_refused_stream_raises_like_a_call(
    services: TestServices, model_server: ModelServer, reaction: Reaction, kind: type[ProviderError]
) -> None:
    model_server.react(reaction)
    made = await provider(services, model_server)
    with pytest.raises(kind):
        async for _ in made.stream(request()):
            pass


async def test_no_model_at_all_is_said_before_any_call(services: TestServices, model_server: ModelServer) -> None:
    made = await provider(services, model_server, model="")
    with pytest.raises(BadRequest, match="no model is named"):
        await made.complete(request(model=""))
    assert not model_server.calls


class TestConformance(LLMProviderConformance):
    @pytest.fixture
    async def provider(self, services: TestServices, model_server: ModelServer) -> LLMProvider:
        return await provider(services, model_server)

    @pytest.fixture
    async def broken(self, services: TestServices) -> LLMProvider:
        settings = Settings(model="m", api_base=f"http://127.0.0.1:{unused_port()}")
        return await OpenAI.create(settings, services)
