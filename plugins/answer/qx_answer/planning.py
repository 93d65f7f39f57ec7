"""The plan: the questions that a question consists of, by rules or by the profile's model."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field

from qx.context import Context
from qx.errors import QxError
from qx.text.normalise import fold
from qx_answer.asking import ask
from qx_answer.expects import expects
from qx_answer.hops import MOST, decompose
from qx_answer.prompts import PLAN, messages
from qx_answer.values import Part, Plan, Wanted


async def by_rules(question: str, context: Context, /) -> Plan:
    """Return the questions that ``question`` consists of, each after those whose facts it needs."""
    return decompose(question)


class PlannedPart(BaseModel):
    """One question of a model's plan; ``{1}`` in it is the answer of the first."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    text: str = Field(min_length=1, max_length=300)


class Planned(BaseModel):
    """A model's plan."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    parts: tuple[PlannedPart, ...] = Field(min_length=1, max_length=MOST)


async def by_model(question: str, context: Context, /) -> Plan:
    """Ask the profile's model; by rules where it does not answer, which is reported."""
    try:
        found = await ask(context, Planned, messages(PLAN, {"question": question}, question), tokens=300)
    except QxError as error:
        context.degrade("plan", "rules", str(error))
        return decompose(question)
    if len(found.parts) > 1 and any(_bare(one.text) == _bare(question) for one in found.parts):
        return decompose(question)  # the question beside a part, or a paraphrase, of it: nothing was taken apart
    parts: list[Part] = []
    for number, one in enumerate(found.parts, 1):
        needs = tuple(dict.fromkeys(re.findall(r"\{(\d)\}", one.text)))
        if not all(1 <= int(need) < number for need in needs):
            context.degrade("plan", "rules", "the model's plan has a question that waits for itself or for none")
            return decompose(question)
        parts.append(Part(id=str(number), text=one.text, expects=expects(one.text), needs=needs))
    if len(parts) == 1:
        parts = [Part(id="1", text=question, expects=expects(question))]
    return Plan(parts=tuple(parts))


def _bare(question: str) -> str:
    """A question without signs and spaces."""
    return "".join(character for character in fold(question) if character.isalnum())


async def queries(wanted: Wanted, context: Context, /) -> tuple[Wanted, ...]:
    """Return the queries for one query of the plan: itself, which the core understands and expands."""
    return (wanted,)


__all__ = ["by_model", "by_rules", "queries"]
