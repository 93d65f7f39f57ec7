"""Message lists as the APIs of OpenAI and Anthropic have them: ``[{"role": "user", "content": "…"}, …]``.

A list alone, an object with ``messages``, several of these in a list, or one a line.  Content is a text or blocks: text
blocks are its content, images and files its attachments; a call of a tool, and what the tool answered, are messages of
their own (type ``tool``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from qx_chatlog.importing import fields
from qx_chatlog.importing.entry import Entry, Given, Read, Refused
from qx_chatlog.message import Attachment

_TIMES = ("time", "timestamp", "created_at", "create_time", "created", "date")
_IDS = ("id", "uuid", "session", "session_id", "conversation_id", "thread_id")
_KINDS = {"image_url": "image", "image": "image", "input_image": "image", "input_audio": "audio", "document": "file"}


def read(document: object, name: str, given: Given) -> Iterator[Read]:
    """Yield the messages of a document; ``name`` is the file's."""
    several = not (is_list(document) or is_conversation(document))
    for number, conversation in enumerate(_conversations(document), 1):
        place = f"{name}#{number}" if several else name
        try:
            yield from _conversation(conversation, place, number if several else None, given)
        except ValueError as error:
            yield Refused(place=place, reason=str(error))


def is_list(document: object) -> bool:
    """Whether this is one list of messages."""
    first = next(iter(cast("list[Any]", document)), None) if isinstance(document, list) else None
    return isinstance(first, dict) and "role" in first and "mapping" not in first


def is_conversation(document: object) -> bool:
    """Whether this is an object with a list of messages."""
    return isinstance(document, dict) and is_list(cast("dict[str, Any]", document).get("messages"))


def _conversations(document: object) -> Sequence[Any]:
    if is_list(document) or is_conversation(document):
        return [document]
    return fields.sequence(document)


def _conversation(item: Any, place: str, number: int | None, given: Given) -> Iterator[Read]:
    about: Mapping[str, Any] = {} if isinstance(item, list) else fields.mapping(item)
    session = next((fields.text(about[key]) for key in _IDS if about.get(key)), None)
    if session is None and number is not None:
        session = f"{given.session or place.rpartition('#')[0].rpartition('.')[0] or place}-{number}"
    began = given.start or next((fields.time(about[key]) for key in _TIMES if about.get(key)), None)
    messages = fields.sequence(about.get("messages") if about else cast("object", item))
    if isinstance(about.get("system"), str):
        messages = [{"role": "system", "content": about["system"]}, *messages]
    nth, last = 0, None
    for place_in, message in enumerate(messages, 1):
        where = f"{place}[{place_in}]"
        try:
            parts = list(_parts(fields.mapping(message)))
            own = next((fields.time(message[key]) for key in _TIMES if message.get(key)), None)
        except ValueError as error:
            yield Refused(place=where, reason=str(error))
            continue
        for part in parts:
            last = _when(own, last, began)
            given_id = fields.text(message.get("id") or message.get("uuid"))
            yield Entry(
                place=where,
                id=(given_id if len(parts) == 1 else f"{given_id}-{parts.index(part)}") if given_id else None,
                user=fields.text(about.get("user")) or None,
                session=session,
                time=last,
                nth=nth,
                **part,
            )
            nth += 1


def _when(own: datetime | None, last: datetime | None, began: datetime | None) -> datetime | None:
    if own is not None:
        return own
    return last + timedelta(seconds=1) if last is not None else began


def _parts(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a message comes to: its words, calls of tools, and what tools answered."""
    role, speaker = fields.text(message.get("role")), fields.text(message.get("name"))
    if role in ("tool", "function"):
        said, sent = _blocks(message.get("content"))
        yield {"role": "tool", "speaker": speaker, "content": said, "attachments": sent, "type": "tool"}
        return
    said, sent = _blocks(message.get("content"))
    calls = [*_openai_calls(message), *_anthropic_calls(message.get("content"))]
    results = list(_results(message.get("content")))
    if said or sent or not (calls or results):
        yield {"role": role, "speaker": speaker, "content": said, "attachments": sent}
    for name, arguments in calls:
        yield {"role": role, "speaker": speaker, "content": f"{name}({arguments})", "type": "tool"}
    for result in results:
        yield {"role": "tool", "content": result, "type": "tool"}


def _blocks(content: object) -> tuple[str, tuple[Attachment, ...]]:
    if content is None or isinstance(content, str):
        return content or "", ()
    said: list[str] = []
    sent: list[Attachment] = []
    for block in fields.sequence(content):
        if isinstance(block, str):
            said.append(block)
            continue
        found = fields.mapping(block)
        kind = fields.text(found.get("type"))
        if isinstance(found.get("text"), str):
            said.append(found["text"])
        elif kind in _KINDS:
            sent.append(Attachment(kind=_KINDS[kind], name=fields.text(found.get("title")), url=_url(found)))
    return "\n".join(said), tuple(sent)


def _url(block: Mapping[str, Any]) -> str:
    for holder in (block.get("image_url"), block.get("source"), block):
        url = cast("dict[str, Any]", holder).get("url") if isinstance(holder, dict) else holder
        if isinstance(url, str) and not url.startswith("data:"):
            return url
    return ""


def _openai_calls(message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for call in fields.sequence(message.get("tool_calls")):
        function = fields.mapping(fields.mapping(call).get("function") or {})
        yield fields.text(function.get("name")), fields.text(function.get("arguments"))


def _anthropic_calls(content: object) -> Iterator[tuple[str, str]]:
    for block in _of_type("tool_use", content):
        yield fields.text(block.get("name")), json.dumps(block.get("input") or {}, ensure_ascii=False)


def _results(content: object) -> Iterator[str]:
    for block in _of_type("tool_result", content):
        yield _blocks(block.get("content"))[0]


def _of_type(kind: str, content: object) -> Iterator[Mapping[str, Any]]:
    for block in cast("list[Any]", content) if isinstance(content, list) else ():
        if isinstance(block, dict):
            found = cast("dict[str, Any]", block)
            if found.get("type") == kind:
                yield found
