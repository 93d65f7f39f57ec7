"""The operations ``chat.highlights`` and ``chat.tag``: what was decided, promised, asked for, dated and taken back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, Field

from qx.model import Model
from qx_chatlog import when
from qx_chatlog.beside import tags
from qx_chatlog.beside.tags import Kind
from qx_chatlog.log import open_log
from qx_chatlog.tools.requests import MOST, TimeFields

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal
    from qx_chatlog.message import Message
    from qx_chatlog.store import ChatStore, Note


_DAY = len("2026-11-28")
_TOLD = 5000
"""Messages after which it is said again how far tagging is."""


class Highlight(Model):
    """A tagged message.  ``time`` is ISO 8601 in the user's zone, ``due`` a day, or a moment in it."""

    message_id: str
    kind: str
    due: str | None
    time: str
    session: str
    speaker: str
    content: str


class Highlighted(Model):
    """Tagged messages, the latest first."""

    highlights: tuple[Highlight, ...] = ()


class Tagged(Model):
    """How many tags were set."""

    tags: int


class Tagging(Model):
    """New messages are being tagged: how many of them were read."""

    read: int
    of: int


async def _tagging(
    store: ChatStore, principal: Principal, *, rebuild: bool = False
) -> AsyncGenerator[Tagging | Tagged]:
    """Tag what is not tagged yet; say how far it is where there is much, and how many tags were set at last."""
    made = 0
    async with aclosing(tags.tagging(store, principal, rebuild=rebuild)) as tagging:
        async for done in tagging:
            made = done.tags
            if done.read % _TOLD == 0 and done.read < done.of:
                yield Tagging(read=done.read, of=done.of)
    yield Tagged(tags=made)


def _far(event: Tagging) -> str:
    return f"{event.read:,} of {event.of:,} new messages read for tags"


class Highlights:
    """List the decisions, promises, tasks, key dates and corrections of a user's chats, the latest first."""

    needs_user = True
    Result = Highlighted
    Events = (Tagging,)

    class Request(TimeFields):
        kind: Kind | None = Field(default=None, description="Of this kind alone.")
        session: str = Field(default="", description="Of one conversation.")
        limit: int = Field(default=20, ge=1, le=MOST, description="Messages at most.")

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, "", step="chat.highlights")
        asked = when.read(request.when, request.since, request.until, now=log.now, zone=log.zone)
        async with aclosing(_tagging(log.store, principal)) as tagging:
            async for event in tagging:
                if isinstance(event, Tagging):
                    yield event
        notes = await log.store.notes(principal, tags.KIND, key=request.kind)
        ids = tuple(dict.fromkeys(note.message for note in notes if note.message))
        messages = {one.id: one for one in await log.get(ids)}
        span = asked.spans[0] if asked.spans else when.Span()
        kept = [
            (note, messages[note.message])
            for note in {(note.message, note.key): note for note in notes}.values()
            if note.message in messages and _fits(messages[note.message], span, request.session)
        ]
        kept.sort(key=lambda pair: pair[1].time, reverse=True)
        yield Highlighted(highlights=tuple(_shown(note, one, log.zone) for note, one in kept[: request.limit]))

    def text(self, item: BaseModel) -> str:
        """Return tagged messages a line each."""
        if isinstance(item, Tagging):
            return _far(item)
        listed = item.highlights if isinstance(item, Highlighted) else ()
        return "\n".join(map(_line, listed)) or "nothing is tagged"


class Tag:
    """Tag a user's messages by rules; with --rebuild all of them anew."""

    needs_user = True
    Result = Tagged
    Events = (Tagging,)

    class Request(Model):
        rebuild: bool = Field(default=False, description="Remove the tags that are there, and set all anew.")

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        store = (await engine.section("chat")).store
        async with aclosing(_tagging(store, principal, rebuild=request.rebuild)) as tagging:
            async for event in tagging:
                yield event

    def text(self, item: BaseModel) -> str:
        """Return how many."""
        if isinstance(item, Tagging):
            return _far(item)
        return f"{item.tags} tags set" if isinstance(item, Tagged) else ""


def _fits(message: Message, span: when.Span, session: str) -> bool:
    return span.holds(message.time) and (not session or message.session == session)


def _shown(note: Note, message: Message, there: tzinfo) -> Highlight:
    value: Any = note.value
    due = cast("dict[str, str | None]", value).get("due") if isinstance(value, dict) else None
    return Highlight(
        message_id=message.id,
        kind=note.key,
        due=due if not due or len(due) == _DAY else _at(due, there),
        time=message.time.astimezone(there).isoformat(timespec="seconds"),
        session=message.session,
        speaker=message.who,
        content=message.content,
    )


def _at(due: str, there: tzinfo) -> str:
    return datetime.fromisoformat(due).astimezone(there).isoformat(timespec="minutes")


def _line(one: Highlight) -> str:
    due = f" (due {one.due[:16].replace('T', ' ')})" if one.due else ""
    return (
        f"{one.time[:10]}  {one.kind}{due}  {one.speaker}: {one.content.replace(chr(10), ' ')[:160]} [{one.message_id}]"
    )
