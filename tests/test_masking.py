import json

from qx.llm import Completion, CompletionRequest, Message, ToolCall
from qx.masking import masked, unmasked
from qx.text.redact import Sensitive
from qx.types import Usage

MAIL = "ann@example.org"


def test_the_conversation_is_masked_tools_and_all():
    call = ToolCall(id="1", name="search", arguments=json.dumps({"text": f"mail to {MAIL}"}))
    request = CompletionRequest(
        model="m",
        messages=(
            Message(role="system", content=f"You are {MAIL}."),
            Message(role="user", content=f"Write to {MAIL}"),
            Message(role="assistant", content="", tool_calls=(call,)),
            Message(role="tool", content=json.dumps({"found": [MAIL]}), tool_call_id="1"),
        ),
    )
    sent, names = masked(request, None)
    assert names == {"<EMAIL_1>": MAIL}
    assert MAIL in sent.messages[0].content
    assert MAIL not in str(sent.messages[1:])
    assert json.loads(sent.messages[2].tool_calls[0].arguments) == {"text": "mail to <EMAIL_1>"}
    assert json.loads(sent.messages[3].content) == {"found": ["<EMAIL_1>"]}
    assert [m.role for m in sent.messages] == [m.role for m in request.messages]


def test_it_is_put_back_and_arguments_stay_json():
    quoted = 'order "A\\1"\n'

    def orders(text: str) -> list[Sensitive]:
        at = text.find(quoted)
        return [] if at < 0 else [Sensitive(kind="ORDER", start=at, end=at + len(quoted), text=quoted)]

    request = CompletionRequest(model="m", messages=(Message(role="user", content=f"where is {quoted}"),))
    sent, names = masked(request, orders)
    assert quoted not in sent.messages[0].content
    call = ToolCall(id="1", name="search", arguments='{"text": "<ORDER_1>"}')
    made = unmasked(Completion(text="I look for <ORDER_1>", usage=Usage(), model="m", tool_calls=(call,)), names)
    assert made.text == f"I look for {quoted}"
    assert json.loads(made.tool_calls[0].arguments) == {"text": quoted}


def test_nothing_to_hide_changes_nothing():
    request = CompletionRequest(model="m", messages=(Message(role="user", content="red shoes"),))
    sent, names = masked(request, None)
    assert (sent, names) == (request, {})
    completion = Completion(text="<EMAIL_1>", usage=Usage(), model="m")
    assert unmasked(completion, {}) is completion
