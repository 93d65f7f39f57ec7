"""Messages of a chat log, as they were written, and messages that were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from qx.serial import empty, value

ROLES: Final = ("user", "assistant", "system", "tool")
"""Who speaks: the person, the agent, what the agent was told, what its tools answered."""
NOBODYS: Final = ("summary", "tool", "system")
"""Types of messages that are nobody's words: returned only to who asks for them by type."""
NOBODYS_ROLES: Final = ("tool", "system")
"""Roles whose messages are nobody's words."""


@value
class Attachment:
    """Something sent along.  Its texts are searched with the message.

    Attributes:
        kind: ``image``, ``audio``, ``video``, ``file``, ``link``.
        name: Its file's name or title.
        url: Where it is, where that is known; it is never fetched.
        text: Its caption, transcript or contents.
        derived: Whether ``text`` was made by a machine (a caption, a transcript), and nobody's words.
    """

    kind: str = "file"
    name: str = ""
    url: str = ""
    text: str = ""
    derived: bool = False


@value
class Message:
    """One message of a log.  It is never changed once it is stored.

    Attributes:
        id: Unique among the user's own messages.
        user: Whose log it is in, whoever speaks.
        session: The conversation.
        role: One of ``ROLES``.
        time: When it was sent, in UTC.
        content: Its text, untouched.
        speaker: The name of who speaks; empty: the role says it.
        zone: The IANA time zone it was written in.
        type: ``text``, or what else it is: ``summary``, ``tool``, ``system``, ``image``, ``media``.
        metadata: Plain JSON values.
    """

    id: str
    tenant: str
    user: str
    session: str
    role: str
    time: datetime
    content: str
    speaker: str = ""
    zone: str = "UTC"
    type: str = "text"
    attachments: tuple[Attachment, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=empty)

    @property
    def who(self) -> str:
        """The name to show: the speaker's, else the role."""
        return self.speaker or self.role

    @property
    def local_time(self) -> datetime:
        """``time`` in the zone the message was written in."""
        return self.time.astimezone(ZoneInfo(self.zone))

    @property
    def searched(self) -> str:
        """All that is searched: the content, then the names and texts of what was sent along."""
        return searched(self.content, self.attachments)


@value
class Found:
    """A message that a search returns.

    Attributes:
        score: How well it fits; comparable within one result only.  That of context is by its neighbours' words, and 0
            where they tell nothing.
        context: It was not found itself: it stands beside one that was.
    """

    message: Message
    score: float = 0.0
    context: bool = False


def is_noise(message: Message) -> bool:
    """Whether a message is nobody's words: a summary, what a tool answered, what an agent was told."""
    return message.type in NOBODYS or message.role in NOBODYS_ROLES


def searched(content: str, attachments: Sequence[Attachment]) -> str:
    """Return all of a message that is searched: its content, then the names and texts of what was sent along."""
    if not attachments:
        return content
    return "\n".join([content, *(part for one in attachments for part in (one.name, one.text) if part)])


def utc(time: datetime) -> datetime:
    """Return ``time`` in UTC; one without a zone is read as UTC, one beyond all years is the first or last of them."""
    if time.tzinfo is None:
        return time.replace(tzinfo=UTC)
    try:
        return time.astimezone(UTC)
    except OverflowError:
        return (datetime.min if time.year == 1 else datetime.max).replace(tzinfo=UTC)
