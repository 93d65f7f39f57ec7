"""The answer: written by a model from the messages that were found and checked, or the passages themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from qx.errors import BadResponse
from qx.llm import CompletionRequest, Message
from qx.repair import parse_object
from qx.serial import value
from qx.text.tokens import estimate
from qx_chatlog.asking import prompts, wording
from qx_chatlog.asking.claims import Claim, Draft, quoted, supported, verified
from qx_chatlog.asking.evidence import Evidence
from qx_chatlog.asking.question import Question
from qx_chatlog.asking.settings import AskSettings
from qx_chatlog.clipping import GAP, clip
from qx_chatlog.log import Log
from qx_chatlog.message import Message as Logged

_PASSAGE = 160
"""Tokens of a passage."""
_SHOWN = 6
"""Passages of an answer without a model."""


@value
class Written:
    """An answer.

    Attributes:
        claims: What it says and cites, those that do not hold among them, with their verdicts.
        found: Whether the log holds an answer.
        note: What was changed of a model's answer, and why.
    """

    answer: str
    claims: tuple[Claim, ...] = ()
    found: bool = True
    note: str = ""


class _Claim(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    statement: str = ""
    message_id: str = ""
    quote: str = ""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    found: bool = True
    answer: str = ""
    claims: list[_Claim] = Field(default_factory=list[_Claim])


async def write(
    log: Log,
    question: Question,
    evidence: Evidence,
    settings: AskSettings,
    facts: Sequence[Mapping[str, Any]] = (),
) -> Written:
    """Let the model answer from ``evidence``, and check what it cites.

    Raises:
        ProviderError, BudgetExceeded: it does not answer, or nothing that can be read.
    """
    tongue = prompts.tongue(question.chinese)
    payload = {"messages": _given(log, evidence, settings.tokens), "question": question.text}
    if facts:
        payload = {"facts": list(facts), **payload}
    payload["now"] = log.now.strftime("%Y-%m-%d %H:%M %A")
    request = CompletionRequest(
        model="",
        messages=(
            Message(role="system", content=prompts.WRITE[tongue]),
            Message(role="user", content=json.dumps(payload, ensure_ascii=False)),
        ),
        schema=answer_schema() if log.context.capabilities().schema else None,
        max_tokens=settings.answer_tokens,
        timeout=settings.seconds,
    )
    read = parse_object((await log.context.complete(request)).text, _Answer)
    if read.value is None or not (read.value.answer.strip() or read.value.claims):
        raise BadResponse(f"the model's answer cannot be read: {read.error or 'it is empty'}", step="chat.ask")
    return _settled(read.value, question, evidence)


def answer_schema() -> dict[str, Any]:
    """Return the JSON Schema of an answer."""
    claim = {
        "type": "object",
        "properties": {
            "statement": {"type": "string", "maxLength": 300},
            "message_id": {"type": "string", "maxLength": 200},
            "quote": {"type": "string", "maxLength": 300},
        },
        "required": ["statement", "message_id", "quote"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "found": {"type": "boolean"},
            "answer": {"type": "string", "maxLength": 1200},
            "claims": {"type": "array", "items": claim, "maxItems": 8},
        },
        "required": ["found", "answer", "claims"],
        "additionalProperties": False,
    }


def passages(
    log: Log,
    question: Question,
    anchors: Sequence[Logged],
    answers: Sequence[Logged] = (),
    changed: Sequence[Logged] = (),
    facts: Sequence[str] = (),
    another: str | None = None,
) -> Written:
    """Return the messages themselves as the answer, where no model writes one.

    Args:
        anchors: What the question speaks of, best first.
        answers: What followed.
        changed: What took something of it back; the last of them is said first.
        facts: What the user noted about it.
        another: Whose words they are, where the question takes them for somebody else's.
    """
    tongue = prompts.tongue(question.chinese)
    if not anchors and not facts:
        return Written(answer=prompts.NOTHING[tongue], found=False)
    words = question.searched.split()
    shown: list[Logged] = []
    lines: list[str] = []
    noted = [prompts.NOTED[tongue], *(f"- {fact}" for fact in facts)] if facts else []
    if not changed:
        lines, noted = noted, []
    theirs = [one for one in anchors if one.speaker == another] if another is not None and not changed else []
    anchors = theirs or anchors  # it is said of these
    said = _said_by(question, another if theirs else None)
    if question.then and answers:  # a story is told in its order
        anchors, answers = _story(anchors, answers), ()
    if changed:  # what is newer than the last correction is not what was said before
        last = max(one.time for one in changed)
        later = [one for one in anchors if one.time > last]
        answers = [*answers, *(one for one in later if one not in answers)]
        anchors = [one for one in anchors if one.time <= last]
    parts = (
        (prompts.CHANGED, list(reversed(changed))[:2]),
        (prompts.BEFORE if changed else said, [one for one in anchors if one not in changed]),
        (prompts.FOLLOWED, sorted(answers, key=lambda one: one.time)),
    )
    for heading, messages in parts:
        room = _SHOWN - (min(3, len(answers)) if heading is not prompts.FOLLOWED else 0)
        fresh = [one for one in messages if one not in shown][: max(1, room - len(shown))]
        if fresh:
            lines += [heading[tongue], *(f"- {passage(log, one, words)}" for one in fresh)]
            shown += fresh
        if heading is prompts.CHANGED:
            lines += noted
    return Written(answer="\n".join(lines), claims=tuple(_claim(one, words) for one in shown))


def _said_by(question: Question, another: str | None) -> Mapping[str, str]:
    """The heading of what was found: whose words it is, where the question takes it for somebody else's."""
    if another is not None:
        told = {"other": another, "named": question.people[0]}
        return {key: text.format(**told) for key, text in prompts.ANOTHERS.items()}
    if question.stranger:
        return {key: text.format(named=question.stranger) for key, text in prompts.STRANGERS.items()}
    return prompts.FOUND


