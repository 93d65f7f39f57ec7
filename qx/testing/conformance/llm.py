# ruff: noqa: S101 - tests, though they lie in the package
"""The contract of a language-model provider, as tests."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from qx.errors import ProviderError
from qx.llm import Capabilities, Completion, CompletionRequest, Delta, LLMProvider, Message, SupportsStream


class LLMProviderConformance:
    """Subclass it, and override the fixture ``provider`` with one that answers any request with some text.

    ``model`` is the name it is asked for.  Override ``broken`` too, with a provider whose endpoint cannot be reached,
    to test how it fails.  Needs ``asyncio_mode = "auto"``.
    """

    model = "conformance"
    timeout = 30.0
    """Seconds that one call may take."""

    @pytest.fixture
    def provider(self) -> LLMProvider:
        raise NotImplementedError("override the fixture `provider`")

    @pytest.fixture
    def broken(self) -> LLMProvider:
        pytest.skip("no fixture `broken`: a provider whose endpoint cannot be reached")

    def request(self, text: str = "Say hello.", *, max_tokens: int = 32) -> CompletionRequest:
        """A small request."""
        messages = (Message(role="system", content="Answer briefly."), Message(role="user", content=text))
        return CompletionRequest(model=self.model, messages=messages, max_tokens=max_tokens, timeout=self.timeout)

    def test_it_has_the_shape_of_the_contract(self, provider: LLMProvider) -> None:
        assert isinstance(provider, LLMProvider)
        assert inspect.iscoroutinefunction(type(provider).create), "a factory is needed: async classmethod create"  # type: ignore[attr-defined]
        assert type(provider).Settings.model_config.get("extra") == "forbid", "unknown settings must be errors"  # type: ignore[attr-defined]

    async def test_capabilities_need_no_call(self, provider: LLMProvider) -> None:
        found = provider.capabilities(self.model)
        assert isinstance(found, Capabilities)
        assert found.stream == isinstance(provider, SupportsStream) or not found.stream

    async def test_a_completion_has_text_model_and_usage(self, provider: LLMProvider) -> None:
        completion = await provider.complete(self.request())
        assert isinstance(completion, Completion)
        assert completion.text.strip()
        assert completion.model
        assert completion.usage.calls == 1
        assert completion.usage.input_tokens > 0
        assert completion.usage.output_tokens > 0
        assert completion.finish in ("stop", "length", "filter", "tools")

    async def test_any_script_and_broken_text_are_data(self, provider: LLMProvider) -> None:
        for text in (
            "电脑开机黑屏只有光标在闪",
            "naïve café ☕ \u200b",
            "a \ud800 lone surrogate",
            '{"json": "\\u0000"}',
        ):
            completion = await provider.complete(self.request(text))
            assert isinstance(completion.text, str)

    async def test_calls_run_at_once(self, provider: LLMProvider) -> None:
        completions = await asyncio.gather(*(provider.complete(self.request(f"number {i}")) for i in range(3)))
        assert len(completions) == 3

    async def test_a_cancelled_call_stops_and_the_provider_goes_on(self, provider: LLMProvider) -> None:
        call = asyncio.ensure_future(provider.complete(self.request(max_tokens=256)))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await provider.complete(self.request())).text

    async def test_a_stream_is_the_answer_in_pieces(self, provider: LLMProvider) -> None:
        if not provider.capabilities(self.model).stream or not isinstance(provider, SupportsStream):
            pytest.skip("it does not stream")
        deltas = [delta async for delta in provider.stream(self.request())]
        assert all(isinstance(delta, Delta) for delta in deltas)
        assert "".join(delta.text for delta in deltas).strip()
        assert deltas[-1].finish is not None
        assert all(delta.finish is None for delta in deltas[:-1])

    async def test_a_failure_is_an_error_of_qx(self, broken: LLMProvider) -> None:
        with pytest.raises(ProviderError) as caught:
            await broken.complete(self.request())
        assert str(caught.value)

    async def test_closing_twice_is_harmless(self, provider: LLMProvider) -> None:
        await provider.aclose()
        await provider.aclose()
