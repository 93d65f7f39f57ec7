"""Runs the arms over the set."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from qx.operation import Principal
from qx.serial import value
from qx_chatlog.asking.attribution import of_another
from qx_chatlog.evaluation.arms import ALL, ARMS, PLAIN, Arm, search
from qx_chatlog.evaluation.inmemory import log_of
from qx_chatlog.evaluation.locomo import TENANT, Locomo, Question
from qx_chatlog.evaluation.scoring import MAIN, TURNS, Measured, Read, measure, read_messages, recalls
from qx_chatlog.index.logstore import LogStore

Tell = Callable[[str], None]


@value
class Answered:
    """What became of one question, for whoever wants to see why arms differ.

    Attributes:
        held: Part of the gold answer's words that the answer holds.
        right: What the model says of it; None: nobody was asked.
        ids: Messages that were read, best first.
        searches: Tool and arguments of each.
        tokens: That models took, in and out.
    """

    id: str
    answer: str
    held: float
    right: bool | None
    stopped_because: str
    ids: tuple[str, ...]
    searches: tuple[str, ...]
    seconds: float
    calls: int
    tokens: int


@value
class Differing:
    """A question for which planner and memory find unlike parts of the evidence among ten turns or facts.

    Attributes:
        chats, memory: Recall of each.
        searches: Of the planner.
        read: Turns that the planner read.
        remembered: Turns of the facts, each fact's joined by ``+``.
    """

    id: str
    chats: float
    memory: float
    searches: tuple[str, ...]
    read: tuple[str, ...]
    remembered: tuple[str, ...]


@value
class Declined:
    """Questions that put in one speaker's mouth what is another's.

    Attributes:
        unanswerable: How many there are.
        rightly: Of them, the share that is declined.
        wrongly: Of those with an answer, the share that is declined.
    """

    unanswerable: int
    rightly: float
    wrongly: float


@value
class Evaluation:
    """What came out.

    Attributes:
        questions: With an answer.
        left_out: Why how many were not asked.
        sampled: Arms that were run on a sample of the questions.
        answers: What the planner made of each question of its sample.
        differing: Questions of the sample that planner and memory answer from different turns.
        notes: What else is to be said.
        recalls: Of each arm, recall at ten turns by question id, for comparing runs.
        seconds: In all.
    """

    name: str
    questions: int
    left_out: Mapping[str, int]
    arms: tuple[Measured, ...]
    declined: Declined | None
    recalls: Mapping[str, Mapping[str, float]]
    seconds: float
    sampled: tuple[Measured, ...] = ()
    answers: tuple[Answered, ...] = ()
    differing: tuple[Differing, ...] = ()
    notes: tuple[str, ...] = ()


async def run(locomo: Locomo, *, arms: Iterable[Arm] = ARMS, tell: Tell = lambda _: None) -> Evaluation:
    """Run arms that need no model."""
    begun = time.perf_counter()
    said = {one.user: one.messages for one in locomo.conversations}
    log, plain = log_of(said), log_of(said, speakers=True)
    measured: list[Measured] = []
    kept: dict[str, dict[str, float]] = {}
    for arm in arms:
        lists = await _lists(plain if arm.speakers_in_text else log, arm, locomo)
        measured.append(measure(arm.name, locomo.questions, lists, plain=kept.get(PLAIN)))
        own = recalls(locomo.questions, lists[MAIN])
        kept[arm.name] = {q.id: float(r) for q, r in zip(locomo.questions, own, strict=True)}
        tell(f"{arm.name}: recall {measured[-1].at[MAIN].recall:.3f} at {MAIN} turns")
    declined = await _declined(log, locomo) if ALL in kept else None
    return Evaluation(
        name=locomo.name,
        questions=len(locomo.questions),
        left_out=locomo.left_out,
        arms=tuple(measured),
        declined=declined,
        recalls=kept,
        seconds=time.perf_counter() - begun,
    )


async def _lists(log: LogStore, arm: Arm, locomo: Locomo) -> dict[int, Sequence[Read]]:
    """What an arm returns, by number of turns: one list serves all numbers, but several searches share one number out."""
    now = {one.user: one.now for one in locomo.conversations}

    async def all_of(turns: int) -> list[Read]:
        found: list[Read] = []
        for question in locomo.questions:
            begun = time.perf_counter()
            messages = await search(log, arm, question, now[question.user], turns=turns)
            seconds = time.perf_counter() - begun
            found.append(read_messages(messages, seconds=seconds, calls=arm.searches))
        return found

    if arm.searches > 1:
        return {MAIN: await all_of(MAIN)}
    longest = await all_of(TURNS[-1])
    return dict.fromkeys(TURNS, longest)


async def _declined(log: LogStore, locomo: Locomo) -> Declined:
    speak = {one.user: {message.speaker for message in one.messages} for one in locomo.conversations}

    async def share(questions: Sequence[Question]) -> float:
        found = [
            await of_another(log, Principal(tenant=TENANT, user=q.user), q.text, speak[q.user]) is not None
            for q in questions
        ]
        return float(np.mean(found)) if found else 0.0

    return Declined(
        unanswerable=len(locomo.unanswerable),
        rightly=await share(locomo.unanswerable),
        wrongly=await share(locomo.questions),
    )
