"""The conformance suites of a plugin that is installed, without a test file of its own: ``qx plugins check DIST``.

Settings come from a profile that names the plugin; without one its defaults are used.  What cannot be made with them,
or whose engine does not answer, is skipped with the reason.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio

from qx.backend import SearchBackend, SupportsHealth, SupportsIndexing
from qx.calls.providers import make_provider
from qx.errors import NotAllowed, ProviderError, QxError
from qx.plugin_details import FACTORIES, find
from qx.plugins import Plugins
from qx.profiles import load_profile
from qx.settings import Endpoint, Profile
from qx.testing.conformance import backend as backends
from qx.testing.conformance.cache import CacheConformance
from qx.testing.conformance.command import CommandConformance
from qx.testing.conformance.describer import DescriberConformance
from qx.testing.conformance.embedder import EmbedderConformance
from qx.testing.conformance.fetcher import FetcherConformance
from qx.testing.conformance.fusion import FusionConformance
from qx.testing.conformance.ledger import CountersConformance
from qx.testing.conformance.llm import LLMProviderConformance
from qx.testing.conformance.observer import ObserverConformance
from qx.testing.conformance.operation import OperationConformance, SectionConformance
from qx.testing.conformance.pack import PackConformance, TaxonomyConformance
from qx.testing.conformance.processor import HitProcessorConformance, QueryProcessorConformance, check_factory
from qx.testing.conformance.strategy import StrategyConformance
from qx.testing.services import TestServices
from qx.testing.titles import title
from qx.validation import accepted

_ABILITIES: Mapping[str, Sequence[type]] = {
    "inexpressible": (backends.FilterConformance, backends.SortingConformance),
    "upsert": (backends.IndexingConformance,),
    "frequencies": (backends.VocabularyConformance,),
    "spellings": (backends.SpellingConformance,),
    "count": (backends.CountConformance,),
    "health": (backends.HealthConformance,),
    "search_many": (backends.BatchConformance,),
    "stored_fingerprint": (backends.VectorConformance,),
}
"""A method of a backend -> the suites of the ability that it is part of."""
_TOLD = ("by_id", "by_values", "keeps", "partial_dates", "stems", "traditional")
"""What a backend's class may say of its engine, by its attribute ``conformance``."""

Suites = dict[str, type]


def suites(distribution: str, profile: str | None = None) -> Suites:
    """Return test classes for every contribution of a plugin, to be put into a module that pytest collects.

    Args:
        distribution: The plugin's, or the name of its entry point.
        profile: The name or file of a profile that has settings for it.
    """
    plugins = Plugins.load()
    chosen = load_profile(profile) if profile else Profile.model_validate({})
    found: Suites = {}
    for plugin in find(plugins, distribution):
        if plugin.status in ("failed", "blocked"):
            found[title("plugin", plugin.name)] = _failing(f"{plugin.name} is {plugin.status}: {plugin.reason}")
        for contribution in plugin.contributions:
            kind, _, name = contribution.partition(":")
            made = _suite(plugins, chosen, kind, name)
            if made is not None:
                found[title(kind, name)] = made
    return found


def _suite(plugins: Plugins, profile: Profile, kind: str, name: str) -> type | None:
    try:
        target = plugins.registry(kind).get(name)
    except QxError as error:
        return _failing(str(error))
    if kind == "packs":
        return type("Pack", (PackConformance,), {"pack": name})
    if kind in FACTORIES:
        try:
            check_factory(target)
        except AssertionError as error:
            return _failing(str(error).partition("\n")[0])
    make = _MAKERS.get(kind)
    if make is None:
        return None
    made = make(target, _settings(profile, kind, name))
    if kind == "backends" and made is not None and profile.source is not None:
        made.folder = profile.folder  # its paths start where they start for a search
    return made


def _failing(reason: str) -> type:
    def test_it_can_be_loaded(self: object) -> None:
        pytest.fail(reason, pytrace=False)

    return type("Failing", (), {"test_it_can_be_loaded": test_it_can_be_loaded})


def _settings(profile: Profile, kind: str, name: str) -> Any:
    """What a profile says of a contribution: a block's own keys, an endpoint for a provider; None where nothing."""
    named = {
        "processors": (*profile.expand.processors, *profile.search.processors),
        "observers": profile.observers,
        "caches": (profile.cache,),
        "fetchers": (profile.fetch,),
        "fusions": (profile.search.fusion,),
        "backends": tuple(profile.search.backends.values()),
    }
    if kind == "llm_providers" and profile.llm is not None:
        return next((e for e in (profile.llm, *profile.llm.fallbacks) if e.provider == name), None)
    if kind == "embedders" and profile.embedder is not None:
        return profile.embedder.settings if profile.embedder.provider == name else None
    return next((block.settings for block in named.get(kind, ()) if block.type == name), None)


# ---- one maker of a suite for each kind ----


async def _made(target: Any, settings: Mapping[str, Any] | None, services: TestServices, **own: Any) -> Any:
    """Make a contribution, or skip the test with the reason."""
    try:
        checked = accepted("the plugin", target.Settings, {**own, **(settings or {})})
    except QxError as error:
        pytest.skip(f"it needs settings: name a profile that has them ({error})")
    try:
        return await target.create(checked, services)
    except ProviderError as error:
        pytest.skip(f"what it stands on does not answer: {error}")


