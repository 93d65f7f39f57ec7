"""Opening an engine: from a profile to live parts.  Everything slow happens here, outside any request's deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from qx.backend import BackendSettings, SearchBackend
from qx.budget import Cost, RequestBudget
from qx.cache import Cache
from qx.calls.completer import Completer, endpoints
from qx.calls.connection import Connection
from qx.calls.embedding import Embedding, VectorCache
from qx.calls.fetching import Fetching
from qx.calls.providers import make_providers
from qx.calls.unopened import Unopened
from qx.clock import SystemClock
from qx.closing import close_part, shut_down
from qx.containment import contained, described
from qx.domain import Knowledge
from qx.embedder import Embedder
from qx.errors import PluginError, ProviderError, QxError, UsageError
from qx.filters.fieldmap import FieldMap
from qx.gathering import check_opening, gather_knowledge, prompt_book
from qx.http import Http
from qx.moment import moment
from qx.operations.running import Operations
from qx.plugins import BUILT_IN, Plugins
from qx.processor import HitProcessor
from qx.profiles import Loaded, fingerprint, load
from qx.profiles.sections import check_sections
from qx.ranking import Fusion
from qx.report import Report
from qx.request import RequestContext
from qx.resources import Resources
from qx.rules.patterns import sensitive
from qx.rules.shared import shared_rules
from qx.rules.understand import RuleUnderstanding
from qx.secrets import Redactor
from qx.sections import Sections
from qx.services import EngineServices
from qx.settings import BackendBlock, Profile
from qx.spending.account import Account
from qx.spending.opening import open_account
from qx.steps.ask import Asker
from qx.steps.expand import ExpandStep
from qx.steps.fuse import FuseStep
from qx.steps.grounding import Vocabularies
from qx.steps.pace import Waiting
from qx.steps.process import ProcessStep
from qx.steps.prompt import RenderedPrompt
from qx.steps.requests import filterable
from qx.steps.search import SearchStep
from qx.steps.understand import UnderstandStep
from qx.strategy import Strategy
from qx.types import Expansion, Query, Understood
from qx.validation import accepted

WARMING = ("电脑开机黑屏怎么办 不要重装", "how to fix a wierd login error, not the app")
_log = logging.getLogger("qx")

RESERVE_SHARE = 0.2
"""Of a short deadline, model calls leave at most this share."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What an engine is made of.  ``stack`` closes it all, the last opened first."""

    profile: Profile
    resources: Resources
    cache: Cache
    understand: UnderstandStep
    expand: ExpandStep
    search: SearchStep
    fuse: FuseStep
    process: ProcessStep
    connections: tuple[Connection, ...]
    asker: Asker | None
    fingerprint: str
    sections: Sections
    operations: Operations
    stack: AsyncExitStack

    def now(self, query: Query) -> datetime:
        """The moment of a request, in its time zone."""
        return moment(query, self.profile, self.resources.clock)[0]

    def budget(self, queries: int = 1) -> RequestBudget:
        """What the profile lets a request of that many queries spend, its time from now on."""
        limits = self.profile.budget
        return RequestBudget(
            Cost(
                seconds=self.profile.deadline * queries,
                calls=None if limits.calls is None else limits.calls * queries,
                tokens=None if limits.tokens is None else limits.tokens * queries,
                money=None if limits.cost is None else limits.cost * queries,
            ),
            self.resources.clock.monotonic,
        )

    async def warm_up(self) -> None:
        """Expand two queries, so that whatever the steps load on first use is there before the first request.

        No model is asked, no processor run and no observer told: opening costs nothing.
        """
        resources = replace(self.resources, completer=None, observers=())
        began = self.resources.clock.monotonic()
        for text in WARMING:
            budget = RequestBudget(Cost(), self.resources.clock.monotonic)
            context = RequestContext(
                resources, Query(text=text), budget, step="", trace="", began=began, report=Report()
            )
            understanding = self.understand.by_rules(context.query, context.at("understand"))
            await self.expand.warm_up(Understood(query=context.query, understanding=understanding), context)

    async def by_rules(self, context: RequestContext) -> Expansion:
        """Expand without a model, a cache or another's help: the rung below everything else."""
        context = context.without_model()  # which has just failed, or was not wanted
        understanding = self.understand.by_rules(context.query, context.at("understand"))
        value = Understood(query=context.query, understanding=understanding)
        return await self.expand.by_rules(value, context.at("expand"))

    def prompts(self, context: RequestContext) -> tuple[RenderedPrompt, ...]:
        """Render what a model would be sent, by the profile's mode, with the rules' analysis in the second prompt."""
        if self.asker is None:
            return ()
        query, step = context.query, self.understand
        base = step.by_rules(query, context.at("understand"))
        count = self.profile.expand.limit
        stage, tier = step.plan(query, base, context)
        value = Understood(query=query, understanding=base)
        first = self.asker.prompt(
            stage or "understand",
            step.payload(query, context),
            language=base.language,
            count=count,
            strategies=step.labels,
            tier=tier,
        )
        if stage == "single":
            return (first,)
        second = self.asker.prompt(
            "expand",
            self.expand.payload(value, context),
            language=base.language,
            count=count,
            strategies=self.expand.labels,
            tier=context.tier(base.kind),
        )
        return (first, second)


