"""A structured memory, as agents keep it: facts extracted from each session, embedded, and found by meaning.

By rules a fact is a statement of a message in which its speaker speaks of himself, or which names a number or a time: "I
ran a race yesterday" becomes "Melanie: Melanie ran a race yesterday. (25 May 2023)".  By a model it is what the model writes
down of a session.  Each fact knows the turns that it was made of, so that it can be scored like turns.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field

from qx.budget import Cost
from qx.embedder import EmbedRequest
from qx.errors import BadResponse
from qx.llm import CompletionRequest, Message
from qx.repair import parse_object
from qx.serial import value
from qx.text.tokens import estimate
from qx.types import Query
from qx_chatlog.evaluation.locomo import Conversation, Question
from qx_chatlog.evaluation.scoring import TURNS, Measured, Read, measure
from qx_chatlog.index.meaning import unit
from qx_chatlog.message import Message as Logged

if TYPE_CHECKING:
    from qx.engine import Engine

MOST: Final = 80
"""Facts that are looked at."""
_BATCH: Final = 32
_SECONDS: Final = 600.0
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_SELF = re.compile(r"[我咱]|\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our|us|we're|we've)\b", re.IGNORECASE)
_TELLS = re.compile(
    r"\d|[今昨明前后]天|[上下这]个?[周月]|[去今明]年|[一二两三四五六七八九十百千万]|\b(?:yesterday|today|tomorrow|last|next|ago|week|month|year)\b",
    re.IGNORECASE,
)
_FEWEST: Final = 4
"""Tokens of a fact."""
_PERSON: Final = (
    (r"\bI'm\b|\bI am\b", "{0} is"), (r"\bI've\b|\bI have\b", "{0} has"), (r"\bI'd\b", "{0} would"), (r"\bI'll\b", "{0} will"),
    (r"\bI was\b", "{0} was"), (r"\bI\b", "{0}"), (r"\b[Mm]y\b", "{0}'s"), (r"\b[Mm]ine\b", "{0}'s"), (r"\b[Mm]e\b", "{0}"),
    (r"\bmyself\b", "{0}"), (r"我(?!们)", "{0}"),
)  # fmt: skip


@value
class Fact:
    """Something to remember, and the turns it was made of."""

    text: str
    turns: frozenset[str]


def by_rules(messages: Sequence[Logged]) -> Iterator[Fact]:
    """Yield the facts of messages, each once."""
    known: set[str] = set()
    for message in messages:
        texts = [*_SENTENCE.split(message.content), *(f"shares a picture: {one.text}" for one in message.attachments)]
        for sentence in texts:
            if (fact := _fact(sentence, message)) is not None and fact not in known:
                known.add(fact)
                yield Fact(text=fact, turns=frozenset((message.id,)))


def _fact(sentence: str, message: Logged) -> str | None:
    plain = sentence.strip()
    shared = plain.startswith("shares a picture")
    if plain.endswith(("?", "？", "吗", "呢")) or estimate(plain) <= _FEWEST:
        return None
    if not (shared or _SELF.search(plain) or _TELLS.search(plain)):
        return None
    for pattern, person in _PERSON:
        plain = re.sub(pattern, person.format(message.who).replace("\\", "\\\\"), plain)
    said = f"{message.who} {plain}" if shared else f"{message.who}: {plain}"
    return f"{said} ({message.time:%d %B %Y})"


class _Written(BaseModel):
    fact: str
    turns: list[str] = Field(default_factory=list[str])


class _Facts(BaseModel):
    facts: list[_Written]


_SYSTEM: Final = (
    "You keep the memory of an assistant. You get one session of a chat as JSON: its date and its turns. Write down the facts "
    "worth remembering, one short sentence each, with the person's name instead of a pronoun and the date instead of 'yesterday', "
    'and the ids of the turns that say it: {"facts": [{"fact": "…", "turns": ["D1:3"]}]}. At most 15. Nothing else.'
)
_SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 15,
            "items": {
                "type": "object",
                "properties": {
                    "fact": {"type": "string", "maxLength": 160},
                    "turns": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 8}},
                },
                "required": ["fact", "turns"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}


async def by_model(engine: Engine, messages: Sequence[Logged], tell: Callable[[str], None]) -> list[Fact]:
    """Return the facts that a model writes down, session by session.

    Raises:
        BadResponse: it wrote nothing that can be read.
    """
    known = {message.id for message in messages}
    found: list[Fact] = []
    for session, turns in groupby(messages, key=lambda one: one.session):
        said = list(turns)
        data = {
            "date": f"{said[0].time:%d %B %Y}",
            "turns": [{"id": one.id, "speaker": one.speaker, "text": one.searched} for one in said],
        }
        context = engine.begin(
            Query(text=f"session {session}"), step="chat.eval", budget=engine.budget(Cost(seconds=_SECONDS))
        )
        request = CompletionRequest(
            model="",
            messages=(
                Message(role="system", content=_SYSTEM),
                Message(role="user", content=json.dumps(data, ensure_ascii=False)),
            ),
            schema=_SCHEMA if context.capabilities().schema else None,
            max_tokens=900,
            timeout=_SECONDS,
        )
        written = parse_object((await context.complete(request)).text, _Facts).value
        for one in written.facts if written else ():
            if cited := frozenset(one.turns) & known:
                found.append(Fact(text=one.fact, turns=cited))
        tell(f"memory: session {session}, {len(found)} facts")
    if not found:
        raise BadResponse("the model wrote down no fact that cites a turn: take --facts rules, or another model")
    return found


class Memory:
    """Facts of one user with their vectors."""

    def __init__(self, facts: Sequence[Fact], vectors: npt.NDArray[np.float64]) -> None:
        self._facts = facts
        self._vectors = vectors

    def find(self, query: npt.NDArray[np.float64]) -> list[Fact]:
        """Return the facts nearest in meaning, nearest first."""
        order = np.argsort(-(self._vectors @ query), kind="stable")[:MOST]
        return [self._facts[int(at)] for at in order]


@value
class Remembered:
    """The arm, and the facts that each question finds, nearest first."""

    measured: Measured
    found: Mapping[str, Sequence[Fact]]


async def run(
    engine: Engine,
    conversations: Sequence[Conversation],
    questions: Sequence[Question],
    facts: Mapping[str, Sequence[Fact]],
    *,
    name: str,
    plain: Mapping[str, float] | None,
    tell: Callable[[str], None],
) -> Remembered:
    """Measure a memory that holds ``facts`` of each user; the engine has an embedder."""
    memories: dict[str, Memory] = {}
    for one in conversations:
        texts = [fact.text for fact in facts[one.user]]
        memories[one.user] = Memory(facts[one.user], await _vectors(engine, texts, "document", tell))
    reads: list[Read] = []
    found: dict[str, Sequence[Fact]] = {}
    for number, question in enumerate(questions, 1):
        begun = time.perf_counter()
        (vector,) = await _vectors(engine, [question.text], "query", lambda _: None)
        facts_found = found[question.id] = memories[question.user].find(vector)
        seconds = time.perf_counter() - begun
        reads.append(
            Read(
                ids=tuple(fact.turns for fact in facts_found),
                tokens=tuple(estimate(fact.text) for fact in facts_found),
                seconds=seconds,
            )
        )
        tell(f"memory: question {number} of {len(questions)}")
    measured = measure(name, questions, dict.fromkeys(TURNS, reads), plain=plain)
    return Remembered(measured=measured, found=found)


async def _vectors(
    engine: Engine, texts: Sequence[str], kind: str, tell: Callable[[str], None]
) -> npt.NDArray[np.float64]:
    found: list[npt.NDArray[np.float64]] = []
    for start in range(0, len(texts), _BATCH):
        context = engine.begin(Query(text=""), step="chat.eval", budget=engine.budget(Cost(seconds=_SECONDS)))
        request = EmbedRequest(
            texts=tuple(texts[start : start + _BATCH]),
            kind="query" if kind == "query" else "document",
            timeout=_SECONDS,
        )
        found += [unit(vector) for vector in (await context.embed(request)).vectors]
        tell(f"memory: {len(found)} of {len(texts)} facts have vectors")
    return np.array(found)
