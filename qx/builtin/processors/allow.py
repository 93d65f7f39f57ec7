"""The processor ``allow``: keeps only the hits that its ids, URLs, domains or patterns name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from qx.builtin.processors.lists import Rules, Settings
from qx.ranking import Ranking

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services


class Allow:
    """Registered as ``allow`` through ``qx_post_processors``."""

    Settings = Settings

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor.

        Raises:
            ProfileError: a pattern is not RE2.
        """
        return cls(await services.run_cpu(lambda: Rules(settings, "allow")))

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Drop what is not allowed."""
        del context
        kept = [i for i in range(len(ranking.keys)) if self._rules.reason(ranking.hit(i))]
        if len(kept) == len(ranking.keys):
            return ranking
        inside = set(kept)
        dropped = [(key, "not on the allow list") for i, key in enumerate(ranking.keys) if i not in inside]
        return replace(ranking.pick(kept), dropped=(*ranking.dropped, *dropped))

    async def aclose(self) -> None:
        """Nothing to close."""


__all__ = ["Allow", "Settings"]
