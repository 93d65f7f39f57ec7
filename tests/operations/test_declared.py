from typing import Any

import pytest
from notebook import Ask
from pydantic import BaseModel

from qx.errors import PluginError
from qx.model import Model
from qx.operations.declared import declared, event_name, tool_name


class Fine:
    """Do it."""

    class Request(Model):
        text: str

    class Result(Model):
        done: bool = True

    async def run(self, engine: Any, request: Any, principal: Any, /) -> Any:
        yield self.Result()


async def _returns(self: Any, engine: Any, request: Any, principal: Any, /) -> Any:
    return Fine.Result()


def test_what_a_class_declares():
    found = declared("notes.ask", Ask)
    assert found.description == "Search, read the first hits and let the model say something of them."
    assert list(found.events) == ["reading", "warned"]
    assert found.request is Ask.Request
    assert not found.needs_user
    assert isinstance(found.make(), Ask)


def test_a_tool_is_what_a_model_may_call():
    tool = declared("notes.ask-all", Ask).tool()
    assert tool.name == "notes_ask_all"
    assert tool.description.startswith("Search, read")
    assert tool.parameters["required"] == ["question"]
    assert tool.parameters["additionalProperties"] is False
    assert set(tool.parameters["properties"]) == {"question", "limit", "style", "read"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"Request": None}, "its Request is a pydantic model"),
        ({"Request": dict}, "its Request is a pydantic model"),
        ({"Result": 3}, "its Result is a pydantic model"),
        ({"run": None}, "a class with a method `run`"),
        ({"run": _returns}, "its `run` yields"),
        ({"Events": (int,)}, "its Events are pydantic models"),
        ({"Events": int}, "its Events are pydantic models"),
        ({"Events": (Fine.Result,)}, "are called 'result'"),
        ({"Events": (Fine.Request, Fine.Request)}, "are called 'request'"),
        ({"__doc__": None}, "has no docstring"),
    ],
)
def test_what_is_wrong_with_a_class_is_said(changes: dict[str, Any], said: str):
    with pytest.raises(PluginError, match=said) as caught:
        declared("x", type("Wrong", (Fine,), changes))
    assert "the operation 'x'" in str(caught.value)


@pytest.mark.parametrize("name", ["user", "tenant", "principal", "sessions", "profile", "events", "replay"])
def test_who_asks_and_how_is_never_a_field(name: str):
    model = type("Request", (BaseModel,), {"__annotations__": {name: str}})
    with pytest.raises(PluginError, match=f"may not have the field '{name}'"):
        declared("x", type("Wrong", (Fine,), {"Request": model}))


def test_the_result_is_called_by_its_class_too():
    class Done(Model):
        pass

    found = declared("x", type("Finishing", (Fine,), {"Result": Done, "__doc__": "Do it."}))
    assert found.kind(Done()) == "done"
    with pytest.raises(PluginError, match="are called 'done'"):
        declared("x", type("Finishing", (Fine,), {"Result": Done, "Events": (Done,), "__doc__": "Do it."}))


def test_a_model_without_a_json_form_is_refused():
    model = type(
        "Request",
        (Model,),
        {"__annotations__": {"call": type(print)}, "model_config": {"arbitrary_types_allowed": True}},
    )
    with pytest.raises(PluginError, match="has no JSON Schema"):
        declared("x", type("Wrong", (Fine,), {"Request": model}))


def test_no_class_at_all():
    with pytest.raises(PluginError, match="a class with a method `run`"):
        declared("x", "text")


def test_names():
    assert event_name(type("HitsFound", (Model,), {})) == "hits-found"
    assert event_name(type("_Progress", (Model,), {})) == "progress"
    assert tool_name("chat.keyword-search") == "chat_keyword_search"
