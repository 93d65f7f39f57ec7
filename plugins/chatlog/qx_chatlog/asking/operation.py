"""The operation ``chat.ask``: a question answered from a user's own log, its citations checked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from qx.budget import Cost
from qx.model import Model
from qx.types import Query
from qx.types import Turn as CoreTurn
from qx_chatlog.asking.answering import Answer, Answering, History, Looking, Round
from qx_chatlog.asking.record import Searched
from qx_chatlog.log import open_log

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal


class Turn(Model):
    """A turn of the current conversation."""

    role: Literal["user", "assistant"] = "user"
    content: str = Field(max_length=20_000)


class Ask:
    """Answer a question from a user's chats, and cite the messages that bear the answer out."""

    needs_user = True

    class Request(Model):
        question: str = Field(description="What is asked, in the user's own words.", max_length=4000)
        context: tuple[Turn, ...] = Field(
            default=(), max_length=200, description="The current conversation, oldest first: turns of role and content."
        )
        history: History = Field(
            default="auto", description="Whether to look into the log: auto judges it by the question."
        )
        rounds: int | None = Field(default=None, ge=1, le=10, description="Rounds of searching at most.")

    Result = Answer
    Events = (Looking, Round)

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        settings = (await engine.section("chat")).settings.ask
        if request.rounds is not None:
            settings = settings.model_copy(update={"rounds": request.rounds})
        history = tuple(CoreTurn(role=turn.role, content=turn.content) for turn in request.context)
        query = Query(text=request.question, history=history, user=principal.user)
        budget = engine.budget(Cost(seconds=settings.seconds))
        context = engine.begin(query, step="chat.ask", budget=budget)
        log = await open_log(engine, principal, request.question, step="chat.ask", context=context)
        kept = (await engine.section("chat")).kept
        found = await kept.get(log, "ask", request, Answer)
        if found is not None:
            log.tell("ask", [claim.model_dump(mode="json") for claim in found.claims])
            yield found
            return
        answering = Answering(log, request.question, settings, history, request.history)
        async with aclosing(answering.run()) as events:
            async for event in events:
                if isinstance(event, Answer):
                    log.tell("ask", [claim.model_dump(mode="json") for claim in event.claims])
                    await kept.put(log, "ask", request, event)
                yield event

    def text(self, item: BaseModel) -> str:
        """Return an event as a line, and the answer with what it cites."""
        if isinstance(item, Looking):
            return item.text
        if isinstance(item, Round):
            return "\n".join(_line(item.number, one) for one in item.searched)
        return _report(item) if isinstance(item, Answer) else ""


def _line(number: int, searched: Searched) -> str:
    said = ", ".join(f"{key}={value}" for key, value in searched.arguments.items())
    note = f" ({searched.note})" if searched.note else ""
    return f"{number}. {searched.tool}: {said}: {searched.found} found{note}"


def _report(answer: Answer) -> str:
    lines = [answer.answer]
    doubtful = [claim for claim in answer.claims if claim.verdict != "supported"]
    cited = list(dict.fromkeys(claim.message_id for claim in answer.claims if claim.verdict == "supported"))
    if cited and not all(f"[{one}]" in answer.answer for one in cited):
        lines.append(f"messages: {', '.join(cited)}")
    lines += [f"left out ({claim.verdict}): {claim.statement}" for claim in doubtful]
    count = len(answer.searches)
    lines.append(f"{count} {'search' if count == 1 else 'searches'}, stopped because: {answer.stopped_because}")
    return "\n".join(lines)
