"""What the readers of formats yield, and what is given with a file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from qx.serial import empty, value
from qx_chatlog.message import ROLES as KNOWN_ROLES
from qx_chatlog.message import Attachment, Message, utc

Dates = Literal["day-first", "month-first"]

ROLES = {
    "human": "user",
    "model": "assistant",
    "bot": "assistant",
    "ai": "assistant",
    "developer": "system",
    "function": "tool",
    "ipython": "tool",
}
"""What others call the roles."""


@value
class Given:
    """What is said with a file, where the file does not say it.

    Attributes:
        tenant: Of the profile.
        user: Whose log it is.
        session: The conversation; else the file's name.
        zone: Of times without one.
        start: Of messages without times: the first one then, each a second after the one before.
        dates: How dates such as 3/4/2026 are meant.
    """

    tenant: str
    user: str | None = None
    session: str | None = None
    zone: str = "UTC"
    start: datetime | None = None
    dates: Dates | None = None


@value
class Entry:
    """One message of a file, as far as the file tells.

    Attributes:
        place: Where it stands: ``chat.jsonl:8``.
        id: Where it has one; else one is made of its place in its session.
        nth: Its number in its session, from 0.
        time: Without a zone: in the zone that is given.
    """

    place: str
    id: str | None = None
    user: str | None = None
    session: str | None = None
    role: str = ""
    speaker: str = ""
    time: datetime | None = None
    zone: str | None = None
    content: str = ""
    type: str = "text"
    attachments: tuple[Attachment, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=empty)
    nth: int = 0


@value
class Refused:
    """A record that is not stored: ``chat.jsonl:8: it has no time``."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


Read = Entry | Refused


def message_of(entry: Entry, given: Given, stem: str) -> Message | Refused:
    """Return the message of an entry, or what it lacks.

    Args:
        stem: The file's name without its ending: the session where nothing else names one.
    """
    user = entry.user or given.user
    if not user:
        return Refused(place=entry.place, reason="whose is it? give --user")
    session = entry.session or given.session or stem
    for name, said in (("user", user), ("session", session)):
        if said != said.strip() or not said.isprintable():
            return Refused(
                place=entry.place, reason=f"its {name} {said!r} begins or ends blank, or holds a control character"
            )
    time = entry.time
    if time is None:
        return Refused(place=entry.place, reason="it has no time; --start says when the conversation began")
    zone = entry.zone or given.zone
    role = ROLES.get(entry.role.casefold(), entry.role.casefold()) or "user"
    if role not in KNOWN_ROLES:
        return Refused(place=entry.place, reason=f"its role is {entry.role!r}: it is one of {', '.join(KNOWN_ROLES)}")
    return Message(
        id=entry.id or made_id(session, entry.nth, given.session or stem),
        tenant=given.tenant,
        user=user,
        session=session,
        role=role,
        time=utc(time.replace(tzinfo=ZoneInfo(zone)) if time.tzinfo is None else time),
        content=entry.content,
        speaker=entry.speaker,
        zone=zone,
        type=entry.type,
        attachments=entry.attachments,
        metadata=entry.metadata,
    )


def made_id(*parts: object) -> str:
    """Return an id that is the same whenever the parts are."""
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:24]
