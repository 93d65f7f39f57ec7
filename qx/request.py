"""The concrete ``Context``: one per request and step, over the engine's shared resources."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from qx.budget import Budget, Cost
from qx.clock import Clock
from qx.domain import Knowledge
from qx.embedder import Embeddings, EmbedRequest
from qx.errors import ProfileError, ScrapeError, UsageError
from qx.fetch import FetchLimits, Page
from qx.filters import And
from qx.llm import Capabilities, Completion, CompletionRequest, Delta
from qx.masking import masked, unmasked
from qx.names import fallen
from qx.observer import Event
from qx.report import Report
from qx.resources import Resources
from qx.serial import EMPTY, replace
from qx.text import redact
from qx.timing import Timer
from qx.types import Degraded, Kind, Query, SearchOptions, Usage

if TYPE_CHECKING:
    from qx.calls.completer import Answered, Completer
    from qx.ranking import FirstPass
    from qx.spending.routing import Routed
    from qx.types import SearchResult
    from qx.vocabulary import Vocabulary

T = TypeVar("T")
DEEPEST = 2
"""Searches within a search: what searches in every search would never end."""

log = logging.getLogger("qx")


class RequestContext:
    """One request on its way through one step (implements ``qx.context.Context``)."""

    def __init__(
        self,
        resources: Resources,
        query: Query,
        budget: Budget,
        *,
        step: str,
        trace: str,
        began: float,
        report: Report,
        options: SearchOptions | None = None,
        first_pass: FirstPass | None = None,
        digests: dict[str, tuple[Query, str]] | None = None,
        depth: int = 0,
        routed: Routed | None = None,
    ) -> None:
        self._resources = resources
        self.query = query
        self.budget = budget
        self.step = step
        self.trace = trace
        self.began = began
        self.report = report
        self.options = options or SearchOptions()
        self.first_pass = first_pass
        self.digests: dict[str, tuple[Query, str]] = {} if digests is None else digests
        """Fingerprint of a step -> the query and the digest of its key: steps of one fingerprint share it."""
        self.depth = depth
        self.routed = routed

    @classmethod
    def begun(
        cls, resources: Resources, query: Query, budget: Budget, options: SearchOptions | None = None
    ) -> RequestContext:
        """The context of a request that begins now, before its first step."""
        trace, began = secrets.token_hex(8), resources.clock.monotonic()
        return cls(resources, query, budget, step="", trace=trace, began=began, report=Report(), options=options)

    def at(self, step: str, report: Report | None = None) -> RequestContext:
        """The same request in another step, reporting to ``report`` (None: where this one reports)."""
        return RequestContext(
            self._resources,
            self.query,
            self.budget,
            step=step,
            trace=self.trace,
            began=self.began,
            report=self.report if report is None else report,
            options=self.options,
            first_pass=self.first_pass,
            digests=self.digests,
            depth=self.depth,
            routed=self.routed,
        )

    def without_model(self) -> RequestContext:
        """The same request where there is no model to ask, for the rungs below it."""
        other = self.at(self.step)
        other._resources = replace(self._resources, completer=None)
        return other

    async def route(self) -> None:
        """Find out, once, which of the profile's routes are open to this request."""
        if self.routed is None and self._resources.router is not None:
            self.routed = await self._resources.router.route(self.query)

    def tier(self, kind: Kind | None, /) -> str | None:
        router = self._resources.router
        return None if router is None else (self.routed or router.plain(self.query)).tier(kind)

    @property
    def tenant(self) -> str:
        return self._resources.tenant

    @property
    def clock(self) -> Clock:
        return self._resources.clock

    @property
    def knowledge(self) -> Knowledge:
        return self._resources.knowledge

    @property
    def filterable(self) -> frozenset[str]:
        return self._resources.filterable

    @property
    def has_model(self) -> bool:
        return self._resources.completer is not None

    @property
    def has_embedder(self) -> bool:
        return self._resources.embedding is not None

    @property
    def embedder_fingerprint(self) -> str | None:
        embedding = self._resources.embedding
        return None if embedding is None else embedding.fingerprint

    @property
    def vocabulary(self) -> Vocabulary | None:
        known, given = self._resources.vocabulary, self.query.filters
        return known if known is None or given is None else known.within(given)

    @property
    def observed(self) -> bool:
        """Whether anybody hears what is emitted."""
        return bool(self._resources.observers)

    @property
    def usage(self) -> Usage:
        return self.report.usage

    @property
    def degraded(self) -> tuple[Degraded, ...]:
        return tuple(dict.fromkeys(self.report.degraded))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.report.notes))

    def capabilities(self, tier: str | None = None, /) -> Capabilities:
        return self._completer().capabilities(tier or self.tier(None))

    async def complete(self, request: CompletionRequest, /, *, tier: str | None = None) -> Completion:
        await self.route()
        tier = tier or self.tier(None)
        with self.span("model") as span:
            kept = self.budget.child(keep=Cost(seconds=self._resources.reserve))
            # here, where every call passes: whoever asks a model, it never sees what the profile hides
            sent, names = masked(request, self._resources.hidden) if self._resources.mask else (request, EMPTY)
            answered = await self._completer().complete(sent, budget=kept, tier=tier, on_event=self._model_event)
            completion = unmasked(answered.completion, names)
            span.set(
                endpoint=answered.endpoint,
                model=completion.model or request.model or self._completer().model(tier),
                input_tokens=completion.usage.input_tokens,
                output_tokens=completion.usage.output_tokens,
                finish=completion.finish,
            )
        self._count(answered)
        return completion

    def _count(self, answered: Answered) -> None:
        self.report.usage += answered.completion.usage
        if answered.tried:
            reasons = "; ".join(f"{endpoint}: {reason}" for endpoint, reason in answered.tried)
            self.degrade(self.step, f"fallback {answered.endpoint}", reasons)

    async def stream(self, request: CompletionRequest, /, *, tier: str | None = None) -> AsyncGenerator[Delta]:
        from qx.calls.streaming import Pump, Words

        await self.route()
        tier, completer = tier or self.tier(None), self._completer()
        kept = self.budget.child(keep=Cost(seconds=self._resources.reserve))
        sent, names = masked(request, self._resources.hidden) if self._resources.mask else (request, EMPTY)
        words = Words(lambda text: redact.unmask(completer.redact(text), names))
        pump = Pump(
            lambda tell: completer.complete(sent, budget=kept, tier=tier, on_event=self._model_event, tell=tell)
        )
        try:
            with self.span("model", streamed=True):
                async for text in pump.texts():
                    if ready := words.feed(text):
                        yield Delta(text=ready)
                answered = await pump.result()
            if ready := words.rest():
                yield Delta(text=ready)
            self._count(answered)
            yield Delta(usage=answered.completion.usage, finish=answered.completion.finish)
        finally:
            await pump.end()

    async def search(self, query: Query | str, /, *, limit: int = 10, expand: bool = True) -> SearchResult:
        from qx.asking import page

        if self._resources.search is None:
            raise UsageError("nothing can be searched here: this context is no engine's")
        if self.depth >= DEEPEST:
            raise UsageError(f"a search within a search, {DEEPEST} deep: a processor or step calls itself by it")
        inner = RequestContext(
            self._resources,
            _within(query, self.query),
            self.budget,
            step="",
            trace=self.trace,
            began=self.began,
            report=Report(),
            options=page(limit, 0, (), ()),
            depth=self.depth + 1,
        )
        try:
            with self.span("search"):
                return await self._resources.search(inner, expand)
        finally:
            self.report.absorb(inner.report, spent=True)

    async def fetch(self, url: str, limits: FetchLimits | None = None, /) -> Page:
        if self._resources.fetching is None:
            raise UsageError("nothing can be fetched here: this context is no engine's")
        began, outcome, found = self.clock.monotonic(), "cancelled", None
        try:
            with self.span("fetch") as span:
                found = await self._resources.fetching.fetch(url, limits or FetchLimits(), budget=self.budget)
                span.set(media_type=found.media_type, characters=len(found.text))
            outcome = "ok"
            return found
        except ScrapeError as error:
            outcome = error.kind
            raise
        finally:
            seconds = round(self.clock.monotonic() - began, 4)
            self.emit("fetch", content={"url": url}, outcome=outcome, seconds=seconds)

    def _model_event(self, name: str, attributes: Mapping[str, Any]) -> None:
        self.emit(name, **attributes)

    def _completer(self) -> Completer:
        if self._resources.completer is None:
            raise ProfileError("this profile names no model", hint="add an `llm:` block, or use mode rules")
        return self._resources.completer

    async def embed(self, request: EmbedRequest, /) -> Embeddings:
        if self._resources.embedding is None:
            raise ProfileError("this profile names no embedder", hint="add an `embedder:` block")
        with self.span("embed", texts=len(request.texts)):
            embeddings = await self._resources.embedding.embed(request, budget=self.budget)
        self.report.usage += embeddings.usage
        return embeddings

    async def embedding_shape(self) -> tuple[str, int]:
        """The fingerprint and the length of the embedder's vectors; asks it once where it does not know its length."""
        if self._resources.embedding is None:
            raise ProfileError("this profile names no embedder", hint="add an `embedder:` block")
        return await self._resources.embedding.shape(self.budget)

    async def run_cpu(self, function: Callable[[], T], /) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._resources.executor, function)

    def degrade(self, step: str, rung: str, reason: str, /) -> None:
        fell = Degraded(step=step, rung=rung, reason=reason)
        if fell in self.report.degraded:
            return  # ten lists of one engine fail alike: told once
        self.report.degraded.append(fell)
        log.warning("%s: %s (tenant %s)", fallen(step, rung), reason, self.tenant)
        self.emit("degraded", content={"reason": reason}, step=step, rung=rung)

    def note(self, text: str, /) -> None:
        self.report.notes.append(text)

    def span(self, name: str, /, **attributes: str | int | float | bool | None) -> Timer:
        return Timer(self, f"{self.step}.{name}" if self.step else name, attributes)

    def emit(self, name: str, /, *, content: Mapping[str, Any] | None = None, **attributes: Any) -> None:
        if self._resources.observers:
            self._resources.tell(
                Event(
                    name=name,
                    tenant=self.tenant,
                    trace=self.trace,
                    at=self.clock.now().timestamp(),
                    attributes=attributes,
                    content=content or {},
                )
            )


def _within(query: Query | str, outer: Query) -> Query:
    """The query of a search within a request: the caller's filter, zone and person go with it, whatever it says."""
    made = Query(text=query) if isinstance(query, str) else query
    filters = made.filters or outer.filters
    if made.filters is not None and outer.filters is not None and made.filters != outer.filters:
        filters = And(filters=(outer.filters, made.filters))
    return replace(
        made,
        now=made.now or outer.now,
        timezone=made.timezone or outer.timezone,
        tenant=made.tenant or outer.tenant,
        user=made.user or outer.user,
        filters=filters,
    )
