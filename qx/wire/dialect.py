"""How one model wants to be asked: which parameters it takes is learnt from its refusals, and remembered.

OpenAI's reasoning models refuse ``max_tokens`` and ``temperature``; older compatible servers know only
``response_format: json_object`` or none at all.  Where the schema cannot go as ``response_format``, it goes into the
first message, so that a ``schema`` in a request is always honoured as well as the endpoint allows.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from qx.errors import BadRequest
from qx.llm import CompletionRequest, Message, Tool
from qx.serial import to_plain
from qx.text.remembered import made_once

SchemaMode = Literal["json_schema", "json_object", "none"]
_LADDER: tuple[SchemaMode, ...] = ("json_schema", "json_object", "none")
_FORMAT = re.compile(
    r"response_format|json_schema|json_object|json mode|structured output|guided|grammar", re.IGNORECASE
)
_LENGTHS = ("minLength", "maxLength")
"""What OpenAI's strict schemas do not take."""

log = logging.getLogger("qx")


class Dialect:
    """The parameters of one model at one endpoint.

    Args:
        place: The endpoint, for the log.
        schema: The mode to begin with; ``fixed`` keeps it whatever the endpoint says.
        strict: Send schemas as OpenAI's strict ones.
        tokens: Name of the parameter that limits the answer.
    """

    def __init__(self, place: str, model: str, *, schema: SchemaMode, fixed: bool, strict: bool, tokens: str) -> None:
        self._place = place
        self._model = model
        self.schema: SchemaMode = schema
        self._fixed = fixed
        self._strict = strict
        self._tokens = tokens
        self._temperature = True

    def body(self, request: CompletionRequest) -> dict[str, Any]:
        """Return the request's JSON body."""
        messages = wire_messages(request.messages)
        body: dict[str, Any] = {"model": request.model, "messages": messages, self._tokens: request.max_tokens}
        if self._temperature:
            body["temperature"] = request.temperature
        if request.tools:
            body["tools"] = wire_tools(request.tools)
        if request.schema is not None:
            self._add_schema(body, request, request.schema)
        return body | dict(request.options)

    def learn(self, error: BadRequest, sent: Mapping[str, Any]) -> bool:
        """Adapt to a refusal; returns whether the same request is worth sending anew."""
        text = str(error)
        if "response_format" in sent and not self._fixed and _FORMAT.search(text):
            return self._remember("schema", _LADDER[_LADDER.index(self.schema) + 1], self.schema)
        if self._tokens in sent and "max_tokens" in text and "max_completion_tokens" in text:
            other = "max_tokens" if self._tokens == "max_completion_tokens" else "max_completion_tokens"
            return self._remember("_tokens", other, self._tokens)
        if "temperature" in sent and "temperature" in text:
            return self._remember("_temperature", False, True)
        return False

    def _remember(self, name: str, now: object, before: object) -> bool:
        setattr(self, name, now)
        log.info(
            "%s, model %s: %s is %s from now on (%s was refused)",
            self._place,
            self._model,
            name.lstrip("_"),
            now,
            before,
        )
        return True

    def _add_schema(self, body: dict[str, Any], request: CompletionRequest, schema: Mapping[str, Any]) -> None:
        if self.schema == "json_schema":
            body["response_format"] = response_format(schema, strict=self._strict)
            return
        if self.schema == "json_object":
            body["response_format"] = {"type": "json_object"}
        body["messages"] = wire_messages(with_schema_note(request.messages, schema))


def with_schema_note(messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return ``messages`` with ``schema`` spelt out at the end of the first, for models that take none otherwise."""
    text = json.dumps(to_plain(schema), ensure_ascii=False)
    note = f"Answer with one JSON object that follows this JSON Schema, and nothing else:\n{text}"
    if messages and messages[0].role == "system":
        return (replace(messages[0], content=f"{messages[0].content}\n\n{note}"), *messages[1:])
    return (Message(role="system", content=note), *messages)


def response_format(schema: Mapping[str, Any], *, strict: bool) -> dict[str, Any]:
    """Return the ``response_format`` that binds an answer to ``schema``.

    ``strict`` schemas lose the keywords that OpenAI does not take; one that is not closed is sent as not strict.
    """
    known = _formats(schema)
    if strict not in known:
        name = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title", "answer")))[:64] or "answer"
        closed = strict and _closed(schema)
        sent = _without_lengths(schema) if closed else to_plain(schema)
        known[strict] = {"type": "json_schema", "json_schema": {"name": name, "schema": sent, "strict": closed}}
    return known[strict]


@made_once
def _formats(schema: Mapping[str, Any]) -> dict[bool, dict[str, Any]]:
    """What was made of a schema, by whether it was to be strict: an engine sends the same few with every call."""
    del schema
    return {}


def _closed(schema: object) -> bool:
    """Whether OpenAI would take ``schema`` as strict: every object closed, every property required."""
    if isinstance(schema, list):
        return all(map(_closed, cast(list[Any], schema)))
    if not isinstance(schema, Mapping):
        return True
    fields = cast(Mapping[str, Any], schema)
    properties = fields.get("properties")
    if fields.get("type") == "object" or properties is not None:
        required: list[str] = list(fields.get("required", ()))
        if fields.get("additionalProperties") is not False or set(required) != set(properties or {}):
            return False
    return all(map(_closed, fields.values()))


def _without_lengths(schema: Any, *, names: bool = False) -> Any:
    """Drop the keywords that strict schemas do not take; ``names``: the keys are properties, not keywords."""
    if isinstance(schema, list):
        return [_without_lengths(item) for item in cast(list[Any], schema)]
    if not isinstance(schema, Mapping):
        return schema
    fields = cast(Mapping[str, Any], schema)
    kept = {k: v for k, v in fields.items() if names or k not in _LENGTHS}
    return {k: _without_lengths(v, names=not names and k in ("properties", "$defs")) for k, v in kept.items()}


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return ``messages`` as the wire format has them."""
    return [_message(message) for message in messages]


def wire_tools(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """Return ``tools`` as the wire format has them."""
    return [
        {
            "type": "function",
            "function": {"name": t.name, "description": t.description, "parameters": to_plain(t.parameters)},
        }
        for t in tools
    ]


def _message(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        found["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in message.tool_calls
        ]
    if message.tool_call_id is not None:
        found["tool_call_id"] = message.tool_call_id
    return found
