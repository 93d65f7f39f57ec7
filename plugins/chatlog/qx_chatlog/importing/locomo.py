"""LoCoMo's conversations, and group chats as ``{"session_meta": …, "conversation_list": […]}``.

LoCoMo (https://github.com/snap-research/locomo): a turn's id is ``conv-26:D1:3``, so that the evidence of its questions
names messages.  Turns of a session have one time: each follows a second after the one before.  A conversation is its own
user's, unless a user is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from qx_chatlog.importing import fields
from qx_chatlog.importing.entry import Entry, Given, Read, Refused
from qx_chatlog.message import Attachment

_SESSION = re.compile(r"session_(\d+)")
_TIME = "%I:%M %p on %d %B, %Y"


def is_locomo(item: object) -> bool:
    """Whether this is a sample of LoCoMo."""
    if not isinstance(item, dict):
        return False
    talk = cast("dict[str, Any]", item).get("conversation")
    return isinstance(talk, dict) and "speaker_a" in talk


def is_group_chat(item: object) -> bool:
    """Whether this is a group chat with a list of its members."""
    return isinstance(item, dict) and "conversation_list" in item


def read(document: object, name: str, given: Given) -> Iterator[Read]:
    """Yield the turns of all samples."""
    for sample in fields.many(document):
        try:
            found = fields.mapping(sample)
            sample_id = fields.text(found.get("sample_id")) or name
            talk = fields.mapping(found.get("conversation"))
            for number in sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key))):
                yield from _session(talk, number, sample_id, f"{name}#{sample_id}", given)
        except ValueError as error:
            yield Refused(place=name, reason=str(error))


def _session(talk: Mapping[str, Any], number: int, sample: str, place: str, given: Given) -> Iterator[Read]:
    key = f"session_{number}"
    try:
        began = datetime.strptime(fields.text(talk.get(f"{key}_date_time")), _TIME)
    except ValueError as error:
        yield Refused(place=f"{place} {key}", reason=str(error))
        return
    for nth, turn in enumerate(fields.sequence(talk[key])):
        where = f"{place} {key}[{nth + 1}]"
        try:
            said = fields.mapping(turn)
            caption = fields.text(said.get("blip_caption"))
            yield Entry(
                place=where,
                id=f"{sample}:{fields.text(said['dia_id'])}",
                user=given.user or sample,
                session=f"{sample}:{key}",
                role="user" if said["speaker"] == talk.get("speaker_a") else "assistant",
                speaker=fields.text(said["speaker"]),
                time=began + timedelta(seconds=nth),
                content=fields.text(said.get("text")),
                attachments=(Attachment(kind="image", text=caption, derived=True),) if caption else (),
                nth=nth,
            )
        except (ValueError, KeyError) as error:
            yield Refused(place=where, reason=f"a turn lacks {error}" if isinstance(error, KeyError) else str(error))


def read_group_chat(document: object, name: str, given: Given) -> Iterator[Read]:
    """Yield the messages of a group chat."""
    found = fields.mapping(document)
    meta = fields.mapping(found.get("session_meta") or {})
    members = fields.mapping(meta.get("user_details") or {})
    session = fields.text(meta.get("group_id")) or name
    zone = fields.text(meta.get("default_timezone")) or None
    for nth, row in enumerate(fields.sequence(found.get("conversation_list"))):
        place = f"{name}[{nth + 1}]"
        try:
            message = fields.mapping(row)
            sender = fields.text(message.get("sender"))
            member = fields.mapping(members.get(sender) or {})
            entry_id = fields.text(message.get("message_id"))
            refers = [fields.text(one) for one in fields.sequence(message.get("refer_list")) if isinstance(one, str)]
            yield Entry(
                place=place,
                id=f"{session}:{entry_id}" if entry_id else None,
                session=session,
                role=fields.text(member.get("role")) or "user",
                speaker=fields.text(member.get("full_name")) or fields.text(message.get("sender_name")) or sender,
                time=fields.time(message.get("create_time")),
                zone=zone,
                content=fields.text(message.get("content")),
                type=fields.text(message.get("type")) or "text",
                metadata={"refers": refers} if refers else {},
                nth=nth,
            )
        except ValueError as error:
            yield Refused(place=place, reason=str(error))
