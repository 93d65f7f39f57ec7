"""The processor ``fit``: how well each query fits what was asked; orders, cuts, and writes the score into ``why``.

``rules`` weighs what the query keeps (intent, core entities, constraints), what it brings in, and its length;
``embedding`` takes the nearness of meaning to the original; ``llm`` lets the model choose one of four labels for each.
All scores are 0..1.  The original stays first and is neither scored nor cut.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field

from qx.embedder import EmbedRequest
from qx.errors import BadResponse
from qx.grading import grade
from qx.model import Model
from qx.rules.fit import LENGTH, POOR, scorer
from qx.rules.protection import base_text
from qx.serial import replace
from qx.types import Dropped, Expansion, Query, SubQuery

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services


SURE, DOUBTED = 0.8, 0.1
"""Below the one score, by rules, a query's hits weigh the other share of what they would: "notebook computer stand" finds
computers rather than stands for a laptop.  Measured on the product set of ``benchmarks/results.py``."""


class Grade(StrEnum):
    """The labels that a model may choose."""

    exact = "exact"
    good = "good"
    weak = "weak"
    foreign = "foreign"


_WORTH: Mapping[Grade, float] = {Grade.exact: 1.0, Grade.good: 0.75, Grade.weak: 0.4, Grade.foreign: 0.0}
_TASK = (
    "Grade how well each candidate search query serves the user's query: exact (same request), good (a useful side of "
    "it), weak (loosely related), foreign (another request)."
)


class FitSettings(Model):
    """``threshold``: queries that score less are cut (0 cuts none).  ``length``: characters from which one is too long."""

    by: Literal["rules", "embedding", "llm"] = "rules"
    threshold: float = Field(default=0.3, ge=0, le=1)
    length: int = Field(default=LENGTH, ge=8)
    keep_order: bool = True
    """Only sink those that fit poorly; the others keep their order, in which the strategies alternate."""


class Fit:
    """Registered as ``fit`` through ``qx_post_processors``."""

    Settings = FitSettings

    def __init__(self, settings: FitSettings) -> None:
        self._settings = settings

    @classmethod
    async def create(cls, settings: FitSettings, services: Services, /) -> Self:
        """Make the processor; it holds nothing but its settings."""
        del services
        return cls(settings)

    async def process_queries(self, expansion: Expansion, context: Context, /) -> Expansion:
        """Score all queries but the original.

        Raises:
            ProviderError: ``by: embedding`` or ``llm`` and the call failed; the engine goes on without the processor.
            BudgetExceeded: nothing is left for the call.
        """
        original, candidates = expansion.queries[:1], expansion.queries[1:]
        if not candidates:
            return expansion
        scores = await self._scores(expansion, candidates, context)
        kept: list[tuple[float, int, SubQuery]] = []
        cut: list[Dropped] = []
        for at, (query, fit) in enumerate(zip(candidates, scores, strict=True)):
            if fit < self._settings.threshold:
                reason = f"fits the query too little: {fit:.2f} < {self._settings.threshold:.2f}"
                cut.append(Dropped(text=query.text, reason=reason, strategy=query.strategy))
            else:
                told = replace(query, why=f"{query.why} [{fit:.2f}]".strip(), weight=self._weight(query, fit))
                kept.append((self._level(fit), at, told))
        kept.sort(key=lambda item: (-item[0], item[1]))
        return replace(
            expansion, queries=(*original, *(query for _, _, query in kept)), dropped=(*expansion.dropped, *cut)
        )

    def _weight(self, query: SubQuery, fit: float) -> float:
        """What its hits weigh: one that loses or loosens a part of the query must not reorder what the query found."""
        return query.weight * DOUBTED if self._settings.by == "rules" and fit < SURE else query.weight

    def _level(self, fit: float) -> float:
        """What to order by."""
        return float(fit >= POOR) if self._settings.keep_order else fit

    async def _scores(self, expansion: Expansion, candidates: Sequence[SubQuery], context: Context) -> list[float]:
        query = Query(text=expansion.original)
        if self._settings.by == "embedding":
            return await self._by_meaning(base_text(query, expansion.understanding), candidates, context)
        if self._settings.by == "llm":
            return await self._by_model(base_text(query, expansion.understanding), candidates, context)
        judge = scorer(query, expansion.understanding, context.knowledge, length=self._settings.length)
        return [judge.score(candidate) for candidate in candidates]

    async def _by_meaning(self, text: str, candidates: Sequence[SubQuery], context: Context) -> list[float]:
        texts = (text, *(c.text for c in candidates))
        vectors = (await context.embed(EmbedRequest(texts=texts))).vectors
        if len(vectors) != len(texts):
            raise BadResponse(
                f"fit: the embedder returned {len(vectors)} vectors for {len(texts)} texts", step="expand"
            )
        return [_cosine(vectors[0], vector) for vector in vectors[1:]]

    async def _by_model(self, text: str, candidates: Sequence[SubQuery], context: Context) -> list[float]:
        texts = {f"q{nth}": candidate.text for nth, candidate in enumerate(candidates, 1)}
        found = await grade(context, _TASK, texts, [label.value for label in Grade], query=text, called="candidates")
        if len(found) < len(texts):
            raise BadResponse(f"fit: the model graded {len(found)} of {len(texts)} queries", step="expand")
        return [_WORTH[Grade(found[id_])] for id_ in texts]

    async def aclose(self) -> None:
        """Nothing to close."""


def _cosine(a: bytes, b: bytes) -> float:
    """The cosine of two float32 vectors, negative ones as 0."""
    if len(a) != len(b) or not a:
        raise BadResponse("fit: the embedder's vectors have unlike lengths", step="expand")
    x, y = (struct.unpack(f"<{len(v) // 4}f", v) for v in (a, b))
    norm = math.sqrt(sum(v * v for v in x) * sum(v * v for v in y))
    return max(0.0, min(1.0, sum(p * q for p, q in zip(x, y, strict=True)) / norm)) if norm else 0.0


__all__ = ["Fit", "FitSettings", "Grade"]
