import asyncio
from pathlib import Path

import pytest

from qx.errors import Unavailable
from qx.llm import CompletionRequest, LLMProvider, Message, ToolCall
from qx.testing import (
    Answer,
    EmbedderConformance,
    FakeEmbedder,
    LLMProviderConformance,
    ScriptedLLM,
    ScriptExhausted,
    TestServices,
)

REQUEST = CompletionRequest(model="m", messages=(Message(role="user", content="hello"),))


@pytest.mark.virtual_time
async def test_answers_delays_and_failures_in_order() -> None:
    model = ScriptedLLM(["a", Answer(text="b", delay=5), Unavailable("down", retry_after=2), "c"])
    assert (await model.complete(REQUEST)).text == "a"
    assert (await model.complete(REQUEST)).text == "b"
    assert asyncio.get_running_loop().time() == 5.0
    with pytest.raises(Unavailable) as caught:
        await model.complete(REQUEST)
    assert caught.value.retry_after == 2
    assert (await model.complete(REQUEST)).text == "c"
    assert model.calls == 4


async def test_a_call_beyond_the_script_ends_the_test_not_the_model() -> None:
    with pytest.raises(ScriptExhausted, match="hello"):
        await ScriptedLLM().complete(REQUEST)
    assert not issubclass(ScriptExhausted, Exception)


async def test_a_profile_can_name_an_instance(tmp_path: Path) -> None:
    mine = ScriptedLLM(default="x").named("mine")
    services = TestServices(tmp_path)
    assert await ScriptedLLM.create(ScriptedLLM.Settings(instance="mine"), services) is mine
    other = await ScriptedLLM.create(ScriptedLLM.Settings(answers=("y",)), services)
    assert (await other.complete(REQUEST)).text == "y"


class TestScripted(LLMProviderConformance):
    @pytest.fixture
    def provider(self) -> LLMProvider:
        return ScriptedLLM(default="hello there")

    @pytest.fixture
    def broken(self) -> LLMProvider:
        return ScriptedLLM(default=Unavailable("refused"))


class TestFake(EmbedderConformance):
    @pytest.fixture
    def embedder(self) -> FakeEmbedder:
        return FakeEmbedder()


async def test_calls_of_tools_are_scripted_too() -> None:
    call = ToolCall(id="1", name="lookup", arguments="{}")
    model = ScriptedLLM([Answer(tool_calls=(call,), finish="tools")])
    completion = await model.complete(REQUEST)
    assert completion.tool_calls == (call,)
    assert completion.finish == "tools"
