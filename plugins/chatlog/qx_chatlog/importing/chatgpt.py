"""Exports of ChatGPT and Claude: ``conversations.json``, all conversations of an account in a list.

ChatGPT keeps each conversation as a tree, because a message may have been edited: the branch that was shown last is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from qx_chatlog.importing import fields
from qx_chatlog.importing.entry import Entry, Given, Read, Refused
from qx_chatlog.message import Attachment

_HIDDEN = ("user_editable_context", "model_editable_context", "thoughts", "reasoning_recap")


def is_chatgpt(item: object) -> bool:
    """Whether this is a conversation of ChatGPT."""
    return isinstance(item, dict) and isinstance(cast("dict[str, Any]", item).get("mapping"), dict)


def is_claude(item: object) -> bool:
    """Whether this is a conversation of Claude."""
    return isinstance(item, dict) and isinstance(cast("dict[str, Any]", item).get("chat_messages"), list)


def read(document: object, name: str, given: Given) -> Iterator[Read]:
    """Yield the messages of all conversations of a document."""
    for number, item in enumerate(fields.many(document), 1):
        place = f"{name}#{number}"
        try:
            yield from (_claude if is_claude(item) else _chatgpt)(fields.mapping(item), place)
        except ValueError as error:
            yield Refused(place=place, reason=str(error))


def _chatgpt(item: Mapping[str, Any], place: str) -> Iterator[Read]:
    session = fields.text(item.get("conversation_id") or item.get("id")) or None
    title = fields.text(item.get("title"))
    for nth, node in enumerate(_branch(item)):
        message = fields.mapping(node["message"])
        where = f"{place}[{nth + 1}]"
        try:
            author = fields.mapping(message.get("author") or {})
            content = fields.mapping(message.get("content") or {})
            kind = fields.text(content.get("content_type"))
            said, sent = _parts(content)
            if kind in _HIDDEN or not (said.strip() or sent):
                continue
            role = fields.text(author.get("role"))
            yield Entry(
                place=where,
                id=fields.text(message.get("id")) or None,
                session=session,
                role=role,
                speaker=fields.text(author.get("name")),
                time=fields.time(message.get("create_time") or item.get("create_time")),
                content=said,
                type="tool" if role == "tool" or kind == "code" else "text",
                attachments=sent,
                metadata={"title": title} if title else {},
                nth=nth,
            )
        except ValueError as error:
            yield Refused(place=where, reason=str(error))


def _branch(item: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The nodes with a message from the root to the one shown last; a circle ends where it closes."""
    nodes = fields.mapping(item.get("mapping"))
    at = item.get("current_node") or _latest(nodes)
    branch: list[Mapping[str, Any]] = []
    seen: set[object] = set()
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        node = fields.mapping(nodes[at])
        if node.get("message"):
            branch.append(node)
        at = node.get("parent")
    return branch[::-1]


def _latest(nodes: Mapping[str, Any]) -> str | None:
    leaves = [key for key, node in nodes.items() if isinstance(node, dict) and not node.get("children")]  # pyright: ignore[reportUnknownMemberType]
    return leaves[-1] if leaves else None


def _parts(content: Mapping[str, Any]) -> tuple[str, tuple[Attachment, ...]]:
    said: list[str] = []
    sent: list[Attachment] = []
    for part in fields.sequence(content.get("parts")):
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, dict):
            found = cast("dict[str, Any]", part)
            kind = fields.text(found.get("content_type"))
            if kind == "audio_transcription":
                said.append(fields.text(found.get("text")))
            elif "asset" in kind:
                sent.append(Attachment(kind="image" if "image" in kind else "audio"))
    for key in ("text", "result"):
        if isinstance(content.get(key), str):
            said.append(content[key])
    return "\n".join(filter(None, said)), tuple(sent)


def _claude(item: Mapping[str, Any], place: str) -> Iterator[Read]:
    title = fields.text(item.get("name"))
    for nth, one in enumerate(fields.sequence(item.get("chat_messages"))):
        where = f"{place}[{nth + 1}]"
        try:
            message = fields.mapping(one)
            yield Entry(
                place=where,
                id=fields.text(message.get("uuid")) or None,
                session=fields.text(item.get("uuid")) or None,
                role=fields.text(message.get("sender")),
                time=fields.time(message.get("created_at")),
                content=fields.text(message.get("text")),
                attachments=tuple(_files(message)),
                metadata={"title": title} if title else {},
                nth=nth,
            )
        except ValueError as error:
            yield Refused(place=where, reason=str(error))


def _files(message: Mapping[str, Any]) -> Iterator[Attachment]:
    for file in [*fields.sequence(message.get("attachments")), *fields.sequence(message.get("files"))]:
        found = fields.mapping(file)
        yield Attachment(name=fields.text(found.get("file_name")), text=fields.text(found.get("extracted_content")))
