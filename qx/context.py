"""What a step is given besides its value: one ``Context`` per request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from qx.budget import Budget
from qx.clock import Clock
from qx.domain import Knowledge
from qx.embedder import Embeddings, EmbedRequest
from qx.fetch import FetchLimits, Page
from qx.llm import Capabilities, Completion, CompletionRequest, Delta
from qx.types import Degraded, Kind, Query, SearchOptions, SearchResult, Usage

if TYPE_CHECKING:
    from qx.ranking import FirstPass
    from qx.vocabulary import Vocabulary

T = TypeVar("T")
In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)


class Context(Protocol):
    """One request: its query, its budget, its effects, and what it has to report."""

    @property
    def query(self) -> Query: ...

    @property
    def tenant(self) -> str: ...

    @property
    def budget(self) -> Budget: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def knowledge(self) -> Knowledge:
        """Taxonomy, synonyms, lexicon, templates: the merged packs of this engine."""
        ...

    @property
    def options(self) -> SearchOptions:
        """Which part of the list the caller wants, and how."""
        ...

    @property
    def filterable(self) -> frozenset[str]:
        """The canonical fields that every backend can filter by: their constraints may leave the words."""
        ...

    @property
    def first_pass(self) -> FirstPass | None:
        """The raw query's lists, searched while the model thinks; None outside of a search."""
        ...

    @property
    def has_model(self) -> bool:
        """Whether the profile names a model at all."""
        ...

    @property
    def has_embedder(self) -> bool:
        """Whether the profile names an embedder."""
        ...

    @property
    def embedder_fingerprint(self) -> str | None:
        """The fingerprint of the profile's embedder, by which its vectors are told from others'; None: there is none."""
        ...

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What the profile's engines hold; None where it names no engine."""
        ...

    @property
    def usage(self) -> Usage:
        """What this request has spent so far."""
        ...

    @property
    def trace(self) -> str:
        """The id by which observers and results tell this request from others."""
        ...

    @property
    def degraded(self) -> tuple[Degraded, ...]:
        """What fell to a simpler way so far: for a result of one's own."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noted so far."""
        ...

    def tier(self, kind: Kind | None, /) -> str | None:
        """The tier that ``llm.tiers.routes`` send a query of this kind to (None: any); None: they say nothing of it."""
        ...

    def capabilities(self, tier: str | None = None, /) -> Capabilities:
        """What the model of ``tier`` (None: the default model) can do."""
        ...

    async def complete(self, request: CompletionRequest, /, *, tier: str | None = None) -> Completion:
        """Call the profile's model, with retry, breaker, limiter and fallbacks, within the budget.

        ``request.model`` may be empty: that of ``tier`` is used; None: where the profile's routes lead, else its own.

        Raises:
            ProviderError: every endpoint failed.
            BudgetExceeded: nothing is left for a call.
        """
        ...

    def stream(self, request: CompletionRequest, /, *, tier: str | None = None) -> AsyncIterator[Delta]:
        """As ``complete``, while it is written: text in whole words, at last ``usage`` and ``finish``.

        Until the first text the same endpoints are tried in the same way; from then on there is no other try.  A provider
        that cannot stream, and a request with ``tools``, give the text at once.  Leaving early ends the call.

        Raises:
            ProviderError, BudgetExceeded: as ``complete``; also where the endpoint breaks off in the middle.
        """
        ...

    async def embed(self, request: EmbedRequest, /) -> Embeddings: ...

    async def search(self, query: Query | str, /, *, limit: int = 10, expand: bool = True) -> SearchResult:
        """Search the profile's backends as a part of this request: within its budget, with its caller's filter.

        What it spends and falls to counts here as well.

        Raises:
            ProfileError: the profile names no backend.
            ProviderError: every backend failed.
            UsageError: this is a search within a search within a search.
        """
        ...

    async def fetch(self, url: str, limits: FetchLimits | None = None, /) -> Page:
        """Read a page of the web, within the budget and the profile's own limits (``fetch:``).

        Only public addresses, checked on every hop; what a page says is data.

        Raises:
            ScrapeError: there is no page; ``kind`` says why.
            BudgetExceeded: no time is left.
        """
        ...

    async def run_cpu(self, function: Callable[[], T], /) -> T:
        """Run a slow pure function in the engine's bounded executor."""
        ...

    def degrade(self, step: str, rung: str, reason: str, /) -> None:
        """Record that ``step`` fell to ``rung``.  Nothing degrades in silence."""
        ...

    def note(self, text: str, /) -> None:
        """Record what a reader of the result should know: a filter relaxed, a rewriting tried."""
        ...

    def span(self, name: str, /, **attributes: str | int | float | bool | None) -> SpanTimer:
        """``with context.span("parse") as span:`` times a piece of work for the trace."""
        ...

    def emit(self, name: str, /, *, content: Mapping[str, Any] | None = None, **attributes: Any) -> None:
        """Tell the observers."""
        ...


class SpanTimer(Protocol):
    """Times what runs within it (``with context.span("parse") as span``), and takes what is worth knowing of that."""

    def set(self, **attributes: str | int | float | bool | None) -> None: ...

    def __enter__(self) -> SpanTimer: ...

    def __exit__(self, *exc: object) -> None: ...


class Step(Protocol[In, Out]):
    """An async callable ``(value, Context) -> value``."""

    def __call__(self, value: In, context: Context, /) -> Awaitable[Out]: ...
