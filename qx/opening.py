"""Opening an engine: from a profile to live parts.  Everything slow happens here, outside any request's deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qx.budget import Cost, RequestBudget
from qx.cache import Cache
from qx.clock import SystemClock
from qx.completer import Completer
from qx.domain import Knowledge, merge
from qx.embedder import Embedder
from qx.embedding import Embedding
from qx.errors import ProfileError
from qx.http import Http
from qx.observer import Observer
from qx.packs import load_domains
from qx.plugins import Plugins
from qx.processor import QueryProcessor
from qx.profiles import fingerprint, load_profile
from qx.providers import make_providers
from qx.request import Report, RequestContext, Resources
from qx.rules.understand import RuleUnderstanding
from qx.secrets import Redactor
from qx.services import EngineServices
from qx.settings import Profile
from qx.steps.ask import Asker
from qx.steps.expand import ExpandStep
from qx.steps.prompt import PromptBook, RenderedPrompt
from qx.steps.strategy import Strategy
from qx.steps.understand import UnderstandStep
from qx.types import Expansion, Query, Understood

WARMING = ("电脑开机黑屏怎么办 不要重装", "how to fix a wierd login error, not the app")
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
    asker: Asker | None
    fingerprint: str
    stack: AsyncExitStack

    async def warm_up(self) -> None:
        """Expand two queries, so that whatever the steps load on first use is there before the first request."""
        began = self.resources.clock.monotonic()
        for text in WARMING:
            budget = RequestBudget(Cost(), self.resources.clock.monotonic)
            context = RequestContext(
                self.resources, Query(text=text), budget, step="", trace="", began=began, report=Report()
            )
            await self.by_rules(context)

    async def by_rules(self, context: RequestContext) -> Expansion:
        """Expand without a model, a cache or another's help: the rung below everything else."""
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
        stage, tier = step.plan(query, base)
        value = Understood(query=query, understanding=base)
        first = self.asker.prompt(
            stage or "understand",
            step.payload(query, context),
            language=base.language,
            count=count,
            strategies=step.labels(),
            tier=tier,
        )
        if stage == "single":
            return (first,)
        second = self.asker.prompt(
            "expand",
            self.expand.payload(value, context),
            language=base.language,
            count=count,
            strategies=self.expand.labels(),
        )
        return (first, second)


async def open_parts(source: str | Path | Profile | None, plugins: Plugins | None) -> Parts:
    """Make everything that ``source`` names.

    Raises:
        ProfileError, PluginError: something is wrong or not there; what was opened is closed again.
    """
    plugins = plugins or Plugins.load()
    profile = source if isinstance(source, Profile) else load_profile(source, plugins=plugins)
    plugins = plugins.only(profile.plugins)
    _check_modes(profile)
    async with AsyncExitStack() as stack:
        return await _open(profile, plugins, stack)  # which takes the stack over at its end


def _check_modes(profile: Profile) -> None:
    for section, mode in (("understand", profile.understand.mode), ("expand", profile.expand.mode)):
        if mode in ("llm", "llm-single") and profile.llm is None:
            raise ProfileError(
                f"{section}.mode is {mode}, but the profile names no model",
                file=str(profile.source) if profile.source else None,
                hint="add an `llm:` block, set OPENAI_API_KEY, or use mode rules or auto",
            )


async def _open(profile: Profile, plugins: Plugins, stack: AsyncExitStack) -> Parts:
    clock = SystemClock()
    redactor = Redactor.of(profile)
    logger = logging.getLogger("qx")
    stack.callback(redactor.detach, redactor.attach(logger), logger)
    http = Http(redact=redactor.text)
    stack.push_async_callback(http.aclose)
    executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix=f"qx-{profile.tenant}")
    stack.callback(executor.shutdown, wait=True, cancel_futures=True)
    provider_class = plugins.registry("llm_providers").get
    services = EngineServices(profile, clock=clock, http=http, executor=executor, provider_class=provider_class)

    knowledge = await asyncio.to_thread(gather_knowledge, profile, plugins)
    completer = asker = None
    if profile.llm is not None:
        await http.open()
        made = await make_providers(profile.llm, provider_class, services)
        for provider in made:
            stack.push_async_callback(provider.aclose)
        completer = Completer(profile.llm, made, clock=clock, redact=redactor.text)
        asker = Asker(_book(profile, knowledge), profile.llm, think=profile.understand.think)
    embedding: Embedding | None = None
    if profile.embedder is not None:
        block = profile.embedder
        embedder: Embedder = await _make(plugins, "embedders", block.provider, block.settings, services, stack)
        embedding = Embedding(embedder, clock)
    observers: list[Observer] = [
        await _make(plugins, "observers", named.type, named.settings, services, stack) for named in profile.observers
    ]
    cache: Cache = await _make(plugins, "caches", profile.cache.type, profile.cache.settings, services, stack)
    resources = Resources(
        tenant=profile.tenant,
        clock=clock,
        knowledge=knowledge,
        executor=executor,
        reserve=min(profile.reserve, profile.deadline * RESERVE_SHARE),
        completer=completer,
        embedding=embedding,
        observers=observers,
    )
    processors: list[tuple[str, QueryProcessor]] = [
        (named.type, await _make(plugins, "processors", named.type, named.settings, services, stack))
        for named in profile.expand.processors
    ]
    settings = profile.understand
    rules = await asyncio.to_thread(
        RuleUnderstanding, knowledge, spelling=settings.spelling, condense_above=settings.condense_above
    )
    for text in WARMING:
        await asyncio.to_thread(rules.understand, Query(text=text), now=clock.now(), zone=UTC)
    parts = Parts(
        profile=profile,
        resources=resources,
        cache=cache,
        understand=UnderstandStep(profile, rules, asker),
        expand=ExpandStep(profile, _strategies(profile, plugins), processors, asker),
        asker=asker,
        fingerprint=f"{fingerprint(profile)}:{knowledge.fingerprint}",
        stack=stack.pop_all(),
    )
    await parts.warm_up()
    return parts


def _book(profile: Profile, knowledge: Knowledge) -> PromptBook:
    settings = profile.understand
    return PromptBook(knowledge, profile.prompts, examples=settings.examples, example_tokens=settings.example_tokens)


def gather_knowledge(profile: Profile, plugins: Plugins) -> Knowledge:
    """Load the profile's packs and merge them, the general one last, with the profile's own words.

    Raises:
        PackError, PluginError: a pack is wrong or not there.
    """
    return merge(load_domains(profile, plugins), synonyms=profile.synonyms, lexicon=profile.lexicon)


def _strategies(profile: Profile, plugins: Plugins) -> dict[str, Strategy]:
    """The built-in strategies, and those of plugins that the profile names."""
    registry = plugins.registry("strategies")
    named: Sequence[str] = profile.expand.strategies or ()
    names = dict.fromkeys([n for n in registry.names() if registry.origin(n) == "built in"])
    return {name: registry.get(name)() for name in (*names, *(n for n in named if n not in names))}


async def _make(
    plugins: Plugins, kind: str, name: str, settings: dict[str, Any], services: EngineServices, stack: AsyncExitStack
) -> Any:
    """Make one contribution from its part of the profile, and close it with the engine."""
    registry = plugins.registry(kind)
    factory = registry.get(name)
    try:
        checked = factory.Settings.model_validate(settings)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)
        listed = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'settings'}: {e['msg']}" for e in found)
        raise ProfileError(f"{registry.noun} {name!r} does not accept its settings: {listed}") from None
    made = await factory.create(checked, services)
    stack.push_async_callback(made.aclose)
    return made
