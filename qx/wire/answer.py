"""Reads what an OpenAI-compatible endpoint answers: a whole completion, or the events of a streamed one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

from qx.errors import BadResponse
from qx.llm import Completion, Delta, Finish, ToolCall
from qx.types import Usage

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "filter",
    "tool_calls": "tools",
    "function_call": "tools",
}

Fields = Mapping[str, Any]


def completion(answer: Fields, *, place: str, model: str) -> Completion:
    """Return the completion that ``answer`` holds.

    Raises:
        BadResponse: it holds none.
    """
    choice = _choice(answer)
    message = _fields(choice.get("message")) if choice else None
    if choice is None or message is None:
        raise BadResponse(f"{place} answered without a message: its keys are {sorted(map(str, answer))[:8]}")
    calls = tuple(_tool_call(call, place) for call in _list(message.get("tool_calls")))
    refused = bool(message.get("refusal")) and not message.get("content")
    return Completion(
        text=_text(message.get("content")),
        usage=usage(answer.get("usage")),
        model=str(answer.get("model") or model),
        finish="filter" if refused else "tools" if calls else finish(choice.get("finish_reason")),
        tool_calls=calls,
    )


def finish(reason: object) -> Finish:
    """Return qx's word for a finish reason; what is unknown counts as ``stop``."""
    return _FINISHES.get(str(reason), "stop")


def usage(found: object) -> Usage:
    """Return the tokens of one call; 0 where the endpoint does not count."""
    fields = _fields(found) or {}
    return Usage(
        calls=1,
        input_tokens=_count(fields.get("prompt_tokens")),
        output_tokens=_count(fields.get("completion_tokens")),
    )


async def deltas(lines: AsyncIterator[bytes], *, place: str) -> AsyncIterator[Delta]:
    """Yield the pieces of a server-sent event stream; the last has ``finish`` and, where it was sent, ``usage``.

    Raises:
        BadResponse: an event that is not JSON, an error event, or a stream that ends in the middle.
    """
    ended: Finish | None = None
    counted: Usage | None = None
    async for line in lines:
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            ended = ended or "stop"
            break
        event = _event(data, place)
        counted = usage(event["usage"]) if event.get("usage") else counted
        choice = _choice(event)
        if choice is None:
            continue
        text = _text((_fields(choice.get("delta")) or {}).get("content"))
        if choice.get("finish_reason"):
            ended = finish(choice["finish_reason"])
        if text:
            yield Delta(text=text)
    if ended is None:
        raise BadResponse(f"{place} broke the stream off before the answer was complete")
    yield Delta(usage=counted, finish=ended)


def _event(data: bytes, place: str) -> Fields:
    try:
        event = _fields(json.loads(data))
    except ValueError:
        event = None
    if event is None:
        raise BadResponse(
            f"{place} streamed an event that is not a JSON object: {data[:80].decode('utf-8', 'replace')!r}"
        )
    if event.get("error"):
        said = (_fields(event["error"]) or {}).get("message", event["error"])
        raise BadResponse(f"{place} streamed an error: {str(said)[:300]}")
    return event


def _choice(answer: Fields) -> Fields | None:
    choices = _list(answer.get("choices"))
    return _fields(choices[0]) if choices else None


def _tool_call(call: object, place: str) -> ToolCall:
    fields = _fields(call) or {}
    function = _fields(fields.get("function"))
    if function is None or not isinstance(function.get("name"), str):
        raise BadResponse(f"{place} answered with a tool call that names no function")
    arguments = function.get("arguments", "{}")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(id=str(fields.get("id") or ""), name=function["name"], arguments=text)


def _text(content: object) -> str:
    """The text of a message: a string, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    parts = [_fields(part) or {} for part in _list(content)]
    return "".join(str(part["text"]) for part in parts if isinstance(part.get("text"), str))


def _fields(item: object) -> Fields | None:
    return cast(Fields, item) if isinstance(item, Mapping) else None


def _list(item: object) -> list[Any]:
    return cast(list[Any], item) if isinstance(item, list) else []


def _count(item: object) -> int:
    return item if isinstance(item, int) and item > 0 else 0
