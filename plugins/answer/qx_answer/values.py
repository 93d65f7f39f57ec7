"""The values that flow through an answer: plan, queries, hits, passages, open questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from qx.serial import empty, value
from qx.types import Hit, Outcome
from qx_answer.claims import Claim, Source

Expects: TypeAlias = Literal["person", "place", "time", "number", "reason", "way", "thing"]
Strategy: TypeAlias = Literal["asked", "next", "turned", "broader", "other-language", "premise"]
"""How a query came about: ``asked``: the question itself; ``next``: what a reader of the sources asked for; the others are
tried where that found nothing: another side of it, fewer conditions, the other language, what it takes for granted."""


ANSWERED = 0.6
"""Coverage from which on a sentence, with what it goes on from, is taken for an answer."""
ASKED = 0.45
"""Coverage that it must have besides the names."""
SAID = 0.85
"""Coverage of a sentence by its own words from which on no pattern is asked whether it has the kind of thing."""


@value
class Sentence:
    """One sentence of a source, against one question.

    Attributes:
        start, end: Of what is quoted: the sentence, with the one before it where only that names the thing.
        score: By which sentences are put in order.
        coverage: How much of the question it says with what it goes on from, 0..1.
        named: Whether every name of the question is there.
        itself: How much it says by its own words.
        asked: How much of the question it says with what it goes on from, names aside: Mira Oduya is in many sentences, and
            in few is where she was born.
        typed: Whether it has a thing of the kind that is asked for.
        prose: Whether it is a sentence, and no line of keywords, no heading and no signature.
        said: Indices of the terms that it says itself.
        titled: Whether the question has its source's title whole: it asks of that, and of no other.
        beside: How much it says of what its title does not.
        about: Indices of the terms that its source's title says.
    """

    source_id: str
    text: str
    start: int
    end: int
    score: float
    coverage: float
    itself: float
    asked: float
    named: bool
    typed: bool
    prose: bool
    said: frozenset[int]
    titled: bool = False
    beside: float = 1.0
    about: frozenset[int] = frozenset()

    @property
    def answers(self) -> bool:
        """Whether it is taken for an answer."""
        enough = self.coverage >= ANSWERED and self.asked >= ASKED
        return self.named and enough and (self.typed or self.itself >= SAID)


@value
class Part:
    """One question of a plan.

    Attributes:
        id: ``1``, ``2``, …; the text of a later one names it as ``{1}``, where the fact found for it is put.
        text: The question; ``{1}`` in it stands for the answer of part 1.
        expects: What kind of thing answers it.
        needs: Ids of the parts whose facts it waits for.
        phrase: What it asks for, described (``the airport of {1}``): stands for the fact where no source names it.
    """

    id: str
    text: str
    expects: Expects = "thing"
    needs: tuple[str, ...] = ()
    phrase: str = ""


@value
class Plan:
    """The questions to answer, each after those that it needs; the last one is what was asked."""

    parts: tuple[Part, ...]


@value
class Wanted:
    """One query to run, for one part.

    Attributes:
        entities: What it is about, as a planner names it in one language; empty: read from its words.
        near: Whether it may be asked in other words as well, which is one more search.
    """

    text: str
    part: str
    strategy: Strategy = "asked"
    entities: tuple[str, ...] = ()
    near: bool = False


@value
class Searched:
    """What a query brought.

    Attributes:
        outcome: ``ok``, or why the hits are of no use.
        backends: The engines that were asked, with what each found.
        near: What only other words for the same found, the best first: a reranker, which compares words, puts it last.
        calls: Searches that were made for it: two where other words were asked, too.
    """

    wanted: Wanted
    hits: tuple[Hit, ...] = ()
    outcome: Outcome = "ok"
    backends: Mapping[str, int] = field(default_factory=empty)
    near: tuple[Hit, ...] = ()
    calls: int = 1


@value
class Pool:
    """Hits of one round, each once, for one question."""

    question: str
    hits: tuple[Hit, ...]


@value
class Ranked:
    """The pool in order, cut to what will be read.

    Attributes:
        rung: How the order was made: ``rerank by lexical: took 50 of 50 hits``.
    """

    hits: tuple[Hit, ...]
    rung: str = ""


@value
class Cleaned:
    """What is left of some hits.

    Attributes:
        dropped: (id, reason) of what is not.
        outcome: ``spam`` where most of them were.
    """

    hits: tuple[Hit, ...]
    dropped: tuple[tuple[str, str], ...] = ()
    outcome: Outcome = "ok"


@value
class Passage:
    """A piece of a source that a writer may see.

    Attributes:
        start, end: Code points of the source's text, end exclusive.
        score: How much it speaks of the question, 0..1.
    """

    source_id: str
    text: str
    start: int
    end: int
    score: float = 0.0


@value
class Reading:
    """Sources, and the question that they are read for.

    Attributes:
        questions: What is asked of them; of several, each gets its share.
        tokens: How much of them may be selected.
        names: What is known to be a name in the questions.
    """

    questions: tuple[str, ...]
    sources: tuple[Source, ...]
    tokens: int
    names: tuple[str, ...] = ()


@value
class Open:
    """One question: asked, answered by which quote, or missing.

    Attributes:
        answered: The quote that answers it; empty: it is missing.
        source_id: Where the quote stands.
        fact: The thing that the quote says, where a later question builds on it.
        missing: What is not known, in words; empty where it is answered.
        names: Facts of earlier parts that its text has.
    """

    part: Part
    text: str
    answered: str = ""
    source_id: str = ""
    fact: str = ""
    missing: str = ""
    names: tuple[str, ...] = ()


@value
class Evidence:
    """What is known when the gaps are looked for.

    Attributes:
        language: Of the question: ``zh``, ``en``.
        passages: The selected passages, best first.
        searched: Queries that were run.
    """

    question: str
    language: str
    plan: Plan
    sources: tuple[Source, ...]
    passages: tuple[Passage, ...]
    searched: tuple[str, ...] = ()


@value
class Gaps:
    """The list of questions after reading, and what to search for next.

    Attributes:
        best: Id of a part -> its sentences, the best first, as far as they were looked for.
        spent: What was used up, so that no model could be asked: ``tokens``, ``calls``, ``money``; empty: nothing.
    """

    questions: tuple[Open, ...]
    next: tuple[Wanted, ...] = ()
    best: Mapping[str, tuple[Sentence, ...]] = field(default_factory=empty)
    spent: str = ""

    @property
    def missing(self) -> tuple[Open, ...]:
        """Those that are not answered."""
        return tuple(one for one in self.questions if not one.answered)


@value
class Draft:
    """What a writer is given.

    Attributes:
        refused: Claims of an earlier draft with what is wrong with each: for the one correction.
    """

    question: str
    language: str
    gaps: Gaps
    sources: tuple[Source, ...]
    passages: tuple[Passage, ...]
    refused: tuple[tuple[Claim, str], ...] = ()


@value
class Written:
    """Claims, and the sources that they may name."""

    claims: tuple[Claim, ...]
    sources: tuple[Source, ...]
