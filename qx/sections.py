"""Sections of the profile that plugins own (``chat:``): checked with the rest, opened when they are first asked for.

A section's class has ``Settings``, a pydantic model (``extra="forbid"``, a default for every key that can have one), and
may have ``async create(settings, services)``, like any ``Factory``; what that makes is closed with the engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from qx.errors import Closed
from qx.plugins import Plugins
from qx.services import EngineServices
from qx.settings import Profile
from qx.validation import accepted

if TYPE_CHECKING:
    from qx.operating import Operating

Make = Callable[[str, str, dict[str, Any]], Awaitable[Any]]
"""Makes a contribution of a kind, by its name, from its settings; it is closed with the engine."""


class Sections:
    """The sections of one engine.

    Args:
        services: What they are made with.
    """

    def __init__(self, profile: Profile, plugins: Plugins, make: Make, services: EngineServices) -> None:
        self._profile = profile
        self._registry = plugins.registry("sections")
        self._make = make
        self._services = services
        self._opened: dict[str, asyncio.Task[Any]] = {}
        self._closed = False

    def belong_to(self, engine: Operating) -> None:
        """Let requests of the sections' own begin on ``engine``."""
        self._services.engine = engine

    async def get(self, name: str) -> Any:
        """Return what the section ``name`` made; where its class makes nothing, its settings.

        The first call opens it, those that come meanwhile wait for that one.  A profile that does not write the section
        has its defaults.

        Raises:
            PluginError: no plugin owns it, or it cannot be opened.
            ProfileError: it has no default for something that the profile does not say.
            Closed: the engine is being closed.
        """
        if self._closed:
            raise Closed("this engine is closed: open another one")
        task = self._opened.get(name)
        if task is None:
            task = self._opened[name] = asyncio.ensure_future(self._open(name))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise Closed("the engine was closed while a section was being opened: open another one") from None
            raise
        finally:
            if task.done() and (task.cancelled() or task.exception() is not None):
                self._opened.pop(name, None)  # who asks next tries again

    async def _open(self, name: str) -> Any:
        owner = self._registry.get(name)
        given = self._profile.sections.get(name, {})
        if not hasattr(owner, "create"):
            return accepted(f"the section {name!r}", owner.Settings, given)
        return await self._make("sections", name, given)

    async def aclose(self) -> None:
        """Stop what is being opened; what is open is closed with the engine."""
        self._closed = True
        tasks = [task for task in self._opened.values() if not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
