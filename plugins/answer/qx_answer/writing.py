"""From passages to claims: the best sentences as they stand, or sentences of the profile's model, each with its quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from qx.context import Context
from qx.errors import QxError
from qx.text.normalise import similarity
from qx.text.numerals import fold_width, numbers
from qx_answer.asking import ask
from qx_answer.best_sentences import OFFERED, best_sentences
from qx_answer.claims import Claim, Source
from qx_answer.following import goes_on
from qx_answer.gaps import newest_first
from qx_answer.markers import without_markers
from qx_answer.prompts import CORRECT, WRITE, messages
from qx_answer.relevance import Question
from qx_answer.shares import prepared
from qx_answer.shown import as_data
from qx_answer.table_rows import is_rule
from qx_answer.values import ANSWERED, Draft, Open, Sentence
from qx_answer.verifier import as_read

WRITTEN = 1_200
"""Tokens that a model may write."""
_CLAIMS = 12
_ALIKE = 0.85
_NEXT = 0.8
"""Share of the best sentence's score from which on another one is added."""
_BESIDE = 0.25
"""Share of what its title does not say that a sentence must say to be shown where nothing answers."""
_ON = 2
"""Sentences that follow on the best one where a way or a reason is asked for."""


@dataclass(frozen=True, slots=True)
class Extractive:
    """The step ``write`` without a model: the best sentences, quoted and cited, none invented.

    Args:
        sentences: At most.
    """

    sentences: int

    async def __call__(self, draft: Draft, context: Context, /) -> tuple[Claim, ...]:
        """Return a claim for each hop that is answered, then what else answers the question."""
        if draft.refused:
            return ()
        sources = {source.id: source for source in draft.sources}
        texts = [prepared(passage.text) for passage in draft.passages]
        chosen: list[Sentence | Open] = []
        for one in draft.gaps.questions:
            if "{" in one.text and not one.answered:
                continue
            question = Question(one.text, texts, context.knowledge.synonyms, one.names)
            best = draft.gaps.best.get(one.part.id)
            if best is None:
                best = newest_first(best_sentences(question, sources, draft.passages), sources)
            hop = any(one.part.id in other.part.needs for other in draft.gaps.questions)
            if one.answered and hop:
                chosen.append(one)
            elif one.answered:
                first = next((s for s in best if (s.source_id, s.text) == (one.source_id, one.answered)), None)
                chosen += [one] if first is None else _several(question, first, best, self.sentences)
            elif not hop:
                chosen += [s for s in best[:2] if _may_be_offered(s, best)][:1]
        return _distinct(chosen)[: self.sentences]


def _may_be_offered(sentence: Sentence, best: Sequence[Sentence]) -> bool:
    """Whether a sentence that does not answer is shown where nothing does.

    Where titles name what is asked of, only what speaks of that.
    """
    subjects = frozenset[int]().union(*(one.about for one in best))
    speaks = not subjects or bool(subjects & (sentence.about | sentence.said))
    enough = sentence.coverage >= OFFERED and sentence.beside >= _BESIDE
    return sentence.named and enough and sentence.typed and speaks


def _several(question: Question, first: Sentence, best: Sequence[Sentence], most: int) -> list[Sentence]:
    """The best sentence, what follows on it where more is asked than a fact, and others that say something more."""
    found = [first]
    if question.expects in ("way", "reason"):
        on = sorted((s for s in best if s.source_id == first.source_id and s.start >= first.end), key=lambda s: s.start)
        end = first.end
        for sentence in on[:_ON]:
            if sentence.start - end > 4 or not sentence.prose or not goes_on(sentence.text, found[-1].text):
                break
            found.append(sentence)
            end = sentence.end
    said = set(first.said)
    for sentence in best:
        if len(found) >= most or sentence.score < first.score * _NEXT:
            break
        if _adds(sentence, found, said, question):
            found.append(sentence)
            said |= sentence.said
    return found


def _adds(sentence: Sentence, found: Sequence[Sentence], said: set[int], question: Question) -> bool:
    """Whether a sentence answers too and says more: another source of a fact, another side of what is no fact."""
    inside = any(s.source_id == sentence.source_id and s.start < sentence.end and sentence.start < s.end for s in found)
    if inside or not sentence.answers or not sentence.prose:
        return False
    if found[0].titled and not sentence.titled and sentence.itself < ANSWERED:
        return False  # the same of another thing, of which only its title speaks
    elsewhere = all(s.source_id != sentence.source_id for s in found)
    if question.expects in ("person", "place", "time", "number"):
        return elsewhere and sentence.itself >= found[0].itself * _NEXT
    return elsewhere or bool(sentence.said - said)


