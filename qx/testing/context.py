"""A request's context without an engine: for tests of a strategy or a processor alone."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from functools import cache
from typing import Any, TypeVar

from qx.budget import Budget, Cost, RequestBudget
from qx.calls.fetching import Fetching
from qx.clock import Clock, SystemClock
from qx.domain import Knowledge, merge
from qx.embedder import Embedder, Embeddings, EmbedRequest
from qx.fetch import Fetcher
from qx.llm import Capabilities, Completion, CompletionRequest, Delta, LLMProvider
from qx.packs import load_pack
from qx.ranking import FirstPass, Ranking
from qx.report import Report
from qx.request import RequestContext
from qx.resources import Resources, Search
from qx.rules.understand import RuleUnderstanding
from qx.types import Hit, Query, SearchOptions, SearchResult, Understanding

T = TypeVar("T")


@cache
def general_knowledge() -> Knowledge:
    """Return what every engine knows: the built-in pack alone."""
    return merge([load_pack("qx.builtin:general/pack.yaml")])


@cache
def _general_rules() -> RuleUnderstanding:
    """The rules of the general pack, made once: it takes a while."""
    return RuleUnderstanding(general_knowledge())


class TestContext(RequestContext):
    """Implements ``Context`` for one request, with a model and an embedder of the test's choice.

    Args:
        query: What was asked.
        llm: The model; None: there is none.
        embedder: Likewise.
        knowledge: What the packs say; the general pack's where it is not given.
        seconds, calls, tokens: What the request may spend; None: as much as it likes.
        clock: The time; the system's where it is not given.
        options: Which part of the list is wanted.
        first_pass: The raw query's lists.
        fetcher: Reads pages; None: there are none.
        search: Told a query and a limit, what is found, best first; None: nothing can be searched.

    Attributes:
        events: (name, attributes) of all that was emitted.
        report: ``degraded``, ``notes`` and ``spans`` so far.
    """

    __test__ = False  # pytest must not take it for a class of tests

    def __init__(
        self,
        query: str | Query = "red shoes",
        *,
        llm: LLMProvider | None = None,
        embedder: Embedder | None = None,
        knowledge: Knowledge | None = None,
        seconds: float | None = 10.0,
        calls: int | None = None,
        tokens: int | None = None,
        clock: Clock | None = None,
        options: SearchOptions | None = None,
        first_pass: FirstPass | None = None,
        fetcher: Fetcher | None = None,
        search: Callable[[Query, int], Sequence[Hit]] | None = None,
    ) -> None:
        time = clock or SystemClock()
        resources = Resources(
            tenant="test",
            clock=time,
            knowledge=knowledge or general_knowledge(),
            executor=ThreadPoolExecutor(max_workers=1),  # it starts no thread before its first work
            fetching=None if fetcher is None else Fetching(_making(fetcher), concurrency=16, redact=str),
            search=None if search is None else _searching(search),
        )
        budget: Budget = RequestBudget(Cost(seconds=seconds, calls=calls, tokens=tokens), time.monotonic)
        super().__init__(
            resources,
            Query(text=query) if isinstance(query, str) else query,
            budget,
            step="",
            trace="test",
            began=time.monotonic(),
            report=Report(),
            options=options,
            first_pass=first_pass,
        )
        self._llm = llm
        self._embedder = embedder
        self.events: list[tuple[str, Mapping[str, Any]]] = []

    @property
    def has_model(self) -> bool:
        return self._llm is not None

    @property
    def has_embedder(self) -> bool:
        return self._embedder is not None

    @property
    def embedder_fingerprint(self) -> str | None:
        return None if self._embedder is None else self._embedder.fingerprint

    def understood(self) -> Understanding:
        """Return what rules make of the query."""
        own = self.knowledge is not general_knowledge()
        rules = RuleUnderstanding(self.knowledge) if own else _general_rules()
        return rules.understand(self.query, now=self.clock.now(), zone=UTC)

    def capabilities(self, tier: str | None = None, /) -> Capabilities:
        return self._model().capabilities("")

    async def complete(self, request: CompletionRequest, /, *, tier: str | None = None) -> Completion:
        lease = await self.budget.reserve(Cost(calls=1))
        completion = await self._model().complete(request)
        lease.settle(Cost(calls=1, tokens=completion.usage.input_tokens + completion.usage.output_tokens))
        self.report.usage += completion.usage
        return completion

    async def stream(self, request: CompletionRequest, /, *, tier: str | None = None) -> AsyncGenerator[Delta]:
        completion = await self.complete(request, tier=tier)
        for word in re.findall(r"\S+\s*|\s+", completion.text):
            yield Delta(text=word)
        yield Delta(usage=completion.usage, finish=completion.finish)

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        if self._embedder is None:
            raise LookupError("give TestContext an `embedder` to embed")
        made = await self._embedder.embed(request)
        self.report.usage += made.usage
        return made

    async def run_cpu(self, function: Callable[[], T], /) -> T:
        return function()

    def emit(self, name: str, /, *, content: Mapping[str, Any] | None = None, **attributes: Any) -> None:
        self.events.append((name, attributes))

    def _model(self) -> LLMProvider:
        if self._llm is None:
            raise LookupError("give TestContext an `llm` to ask a model")
        return self._llm


def _making(fetcher: Fetcher) -> Callable[[], Awaitable[Fetcher]]:
    async def make() -> Fetcher:
        return fetcher

    return make


def _searching(search: Callable[[Query, int], Sequence[Hit]]) -> Search:
    async def run(context: RequestContext, expand: bool) -> SearchResult:
        return SearchResult(hits=tuple(search(context.query, context.options.limit))[: context.options.limit])

    return run


def ranked(*hits: Hit, scores: Sequence[float] | None = None) -> Ranking:
    """Return the fused list of these hits, best first; their ids are the keys."""
    falling = [1 / (60 + rank) for rank in range(1, len(hits) + 1)]
    return Ranking(
        query=None,
        backend=None,
        keys=tuple(hit.id for hit in hits),
        scores=tuple(falling if scores is None else scores),
        hit=hits.__getitem__,
    )
