"""Every hook, typed and documented.

A hook registers, it never does the work: it returns a list of ``Contribution``s, names with the place of a class that
is imported on first use.  Each plugin's hook is called singly, so that one that raises takes no other along.

A contributed class (provider, embedder, cache, observer, processor) is a ``Factory``: it has ``Settings``, a pydantic model of its part of the
profile, and ``async create(settings, services)``.  Hooks have no arguments, rely on no order and use no wrappers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import pluggy

from qx.clock import Clock
from qx.serial import value

if TYPE_CHECKING:
    import click

    from qx.backend import SearchBackend
    from qx.budget import Budget
    from qx.cache import Cache
    from qx.context import Context
    from qx.describer import Describer
    from qx.domain import DomainPack, Taxonomy
    from qx.embedder import Embedder
    from qx.fetch import Fetcher
    from qx.http import Http
    from qx.llm import LLMProvider
    from qx.observer import Observer
    from qx.operation import Operation
    from qx.processor import HitProcessor, QueryProcessor
    from qx.ranking import Fusion
    from qx.settings import BackendBlock, EmbedderSettings, Endpoint, Named
    from qx.steps.pace import Decisions
    from qx.strategy import Strategy
    from qx.types import Query

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

hookspec = pluggy.HookspecMarker("qx")
hookimpl = pluggy.HookimplMarker("qx")


@value
class Contribution(Generic[T]):
    """A name for a profile to choose, and where it is: ``package.module:attribute``, imported on first use.

    Attributes:
        help: One line for lists, such as ``qx --help``, which import nothing.
    """

    name: str
    target: str
    help: str = ""


class Services(Protocol):
    """What a factory may use.  Secrets in its settings are already resolved."""

    @property
    def tenant(self) -> str: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def data(self) -> Path:
        """A folder of this tenant for files that outlive the process (made on first use)."""
        ...

    @property
    def folder(self) -> Path:
        """The profile's folder: relative paths in settings start here."""
        ...

    @property
    def looking(self) -> float:
        """Seconds for which a backend may look at its engine while it is made; later it looks within a request."""
        ...

    @property
    def log(self) -> logging.Logger: ...

    @property
    def decisions(self) -> Decisions | None:
        """Where a recording writes down what was there in time, so that its replay goes the same way; None: nowhere.

        For a section that ends work by the clock: it asks ``find`` first, and tells ``keep``.
        """
        ...

    @property
    def http(self) -> Http:
        """The HTTP client: proxy, CA and redirect rules applied, secrets redacted."""
        ...

    async def run_cpu(self, function: Callable[[], T], /) -> T: ...

    async def llm_provider(self, endpoint: Endpoint, /) -> LLMProvider:
        """Make another provider, for one that wraps it; who asks closes it.  The registry's rules apply."""
        ...

    async def embedder(self, block: EmbedderSettings, /) -> Embedder:
        """Make another embedder, likewise."""
        ...

    async def processor(self, block: Named, /) -> QueryProcessor | HitProcessor:
        """Make a processor, likewise."""
        ...

    async def describer(self, block: Named, /) -> Describer:
        """Make a describer of pictures and recordings, likewise."""
        ...

    def begin(self, query: Query | str, /, *, step: str, budget: Budget | None = None) -> Context:
        """Begin a request of a section's own, as `Engine.begin`: for work that no call waits for."""
        ...

    async def search_backend(self, name: str, block: BackendBlock, lexicon: Sequence[str] = (), /) -> SearchBackend:
        """Make another backend, likewise, called ``name``; one that has a ``lexicon`` is told these words too."""
        ...


class Factory(Protocol[T_co]):
    """What a contribution's target is: a class with its settings and a constructor.

    ``Settings`` is a pydantic model (``extra="forbid"``); ``create`` may do slow things (open files, import heavy
    libraries): it runs when the engine opens, outside any request's deadline.
    """

    Settings: Any

    @classmethod
    async def create(cls, settings: Any, services: Services, /) -> T_co: ...


class HookSpecs:
    """The hooks.  Implement any of them as ``@qx.hookimpl`` functions of the module your entry point names."""

    @hookspec
    def qx_llm_providers(self) -> list[Contribution[LLMProvider]]:
        """Language-model providers, chosen by ``llm.provider``."""
        raise NotImplementedError

    @hookspec
    def qx_embedders(self) -> list[Contribution[Embedder]]:
        """Embedders, chosen by ``embedder.provider``."""
        raise NotImplementedError

    @hookspec
    def qx_search_backends(self) -> list[Contribution[SearchBackend]]:
        """Search backends, chosen by ``type`` under ``search.backends``."""
        raise NotImplementedError

    @hookspec
    def qx_fusions(self) -> list[Contribution[Fusion]]:
        """Ways of merging lists, chosen by ``search.fusion``; a ``Factory`` like the rest."""
        raise NotImplementedError

    @hookspec
    def qx_intent_taxonomies(self) -> list[Contribution[Taxonomy]]:
        """Taxonomies that packs name: the target is a ``Taxonomy``, or a data file ``package:file.yaml``."""
        raise NotImplementedError

    @hookspec
    def qx_domain_packs(self) -> list[Contribution[DomainPack]]:
        """Domain packs, chosen under ``domains``: the target is a ``DomainPack`` or a data file ``package:file.yaml``."""
        raise NotImplementedError

    @hookspec
    def qx_post_processors(self) -> list[Contribution[QueryProcessor | HitProcessor]]:
        """Processors, chosen under ``expand.processors`` (queries) and ``search.processors`` (hits)."""
        raise NotImplementedError

    @hookspec
    def qx_caches(self) -> list[Contribution[Cache]]:
        """Caches, chosen by ``cache.type``."""
        raise NotImplementedError

    @hookspec
    def qx_observers(self) -> list[Contribution[Observer]]:
        """Observers, chosen under ``observers``."""
        raise NotImplementedError

    @hookspec
    def qx_steps(self) -> list[Contribution[Strategy]]:
        """Expansion strategies, chosen under ``expand.strategies``."""
        raise NotImplementedError

    @hookspec
    def qx_fetchers(self) -> list[Contribution[Fetcher]]:
        """Fetchers of pages, chosen by ``fetch.type``."""
        raise NotImplementedError

    @hookspec
    def qx_describers(self) -> list[Contribution[Describer]]:
        """Describers of pictures and recordings, chosen where a plugin keeps such (``chat.describe``)."""
        raise NotImplementedError

    @hookspec
    def qx_profile_sections(self) -> list[Contribution[Any]]:
        """Sections of a profile that this plugin owns, each by its key: the target is a class with ``Settings``, and
        with ``create`` (a ``Factory``) where something is to be opened."""
        raise NotImplementedError

    @hookspec
    def qx_operations(self) -> list[Contribution[Operation]]:
        """Operations, called by name (``Engine.call``, ``qx NAME``, as tools): ``NAME`` or ``GROUP.NAME``."""
        raise NotImplementedError

    @hookspec
    def qx_commands(self) -> list[Contribution[click.Command]]:
        """Commands of the command line, ``NAME`` or ``GROUP.NAME``: the target is a ``click.Command``.  One of an
        operation's name takes the place of what is made for it."""
        raise NotImplementedError