async def open_parts(
    source: str | Path | Profile | Loaded | None, plugins: Plugins | None, *, waiting: Waiting = "auto"
) -> Parts:
    """Make everything that ``source`` names.

    Args:
        waiting: Whether an expansion waits for the raw query's hits (``qx.steps.pace``).

    Raises:
        UsageError: ``source`` is none of these.
        ProfileError, PluginError: something is wrong or not there; what was opened is closed again.
    """
    if source is not None and not isinstance(cast("object", source), (str, Path, Profile, Loaded)):
        raise UsageError(
            f"a profile is a name, a path, a Profile or None, not {type(source).__name__}; "
            "of a mapping Profile.model_validate makes one"
        )
    plugins = plugins or Plugins.load()
    made = Loaded.of(source) if isinstance(source, Profile) else source
    loaded = made if isinstance(made, Loaded) else load(made, plugins=plugins)
    plugins = plugins.only(loaded.profile.plugins)
    check_sections(loaded.profile, plugins)
    check_opening(loaded.profile)
    async with AsyncExitStack() as stack:
        return await _open(loaded, plugins, stack, waiting)  # which takes the stack over at its end


async def _open(loaded: Loaded, plugins: Plugins, stack: AsyncExitStack, waiting: Waiting) -> Parts:
    opener = _Opener(profile := loaded.profile, plugins, stack)
    knowledge = await asyncio.to_thread(gather_knowledge, profile, plugins, loaded.packs)
    asker = None
    if profile.llm is not None:
        asker = Asker(prompt_book(profile, knowledge), profile.llm, think=profile.understand.think)
    cache: Cache = await opener.make("caches", profile.cache.type, profile.cache.settings)
    connections = await opener.connections(knowledge, patient=waiting != "auto")
    fetching = opener.fetching()
    resources = Resources(
        tenant=profile.tenant,
        clock=opener.clock,
        knowledge=knowledge,
        executor=opener.executor,
        reserve=min(profile.reserve, profile.deadline * RESERVE_SHARE),
        mask=profile.llm is not None and profile.llm.mask,
        hidden=sensitive(knowledge),
        observers=[await opener.make("observers", named.type, named.settings) for named in profile.observers],
        filterable=filterable([connection.backend for connection in connections]),
        vocabulary=Vocabularies(connections, opener.clock) if connections else None,
        fetching=fetching,
    )
    account = await opener.account(cache, resources)
    resources.completer = await opener.completer(account)
    resources.embedding = await opener.embedding(cache, account)
    understand = UnderstandStep(profile, await opener.rules(knowledge), asker)
    processors = [(n.type, await opener.make("processors", n.type, n.settings)) for n in profile.expand.processors]
    weights = {connection.name: connection.weight for connection in connections}
    fusion: Fusion | None = None
    if connections:
        fusion = await opener.make("fusions", profile.search.fusion.type, profile.search.fusion.settings)
    web = not connections or any("web" in connection.backend.accepts for connection in connections)
    parts = Parts(
        profile=profile,
        resources=resources,
        cache=cache,
        understand=understand,
        expand=ExpandStep(profile, opener.strategies(), processors, asker, understand.by_rules, web=web),
        search=SearchStep(connections, profile.search, waiting=waiting, decisions=plugins.decisions),
        fuse=FuseStep(
            fusion,
            weights,
            share=profile.search.share,
            depth=profile.search.depth,
            fields={c.name: c.backend.fields for c in connections},
        ),
        process=ProcessStep(await opener.hit_processors(connections)),
        connections=tuple(connections),
        asker=asker,
        fingerprint=f"{fingerprint(profile)}:{knowledge.fingerprint}",
        sections=Sections(profile, plugins, opener.make, opener.services),
        operations=Operations(plugins.registry("operations"), profile.tenant, opener.redactor, fetching.open),
        stack=opener.keep(stack),
    )
    try:
        await parts.warm_up()
    except BaseException:
        await parts.stack.aclose()
        raise
    return parts


