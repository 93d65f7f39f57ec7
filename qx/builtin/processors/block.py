"""The processor ``block``: drops the hits that its ids, URLs, domains or patterns name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from qx.builtin.processors.lists import Rules, Settings
from qx.ranking import Ranking

if TYPE_CHECKING:
    from qx.context import Context
    from qx.hookspecs import Services


class Block:
    """Registered as ``block`` through ``qx_post_processors``."""

    Settings = Settings

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> Self:
        """Make the processor.

        Raises:
            ProfileError: a pattern is not RE2.
        """
        return cls(await services.run_cpu(lambda: Rules(settings, "block")))

    async def process_hits(self, ranking: Ranking, context: Context, /) -> Ranking:
        """Drop what is blocked, with the rule that blocks it."""
        del context
        reasons = [self._rules.reason(ranking.hit(i)) for i in range(len(ranking.keys))]
        if not any(reasons):
            return ranking
        dropped = [(ranking.keys[i], f"blocked: {reason}") for i, reason in enumerate(reasons) if reason]
        kept = ranking.pick([i for i, reason in enumerate(reasons) if not reason])
        return replace(kept, dropped=(*ranking.dropped, *dropped))

    async def aclose(self) -> None:
        """Nothing to close."""


__all__ = ["Block", "Settings"]
