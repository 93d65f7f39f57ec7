"""Ranked lists as the steps pass them on: keys and scores, and hits that are made only when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol, runtime_checkable

from qx.serial import empty, replace, value
from qx.types import Hit, ListReport, Outcome, SubQuery


@value
class Unreadable(Hit):
    """Stands where an engine named a hit and then could not make it: the list goes on, the result leaves it out.

    ``reason`` says why, for people.
    """

    reason: str = ""


@value
class Ranking:
    """One sub-query on one backend, or the fused list (``query`` and ``backend`` None).

    Attributes:
        keys: Identity keys, best first, each once: two hits with one key are one thing.
        scores: One for each key.
        hit: Makes the hit at an index; costs only when called.
        report: What came of the call; None for fused lists.
        frequencies: Word -> number of documents, as far as the engines reported it.
        documents: How many documents there are, where an engine reported it with the frequencies.
        facets, total: As the engine gave them, or added up.
        dropped: (key, reason) of what processors took out.
        outcome, notes: What processors found out about the list as a whole.
    """

    query: SubQuery | None
    backend: str | None
    keys: tuple[str, ...]
    scores: tuple[float, ...]
    hit: Callable[[int], Hit]
    report: ListReport | None = None
    frequencies: Mapping[str, int] = field(default_factory=empty)
    documents: int | None = None
    facets: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=empty)
    total: int | None = None
    dropped: tuple[tuple[str, str], ...] = ()
    outcome: Outcome = "ok"
    notes: tuple[str, ...] = ()

    @classmethod
    def none(cls, report: ListReport | None = None, *, total: int | None = None, outcome: Outcome = "ok") -> Ranking:
        """Return a list without hits, that of the call ``report`` tells of; None: of no call."""
        query, backend = (None, None) if report is None else (report.query, report.backend)
        return cls(
            query=query, backend=backend, keys=(), scores=(), hit=_no_hit, report=report, total=total, outcome=outcome
        )

    @property
    def is_original(self) -> bool:
        """Whether this is a list of the original query."""
        return self.query is not None and self.query.strategy == "original"

    def pick(self, indices: Sequence[int], scores: Sequence[float] | None = None) -> Ranking:
        """Return this ranking with only (and in the order of) the hits at ``indices``, with new ``scores`` if given."""
        inner, chosen = self.hit, tuple(indices)

        def hit(index: int) -> Hit:
            return inner(chosen[index])

        return replace(
            self,
            keys=tuple(map(self.keys.__getitem__, chosen)),
            scores=tuple(map(self.scores.__getitem__, chosen)) if scores is None else tuple(scores),
            hit=hit,
        )


def _no_hit(index: int) -> Hit:
    raise IndexError(index)


class FirstPass(Protocol):
    """The raw query's lists, searched while the model thinks."""

    @property
    def asked(self) -> str:
        """What was asked of which backend, words and filters, to tell whether it is the same as something else."""
        ...

    async def rankings(self) -> tuple[Ranking, ...]:
        """Wait for the lists: one for each backend, and one more where it was searched by meaning too."""
        ...

    async def by_words(self) -> tuple[Ranking, ...]:
        """Wait for the lists by words alone: they are there before any vector is made."""
        ...


@runtime_checkable
class Fusion(Protocol):
    """Registered by name through ``qx_fusions``; chosen by ``search.fusion``."""

    def fuse(self, rankings: Sequence[Ranking], weights: Sequence[float], /) -> Ranking:
        """Merge lists into one.

        Raises:
            UsageError: the weights are all zero, negative, or not one for each list.
        """
        ...
