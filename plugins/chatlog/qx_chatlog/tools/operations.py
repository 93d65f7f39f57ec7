"""The operations ``chat.search``, ``chat.around`` and the tools that a model may call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, Field

from qx.model import Model
from qx_chatlog.log import How, Log, open_log
from qx_chatlog.shown import Messages, report
from qx_chatlog.tools import calling, requests
from qx_chatlog.tools.calling import Called, Sessions

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal


class _Finding:
    """What the operations that return messages have in common."""

    Result = Messages
    needs_user = True

    def text(self, item: BaseModel) -> str:
        """Return messages as people read them."""
        return report(item) if isinstance(item, Messages) else ""


async def _kept(
    engine: Engine, log: Log, name: str, request: BaseModel, make: Callable[[], Awaitable[Called]]
) -> Messages:
    """What the same principal was answered before, while nothing has changed; observers hear of it either way."""

    async def search() -> Messages:
        return cast("Messages", (await make()).shown)

    kept = (await engine.section("chat")).kept
    found = await kept.through(log, name, request, Messages, search)
    log.tell(name, [one.model_dump(mode="json") for one in found.messages])
    return found


class Search(_Finding):
    """Find messages of a user's chats: by keyword, and by meaning where that finds little and there are vectors."""

    class Request(requests.SearchFields):
        pass

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, request.text, step="chat.search")
        yield await _kept(engine, log, "search", request, lambda: calling.search(log, request, "layered"))


class Around(_Finding):
    """Read what was said before and after a message of a user's chats."""

    class Request(Model):
        message: str = Field(description="The id of the message.")
        before: int = Field(default=10, ge=0, le=requests.MOST, description="Messages before it.")
        after: int = Field(default=10, ge=0, le=requests.MOST, description="Messages after it.")

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, "", step="chat.around")
        asked = requests.Around(message=request.message, before=request.before, after=request.after)
        yield (await calling.around(log, asked)).shown


class _ToolSearch(_Finding):
    """A search whose results fit into a prompt."""

    how: How = "keyword"

    class Request(requests.ToolSearch):
        pass

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, request.text, step=f"chat.{self.how}")
        yield await _kept(
            engine, log, self.how, request, lambda: calling.search(log, request, self.how, tokens=request.tokens)
        )


class KeywordSearch(_ToolSearch):
    """Find messages of a user's chats that hold words: names, numbers, codes, things."""


class SemanticSearch(_ToolSearch):
    """Find messages of a user's chats that mean something alike, in other words."""

    how = "semantic"


class HybridSearch(_ToolSearch):
    """Find messages of a user's chats by words, put in order by meaning."""

    how = "hybrid"


class SearchAround(_Finding):
    """Read what was said before and after a message or a time, in a user's chats."""

    class Request(requests.Around):
        pass

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, "", step="chat.around")
        yield (await calling.around(log, request, tokens=request.tokens)).shown


class ListSessions:
    """List a user's conversations by time and people, the latest first."""

    needs_user = True
    Result = Sessions

    class Request(requests.ListSessions):
        pass

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, "", step="chat.sessions")
        yield (await calling.list_sessions(log, request)).shown

    def text(self, item: BaseModel) -> str:
        """Return conversations a line each."""
        listed = item.sessions if isinstance(item, Sessions) else ()
        return (
            "\n".join(
                f"{one.id}  {one.first[:10]} to {one.last[:10]}  {one.messages} messages  {', '.join(one.speakers)}"
                for one in listed
            )
            or "nothing found"
        )


class ReadSession(_Finding):
    """Read one of a user's conversations in its order."""

    class Request(requests.ReadSession):
        pass

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        log = await open_log(engine, principal, "", step="chat.session")
        yield (await calling.read_session(log, request, tokens=request.tokens)).shown
