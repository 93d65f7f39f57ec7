"""The arms that need an engine: the planner, and a structured memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qx.errors import UsageError
from qx.serial import replace
from qx.types import Query
from qx_chatlog.asking.settings import AskSettings
from qx_chatlog.evaluation import planned, remembered, sheets
from qx_chatlog.evaluation.answers import held
from qx_chatlog.evaluation.arms import PLAIN
from qx_chatlog.evaluation.locomo import Locomo
from qx_chatlog.evaluation.running import Differing, Evaluation
from qx_chatlog.evaluation.scoring import MAIN

if TYPE_CHECKING:
    from qx.engine import Engine

_WITH_MODEL: Final = 20
"""Questions that a model is asked, unless it is said otherwise."""
_NONE: Final = 4
"""Of so many questions with an answer, one without is asked too."""
_FACTS: Final = 6
"""Of a memory, shown as its answer: as many as the planner without a model shows passages."""

Tell = Callable[[str], None]


def check(engine: Engine, *, memory: str | None, sheet: Path | None) -> None:
    """Raise ``UsageError`` where something is asked for that the profile lacks."""
    context = engine.begin(Query(text=""), step="chat.eval")
    if sheet is not None and not memory:
        raise UsageError("--sheet sets answers from the chats beside those from a memory: give --memory too")
    if memory and not context.has_embedder:
        raise UsageError("a memory is searched by meaning: name a profile with `embedder:` (--profile FILE)")
    if memory == "model" and not context.has_model:
        raise UsageError("--facts model: the profile names no model (`llm:`)")


async def further(
    engine: Engine,
    locomo: Locomo,
    made: Evaluation,
    *,
    ask: AskSettings | None = None,
    planner: int | None,
    memory: str | None,
    sheet: Path | None,
    tell: Tell,
) -> Evaluation:
    """Return ``made`` with what the engine adds.

    Args:
        ask: What the planner may spend on a question; None: what a profile that says nothing allows.

    Raises:
        UsageError: something is asked for that the profile lacks.
    """
    check(engine, memory=memory, sheet=sheet)
    begun = time.perf_counter()
    context = engine.begin(Query(text=""), step="chat.eval")
    count = (_WITH_MODEL if context.has_model or sheet else 0) if planner is None else planner
    plain = dict(made.recalls.get(PLAIN, {}))
    if count:
        made = await _with_planner(engine, locomo, made, count, plain, tell, ask)
    if memory:
        made, found = await _with_memory(engine, locomo, made, memory, plain, tell)
        if sheet is not None:
            pairs = _pairs(locomo, made, found)
            hidden = sheets.write(sheet, pairs)
            made = replace(
                made, notes=(*made.notes, f"{len(pairs)} pairs of answers in {sheet}, whose they are in {hidden}.")
            )
    return replace(made, seconds=made.seconds + time.perf_counter() - begun)


async def _with_planner(
    engine: Engine,
    locomo: Locomo,
    made: Evaluation,
    count: int,
    plain: dict[str, float],
    tell: Tell,
    ask: AskSettings | None,
) -> Evaluation:
    questions = planned.sample(locomo.questions, count)
    none = planned.sample(locomo.unanswerable, count // _NONE)
    found = await planned.ask_planner(
        engine, locomo, questions, unanswerable=none, settings=ask, plain=plain, tell=tell
    )
    return replace(
        made,
        sampled=(*made.sampled, found.measured),
        answers=(*made.answers, *found.answers),
        notes=(*made.notes, planned.said(found)),
    )


async def _with_memory(
    engine: Engine, locomo: Locomo, made: Evaluation, memory: str, plain: dict[str, float], tell: Tell
) -> tuple[Evaluation, remembered.Remembered]:
    conversations = locomo.conversations if memory == "rules" else locomo.conversations[:1]
    facts: dict[str, list[remembered.Fact]] = {}
    for one in conversations:
        if memory == "rules":
            facts[one.user] = list(remembered.by_rules(one.messages))
        else:
            facts[one.user] = await remembered.by_model(engine, one.messages, tell)
    questions = [question for question in locomo.questions if question.user in facts]
    name = f"memory by {'rules' if memory == 'rules' else 'a model'}"
    found = await remembered.run(engine, conversations, questions, facts, name=name, plain=plain, tell=tell)
    total = sum(map(len, facts.values()))
    turns = sum(len(one.messages) for one in conversations)
    shown = [held(_shown(found.found[question.id]), question) for question in questions]
    note = (
        f"{name}: {total:,} facts of {turns:,} turns; at so many facts instead of turns. The nearest {_FACTS} hold "
        f"{100 * sum(shown) / max(1, len(shown)):.1f} % of the words of the right answers, all of them for "
        f"{shown.count(1.0)} of {len(shown)} questions."
    )
    differing = tuple(_differing(locomo, made, found))
    return replace(made, sampled=(*made.sampled, found.measured), differing=differing, notes=(*made.notes, note)), found


def _shown(facts: Sequence[remembered.Fact]) -> str:
    return "\n".join(fact.text for fact in facts[:_FACTS])


def _differing(locomo: Locomo, made: Evaluation, found: remembered.Remembered) -> Iterator[Differing]:
    """Where planner and memory differ, with what each did."""
    questions = {question.id: question for question in locomo.questions}
    for one in made.answers:
        facts = found.found.get(one.id)
        if facts is None:
            continue
        evidence = questions[one.id].evidence
        remembered_turns = frozenset[str]().union(*(fact.turns for fact in facts[:MAIN]))
        chats, memory = (len(evidence & turns) / len(evidence) for turns in (set(one.ids[:MAIN]), remembered_turns))
        if chats != memory:
            yield Differing(
                id=one.id,
                chats=chats,
                memory=memory,
                searches=one.searches,
                read=one.ids[:MAIN],
                remembered=tuple("+".join(sorted(fact.turns)) for fact in facts[:MAIN]),
            )


def _pairs(locomo: Locomo, made: Evaluation, found: remembered.Remembered) -> list[sheets.Pair]:
    """The planner's answers beside what the memory holds nearest to the same questions."""
    questions = {question.id: question.text for question in locomo.questions}
    return [
        sheets.Pair(
            id=one.id,
            question=questions[one.id],
            answers={"chats": one.answer, "memory": _shown(found.found[one.id])},
        )
        for one in made.answers
        if one.id in found.found
    ]
