"""Opening the account of an engine: where its tenant's budget is counted, and where its usage is kept."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from qx.cache import Cache, SupportsCounters
from qx.closing import close_part
from qx.observer import Event
from qx.plugins import Plugins
from qx.resources import Resources
from qx.services import EngineServices
from qx.settings import Profile
from qx.spending.account import Account, make_account
from qx.spending.routing import Router
from qx.spending.sqlite_ledger import NAME, SqliteLedger


async def open_account(
    profile: Profile,
    services: EngineServices,
    *,
    cache: Cache,
    resources: Resources,
    stack: AsyncExitStack,
    plugins: Plugins,
) -> Account:
    """Open the account of an engine for ``profile``.

    Its routes, which need the same counters, are put into ``resources``.

    Usage is kept for a profile that is a file, and for one that limits the day.  Budgets are counted in the cache where it
    has counters that processes share, else in the ledger's file.  A replay spends nothing, so nothing of it is kept.

    Raises:
        ProfileError, NotAllowed: the day is limited, and its spending cannot be counted.
    """

    def tell(name: str, attributes: Mapping[str, Any]) -> None:
        at = services.clock.now().timestamp()
        resources.tell(Event(name=name, tenant=profile.tenant, trace="", at=at, attributes=attributes))

    ledger: SqliteLedger | None = None
    counters: SupportsCounters | None = None
    calls = profile.llm is not None or profile.embedder is not None
    if calls and not plugins.replaying and (profile.source is not None or counted(profile)):
        ledger = SqliteLedger(lambda: services.data / NAME, services.clock)
        stack.push_async_callback(close_part, "the ledger", ledger.aclose)
        counters = cache if isinstance(cache, SupportsCounters) else ledger
        if counters is ledger and counted(profile):
            await ledger.open()
    account = make_account(profile, services.clock, ledger=ledger, counters=counters, tell=tell)
    if profile.llm is not None and (routes := profile.llm.tiers.routes):
        resources.router = Router(routes, profile.tenant, counters=counters, day=account.day)
    stack.push_async_callback(close_part, "the account", account.aclose)
    return account


def counted(profile: Profile) -> bool:
    """Whether something of ``profile`` needs counters: a budget of the day, or routes by how often a query comes."""
    routes = () if profile.llm is None else profile.llm.tiers.routes
    return profile.budget.daily or any(route.seen_at_least is not None for route in routes)
