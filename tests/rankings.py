"""Ranked lists and a context for hit processors, for the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from qx.budget import Cost
from qx.embedder import Embeddings, EmbedRequest
from qx.llm import Completion, CompletionRequest
from qx.ranking import Ranking
from qx.testing import FakeEmbedder
from qx.types import Hit, Query, Usage

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def hit(id: str = "1", **parts: Any) -> Hit:
    return Hit(id=id, backend=parts.pop("backend", "main"), **parts)


def listed(*hits: Hit, **parts: Any) -> Ranking:
    """A fused list of ``hits``, whose keys are their ids."""
    scores = tuple(parts.pop("scores", [1 / (60 + rank) for rank in range(1, len(hits) + 1)]))
    return Ranking(
        query=None, backend=None, keys=tuple(h.id for h in hits), scores=scores, hit=hits.__getitem__, **parts
    )


class FakeContext:
    """As much of a ``Context`` as hit processors use; what they report is kept."""

    def __init__(
        self,
        text: str = "query",
        *,
        seconds: float | None = 10.0,
        answer: str | Exception = "",
        embedder: Any = None,
        monotonic: Callable[[], float] = lambda: 0.0,
        has_model: bool = True,
        **query: Any,
    ) -> None:
        self.query = Query(text=text, **{"now": NOW} | query)
        self.budget = SimpleNamespace(remaining=lambda: Cost(seconds=seconds))
        self.clock = SimpleNamespace(now=lambda: NOW, monotonic=monotonic)
        self.has_model = has_model
        self.vocabulary = None
        self.degraded: list[tuple[str, str, str]] = []
        self.events: list[tuple[str, Mapping[str, Any]]] = []
        self.requests: list[CompletionRequest] = []
        self.embedded: list[EmbedRequest] = []
        self._answer = answer
        self._embedder = embedder or FakeEmbedder()

    async def complete(self, request: CompletionRequest, /, **_: object) -> Completion:
        self.requests.append(request)
        if isinstance(self._answer, Exception):
            raise self._answer
        return Completion(text=self._answer, usage=Usage(calls=1), model="fake")

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        self.embedded.append(request)
        return await self._embedder.embed(request)

    async def run_cpu(self, function: Callable[[], Any], /) -> Any:
        return function()

    def degrade(self, step: str, rung: str, reason: str, /) -> None:
        self.degraded.append((step, rung, reason))

    def emit(self, name: str, /, **attributes: Any) -> None:
        self.events.append((name, attributes))


async def made(processor: Any, services: Any, /, **options: Any) -> Any:
    """The processor as an engine makes it."""
    return await processor.create(processor.Settings.model_validate(options), services)


def keys(ranking: Ranking) -> str:
    return " ".join(ranking.keys)


def consistent(ranking: Ranking, hits: Sequence[Hit]) -> bool:
    """Whether keys, scores and hits of a list still belong together, and the scores fall."""
    by_id = {h.id: h for h in hits}
    same = all(ranking.hit(i) == by_id[key] for i, key in enumerate(ranking.keys))
    return same and len(ranking.scores) == len(ranking.keys) and list(ranking.scores) == sorted(ranking.scores)[::-1]
