"""What each tool does with its request: the same for an operation and for a planner's call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import BaseModel

from qx.errors import UsageError
from qx.llm import Tool
from qx.model import Model
from qx.serial import replace, value
from qx.text import segment
from qx_chatlog import when
from qx_chatlog.log import How, Log, Outcome
from qx_chatlog.message import Found
from qx_chatlog.shown import Messages, bare, fitted
from qx_chatlog.store import Filters
from qx_chatlog.tools.requests import Around, ListSessions, ReadSession, SearchFields, ToolSearch


class SessionShown(Model):
    """One conversation of a list; times are ISO 8601 in the user's zone."""

    id: str
    messages: int
    first: str
    last: str
    speakers: tuple[str, ...]
    opening: str


class Sessions(Model):
    """Conversations, the latest first."""

    sessions: tuple[SessionShown, ...] = ()
    time: when.TimeShown | None = None


@value
class Called:
    """What a tool answered: what is shown of it, and the messages behind it."""

    shown: BaseModel
    found: tuple[Found, ...] = ()


async def search(log: Log, request: SearchFields, how: How, *, tokens: int | None = None) -> Called:
    """Search, and show what is found within ``tokens`` (None: all of it)."""
    also = synonyms(log, request.text) if request.fuzzy else ()
    ask = request.ask(how, log.now, log.zone, also)
    outcome = await log.search(ask if request.session else replace(ask, seen=log.seen))
    if log.seen and not outcome.hits and not request.session:
        note = "conversations that were returned before are passed over: read on in them by search_around or session"
        outcome = replace(outcome, notes=(*outcome.notes, note))
    return Called(shown=presented(log, outcome, request.text, tokens), found=outcome.found)


async def around(log: Log, request: Around, *, tokens: int | None = None) -> Called:
    """Show what was said around a message or a time."""
    if bool(request.message) == bool(request.time):
        raise UsageError("search_around takes a message's id or a time: give one of them")
    at = request.message or _middle(log, request.time)
    found = await log.around(at, before=request.before, after=request.after, session=request.session or None)
    messages, more = fitted(found, log.zone, tokens=tokens)
    return Called(shown=Messages(messages=messages, more=more), found=found)


async def list_sessions(log: Log, request: ListSessions) -> Called:
    """List conversations that have a message which fits."""
    asked = request.time(log.now, log.zone)
    filters = request.filters()
    listed: tuple[SessionShown, ...] = ()
    for span in asked.spans or (when.Span(),):
        found = await log.sessions(_during(filters, span), limit=request.limit, offset=request.offset)
        listed = tuple(
            SessionShown(
                id=one.id,
                messages=one.messages,
                first=one.first.astimezone(log.zone).isoformat(timespec="seconds"),
                last=one.last.astimezone(log.zone).isoformat(timespec="seconds"),
                speakers=one.speakers,
                opening=one.opening,
            )
            for one in found
        )
        if listed:
            break
    return Called(shown=Sessions(sessions=listed, time=when.shown(asked, str(log.zone))))


async def read_session(log: Log, request: ReadSession, *, tokens: int | None = None) -> Called:
    """Read one conversation in its order."""
    filters = Filters(sessions=(request.session,))
    messages = await log.read(filters, limit=request.limit, offset=request.offset)
    found = bare(messages)
    kept, more = fitted(found, log.zone, tokens=tokens)
    return Called(shown=Messages(messages=kept, more=more), found=found)


def presented(log: Log, outcome: Outcome, text: str, tokens: int | None) -> Messages:
    """Return what a search came to, as results show it."""
    messages, more = fitted(outcome.found, log.zone, words=segment.keywords(text), tokens=tokens)
    time = when.shown(outcome.when, str(log.zone))
    return Messages(
        messages=messages,
        total=outcome.total,
        at_least=not outcome.exact,
        time=time,
        more=more,
        notes=outcome.notes,
    )


def synonyms(log: Log, text: str) -> tuple[str, ...]:
    """Return other wordings of the words of ``text``, as the profile's packs and its own ``synonyms`` have them."""
    known = log.context.knowledge.synonyms
    found = (other for word in segment.keywords(text) for other, _ in known.get(word.casefold(), ()))
    return tuple(dict.fromkeys(found))[:12]


def _middle(log: Log, time: str) -> Any:
    """The middle of a stretch of time; its open side is not a place to look around."""
    span = when.read(time, now=log.now, zone=log.zone).spans
    if not span:
        raise UsageError(f"time: {time[:80]!r} names no time to look around")
    start, end = span[0].start, span[0].end
    if start is None or end is None:
        return start or end
    return start + (end - start) / 2


def _during(filters: Filters, span: when.Span) -> Filters:
    return replace(filters, since=span.start, until=span.end)


@value
class ToolSpec:
    """A tool that a planner may call."""

    name: str
    description: str
    request: type[BaseModel]
    call: Callable[[Log, Any], Awaitable[Called]]

    def tool(self) -> Tool:
        """Return it in the form of function calling."""
        return Tool(name=self.name, description=self.description, parameters=self.request.model_json_schema())


def _searching(how: How) -> Callable[[Log, Any], Awaitable[Called]]:
    async def call(log: Log, request: ToolSearch) -> Called:
        return await search(log, request, how, tokens=request.tokens)

    return call


async def _around(log: Log, request: Around) -> Called:
    return await around(log, request, tokens=request.tokens)


async def _read(log: Log, request: ReadSession) -> Called:
    return await read_session(log, request, tokens=request.tokens)


TOOLS: Mapping[str, ToolSpec] = {
    spec.name: spec
    for spec in (
        ToolSpec(
            name="keyword_search",
            description="Find messages that hold words: names, numbers, codes, things.",
            request=ToolSearch,
            call=_searching("keyword"),
        ),
        ToolSpec(
            name="semantic_search",
            description="Find messages that mean something alike, in other words.",
            request=ToolSearch,
            call=_searching("semantic"),
        ),
        ToolSpec(
            name="hybrid_search",
            description="Find messages by words, put in order by meaning.",
            request=ToolSearch,
            call=_searching("hybrid"),
        ),
        ToolSpec(
            name="search_around",
            description="Read what was said before and after a message or a time.",
            request=Around,
            call=_around,
        ),
        ToolSpec(
            name="list_sessions",
            description="List conversations by time and people.",
            request=ListSessions,
            call=list_sessions,
        ),
        ToolSpec(
            name="read_session", description="Read one conversation in its order.", request=ReadSession, call=_read
        ),
    )
}
"""The tools by their names."""
