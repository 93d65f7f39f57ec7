"""The processor ``near-duplicates``: of hits (or queries) that say nearly the same, the better ranked one stays.

Compared are title and text together (``qx.builtin.likeness``).  Hits whose titles differ in a number are never taken for
one: ``iPhone 15 128 GB`` and ``iPhone 15 256 GB`` are two products.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from pydantic import Field

from qx.builtin import likeness
from qx.model import Model
from qx.ranking import Ranking
from qx.rules.likeness import added, likening
from qx.serial import replace
from qx.text import negation
from qx.text.normalise import similarity
from qx.types import Dropped, Expansion, Hit, SubQuery

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services

_NUMBER = re.compile(r"\d+")
_SAME_QUERY = 0.92
"""Likeness of two queries' words from which on they are one."""
_IN_LOOP = 200
"""Up to so many hits are compared at once in the event loop: it takes a few milliseconds."""


class Settings(Model):
    """The settings of ``{type: near-duplicates}`` under ``search.processors``."""

    threshold: float = Field(default=0.8, gt=0, le=1)
    """Share of what two hits say that must be common, 0..1."""
    top: int = Field(default=1000, ge=2)
    """Hits that are looked at; those below are kept."""


class NearDuplicates:
    """Registered as ``near-duplicates`` through ``qx_post_processors``."""

    Settings = Settings

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor and import what it hashes with."""
        await services.run_cpu(likeness.load)
        return cls(settings)

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Drop hits that nearly repeat a better ranked one; the reason names it."""
        hits = [ranking.hit(i) for i in range(min(self._settings.top, len(ranking.keys)))]
        if len(hits) <= _IN_LOOP:
            found = self._repeats(hits)
        else:
            found = await context.run_cpu(lambda: self._repeats(hits))
        if not any(found):
            return ranking
        dropped = [
            (ranking.keys[i], f"near-duplicate of {ranking.keys[one[0]]} ({one[1]:.2f})")
            for i, one in enumerate(found)
            if one is not None
        ]
        kept = [i for i in range(len(ranking.keys)) if i >= len(found) or found[i] is None]
        return replace(ranking.pick(kept), dropped=(*ranking.dropped, *dropped))

    async def process_queries(self, expansion: Expansion, context: Context, /) -> Expansion:
        """Drop queries that nearly repeat an earlier one. The original stays."""
        kept: list[SubQuery] = []
        dropped: list[Dropped] = []
        for query in expansion.queries:
            near = next((k for k in kept if _one_query(k.text, query.text) and not _other(k, query, context)), None)
            if near is None:
                kept.append(query)
            else:
                reason = f"near-duplicate of “{near.text}”"
                dropped.append(Dropped(text=query.text, reason=reason, strategy=query.strategy))
        return replace(expansion, queries=tuple(kept), dropped=(*expansion.dropped, *dropped))

    def _repeats(self, hits: Sequence[Hit]) -> list[tuple[int, float] | None]:
        def same(one: int, other: int) -> bool:
            return _numbers(hits[one]) == _numbers(hits[other])

        texts = [f"{hit.title} \n {hit.text}" for hit in hits]
        return likeness.repeats(texts, threshold=self._settings.threshold, allowed=same)

    async def aclose(self) -> None:
        """Nothing to close."""


def _one_query(one: str, other: str) -> bool:
    """Whether two queries ask the same: their words nearly do, and what no query may change they have in common."""
    if sorted(_NUMBER.findall(one)) != sorted(_NUMBER.findall(other)):
        return False
    if negation.protected(one) != negation.protected(other):
        return False
    return similarity(one, other) >= _SAME_QUERY


def _other(kept: SubQuery, query: SubQuery, context: Context) -> bool:
    """Whether ``query`` is no repetition of the original though it looks like it: a correction, or it adds a word."""
    if kept.strategy != "original":
        return False
    wording = likening(context.knowledge.lexicon)
    return query.strategy == "spelling" or added(wording(query.text), wording(kept.text), context.knowledge)


def _numbers(hit: Hit) -> list[str]:
    """The numbers of a title, which name models and sizes; of the text where there is no title."""
    return sorted(_NUMBER.findall(hit.title or hit.text))


__all__ = ["NearDuplicates", "Settings"]
