"""What is answered after reading, by which quote, and what is missing: by rules or by the profile's model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from qx.context import Context
from qx.errors import BudgetExceeded, QxError
from qx.serial import replace
from qx_answer.asking import ask
from qx_answer.best_sentences import best_sentences
from qx_answer.claims import Source
from qx_answer.editions import later_first
from qx_answer.facts import fact
from qx_answer.prompts import GAPS, messages
from qx_answer.relevance import Question
from qx_answer.shares import prepared
from qx_answer.shown import as_data
from qx_answer.values import Evidence, Gaps, Open, Part, Plan, Sentence, Wanted

_TRIED = 6
"""Sentences that a fact is looked for in."""
_NEAR = 0.06
"""Scores so near that the newer source comes first."""


def filled(text: str, facts: Mapping[str, str]) -> str | None:
    """Return a part's text with the facts that it needs; None where one is not known yet."""
    needed = re.findall(r"\{(\d)\}", text)
    if any(one not in facts for one in needed):
        return None
    return re.sub(r"\{(\d)\}", lambda match: facts[match[1]], text)


async def by_rules(evidence: Evidence, context: Context, /) -> Gaps:
    """Look for the sentence that answers each part, and put the fact of one into the next."""
    sources = {source.id: source for source in evidence.sources}
    texts = [prepared(passage.text) for passage in evidence.passages]
    facts: dict[str, str] = {}
    found: list[Open] = []
    sentences: dict[str, tuple[Sentence, ...]] = {}
    for part in evidence.plan.parts:
        text = filled(part.text, facts)
        if text is None:
            found.append(_waiting(part, evidence.plan, facts))
            continue
        known = {one.part.id for one in found if one.fact}
        names = tuple(facts[need] for need in part.needs if need in known)
        question = Question(text, texts, context.knowledge.synonyms, names)
        best = newest_first(best_sentences(question, sources, evidence.passages), sources)
        sentences[part.id] = tuple(best)
        made = replace(_answered(part, text, best, sources, _is_needed(part, evidence.plan)), names=names)
        if made.fact:
            facts[part.id] = made.fact
        elif part.phrase and not made.answered and (described := filled(part.phrase, facts)) is not None:
            facts[part.id] = described  # nobody may name it, and yet say what is asked of it
        found.append(made)
    return Gaps(questions=_needless_left_out(found), best=sentences)


def _needless_left_out(found: Sequence[Open]) -> tuple[Open, ...]:
    """Without what nobody names, where what was asked of it is answered all the same."""
    answered = {need for one in found if one.answered for need in one.part.needs}
    return tuple(one for one in found if one.answered or one.part.id not in answered)


def _is_needed(part: Part, plan: Plan) -> bool:
    return any(part.id in other.needs for other in plan.parts)


def _waiting(part: Part, plan: Plan, facts: Mapping[str, str]) -> Open:
    known = {one.id: one for one in plan.parts}
    waits = [known[need].text for need in part.needs if need not in facts and need in known]
    return Open(part=part, text=part.text, missing=" / ".join(waits))


def _answered(part: Part, text: str, best: Sequence[Sentence], sources: Mapping[str, Source], needed: bool) -> Open:
    answering = [one for one in best[: _TRIED * 2] if one.answers][:_TRIED]
    for one in answering:
        said = fact(text, one.text, part.expects, sources[one.source_id].title or "") if needed else ""
        if said or not needed:
            return Open(part=part, text=text, answered=one.text, source_id=one.source_id, fact=said)
    return Open(part=part, text=text, missing=text)


def newest_first(found: Sequence[Sentence], sources: Mapping[str, Source]) -> list[Sentence]:
    """Return sentences in their order, but first that of the newest source among those that answer about as well.

    What a source says that replaces another one comes before what that one says.
    """
    if not found:
        return []
    near = [one for one in found if one.answers and one.score >= found[0].score - _NEAR]
    dated = [one for one in near if sources[one.source_id].published]
    if len(dated) < 2:
        return later_first(found, sources)
    first = max(dated, key=lambda one: sources[one.source_id].published or "")
    return later_first([first, *(one for one in found if one is not first)], sources)


class Judged(BaseModel):
    """What a model says of one question."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    id: str
    answered: bool = False
    quote: str = ""
    source_id: str = ""
    fact: str = Field(default="", max_length=200)


class Proposed(BaseModel):
    """A query that a model proposes."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    query: str = Field(min_length=1, max_length=300)
    entities: tuple[str, ...] = Field(default=(), max_length=6)


class Seen(BaseModel):
    """What a model says of the passages."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    questions: tuple[Judged, ...]
    next: tuple[Proposed, ...] = Field(default=(), max_length=3)


@dataclass(frozen=True, slots=True)
class ByModel:
    """The step ``gaps`` with the profile's model; by rules where it does not answer, which is reported."""

    async def __call__(self, evidence: Evidence, context: Context, /) -> Gaps:
        """Ask once.  A quote that is in no source that was shown answers nothing."""
        ruled = await by_rules(evidence, context)
        if not evidence.passages:
            return ruled
        data = {
            "question": evidence.question,
            "questions": [{"id": part.id, "text": part.text} for part in evidence.plan.parts],
            "searched": list(evidence.searched),
            "sources": as_data(evidence.sources, evidence.passages),
        }
        try:
            seen = await ask(context, Seen, messages(GAPS, data, evidence.question), tokens=700)
        except QxError as error:
            context.degrade("gaps", "rules", str(error))
            return replace(ruled, spent=error.of) if isinstance(error, BudgetExceeded) else ruled
        return _merged(evidence, ruled, seen)


def _merged(evidence: Evidence, ruled: Gaps, seen: Seen) -> Gaps:
    """What the model says, in the plan's order; the facts are put into the parts that wait for them."""
    by_id = {one.id: one for one in seen.questions}
    texts = {source.id: prepared(source.text).folded for source in evidence.sources}
    facts: dict[str, str] = {}
    found: list[Open] = []
    for part in evidence.plan.parts:
        said = by_id.get(part.id)
        text = filled(part.text, facts)
        if text is None:
            found.append(_waiting(part, evidence.plan, facts))
            continue
        names = tuple(facts[need] for need in part.needs)
        quoted = said is not None and bool(said.quote.strip()) and said.source_id in texts
        if said is not None and said.answered and quoted and prepared(said.quote).folded in texts[said.source_id]:
            made = Open(
                part=part,
                text=text,
                answered=said.quote,
                source_id=said.source_id,
                fact=said.fact.strip(),
                names=names,
            )
        else:
            made = Open(part=part, text=text, missing=text, names=names)
        if made.fact:
            facts[part.id] = made.fact
        found.append(made)
    missing = next((one.part.id for one in found if not one.answered), "")
    proposed = [
        Wanted(
            text=one.query, part=missing, strategy="next", entities=tuple(e.strip().casefold() for e in one.entities)
        )
        for one in seen.next
    ]
    return replace(ruled, questions=tuple(found), next=tuple(proposed) if missing else ())
