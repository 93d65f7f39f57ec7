"""The operation ``chat.recall``: what another agent should know from a user's log before it answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from qx.model import Model
from qx.text import segment
from qx.text.tokens import estimate
from qx.types import Query
from qx.types import Turn as CoreTurn
from qx_chatlog.asking import question as questions
from qx_chatlog.asking.evidence import Evidence
from qx_chatlog.asking.operation import Turn
from qx_chatlog.asking.question import Question
from qx_chatlog.asking.rounds import RuleSearch
from qx_chatlog.asking.writing import passage
from qx_chatlog.beside import facts
from qx_chatlog.log import HALF, Log, coverage, open_log
from qx_chatlog.message import Message

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx.operation import Principal


class Briefing(Model):
    """What the log says about a question, a line each: when, who, the words, the message's id.

    Attributes:
        needed: Whether the log has anything to do with the question; if not, the rest is empty.
        briefing: The lines, the oldest first, notes of the user before them.
        messages: The ids that the lines come from.
    """

    needed: bool
    briefing: str = ""
    messages: tuple[str, ...] = ()


class Recall:
    """Brief an agent from a user's chats before it answers: dated, attributed lines with message ids, or not needed."""

    needs_user = True
    Result = Briefing

    class Request(Model):
        question: str = Field(default="", description="What is asked; empty: the last turn of the context.")
        context: tuple[Turn, ...] = Field(
            default=(), max_length=200, description="The current conversation, oldest first: turns of role and content."
        )
        tokens: int = Field(default=800, ge=50, le=100_000, description="Tokens of the briefing.")

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        turns = [CoreTurn(role=turn.role, content=turn.content) for turn in request.context]
        text = request.question.strip()
        if not text and turns:
            text = turns.pop().content
        context = engine.begin(Query(text=text, user=principal.user), step="chat.recall")
        log = await open_log(engine, principal, text, step="chat.recall", context=context)
        yield await recall(log, text, turns, request.tokens)

    def text(self, item: BaseModel) -> str:
        """Return the lines."""
        if not isinstance(item, Briefing):
            return ""
        return item.briefing if item.needed else "not needed"


async def recall(log: Log, text: str, history: Sequence[CoreTurn] = (), tokens: int = 800) -> Briefing:
    """Return what the log says about ``text`` within ``tokens``; by rules, with no model."""
    question = questions.read(text, log, speakers=await log.speakers(), history=history)
    if question.need == "no" or not any(map(str.isalnum, text)) or not question.searched:
        return Briefing(needed=False)
    noted = await facts.about(log, question.searched)
    evidence = Evidence()
    search = RuleSearch(log, question, evidence)
    for step in search.rounds():
        await step()
    found = _worth(question, search, sure=question.need == "yes")
    if not found and not noted:
        return Briefing(needed=False)
    return _written(log, question, found, [fact.line(log.zone) for fact in noted], tokens)


def _worth(question: Question, search: RuleSearch, *, sure: bool) -> list[Message]:
    """What was found, best first; where nobody spoke of earlier talk, only what holds half of the question."""
    found = _unique([*search.anchors, *search.changed, *search.answers, *search.follows(search.changed)])
    if sure:
        return found
    words = segment.keywords(question.searched)
    close = [one for one in search.anchors if coverage(words, one) >= HALF]
    return [*close, *(one for one in search.changed if close and one not in close)]


def _written(log: Log, question: Question, found: Sequence[Message], lines: list[str], tokens: int) -> Briefing:
    words = question.searched.split()
    left = tokens - sum(map(estimate, lines))
    kept: list[Message] = []
    for message in found:
        cost = estimate(passage(log, message, words)) + 1
        if cost <= left:
            kept.append(message)
            left -= cost
    kept.sort(key=lambda one: one.time)
    said = [*lines, *(passage(log, one, words) for one in kept)]
    return Briefing(needed=bool(said), briefing="\n".join(said), messages=tuple(one.id for one in kept))


def _unique(messages: Sequence[Message]) -> list[Message]:
    return list({one.id: one for one in messages}.values())
