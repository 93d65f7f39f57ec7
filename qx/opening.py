"""Opening an engine: from a profile to live parts.  Everything slow happens here, outside any request's deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any, cast

from qx.backend import BackendSettings, SearchBackend
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
from qx.operations.running import Operations
from qx.parts import WARMING, Parts
from qx.plugins import BUILT_IN, Plugins
from qx.processor import HitProcessor
from qx.profiles import Loaded, fingerprint, load
from qx.profiles.sections import check_sections
from qx.ranking import Fusion
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
from qx.steps.requests import filterable
from qx.steps.search import SearchStep
from qx.steps.understand import UnderstandStep
from qx.strategy import Strategy
from qx.types import Query
from qx.validation import accepted

_log = logging.getLogger("qx")

RESERVE_SHARE = 0.2
"""Of a short deadline, model calls leave at most this share."""


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
    resources = await opener.resources(knowledge, connections, cache)
    understand = UnderstandStep(profile, await opener.rules(knowledge), asker)
    parts = Parts(
        profile=profile,
        resources=resources,
        cache=cache,
        understand=understand,
        expand=await opener.expand(understand, asker, connections),
        search=SearchStep(connections, profile.search, waiting=waiting, decisions=plugins.decisions),
        fuse=await opener.fuse(connections),
        process=ProcessStep(await opener.hit_processors(connections)),
        connections=tuple(connections),
        asker=asker,
        fingerprint=f"{fingerprint(profile)}:{knowledge.fingerprint}",
        sections=Sections(profile, plugins, opener.make, opener.services),
        operations=Operations(plugins.registry("operations"), profile.tenant, opener.redactor, opener.fetching.open),
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
        block = profile.fetch
        make = partial(self.make, "fetchers", block.type, block.settings)
        self.fetching = Fetching(make, concurrency=block.concurrency, redact=self.redactor.text)

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

    async def resources(self, knowledge: Knowledge, connections: Sequence[Connection], cache: Cache) -> Resources:
        """What all requests share, the model and the embedder among it."""
        profile = self._profile
        resources = Resources(
            tenant=profile.tenant,
            clock=self.clock,
            knowledge=knowledge,
            executor=self.executor,
            reserve=min(profile.reserve, profile.deadline * RESERVE_SHARE),
            mask=profile.llm is not None and profile.llm.mask,
            hidden=sensitive(knowledge),
            observers=[await self.make("observers", named.type, named.settings) for named in profile.observers],
            filterable=filterable([connection.backend for connection in connections]),
            vocabulary=Vocabularies(connections, self.clock) if connections else None,
            fetching=self.fetching,
        )
        account = await open_account(
            profile, self.services, cache=cache, resources=resources, stack=self._stack, plugins=self._plugins
        )
        resources.completer = await self._completer(account)
        resources.embedding = await self._embedding(cache, account)
        return resources

    async def _completer(self, account: Account) -> Completer | None:
        if self._profile.llm is None:
            return None
        await self._http.open()
        with self._opening(f"LLM provider {self._profile.llm.provider!r}"):
            made = await make_providers(self._profile.llm, self._provider_class, self.services)
        for block, provider in zip(endpoints(self._profile.llm), made, strict=True):
            self._stack.push_async_callback(close_part, f"LLM provider {block.provider!r}", provider.aclose)
        return Completer(
            self._profile.llm,
            made,
            clock=self.clock,
            account=account,
            courses=self._plugins.courses,
            redact=self.redactor.text,
        )

    async def _embedding(self, cache: Cache, account: Account) -> Embedding | None:
        block = self._profile.embedder
        if block is None:
            return None
        embedder: Embedder = await self.make("embedders", block.provider, block.settings)
        kept = VectorCache(cache, self._profile.tenant, self._profile.cache.ttl)
        return Embedding(
            embedder, self.clock, kept, account=account, courses=self._plugins.courses, redact=self.redactor.text
        )

    async def rules(self, knowledge: Knowledge) -> RuleUnderstanding:
        settings = self._profile.understand
        rules = await asyncio.to_thread(
            shared_rules, knowledge, spelling=settings.spelling, condense_above=settings.condense_above
        )
        for text in WARMING:
            await asyncio.to_thread(rules.understand, Query(text=text), now=self.clock.now(), zone=UTC)
        return rules

    async def expand(
        self, understand: UnderstandStep, asker: Asker | None, connections: Sequence[Connection]
    ) -> ExpandStep:
        named = self._profile.expand.processors
        processors = [(one.type, await self.make("processors", one.type, one.settings)) for one in named]
        web = not connections or any("web" in connection.backend.accepts for connection in connections)
        return ExpandStep(self._profile, self._strategies(), processors, asker, understand.by_rules, web=web)

    async def fuse(self, connections: Sequence[Connection]) -> FuseStep:
        search = self._profile.search
        fusion: Fusion | None = None
        if connections:
            fusion = await self.make("fusions", search.fusion.type, search.fusion.settings)
        return FuseStep(
            fusion,
            {connection.name: connection.weight for connection in connections},
            share=search.share,
            depth=search.depth,
            fields={connection.name: connection.backend.fields for connection in connections},
        )

    def _strategies(self) -> dict[str, Strategy]:
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
            connection = Connection(
                name,
                backend,
                block,
                clock=self.clock,
                courses=self._plugins.courses,
                redact=self.redactor.text,
                patient=patient,
            )
            made.append(connection)
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
