"""The searches of one answer, and whether another one would only repeat them.

A query is *similar* to an earlier one where it means nearly the same (by the embedder, with a threshold calibrated for
it; by its concepts without one) and its entities, numbers and negation are equal.  Entities are compared as concepts, so
that ``Python tutorial``, ``Python guide`` and ``Python 教程`` are one; ``staging port 8080`` and ``8081`` are two, and so
are ``always rebase`` and ``never rebase``.

A similar query is a *repeat* where the last such search brought nothing new.  The first repeat is refined: another
strategy takes its place.  One that differs in its language alone is run, and counts.  From the third on, searching stops.
All of the history is compared, so A-B-A-B is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from qx.serial import value
from qx.text import negation, quantities
from qx.text.language import identify
from qx.text.normalise import fold, simplified
from qx_answer import negations
from qx_answer.concepts import concept
from qx_answer.terms import concepts, terms
from qx_answer.vectors import cosine

Decision: TypeAlias = Literal["run", "refine", "stop"]
ENOUGH = 3
"""The similar query that is not run any more."""
LEXICAL = 0.75
"""Share of concepts in common from which two queries mean nearly the same, where there is no embedder."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ALWAYS = re.compile(r"\b(?:always|every time)\b|总是|始终|一直", re.IGNORECASE)


@value
class Signature:
    """What must be equal for two queries to be one.

    Attributes:
        entities: Names, identifiers and titles, as concepts.
        numbers: All numbers, with their units where they have one.
        negation: What is excluded; whether anything is.
    """

    entities: frozenset[str]
    numbers: frozenset[str]
    negation: frozenset[str]


@dataclass(slots=True)
class Entry:
    """One query of the history.

    Attributes:
        vector: By the embedder; None: there is none.
        results: Hits that it found.
        new: Hits among them that no earlier search had found.
        ran: Whether it was searched at all.
    """

    query: str
    language: str
    signature: Signature
    concepts: frozenset[str]
    vector: bytes | None = None
    results: int = 0
    new: int = 0
    ran: bool = False


@dataclass(slots=True)
class History:
    """All queries of one answer.

    Args:
        threshold: Cosine from which two vectors mean nearly the same.
    """

    threshold: float = 1.0
    entries: list[Entry] = field(default_factory=lambda: list[Entry]())

    def entry(self, query: str, vector: bytes | None = None, entities: tuple[str, ...] = ()) -> Entry:
        """Return the entry that ``query`` would be, not yet in the history."""
        return Entry(
            query=query,
            language="zh" if identify(query).startswith("zh") else "other",
            signature=signature(query, entities),
            concepts=concepts(query),
            vector=vector,
        )

    def decide(self, entry: Entry, *, before: int | None = None) -> Decision:
        """Put ``entry`` into the history, and say what is to become of it: ``run``, ``refine`` or ``stop``.

        Args:
            before: Compare with so many entries, the first ones; None: with all.
        """
        like = [one for one in self.entries[:before] if self.similar(one, entry)]
        decision = self._decided(entry, like)
        self.entries.append(entry)
        entry.ran = decision == "run"
        return decision

    def _decided(self, entry: Entry, like: list[Entry]) -> Decision:
        if not like:
            return "run"
        folded = fold(entry.query)
        asked = [one for one in like if fold(one.query) == folded]
        last = next((one for one in reversed(like) if one.ran), None)
        if not asked and last is not None and last.new:
            return "run" if len(like) + 1 < ENOUGH or _rises(like) else "stop"
        if len(like) + 1 >= ENOUGH:
            return "stop"
        if not asked and entry.language not in {one.language for one in like}:
            return "run"
        return "refine"

    def similar(self, a: Entry, b: Entry) -> bool:
        """Whether two queries mean nearly the same, with equal entities, numbers and negation."""
        if fold(a.query) == fold(b.query):
            return True
        if a.signature != b.signature:
            return False
        common = len(a.concepts & b.concepts) / max(len(a.concepts | b.concepts), 1)
        if a.vector is not None and b.vector is not None and common < 1:
            return cosine(a.vector, b.vector) >= self.threshold
        return common >= LEXICAL


def _rises(like: list[Entry]) -> bool:
    """Whether each of the searches before brought something new, so that one more is no repeat."""
    return all(one.new for one in like if one.ran)


def signature(query: str, entities: tuple[str, ...] = ()) -> Signature:
    """Return what must be equal in a repeat of ``query``.

    Args:
        entities: What it is about, where a planner has said so.
    """
    named = [term.text for term in terms(query) if term.name and not _NUMBER.fullmatch(term.text)]
    measured = quantities.find(query)
    numbers = {f"{one.low}:{one.high}:{one.unit}" for one in measured} if measured else set[str]()
    numbers |= set(_NUMBER.findall(simplified(fold(query))))
    denied = {concept(one.target) for one in negation.find(query)}
    if negations.denies(query):
        denied.add("not")
    if _ALWAYS.search(query):
        denied.add("always")
    return Signature(
        entities=frozenset(concept(one) for one in (entities or named)),
        numbers=frozenset(numbers),
        negation=frozenset(denied),
    )