class _Opener:
    """Makes the parts of one engine; whatever it opens is closed by ``stack``."""

    def __init__(self, profile: Profile, plugins: Plugins, stack: AsyncExitStack) -> None:
        self._profile = profile
        self._plugins = plugins
        self._stack = stack
        self.clock = plugins.clock or SystemClock()
        self.redactor = Redactor.of(profile)
        logger = logging.getLogger("qx")
        stack.callback(self.redactor.detach, self.redactor.attach(logger), logger)
        self._http = Http(redact=self.redactor.text)
        stack.push_async_callback(close_part, "the HTTP client", self._http.aclose)
        self.executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix=f"qx-{profile.tenant}")
        stack.push_async_callback(shut_down, self.executor)
        self._provider_class = plugins.registry("llm_providers").get
        self.services = EngineServices(
            profile,
            clock=self.clock,
            http=self._http,
            executor=self.executor,
            provider_class=self._provider_class,
            registry=plugins.registry,
        )

    def keep(self, stack: AsyncExitStack) -> AsyncExitStack:
        """Take everything out of ``stack``, which ends with the opening; what is made later is closed with it too."""
        self._stack = stack.pop_all()
        return self._stack

    async def make(self, kind: str, name: str, settings: dict[str, Any]) -> Any:
        """Make one contribution from its part of the profile, and close it with the engine."""
        registry = self._plugins.registry(kind)
        who = f"{registry.noun} {name!r}"
        factory = registry.get(name)
        with self._opening(who):
            checked = accepted(who, factory.Settings, settings)
            made = await factory.create(checked, self.services)
            if hasattr(made, "aclose"):  # a fusion holds nothing that is to be closed
                self._stack.push_async_callback(close_part, who, made.aclose)
        return made

    @contextmanager
    def _opening(self, who: str) -> Generator[None]:
        """Whatever a plugin raises while it is made is said to be its failure, without the profile's secrets."""
        try:
            with contained(who):
                yield
        except QxError:
            raise
        except Exception as error:  # noqa: BLE001 whatever it is, it is that plugin's
            said = self.redactor.text(described(error))
            raise PluginError(f"{who} cannot be opened: {said}", plugin=who) from self.redactor.exception(error)

    async def account(self, cache: Cache, resources: Resources) -> Account:
        return await open_account(
            self._profile, self.services, cache=cache, resources=resources, stack=self._stack, plugins=self._plugins
        )

    async def completer(self, account: Account) -> Completer | None:
        if self._profile.llm is None:
            return None
        await self._http.open()
        with self._opening(f"LLM provider {self._profile.llm.provider!r}"):
            made = await make_providers(self._profile.llm, self._provider_class, self.services)
        for block, provider in zip(endpoints(self._profile.llm), made, strict=True):
            self._stack.push_async_callback(close_part, f"LLM provider {block.provider!r}", provider.aclose)
        return Completer(self._profile.llm, made, clock=self.clock, account=account, redact=self.redactor.text)

    async def embedding(self, cache: Cache, account: Account) -> Embedding | None:
        block = self._profile.embedder
        if block is None:
            return None
        embedder: Embedder = await self.make("embedders", block.provider, block.settings)
        kept = VectorCache(cache, self._profile.tenant, self._profile.cache.ttl)
        return Embedding(embedder, self.clock, kept, account=account, redact=self.redactor.text)

    def fetching(self) -> Fetching:
        block = self._profile.fetch
        make = partial(self.make, "fetchers", block.type, block.settings)
        return Fetching(make, concurrency=block.concurrency, redact=self.redactor.text)

    async def rules(self, knowledge: Knowledge) -> RuleUnderstanding:
        settings = self._profile.understand
        rules = await asyncio.to_thread(
            shared_rules, knowledge, spelling=settings.spelling, condense_above=settings.condense_above
        )
        for text in WARMING:
            await asyncio.to_thread(rules.understand, Query(text=text), now=self.clock.now(), zone=UTC)
        return rules

    def strategies(self) -> dict[str, Strategy]:
        """The built-in strategies, and those of plugins that the profile names."""
        registry = self._plugins.registry("strategies")
        named: Sequence[str] = self._profile.expand.strategies or ()
        names = dict.fromkeys([*(n for n in registry.names() if registry.origin(n) == BUILT_IN), *named])
        made: dict[str, Strategy] = {}
        for name in names:
            factory = registry.get(name)
            with self._opening(f"strategy {name!r}"):
                made[name] = factory()
        return made

    async def connections(self, knowledge: Knowledge, *, patient: bool) -> list[Connection]:
        """The profile's backends, opened all at once: one that does not answer holds up no other.

        An engine that is down or answers nonsense now does not keep the others from being asked: where its backend
        cannot be opened, each search says so.

        Raises:
            ProfileError: the settings of one are wrong.
            ProviderError, PluginError: none could be opened.
        """
        blocks = self._profile.search.backends
        settings = {name: self._settings_of(name, block, knowledge) for name, block in blocks.items()}
        opened: list[Any] = await asyncio.gather(
            *(self.make("backends", block.type, settings[name]) for name, block in blocks.items()),
            return_exceptions=True,
        )
        failures = [one for one in opened if isinstance(one, BaseException)]
        for failure in failures:
            if len(failures) == len(opened) or not isinstance(failure, (ProviderError, PluginError)):
                raise failure
        made: list[Connection] = []
        for (name, block), one in zip(blocks.items(), opened, strict=True):
            backend: SearchBackend = one
            if isinstance(one, (ProviderError, PluginError)):
                _log.warning("the backend %r cannot be opened, and is left out of every search: %s", name, one)
                backend = Unopened(name, _fields_of(settings[name]), one)
            made.append(Connection(name, backend, block, clock=self.clock, redact=self.redactor.text, patient=patient))
        return made

    def _settings_of(self, name: str, block: BackendBlock, knowledge: Knowledge) -> dict[str, Any]:
        """What the profile says of a backend; one that has a ``lexicon`` is told the words of the packs as well."""
        settings = block.settings | {"name": name}
        if "lexicon" in self._plugins.registry("backends").get(block.type).Settings.model_fields:
            settings["lexicon"] = list(dict.fromkeys((*settings.get("lexicon", ()), *knowledge.lexicon)))
        return settings

    async def hit_processors(self, connections: Sequence[Connection]) -> list[tuple[str, HitProcessor]]:
        """The profile's; before them the lexical reranker, where the lists' own orders do not compare or are no BM25."""
        search = self._profile.search
        wanted = [(named.type, named.settings) for named in search.processors]
        unordered = len(connections) > 1 or any(not connection.backend.bm25 for connection in connections)
        if search.rerank == "auto" and unordered and not any(name == "rerank" for name, _ in wanted):
            wanted.insert(0, ("rerank", {"by": "lexical"}))
        return [(name, await self.make("processors", name, settings)) for name, settings in wanted]


def _fields_of(settings: dict[str, Any]) -> FieldMap:
    return BackendSettings.model_validate({"fields": settings.get("fields", {})}).fields
