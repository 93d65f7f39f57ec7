"""A model that fails while it plans: the rules' passages are the answer, since the log does hold one."""

import json
from typing import Any

import pytest

from qx.errors import ProviderTimeout
from qx.llm import ToolCall
from qx.testing import Answer, ScriptedLLM


def _call(name: str, arguments: str) -> Answer:
    return Answer(finish="tools", tool_calls=(ToolCall(id="c", name=name, arguments=arguments),))


@pytest.mark.parametrize(
    "answer",
    [
        _call("run_shell", '{"cmd": "ls"}'),
        _call("search_around", '{"message": "no-such-id"}'),
        _call("keyword_search", '{"text":'),
        _call("keyword_search", json.dumps({"text": "紫色大象"})),
        Answer(text="blah }{ 42"),
        ProviderTimeout("it does not answer", step="chat.ask"),
    ],
    ids=["unknown tool", "unknown id", "no JSON", "other words", "nonsense", "no answer"],
)
@pytest.mark.parametrize(("question", "first"), [("番茄工作法怎么样", "f1"), ("the hotel in Bali", "e2")])
async def test_the_rules_passages_are_the_answer(chats: Any, answer: Any, question: str, first: str):
    got = await chats.ask(question, llm=ScriptedLLM(default=answer), need="always")
    assert got.claims[0].message_id == first
    assert got.searches


async def test_what_the_rules_do_not_find_either_is_not_found(chats: Any):
    got = await chats.ask("火星移民的事", llm=ScriptedLLM(default=_call("run_shell", "{}")), need="always")
    assert got.claims == ()
