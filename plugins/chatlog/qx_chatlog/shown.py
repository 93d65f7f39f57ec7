"""Messages as results show them: to people, programs and models alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import Any, cast

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from qx.model import Model
from qx_chatlog.clipping import clip, share
from qx_chatlog.message import Found, Message
from qx_chatlog.when import TimeShown


class Shown(Model):
    """One message of a result.

    ``time`` is ISO 8601 with the offset of the user's zone; ``context`` marks a neighbour of what was found;
    ``clipped``: the text was cut to fit, the id opens all of it; ``derived``: texts that a machine made of what was sent
    along (captions, transcripts), nobody's words; ``attachments`` are the names of what was sent along, its kind where it has
    none; ``type`` is said where it is not ``text``.
    """

    id: str
    user: str
    session: str
    role: str
    speaker: str
    time: str
    content: str
    score: float
    context: bool = False
    clipped: bool = False
    derived: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    type: str = ""

    @model_serializer(mode="wrap")
    def _plain(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without(handler(self), ("clipped", "derived", "attachments", "type"))


class Messages(Model):
    """Messages that were found, best first, each with its neighbours.

    ``total`` is how many match a search, and where ``at_least`` is true there may be more (a pool of the best was counted);
    ``time`` is how the words for a time were read; ``more`` are ids that did not fit into the budget, to be opened;
    ``notes`` say what was done otherwise than asked.
    """

    messages: tuple[Shown, ...] = ()
    total: int = 0
    at_least: bool = False
    time: TimeShown | None = None
    more: tuple[str, ...] = ()
    notes: tuple[str, ...] = Field(default=())

    @model_serializer(mode="wrap")
    def _plain(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return _without(handler(self), ("total", "at_least", "time", "more", "notes"))


def shown(found: Found, zone: tzinfo, *, words: Sequence[str] = (), tokens: int | None = None) -> Shown:
    """Return one message as results show it.

    Args:
        zone: Whose clock ``time`` is told by.
        words: What was looked for: a text that is cut keeps the sentences that hold them.
        tokens: Of the text at most; None: all of it.
    """
    message = found.message
    content = message.content if tokens is None else clip(message.content, tokens, words)
    return Shown(
        id=message.id,
        user=message.user,
        session=message.session,
        role=message.role,
        speaker=message.speaker,
        time=message.time.astimezone(zone).isoformat(timespec="seconds"),
        content=content,
        score=round(found.score, 6),
        context=found.context,
        clipped=content != message.content,
        derived=tuple(one.text for one in message.attachments if one.derived and one.text),
        attachments=tuple(one.name or one.kind for one in message.attachments),
        type="" if message.type == "text" else message.type,
    )


def fitted(
    found: Sequence[Found], zone: tzinfo, *, words: Sequence[str] = (), tokens: int | None = None
) -> tuple[tuple[Shown, ...], tuple[str, ...]]:
    """Return what of ``found`` fits into ``tokens``, and the ids of what does not.

    Long texts are cut to their share first; found messages go before their neighbours.
    """
    if tokens is None:
        return tuple(shown(one, zone) for one in found), ()
    limits = share([(one.message.content, not one.context) for one in found], tokens)
    kept = [
        shown(one, zone, words=words, tokens=limit)
        for one, limit in zip(found, limits, strict=True)
        if limit is not None
    ]
    left = [one.message.id for one, limit in zip(found, limits, strict=True) if limit is None]
    return tuple(kept), tuple(left)


def bare(messages: Iterable[Message]) -> tuple[Found, ...]:
    """Messages that were read rather than found."""
    return tuple(Found(message=one) for one in messages)


def line(item: Shown) -> str:
    """Return a message as a line for people."""
    mark = "  " if item.context else "* "
    who = item.speaker or item.role
    sent = item.time[:16].replace("T", " ")
    text = item.content or "".join(f"({name})" for name in item.attachments)
    return f"{mark}{sent}  {who}  [{item.id}]\n    " + text.replace("\n", "\n    ")


def report(result: Messages) -> str:
    """Return found messages as people read them."""
    parts: list[str] = []
    if result.time is not None:
        parts.append(f"{result.time.said}: {_until(result.time)}")
    before = ""
    for one in result.messages:
        if before and one.session != before:
            parts.append("")  # another conversation
        parts.append(line(one))
        before = one.session
    if not result.messages:
        parts.append("nothing found")
    if result.more:
        parts.append(f"and {len(result.more)} more: {', '.join(result.more)}")
    parts += [f"note: {note}" for note in result.notes]
    return "\n".join(parts)


def _until(time: TimeShown) -> str:
    start, end = ((each or "")[:16].replace("T", " ") or "any time" for each in (time.start, time.end))
    return f"from {start} to before {end} ({time.timezone})"


def _without(data: Any, names: Sequence[str]) -> dict[str, Any]:
    """``data`` without those of ``names`` that say nothing."""
    plain = cast("dict[str, Any]", data)
    return {key: item for key, item in plain.items() if item or key not in names}
