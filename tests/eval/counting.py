"""A scripted engine that several conditions may open one after the other, as a server can be, with its plugin."""

from __future__ import annotations

from typing import ClassVar

from qx.backend import SearchBackend
from qx.hookspecs import Contribution, Services, hookimpl
from qx.testing.backend import ScriptedBackend, Settings


class Counting(ScriptedBackend):
    """Counts its requests (``requests``) over all conditions, and how often it was opened."""

    opened: ClassVar[int] = 0

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> ScriptedBackend:
        made = await ScriptedBackend.create.__func__(cls, settings, services)  # type: ignore[attr-defined]
        made.closed = False
        Counting.opened += 1
        return made


@hookimpl
def qx_search_backends() -> list[Contribution[SearchBackend]]:
    return [Contribution(name="counting", target=f"{__name__}:Counting")]