def _story(anchors: Sequence[Logged], answers: Sequence[Logged]) -> list[Logged]:
    """What was asked about and what came of it, in the order of the talk."""
    kept = {one.id: one for one in (*anchors[:3], *answers[: _SHOWN - 2])}
    return sorted(kept.values(), key=lambda one: one.time)[:_SHOWN]


def passage(log: Log, message: Logged, words: Sequence[str] = ()) -> str:
    """Return a message as a line of an answer: when, who, its words, its id."""
    sent = message.time.astimezone(log.zone).strftime("%Y-%m-%d %H:%M")
    said = clip(message.content, _PASSAGE, words).replace("\n", " ")
    return f"{sent} {message.who}: {said} [{message.id}]"


def _claim(message: Logged, words: Sequence[str]) -> Claim:
    """A message's own words as a claim: the piece that is shown of it."""
    piece = max(clip(message.content, _PASSAGE, words).split(GAP.strip()), key=len).strip()
    return quoted(message, piece if piece and piece in message.content else None)


def _given(log: Log, evidence: Evidence, tokens: int) -> list[dict[str, str]]:
    """The best messages within ``tokens``, in the order of the talk, as the model is given them."""
    kept: list[Logged] = []
    left = tokens
    for message in evidence.best(60):
        cost = min(estimate(message.content), 400) + 30
        if cost > left:
            break
        kept.append(message)
        left -= cost
    kept.sort(key=lambda one: one.time)
    return [
        {
            "id": one.id,
            "time": one.time.astimezone(log.zone).strftime("%Y-%m-%d %H:%M %A"),
            "who": one.who,
            "role": one.role,
            "content": clip(one.content, 400),
            **({"changes": "yes"} if wording.CORRECTION.search(one.content) else {}),
        }
        for one in kept
    ]


def _settled(read: _Answer, question: Question, evidence: Evidence) -> Written:
    """The answer as far as it holds: where some claims do not, it is what the others say."""
    tongue = prompts.tongue(question.chinese)
    drafts = [Draft(statement=c.statement, message_id=c.message_id, quote=c.quote) for c in read.claims]
    claims = verified(drafts, evidence.messages)
    good = supported(claims)
    if not read.found and not good:
        return Written(answer=read.answer.strip() or prompts.NOTHING[tongue], found=False)
    if good and len(good) == len(claims) and read.answer.strip():
        return Written(answer=read.answer.strip(), claims=claims)
    if good:
        note = f"{len(claims) - len(good)} of {len(claims)} claims do not hold: the answer is what the others say"
        return Written(answer=" ".join(dict.fromkeys(one.statement for one in good)), claims=claims, note=note)
    return Written(answer="", claims=claims, found=False, note="no claim of the model's answer holds")
