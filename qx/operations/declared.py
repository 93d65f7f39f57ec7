"""What the class of an operation declares, checked: its models, its events, its description, its form as a tool."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema

from qx.errors import PluginError
from qx.llm import Tool
from qx.serial import value

NOT_FIELDS = frozenset(
    [
        *("principal", "tenant", "user", "sessions"),
        *("profile", "env_file", "json", "events", "record", "replay", "debug", "verbose", "quiet", "help"),
    ]
)
"""Names that no request may have: who asks is not the request's to say, and the others are the command line's."""


@value
class Declared:
    """An operation as its class says it.

    Attributes:
        name: ``chat.search``.
        description: Its class's docstring.
        request, result: Its models.
        events: Name -> model of what comes before the result.
        needs_user: Whether there is no call without a user.
        reads_pages: Whether what reads pages is made ready before it runs.
        make: Makes one.
    """

    name: str
    description: str
    request: type[BaseModel]
    result: type[BaseModel]
    events: Mapping[str, type[BaseModel]]
    needs_user: bool
    reads_pages: bool
    make: Callable[[], Any]

    def kind(self, item: BaseModel) -> str | None:
        """Return what ``item`` is called: an event by its class, as is the result; None: it was not declared."""
        if isinstance(item, self.result):
            return event_name(self.result)
        return next((name for name, model in self.events.items() if isinstance(item, model)), None)

    def tool(self) -> Tool:
        """Return this operation as a tool that a model may call."""
        return Tool(
            name=tool_name(self.name), description=self.description, parameters=self.request.model_json_schema()
        )


def declared(name: str, found: object) -> Declared:
    """Read the class of the operation ``name``.

    Raises:
        PluginError: something is missing or not of its kind; says what.
    """
    if not callable(found) or not callable(getattr(found, "run", None)):
        raise _wrong(name, "its target is a class with a method `run`")
    if inspect.iscoroutinefunction(found.run):  # pyright: ignore[reportFunctionMemberAccess] it has one
        raise _wrong(name, "its `run` yields its events and its result: `yield`, not `return`")
    made = Declared(
        name=name,
        description=inspect.cleandoc(getattr(found, "__doc__", None) or ""),
        request=_model(name, found, "Request"),
        result=_model(name, found, "Result"),
        events=_events(name, getattr(found, "Events", ()), event_name(_model(name, found, "Result"))),
        needs_user=bool(getattr(found, "needs_user", False)),
        reads_pages=bool(getattr(found, "reads_pages", False)),
        make=found,
    )
    if taken := sorted(NOT_FIELDS & set(keys(made.request))):
        raise _wrong(name, f"its Request may not have the field {taken[0]!r}: who asks, and how, is not asked by it")
    if not made.description:
        raise _wrong(name, "its class has no docstring, which is what people and models are told of it")
    return made


def keys(model: type[BaseModel]) -> dict[str, Any]:
    """Return the fields of ``model`` by their names in JSON."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def tool_name(operation: str) -> str:
    """Return the name of an operation among tools, where only letters, digits and ``_`` are sure to be taken."""
    return re.sub(r"[.-]", "_", operation)


def event_name(model: type[BaseModel]) -> str:
    """Return what events of the class ``model`` are called: ``HitsFound`` is ``hits-found``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", model.__name__.lstrip("_")).lower()


def _events(name: str, given: object, result: str) -> dict[str, type[BaseModel]]:
    listed = cast("Iterable[object]", given) if isinstance(given, (tuple, list)) else (given,)
    found: dict[str, type[BaseModel]] = {}
    for item in listed:
        if not (isinstance(item, type) and issubclass(item, BaseModel)):
            raise _wrong(name, f"its Events are pydantic models, not {item!r}")
        called = event_name(item)
        if called == result or called in found:
            raise _wrong(name, f"two of its Events, or one and its Result, are called {called!r}")
        found[called] = item
    return found


def _model(name: str, found: object, attribute: str) -> type[BaseModel]:
    model: object = getattr(found, attribute, None)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise _wrong(name, f"its {attribute} is a pydantic model")
    try:
        model.model_json_schema()
    except PydanticInvalidForJsonSchema as error:
        raise _wrong(name, f"its {attribute} has no JSON Schema: {error.message}") from None
    return model


def _wrong(name: str, said: str) -> PluginError:
    return PluginError(f"the operation {name!r} is not made as operations are: {said}", plugin=name)
