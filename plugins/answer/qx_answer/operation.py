"""The operation ``answer``: ``qx answer QUESTION``."""

from __future__ import annotations

from collections.abc import AsyncIterator

from pydantic import BaseModel, Field

from qx.engine import Engine
from qx.errors import QxError
from qx.model import Model
from qx.operation import Principal
from qx.types import Query
from qx_answer.answering import Answering
from qx_answer.ending import failed
from qx_answer.events import Action, Claim, Data, Done, Progress, Thinking, Warning
from qx_answer.spending import Limits
from qx_answer.telling import told


class AnswerOperation:
    """Search for the answer to a question, as often as needed, and give it in sentences with checked quotations.

    Each sentence carries the id of its source and a quotation from it. Where nothing is found, it says so.
    """

    class Request(Model):
        question: str = Field(description="What is asked.")
        budget: Limits | None = Field(
            default=None, description="What it may spend: rounds=3,searches=10,tokens=50000,seconds=30."
        )
        extractive: bool = Field(default=False, description="Quote alone, whatever model the profile has.")

    Result = Done
    Events = (Thinking, Action, Data, Progress, Claim, Warning)
    reads_pages = True

    async def run(self, engine: Engine, request: Request, principal: Principal, /) -> AsyncIterator[BaseModel]:
        """Yield what happens, then the answer."""
        answering: Answering = await engine.section("answer")
        query = Query(text=request.question, user=principal.user)
        run = answering.begin(engine, query, limits=request.budget, extractive=request.extractive)
        try:
            async for event in run.events():
                yield event
            await run.result()
        finally:
            await run.aclose()

    def failure(self, result: BaseModel) -> QxError | None:
        """Return why nothing could be found out, where no search of the question succeeded."""
        return failed(result) if isinstance(result, Done) else None

    def text(self, item: BaseModel) -> str:
        """What a person reads."""
        return told(item)
