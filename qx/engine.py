"""START HERE.  ``Engine``: one profile, one event loop; ``understand``, ``expand``, ``search``, ``expand_many``.

::

    Query ─ understand ─▶ Understanding ─ expand ─▶ Expansion ─ search ─▶ Rankings ─ fuse ─▶ Ranking ─ process ─▶ result

Each box is one file of ``qx/steps/`` with its name; the values are in ``qx/types.py`` and ``qx/ranking.py``.  Around them:

========================================  ==============================================================================
``qx/opening.py``, ``qx/parts.py``        from a profile to live parts; what these are
``qx/resources.py``                       what all requests share of them
``qx/request.py``, ``qx/report.py``       the ``Context`` that a step of one request gets; what it reports beside its result
``qx/memo.py``, ``qx/many.py``            cache and single flight around the steps; several queries to a model call
``qx/searching/``                         what ``search`` does around its steps
``qx/operating.py``                       what plugins bring beside the steps: ``call``, ``section``, ``begin``
``qx/stocking.py``                        a backend by its name, and what writes documents into it
``qx/operations/``, ``qx/sections.py``    operations as they are declared and called; a plugin's part of the profile
``qx/calls/``, ``qx/spending/``           every call that leaves the process: retry, limits, fallbacks; what it costs
``qx/rules/``                             the same without a model: the first reader of every query, and the last rung
``qx/engines.py``                         the engines of many tenants in one process
========================================  ==============================================================================
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from qx.asking import asked, page
from qx.budget import Budget
from qx.cache import Cache
from qx.context import Step
from qx.domain import Knowledge
from qx.errors import BudgetExceeded, Closed, ProfileError, ProviderError
from qx.llm import Completion, CompletionRequest, Message
from qx.many import Many
from qx.memo import Memo, step_fingerprint
from qx.opening import open_parts
from qx.operating import Operating
from qx.parts import Parts
from qx.ranking import Ranking
from qx.report import noted, reported
from qx.request import RequestContext
from qx.searching import Searching
from qx.searching.rewriting import Rewritten, rewrite, ruled
from qx.serial import value
from qx.settings import Profile
from qx.steps.pace import Waiting
from qx.steps.prompt import RenderedPrompt
from qx.stocking import Stocking
from qx.types import Expansion, Query, SearchOptions, SearchResult, SortBy, Understanding, Understood
from qx.underway import Missed, UnderWay

if TYPE_CHECKING:
    from qx.plugins import Plugins


@value
class Steps:
    """The boxes of the flow, each an async callable ``(value, Context) -> value``; replace any one of them.

    A replaced step is not cached, unless it has a string attribute ``fingerprint`` that changes with its behaviour.
    """

    understand: Step[Query, Understanding]
    expand: Step[Understood, Expansion]
    search: Step[Expansion, tuple[Ranking, ...]]
    fuse: Step[tuple[Ranking, ...], Ranking]
    process: Step[Ranking, Ranking]


class Engine(Operating, Stocking):
    """One profile, opened.  Use it from the event loop it was opened in; requests may run concurrently.

    ::

        async with Engine.opened("default") as engine:
            expansion = await engine.expand("cheap linen shirt, not white")
    """

    def __init__(self, parts: Parts, replaced: Callable[[Steps], Steps] | None = None) -> None:
        self._parts = parts
        self._loop = asyncio.get_running_loop()
        own = Steps(
            understand=parts.understand,
            expand=parts.expand,
            search=parts.search,
            fuse=parts.fuse,
            process=parts.process,
        )
        self.steps = replaced(own) if replaced else own
        understand = step_fingerprint(parts.fingerprint, self.steps.understand, own.understand)
        expand = step_fingerprint(understand, self.steps.expand, own.expand)
        self.memo = Memo(parts.cache, parts.profile, {"understand": understand, "expand": expand})
        self._under_way = UnderWay()
        parts.resources.search = self._search_within
        parts.sections.belong_to(self)
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        profile: str | Path | Profile | None = None,
        /,
        *,
        plugins: Plugins | None = None,
        steps: Callable[[Steps], Steps] | None = None,
        waiting: Waiting = "auto",
    ) -> Self:
        """Open a profile: load its plugins and packs, make its clients, compile its prompts.

        Args:
            profile: A name, a file, a validated ``Profile``, or None for the built-in default.
            plugins: What is installed; None: discover it.
            steps: Given the engine's own steps, returns those to use: ``lambda s: replace(s, expand=mine)``.
            waiting: Whether an expansion waits for the raw query's hits: ``auto``, or for evaluations, whose results
                must not depend on how busy the machine is, ``always`` or ``never``.

        Raises:
            ProfileError, PluginError: the profile is wrong, or names what is not there.
        """
        return cls(await open_parts(profile, plugins, waiting=waiting), steps)

    @classmethod
    @asynccontextmanager
    async def opened(cls, profile: str | Path | Profile | None = None, /, **options: Any) -> AsyncGenerator[Self]:
        """``open`` as a context manager that closes the engine at the end."""
        engine = await cls.open(profile, **options)
        try:
            yield engine
        finally:
            await engine.aclose()

    @property
    def profile(self) -> Profile:
        return self._parts.profile

    @property
    def knowledge(self) -> Knowledge:
        return self._parts.resources.knowledge

    @property
    def cache(self) -> Cache:
        return self._parts.cache

    async def understand(self, query: Query | str, /, *, budget: Budget | None = None) -> Understanding:
        """Read a query: intent, entities, constraints, needs, mood.

        Raises:
            UsageError, NotAllowed: the query itself is wrong, or another tenant's.
            Closed: the engine is closed, or this is another event loop.
        """
        context, _ = self._begun(query, budget)
        async with self._under_way.request():
            return await self._understand(context, shared=budget is None)

    async def _understand(self, context: RequestContext, *, shared: bool) -> Understanding:
        async def work(inner: RequestContext) -> Understanding:
            at = inner.at("understand")
            with at.span("step"):
                return await self.steps.understand(inner.query, at)

        try:
            return await self.memo.run("understand", Understanding, context, work, shared=shared)
        except (ProviderError, BudgetExceeded, TimeoutError) as error:
            context.degrade("understand", "rules", str(error) or "the deadline passed")
            return self._parts.understand.by_rules(context.query, context.at("understand"))

    async def expand(self, query: Query | str, /, *, budget: Budget | None = None) -> Expansion:
        """Turn a query into the queries to run; falls a rung rather than fail, and says so in ``degraded``.

        Raises:
            UsageError, NotAllowed, Closed: as for ``understand``.
        """
        context, rewritten = self._begun(query, budget)
        return ruled(await self._alone(context, shared=budget is None), rewritten)

    async def _expand(self, context: RequestContext, *, shared: bool) -> Expansion:
        async def work(inner: RequestContext) -> Expansion:
            understanding = await self._understand(inner, shared=shared)

            async def expand(at: RequestContext) -> Expansion:
                with at.span("step"):
                    return await self.steps.expand(Understood(query=inner.query, understanding=understanding), at)

            return await noted(inner, expand)

        try:
            return await self.memo.run("expand", Expansion, context, work, shared=shared)
        except (ProviderError, BudgetExceeded, TimeoutError) as error:
            context.degrade("expand", "rules", str(error) or "the deadline passed")
            return await self._parts.by_rules(context)

    async def search(
        self,
        query: Query | str,
        /,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: Sequence[SortBy | str] = (),
        facets: Sequence[str] = (),
        expand: bool = True,
        highlights: bool = True,
        budget: Budget | None = None,
    ) -> SearchResult:
        """Search the profile's backends for ``query`` and its expansions, and return one ranked list.

        Args:
            limit, offset: The part of the list that is wanted.
            sort: Canonical fields (`"price"`, `"-price"` for descending, or `SortBy`); replaces ranking and expansion.
            facets: Canonical fields whose values are counted.
            expand, highlights: False searches the raw query alone; shows nothing of what matched.

        Raises:
            UsageError, NotAllowed, Closed: as for ``understand``; also where ``limit`` is below 1 or ``offset`` below 0.
            ProfileError: the profile names no backend.
            ProviderError: every backend failed; the text lists each cause.
        """
        options = page(limit, offset, sort, facets, highlights=highlights)
        context = self._request(query, budget, options)
        async with self._under_way.request():
            return await self._searching(shared=budget is None).run(context, expand=expand)

    async def search_events(
        self,
        query: Query | str,
        /,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: Sequence[SortBy | str] = (),
        facets: Sequence[str] = (),
        expand: bool = True,
        budget: Budget | None = None,
    ) -> AsyncGenerator[SearchResult]:
        """Yield a ``SearchResult`` of the raw query as soon as it is there (while a model thinks), then the whole one.

        The first is left out where the expansion is there as soon.  Arguments and errors are those of ``search``; errors
        come when the first result is asked for.
        """
        context = self._request(query, budget, page(limit, offset, sort, facets))
        shared, missed = budget is None, Missed()
        async with aclosing(self._searching(shared=shared).stream(context, expand=expand)) as results:
            while True:
                async with self._under_way.request(missed):  # not around the yield, where it is the caller who works
                    result = await anext(results, None)
                if result is None:
                    return
                yield result

    def _searching(self, *, shared: bool) -> Searching:
        steps = self.steps
        return Searching(
            self._parts,
            search=steps.search,
            fuse=steps.fuse,
            process=steps.process,
            expanding=lambda context: self._expand(context, shared=shared),
        )

    async def expand_many(self, queries: Sequence[Query | str], /) -> tuple[Expansion, ...]:
        """Expand many queries, several to a model call; results in the order of ``queries``.

        Each batch may take the profile's deadline times its number of queries.
        """
        begun = [self._begun(query, None) for query in queries]
        contexts = [context for context, _ in begun]
        own = self.steps.understand is self._parts.understand and self.steps.expand is self._parts.expand
        if self._parts.asker is None or not own:  # a step of the caller's own takes one query at a time
            made = tuple([await self._alone(context) for context in contexts])
        else:
            async with self._under_way.request():
                many = Many(self._parts, self.memo, lambda query: self._alone(self._request(query, None)))
                made = await many.run(contexts)
        return tuple([ruled(expansion, rewritten) for expansion, (_, rewritten) in zip(made, begun, strict=True)])

    async def _alone(self, context: RequestContext, *, shared: bool = True) -> Expansion:
        async with self._under_way.request():
            return reported(await self._expand(context, shared=shared), context)

    def prompts(self, query: Query | str, /) -> tuple[RenderedPrompt, ...]:
        """Render what the model would be sent for ``query``, without a call.

        Raises:
            ProfileError: the profile names no model.
        """
        parts = self._parts
        if parts.asker is None:
            raise ProfileError("this profile names no model, so there are no prompts", hint="add an `llm:` block")
        return parts.prompts(self._begun(query, None)[0])

    async def complete(
        self, request: CompletionRequest, /, *, step: str = "complete", budget: Budget | None = None
    ) -> Completion:
        """Ask the profile's model something of your own: with its retries, limits and fallbacks, within the budget.

        Args:
            request: ``model`` may be empty: the profile's.
            step: The name of the work, in events and errors.
            budget: None: the profile's for one request.

        Raises:
            ProviderError: every endpoint failed.
            BudgetExceeded: nothing is left for a call.
            ProfileError: the profile names no model.
            Closed: the engine is closed, or this is another event loop.
        """
        context = self._request(step, budget).at(step)
        async with self._under_way.request():
            return await context.complete(request)

    async def ask_model(self) -> Completion:
        """Make one tiny call, to see whether the model answers.

        Raises:
            ProviderError: it does not.
            ProfileError: the profile names no model.
        """
        messages = (Message(role="user", content="Answer with the word ok."),)
        return await self.complete(CompletionRequest(model="", messages=messages, max_tokens=16), step="doctor")

    async def idle(self) -> None:
        """Return once no request is under way."""
        await self._under_way.ended()

    async def aclose(self) -> None:
        """End the requests under way with ``Closed``, and close every client, each within seconds.

        Safe to call twice: the second call waits for the first.  From then on every call raises ``Closed``.

        Raises:
            Closed: this is another event loop than the engine's.
        """
        if self._closing is None or not self._closing.done():
            self._check_loop()
            if self._closing is None:
                self._closing = asyncio.ensure_future(self._close(asyncio.current_task()))
            await asyncio.shield(self._closing)

    async def _close(self, closer: asyncio.Task[Any] | None) -> None:
        await self._under_way.stop(but=closer)
        await self._parts.sections.aclose()
        await self.memo.aclose()
        await self._parts.stack.aclose()

    def _check_open(self) -> None:
        if self._closing is not None:
            raise Closed("this engine is closed: open another one")

    def _check_loop(self) -> None:
        if asyncio.get_running_loop() is not self._loop:
            raise Closed("this engine belongs to another event loop: open one in this loop, or use qx.sync")

    def _begun(self, query: Query | str, budget: Budget | None) -> tuple[RequestContext, Rewritten]:
        """Begin a request whose query no engine is asked: the profile's rules come before anything reads it."""
        context = self._request(query, budget)
        rewritten = rewrite(context.query, self.profile.rewrite)
        context.query = rewritten.query
        return context, rewritten

    def _request(
        self, query: Query | str, budget: Budget | None, options: SearchOptions | None = None
    ) -> RequestContext:
        self._check_open()
        self._check_loop()
        made = asked(query, self.profile)
        return RequestContext.begun(self._parts.resources, made, budget or self._parts.budget(), options)
