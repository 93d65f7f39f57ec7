"""What a plugin's factory is given: the concrete ``Services`` of one engine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qx.backend import SearchBackend
from qx.budget import Budget
from qx.calls.providers import make_provider
from qx.clock import Clock
from qx.context import Context
from qx.describer import Describer
from qx.embedder import Embedder
from qx.errors import UsageError
from qx.http import Http
from qx.llm import LLMProvider
from qx.processor import HitProcessor, QueryProcessor
from qx.registry import Registry
from qx.settings import BackendBlock, EmbedderSettings, Endpoint, Named, Profile
from qx.tenant_folder import tenant_folder
from qx.types import Query
from qx.validation import accepted

if TYPE_CHECKING:
    from qx.operating import Operating
    from qx.steps.pace import Decisions

T = TypeVar("T")

LOOKING = 2.0
"""Seconds that an engine which does not answer costs the opening at most: all are looked at at once."""


class EngineServices:
    """Implements ``qx.hookspecs.Services``."""

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock,
        http: Http,
        executor: ThreadPoolExecutor,
        provider_class: Callable[[str], Any],
        registry: Callable[[str], Registry] | None = None,
    ) -> None:
        self.tenant = profile.tenant
        self._profiles = profile.folder if profile.source else None
        self.clock = clock
        self.folder = profile.folder
        self.looking = min(profile.deadline, LOOKING)
        self.log = logging.getLogger("qx")
        self.http = http
        self._executor = executor
        self._provider_class = provider_class
        self._registry = registry
        self.engine: Operating | None = None
        self.decisions: Decisions | None = None

    @property
    def data(self) -> Path:
        """This tenant's own folder under ``$QX_HOME``; made on first use, closed to other users.

        Raises:
            NotAllowed: it belongs to the profiles of another folder.
            ProfileError: it cannot be made.
        """
        return tenant_folder(self.tenant, self._profiles)

    async def llm_provider(self, endpoint: Endpoint, /) -> LLMProvider:
        """Make another provider; who asks for it closes it."""
        return await make_provider(endpoint, self._provider_class(endpoint.provider), self)

    async def embedder(self, block: EmbedderSettings, /) -> Embedder:
        """Make another embedder; who asks for it closes it."""
        return await self._made("embedders", block.provider, block.settings)

    async def processor(self, block: Named, /) -> QueryProcessor | HitProcessor:
        """Make a processor; who asks for it closes it."""
        return await self._made("processors", block.type, block.settings)

    async def describer(self, block: Named, /) -> Describer:
        """Make a describer of pictures and recordings; who asks for it closes it."""
        return await self._made("describers", block.type, block.settings)

    def begin(self, query: Query | str, /, *, step: str, budget: Budget | None = None) -> Context:
        """Begin a request of a section's own.

        Raises:
            UsageError: the engine is still being opened.
            Closed: it is closed.
        """
        if self.engine is None:
            raise UsageError("no request can begin before the engine is open: begin it on first use")
        return self.engine.begin(query, step=step, budget=budget)

    async def search_backend(self, name: str, block: BackendBlock, lexicon: Sequence[str] = (), /) -> SearchBackend:
        """Make another backend, called ``name``; who asks for it closes it.  ``lexicon``: where it has such a setting."""
        return await self._made("backends", block.type, block.settings | {"name": name}, lexicon=lexicon)

    async def _made(self, kind: str, name: str, settings: dict[str, Any], *, lexicon: Sequence[str] = ()) -> Any:
        if self._registry is None:
            raise LookupError(f"these services make no {kind}")
        registry = self._registry(kind)
        factory = registry.get(name)
        if lexicon and "lexicon" in factory.Settings.model_fields:
            settings = settings | {"lexicon": list(dict.fromkeys((*settings.get("lexicon", ()), *lexicon)))}
        return await factory.create(accepted(f"{registry.noun} {name!r}", factory.Settings, settings), self)

    async def run_cpu(self, function: Callable[[], T], /) -> T:
        """Run ``function`` in the engine's executor."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, function)
