"""What an engine is made of once it is open, and what can be asked of it without a request's flight and cache."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime

from qx.budget import Cost, RequestBudget
from qx.cache import Cache
from qx.calls.connection import Connection
from qx.moment import moment
from qx.operations.running import Operations
from qx.report import Report
from qx.request import RequestContext
from qx.resources import Resources
from qx.sections import Sections
from qx.settings import Profile
from qx.steps.ask import Asker
from qx.steps.expand import ExpandStep
from qx.steps.fuse import FuseStep
from qx.steps.process import ProcessStep
from qx.steps.prompt import RenderedPrompt
from qx.steps.search import SearchStep
from qx.steps.understand import UnderstandStep
from qx.types import Expansion, Query, Understood

WARMING = ("电脑开机黑屏怎么办 不要重装", "how to fix a wierd login error, not the app")
"""Queries by which all that steps load on first use is loaded."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What an engine is made of.  ``stack`` closes it all, the last opened first."""

    profile: Profile
    resources: Resources
    cache: Cache
    understand: UnderstandStep
    expand: ExpandStep
    search: SearchStep
    fuse: FuseStep
    process: ProcessStep
    connections: tuple[Connection, ...]
    asker: Asker | None
    fingerprint: str
    sections: Sections
    operations: Operations
    stack: AsyncExitStack

    def now(self, query: Query) -> datetime:
        """The moment of a request, in its time zone."""
        return moment(query, self.profile, self.resources.clock)[0]

    def budget(self, queries: int = 1) -> RequestBudget:
        """What the profile lets a request of that many queries spend, its time from now on."""
        limits = self.profile.budget
        return RequestBudget(
            Cost(
                seconds=self.profile.deadline * queries,
                calls=None if limits.calls is None else limits.calls * queries,
                tokens=None if limits.tokens is None else limits.tokens * queries,
                money=None if limits.cost is None else limits.cost * queries,
            ),
            self.resources.clock.monotonic,
        )

    async def warm_up(self) -> None:
        """Expand two queries, so that whatever the steps load on first use is there before the first request.

        No model is asked, no processor run and no observer told: opening costs nothing.
        """
        resources = replace(self.resources, completer=None, observers=())
        began = self.resources.clock.monotonic()
        for text in WARMING:
            budget = RequestBudget(Cost(), self.resources.clock.monotonic)
            context = RequestContext(
                resources, Query(text=text), budget, step="", trace="", began=began, report=Report()
            )
            understanding = self.understand.by_rules(context.query, context.at("understand"))
            await self.expand.warm_up(Understood(query=context.query, understanding=understanding), context)

    async def by_rules(self, context: RequestContext) -> Expansion:
        """Expand without a model, a cache or another's help: the rung below everything else."""
        context = context.without_model()  # which has just failed, or was not wanted
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
        stage, tier = step.plan(query, base, context)
        value = Understood(query=query, understanding=base)
        first = self.asker.prompt(
            stage or "understand",
            step.payload(query, context),
            language=base.language,
            count=count,
            strategies=step.labels,
            tier=tier,
        )
        if stage == "single":
            return (first,)
        second = self.asker.prompt(
            "expand",
            self.expand.payload(value, context),
            language=base.language,
            count=count,
            strategies=self.expand.labels,
            tier=context.tier(base.kind),
        )
        return (first, second)
