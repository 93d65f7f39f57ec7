"""What a plugin's factory is given: the concrete ``Services`` of one engine."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from qx.calls.providers import make_provider
from qx.clock import Clock
from qx.errors import ProfileError
from qx.http import Http
from qx.llm import LLMProvider
from qx.paths import home, make_private
from qx.settings import Endpoint, Profile

T = TypeVar("T")


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
    ) -> None:
        self.tenant = profile.tenant
        self.clock = clock
        self.folder = profile.folder
        self.log = logging.getLogger("qx")
        self.http = http
        self._executor = executor
        self._provider_class = provider_class

    @property
    def data(self) -> Path:
        """This tenant's own folder under ``$QX_HOME``; made on first use, closed to other users.

        Raises:
            ProfileError: it cannot be made.
        """
        folder = home() / "data" / (re.sub(r"[^\w.-]", "_", self.tenant).lstrip(".") or "_")
        try:
            return make_private(folder)
        except OSError as exc:
            raise ProfileError(
                f"the folder {folder} cannot be made: {exc.strerror or exc}",
                hint="let QX_HOME name a folder that can be written",
            ) from exc

    async def llm_provider(self, endpoint: Endpoint, /) -> LLMProvider:
        """Make another provider; who asks for it closes it."""
        return await make_provider(endpoint, self._provider_class(endpoint.provider), self)

    async def run_cpu(self, function: Callable[[], T], /) -> T:
        """Run ``function`` in the engine's executor."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, function)
