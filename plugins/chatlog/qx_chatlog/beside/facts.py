"""Facts that a user keeps beside the log: dated, with the message they come from, their old values kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from qx.errors import UsageError
from qx.operation import Principal
from qx.serial import value
from qx.text import segment
from qx.text.normalise import fold
from qx_chatlog.log import Log
from qx_chatlog.message import Message
from qx_chatlog.store import ChatStore, Note

KIND = "fact"
LONGEST = 2000
"""Characters of a value."""
_NAME = 120
_SHOWN = 8
"""Facts that a planner is shown."""


@value
class Fact:
    """One fact as it holds now.

    Attributes:
        name: What it is about.
        value: What holds.
        time: Since when it was noted, in UTC.
        message: The message that it comes from.
        before: Its earlier values, oldest first, each with its time.
    """

    name: str
    value: str
    time: datetime
    message: str | None = None
    before: tuple[tuple[str, datetime], ...] = ()

    def shown(self) -> dict[str, Any]:
        """Return it as a model is shown it."""
        found: dict[str, Any] = {"name": self.name, "value": self.value, "noted": self.time.date().isoformat()}
        if self.message:
            found["message_id"] = self.message
        if self.before:
            found["before"] = [text for text, _ in self.before[-3:]]
        return found

    def line(self, zone: tzinfo) -> str:
        """Return it as a line of an answer."""
        noted = self.time.astimezone(zone).strftime("%Y-%m-%d")
        source = f" [{self.message}]" if self.message else ""
        earlier = f" ({', '.join(text for text, _ in self.before[-3:])} →)" if self.before else ""
        return f"{noted} {self.name}:{earlier} {self.value}{source}"


async def put(
    store: ChatStore, principal: Principal, name: str, text: str, *, now: datetime, message: str | None = None
) -> None:
    """Note a fact; what it was before stays beside it.

    Raises:
        UsageError: its name or value is empty or too long, or the message is not there.
    """
    name = " ".join(name.split())
    if not name or len(name) > _NAME or not text.strip() or len(text) > LONGEST:
        raise UsageError(f"a fact has a name (up to {_NAME} characters) and a value (up to {LONGEST})")
    if message is not None and not await store.get(principal, [message]):
        raise UsageError(f"there is no message {message!r}")
    note = Note(kind=KIND, key=name, value=text.strip(), message=message, time=now)
    await store.put_notes(principal, [note])


async def known(store: ChatStore, principal: Principal, name: str | None = None) -> tuple[Fact, ...]:
    """Return the facts as they hold now, the latest first; with ``name`` that one alone."""
    found: dict[str, Fact] = {}
    for note in await store.notes(principal, KIND, key=name):
        old = found.pop(note.key, None)
        before = () if old is None else (*old.before, (old.value, old.time))
        found[note.key] = Fact(
            name=note.key, value=str(note.value), time=note.time, message=note.message, before=before
        )
    return tuple(reversed(found.values()))


async def about(log: Log, words: str) -> tuple[Fact, ...]:
    """Return the facts whose name or value shares a word with ``words``."""
    facts = await known(log.store, log.principal)
    looked = {segment.comparable(fold(word)) for word in segment.keywords(words)}
    return tuple(fact for fact in facts if _shares(fact, looked))[:_SHOWN]


def _shares(fact: Fact, looked: set[str]) -> bool:
    text = fold(f"{fact.name} {fact.value}")
    said = {segment.comparable(word) for word in segment.keywords(text)}
    return bool(said & looked) or any(word in text for word in looked if not word.isascii() and len(word) > 1)


def contradicting(facts: Sequence[Fact], messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return those of ``messages`` that are later than a fact, name it, and say something else."""
    return tuple(
        message
        for message in messages
        if any(
            message.time > fact.time
            and message.id != fact.message
            and fold(fact.name) in fold(message.content)
            and fold(fact.value) not in fold(message.content)
            for fact in facts
        )
    )
