"""The services that a factory's ``create`` gets, for tests of one provider, cache or observer alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from qx.backend import SearchBackend
from qx.budget import Budget
from qx.clock import Clock, SystemClock
from qx.context import Context
from qx.describer import Describer
from qx.embedder import Embedder
from qx.http import Http
from qx.llm import LLMProvider
from qx.processor import HitProcessor, QueryProcessor
from qx.settings import BackendBlock, EmbedderSettings, Endpoint, Named
from qx.steps.pace import Decisions
from qx.types import Query

T = TypeVar("T")


class TestServices:
    """Implements ``Services``; close it at the end.

    Args:
        folder: Where relative paths start; ``data`` is a folder in it.
        providers: Makes the inner provider of one that wraps another.
        backends: Makes the inner backend of one that wraps another, from its name and block.
        embedders: Makes the inner embedder of one that wraps another.
        processors: Makes a processor for one that uses another.
        describers: Makes a describer.
        contexts: Makes the context of a section's own request, such as ``TestContext``.
    """

    __test__ = False  # pytest must not take it for a class of tests

    def __init__(
        self,
        folder: Path,
        *,
        tenant: str = "test",
        clock: Clock | None = None,
        providers: Callable[[Endpoint], LLMProvider] | None = None,
        backends: Callable[[str, BackendBlock], SearchBackend] | None = None,
        embedders: Callable[[EmbedderSettings], Embedder] | None = None,
        processors: Callable[[Named], QueryProcessor | HitProcessor] | None = None,
        contexts: Callable[[Query | str], Context] | None = None,
        describers: Callable[[Named], Describer] | None = None,
    ) -> None:
        self.tenant = tenant
        self.clock: Clock = clock or SystemClock()
        self.folder = folder
        self.looking = 2.0
        self.log = logging.getLogger("qx")
        self.http = Http()
        self.decisions: Decisions | None = None
        self._providers = providers
        self._backends = backends
        self._embedders = embedders
        self._processors = processors
        self._contexts = contexts
        self._describers = describers

    @property
    def data(self) -> Path:
        place = self.folder / "data"
        place.mkdir(exist_ok=True)
        return place

    async def run_cpu(self, function: Callable[[], T], /) -> T:
        return function()

    async def llm_provider(self, endpoint: Endpoint, /) -> LLMProvider:
        if self._providers is None:
            raise LookupError("give TestServices `providers` to make inner providers")
        return self._providers(endpoint)

    async def embedder(self, block: EmbedderSettings, /) -> Embedder:
        if self._embedders is None:
            raise LookupError("give TestServices `embedders` to make inner embedders")
        return self._embedders(block)

    async def processor(self, block: Named, /) -> QueryProcessor | HitProcessor:
        if self._processors is None:
            raise LookupError("give TestServices `processors` to make processors")
        return self._processors(block)

    async def describer(self, block: Named, /) -> Describer:
        if self._describers is None:
            raise LookupError("give TestServices `describers` to make describers")
        return self._describers(block)

    def begin(self, query: Query | str, /, *, step: str, budget: Budget | None = None) -> Context:
        if self._contexts is None:
            raise LookupError("give TestServices `contexts` to begin requests")
        return self._contexts(query)

    async def search_backend(self, name: str, block: BackendBlock, lexicon: Sequence[str] = (), /) -> SearchBackend:
        if self._backends is None:
            raise LookupError("give TestServices `backends` to make inner backends")
        return self._backends(name, block)

    async def aclose(self) -> None:
        await self.http.aclose()
