"""The operation ``chat.recurrences``, which tells observers of trouble that comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from qx.model import Model
from qx_chatlog.beside import recurrence
from qx_chatlog.log import open_log
from qx_chatlog.message import Found, Message
from qx_chatlog.shown import Shown, shown

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal


class Recurred(Model):
    """A report like an older one that was solved.

    Attributes:
        report, earlier, solved: The ids of the new report, the old one, and what marked that as solved.
        history: The talk about the old one.
        now: The talk around the new one.
    """

    report: str
    earlier: str
    solved: str
    history: tuple[Shown, ...]
    now: tuple[Shown, ...]


class Listed(Model):
    """Reports that came back, the oldest first."""

    recurrences: tuple[Recurred, ...] = ()


class Recurrences:
    """Find new reports of a user's chats that are like older ones which were solved, and tell observers of each once."""

    needs_user = True
    Result = Listed

    class Request(Model):
        days: float = Field(default=30, gt=0, le=3650, description="How far back new reports are looked for.")
        again: bool = Field(default=False, description="Those that were told before too.")

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, "", step="chat.recurrences")
        found = await recurrence.newly(log, days=request.days, again=request.again)
        listed = [_shown(one, log.zone) for one in found]
        for one in listed:
            content = {"user": principal.user, **one.model_dump(mode="json")}
            log.context.emit("chat.recurrence", content=content, messages=len(one.history) + len(one.now))
        yield Listed(recurrences=tuple(listed))

    def text(self, item: BaseModel) -> str:
        """Return reports a few lines each."""
        listed = item.recurrences if isinstance(item, Listed) else ()
        return "\n".join(map(_said, listed)) or "nothing came back"


def _shown(one: recurrence.Recurrence, zone: tzinfo) -> Recurred:
    return Recurred(
        report=one.report.id,
        earlier=one.earlier.id,
        solved=one.solved.id,
        history=_talk(one.history, zone),
        now=_talk(one.now, zone),
    )


def _talk(messages: Sequence[Message], zone: tzinfo) -> tuple[Shown, ...]:
    return tuple(shown(Found(message=one), zone) for one in messages)


def _said(one: Recurred) -> str:
    lines = [f"{one.report} is like {one.earlier}, which {one.solved} marks as solved"]
    lines += [f"  then {item.time[:16]} {item.speaker or item.role}: {item.content}" for item in one.history]
    lines += [f"  now  {item.time[:16]} {item.speaker or item.role}: {item.content}" for item in one.now]
    return "\n".join(lines)