def _backend(target: Any, settings: Mapping[str, Any] | None) -> type:
    told: Mapping[str, Any] = getattr(target, "conformance", {})
    for name in told:
        if name not in _TOLD:
            return _failing(f"conformance says {name!r}, which no suite knows: known are {', '.join(_TOLD)}")
    abilities = (suites for method, suites in _ABILITIES.items() if hasattr(target, method))
    suites = [backends.BackendConformance, *(suite for of_one in abilities for suite in of_one)]
    given = {**(settings or {}), "fields": backends.SHORT_FIELDS}

    async def reopened(self: Any, backend: SearchBackend, services: TestServices) -> SearchBackend:
        return await _made(target, given, services, name="check")

    @pytest_asyncio.fixture
    async def backend(self: Any, services: TestServices) -> AsyncIterator[SearchBackend]:
        made = await _prepared(target, given, services, self)
        yield made
        await _forget(made)
        await made.aclose()

    return type("Backend", tuple(suites), {"backend": backend, "reopened": reopened, "folder": None, **told})


async def _prepared(target: Any, given: Mapping[str, Any], services: TestServices, suite: Any) -> Any:
    services.folder = suite.folder or services.folder
    made: SearchBackend = await _made(target, given, services, name="check")
    await _emptied(made, suite)
    return made


async def _emptied(made: SearchBackend, suite: Any) -> None:
    """Prepare an index that nothing is in; one that holds documents is somebody's, and left alone."""
    if not isinstance(made, SupportsIndexing):
        if isinstance(made, SupportsHealth) and not (found := await made.health()).ok:
            pytest.skip(f"what it stands on does not answer: {found.detail}")
        return
    try:
        await made.prepare(fingerprint=suite.fingerprint, dimensions=suite.dimensions)
        held = list(await made.ids())
    except NotAllowed as error:
        pytest.skip(f"its index is somebody else's: name an empty one, everything in it is deleted ({error})")
    except ProviderError as error:
        pytest.skip(f"what it stands on does not answer: {error}")
    if held:
        pytest.skip(f"its index holds {len(held)} documents: name an empty one, everything in it is deleted")


async def _forget(made: SearchBackend) -> None:
    """Take out what a test has written; one that was closed by its test is empty or asked no more."""
    if not isinstance(made, SupportsIndexing):
        return
    with suppress(QxError):
        await made.delete(list(await made.ids()))


def _provider(target: Any, endpoint: Endpoint | None) -> type:
    @pytest_asyncio.fixture
    async def provider(self: Any, services: TestServices) -> AsyncIterator[Any]:
        if endpoint is None:
            pytest.skip("it needs a model: name a profile whose `llm:` chooses it")
        made = await make_provider(endpoint, target, services)
        yield made
        await made.aclose()

    return type(
        "Provider", (LLMProviderConformance,), {"provider": provider, "model": endpoint.model if endpoint else ""}
    )


def _cache(target: Any, settings: Mapping[str, Any] | None) -> type | None:
    if not getattr(target, "keeps", True):
        return None
    suites: dict[str, type] = {"cache": CacheConformance}
    if hasattr(target, "add"):
        suites["counters"] = CountersConformance
    made = {
        # by which clock it expires only its own tests can know
        f"Test{fixture}": type(suite.__name__, (_by_factory(suite, fixture)(target, settings),), {"expires": False})
        for fixture, suite in suites.items()
    }
    return made["Testcache"] if len(made) == 1 else type("Both", (), made)


def _by_factory(suite: type, fixture: str) -> Callable[[Any, Any], type]:
    def make(target: Any, settings: Mapping[str, Any] | None) -> type:
        @pytest_asyncio.fixture
        async def given(self: Any, services: TestServices) -> AsyncIterator[Any]:
            made = await _made(target, settings, services)
            yield made
            if hasattr(made, "aclose"):
                await made.aclose()

        return type(suite.__name__, (suite,), {fixture: given})

    return make


def _processor(target: Any, settings: Mapping[str, Any] | None) -> type:
    duties = {"process_hits": HitProcessorConformance, "process_queries": QueryProcessorConformance}
    kinds = [suite for method, suite in duties.items() if hasattr(target, method)]
    if len(kinds) == 1:
        return _by_factory(kinds[0], "processor")(target, settings)
    inner = {suite.__name__: _by_factory(suite, "processor")(target, settings) for suite in kinds}
    return type("Both", (), {f"Test{name}": made for name, made in inner.items()})


def _strategy(target: Any, _: object) -> type:
    @pytest.fixture
    def strategy(self: Any) -> Any:
        return target()

    return type("Strategy", (StrategyConformance,), {"strategy": strategy})


def _as_it_is(suite: type, fixture: str) -> Callable[[Any, object], type]:
    """The maker of a suite over what a contribution names, of which nothing is made."""

    def make(target: Any, _: object) -> type:
        @pytest.fixture
        def given(self: Any) -> Any:
            return target

        return type(suite.__name__, (suite,), {fixture: given})

    return make


_MAKERS: Mapping[str, Callable[[Any, Any], type | None]] = {
    "backends": _backend,
    "llm_providers": _provider,
    "embedders": _by_factory(EmbedderConformance, "embedder"),
    "caches": _cache,
    "describers": _by_factory(DescriberConformance, "describer"),
    "fusions": _by_factory(FusionConformance, "fusion"),
    "observers": _by_factory(ObserverConformance, "observer"),
    "processors": _processor,
    "strategies": _strategy,
    "fetchers": _by_factory(FetcherConformance, "fetcher"),
    "commands": _as_it_is(CommandConformance, "command"),
    "operations": _as_it_is(OperationConformance, "operation"),
    "sections": _as_it_is(SectionConformance, "section"),
    "taxonomies": _as_it_is(TaxonomyConformance, "taxonomy"),
}

__all__ = ["suites"]