def _distinct(chosen: Sequence[Sentence | Open]) -> tuple[Claim, ...]:
    """As claims, each once: two that are nearly the same are one."""
    made: list[Claim] = []
    for one in chosen:
        if any(_is_within(one, other) for other in chosen):
            continue
        quote = one.text if isinstance(one, Sentence) else one.answered
        statement = said(as_read(quote))
        if not any(_is_same(statement, other.statement) for other in made):
            made.append(Claim(statement=statement, source_id=one.source_id, quote=quote))
    return tuple(made)


def _is_within(one: Sentence | Open, other: Sentence | Open) -> bool:
    """Whether another one of the same source quotes it, and more."""
    mine, theirs = (each.text if isinstance(each, Sentence) else each.answered for each in (one, other))
    return one.source_id == other.source_id and len(mine) < len(theirs) and mine in theirs


def _is_same(one: str, other: str) -> bool:
    """Whether two sentences say the same in nearly the same words: not where the one has another number."""
    return similarity(one, other) >= _ALIKE and _numbers(one) == _numbers(other)


def _numbers(text: str) -> set[float]:
    return {number.low for number in numbers(fold_width(text))}


def said(quote: str) -> str:
    """Return a quote as a sentence of its own: on one line, without the mark of a list; the rows of a table stay lines."""
    if quote.startswith("|") and "\n" in quote:
        return "\n".join(" ".join(line.split()) for line in quote.splitlines() if not is_rule(line))
    text = " ".join(quote.split())
    return text.lstrip("-*•·#> ").strip() or text


class WrittenClaim(BaseModel):
    """One sentence as a model writes it."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    statement: str
    source_id: str
    quote: str


class WrittenClaims(BaseModel):
    """All that a model writes."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    claims: tuple[WrittenClaim, ...]


def claims_schema(sources: Sequence[Source]) -> dict[str, Any]:
    """Return the JSON Schema of claims about ``sources``: the id of one is one of those that were shown."""
    text = {"type": "string", "minLength": 1}
    claim = {
        "type": "object",
        "properties": {
            "statement": text | {"maxLength": 600},
            "source_id": {"type": "string", "enum": [source.id for source in sources]},
            "quote": text | {"maxLength": 1200},
        },
        "required": ["statement", "source_id", "quote"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": claim, "maxItems": _CLAIMS}},
        "required": ["claims"],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class ByModel:
    """The step ``write`` with the profile's model; the best passages where it does not answer, which is reported.

    Args:
        instead: Writes where it does not.
    """

    instead: Extractive

    async def __call__(self, draft: Draft, context: Context, /) -> tuple[Claim, ...]:
        """Ask for claims; for corrected ones where some were refused."""
        data: dict[str, Any] = {
            "question": draft.question,
            "known": [
                {"asked": one.text, "answer": one.fact or one.answered} for one in draft.gaps.questions if one.answered
            ],
            "missing": [one.missing for one in draft.gaps.missing],
            "sources": as_data(draft.sources, draft.passages),
        }
        if draft.refused:
            data["refused"] = [
                {"statement": c.statement, "source_id": c.source_id, "quote": c.quote, "wrong": why}
                for c, why in draft.refused
            ]
        asked = messages(WRITE, data, draft.question, *((CORRECT,) if draft.refused else ()))
        try:
            found = await ask(context, WrittenClaims, asked, tokens=WRITTEN, schema=claims_schema(draft.sources))
        except QxError as error:
            if draft.refused:
                context.degrade("write", "without the correction", str(error))
                return ()
            context.degrade("write", "extractive", str(error))
            return await self.instead(draft, context)
        if not found.claims and not draft.refused and any(one.answered for one in draft.gaps.questions):
            context.degrade("write", "extractive", "the model wrote no sentence of what was found")
            return await self.instead(draft, context)
        return tuple(
            Claim(statement=without_markers(one.statement), source_id=one.source_id, quote=one.quote)
            for one in found.claims[:_CLAIMS]
        )
