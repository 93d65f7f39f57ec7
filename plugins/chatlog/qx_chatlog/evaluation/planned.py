"""The planner on a sample of the questions: by rules, or with the model of a profile."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, cast
from zoneinfo import ZoneInfo

import numpy as np

from qx.budget import Cost
from qx.operation import Principal
from qx.serial import value
from qx.types import Query
from qx_chatlog.asking import prompts
from qx_chatlog.asking.answering import Answer, Answering
from qx_chatlog.asking.settings import AskSettings
from qx_chatlog.evaluation.answers import held, judged
from qx_chatlog.evaluation.inmemory import log_of
from qx_chatlog.evaluation.locomo import TENANT, Locomo, Question
from qx_chatlog.evaluation.running import Answered
from qx_chatlog.evaluation.scoring import TURNS, Measured, Read, measure, read_messages
from qx_chatlog.log import Log

if TYPE_CHECKING:
    from qx.engine import Engine
    from qx_chatlog.store import ChatStore

SEED: Final = 7
_JUDGING: Final = 150.0
"""Seconds of the judge's own request, at least: a model that may take longer for an answer may for this."""


@value
class Planned:
    """The arm, and its answers.

    Attributes:
        declined: Of ``unanswerable`` questions, how many found nothing, or said that it was somebody else.
        wrongly: Likewise, of those with an answer.
    """

    measured: Measured
    answers: tuple[Answered, ...]
    declined: int = 0
    wrongly: int = 0
    unanswerable: int = 0


def sample(questions: Sequence[Question], count: int) -> tuple[Question, ...]:
    """Return ``count`` questions by chance, the same ones every time."""
    if count >= len(questions):
        return tuple(questions)
    chosen = random.Random(SEED).sample(range(len(questions)), count)
    return tuple(questions[at] for at in sorted(chosen))


async def ask_planner(
    engine: Engine,
    locomo: Locomo,
    questions: Sequence[Question],
    *,
    unanswerable: Sequence[Question] = (),
    settings: AskSettings | None = None,
    plain: dict[str, float] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Planned:
    """Ask questions of the planner; the engine's model plans and writes, where it has one."""
    store = cast("ChatStore", log_of({one.user: one.messages for one in locomo.conversations}))
    now = {one.user: one.now for one in locomo.conversations}
    made = settings or AskSettings()
    reads: list[Read] = []
    answers: list[Answered] = []
    for number, question in enumerate(questions, 1):
        read, answered = await _ask(engine, store, question, now, made)
        reads.append(read)
        answers.append(answered)
        tell(f"planner: question {number} of {len(questions)}")
    none = [(await _ask(engine, store, question, now, made, judge=False))[1] for question in unanswerable]
    model = engine.begin(Query(text="", user="-"), step="chat.eval").has_model
    name = "planner with a model" if model else "planner by rules"
    return Planned(
        measured=measure(name, questions, dict.fromkeys(TURNS, reads), plain=plain),
        answers=tuple(answers),
        declined=sum(_declines(one) for one in none),
        wrongly=sum(_declines(one) for one in answers),
        unanswerable=len(none),
    )


async def _ask(
    engine: Engine,
    store: ChatStore,
    question: Question,
    now: Mapping[str, datetime],
    settings: AskSettings,
    *,
    judge: bool = True,
) -> tuple[Read, Answered]:
    query = Query(text=question.text, now=now[question.user], user=question.user, timezone="UTC")
    context = engine.begin(query, step="chat.eval", budget=engine.budget(Cost(seconds=settings.seconds)))
    log = Log(store, context, Principal(tenant=TENANT, user=question.user), zone=ZoneInfo("UTC"))
    answering = Answering(log, question.text, settings, (), "always")
    begun = time.perf_counter()
    events = [event async for event in answering.run()]
    seconds = time.perf_counter() - begun
    answer = cast("Answer", events[-1])
    usage = context.usage
    right = None
    if judge and context.has_model:
        asked = engine.begin(
            query, step="chat.eval", budget=engine.budget(Cost(seconds=max(_JUDGING, settings.seconds)))
        )
        right = await judged(asked, question, answer.answer)
    messages = answering.evidence.best(TURNS[-1])
    return (
        read_messages(messages, seconds=seconds, calls=len(answer.searches) + usage.calls),
        Answered(
            id=question.id,
            answer=answer.answer,
            held=held(answer.answer, question),
            right=right,
            stopped_because=answer.stopped_because,
            ids=tuple(message.id for message in messages),
            searches=tuple(f"{one.tool} {dict(one.arguments)}" for one in answer.searches),
            seconds=seconds,
            calls=usage.calls,
            tokens=usage.input_tokens + usage.output_tokens,
        ),
    )


def _declines(one: Answered) -> bool:
    another = tuple(heading.partition("{")[0] for heading in prompts.ANOTHERS.values())
    return one.stopped_because == "nothing found" or one.answer.startswith(another)


def said(planned: Planned) -> str:
    """Return what the tables do not say of the planner."""
    answers = planned.answers
    whole = sum(one.held == 1.0 for one in answers)
    parts = [
        f"{planned.measured.name}: its answers hold {100 * float(np.mean([one.held for one in answers])):.1f} % of the words of the right ones, all of them for {whole} of {len(answers)} questions"
    ]
    judged_ones = [one.right for one in answers if one.right is not None]
    if judged_ones:
        parts.append(f"the model takes {sum(judged_ones)} of {len(judged_ones)} for right")
    if planned.unanswerable:
        parts.append(
            f"it declines {planned.declined} of {planned.unanswerable} unanswerable ones, and {planned.wrongly} of these"
        )
    return f"{'; '.join(parts)}."
