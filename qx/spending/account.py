"""What every paid call of a tenant passes: the day's budget before it, the ledger after it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any
from zoneinfo import ZoneInfo

from qx.budget import Cost
from qx.cache import SupportsCounters
from qx.clock import Clock
from qx.errors import ProfileError, QxError
from qx.ledger import Ledger
from qx.settings import LLM, Profile
from qx.spending.day_budget import DayBudget, Reservation, Tell
from qx.types import Usage
from qx.yaml import Loc

_log = logging.getLogger("qx")


class Charge:
    """One call: what it has set aside, and where what it spends is written down."""

    def __init__(self, account: Account, reserved: Reservation | None) -> None:
        self._account = account
        self._reserved = reserved

    async def settle(self, usage: Usage, model: str) -> None:
        """Count and record what the call spent, to the end, also when the request is over meanwhile."""
        if self._reserved is not None or self._account.is_kept:
            await self._account.written(self._settle(usage, model))

    async def release(self) -> None:
        """Give back what was set aside: the endpoint has done nothing."""
        if self._reserved is not None:
            await self._account.written(self._reserved.settle(Cost(calls=0, tokens=0, money=0.0)))

    async def _settle(self, usage: Usage, model: str) -> None:
        if self._reserved is not None:
            cost = self._account.in_own_currency(usage)
            tokens = usage.input_tokens + usage.output_tokens
            await self._reserved.settle(Cost(calls=usage.calls, tokens=tokens, money=cost))
        await self._account.record(usage, model)


class Account:
    """One engine's: that is one tenant's.

    Args:
        ledger: None: nothing is recorded.
        day: None: no limit by the day.
    """

    def __init__(
        self,
        tenant: str,
        zone: ZoneInfo,
        clock: Clock,
        *,
        currency: str = "USD",
        ledger: Ledger | None = None,
        day: DayBudget | None = None,
    ) -> None:
        self.day = day
        self.currency = currency
        self._tenant = tenant
        self._zone = zone
        self._clock = clock
        self._ledger = ledger
        self._failed = False
        self._foreign = set[str]()
        self._writing = set[asyncio.Task[None]]()

    @property
    def is_kept(self) -> bool:
        """Whether there is a ledger to write what is spent into."""
        return self._ledger is not None

    @property
    def refuses(self) -> bool:
        """Whether a spent budget ends requests."""
        return self.day is not None and self.day.when_exhausted == "refuse"

    async def begin(self, forecast: Cost, *, fallback: bool = False) -> Charge:
        """Set ``forecast`` aside.

        Args:
            fallback: The call goes to one of ``llm.fallbacks``, which ``when_exhausted: fallback`` leaves without limit.

        Raises:
            BudgetExceeded, DayBudgetSpent: the day's budget does not allow it.
        """
        if self.day is None:
            return Charge(self, None)
        bounded = not (fallback and self.day.when_exhausted == "fallback")
        return Charge(self, await self.day.reserve(forecast, bounded=bounded))

    async def written(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for ``work``, which goes on when the caller leaves."""
        task = asyncio.ensure_future(work)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        await asyncio.shield(task)

    async def aclose(self) -> None:
        """Wait for what is being written."""
        await asyncio.gather(*self._writing, return_exceptions=True)

    async def record(self, usage: Usage, model: str) -> None:
        """Write ``usage`` down; that it cannot be is logged once and fails nobody's request."""
        if self._ledger is None:
            return
        try:
            await self._ledger.record(self._tenant, usage, self._clock.now().astimezone(self._zone), model=model)
            self._failed = False
        except QxError as error:
            if not self._failed:
                _log.warning("what is spent is not kept: %s", error)
            self._failed = True

    def in_own_currency(self, usage: Usage) -> float | None:
        """Return the cost in the budget's currency; money of another is told once, since it cannot be counted."""
        costs = {**usage.other_costs} | ({} if usage.cost is None else {usage.currency: usage.cost})
        for currency in costs.keys() - {self.currency} - self._foreign:
            self._foreign.add(currency)
            _log.warning(
                "tenant %s: calls are paid in %s, which the day's budget in %s does not count: give llm.prices",
                *(self._tenant, currency, self.currency),
            )
        return costs.get(self.currency)


def budget_problem(profile: Profile) -> tuple[Loc, str, str] | None:
    """Return what keeps the day's budget of ``profile``, and routes by it, from working: where, what, what to do."""
    limits, llm = profile.budget, profile.llm
    if llm is None:
        return None
    for index, route in enumerate(llm.tiers.routes):
        if route.left_at_most is not None and not limits.daily:
            said = "nothing is limited by the day, so that all of it is always left"
            return ("llm", "tiers", "routes", index, "left_at_most"), said, "give budget.cost_per_day or another"
    if not limits.daily:
        return None
    if limits.when_exhausted == "fallback" and not llm.fallbacks:
        said = "there is no fallback to ask once the day's budget is spent"
        return ("budget", "when_exhausted"), said, "name one under `llm.fallbacks`, or write rules or refuse"
    money, priced = limits.cost_per_day, llm.currencies
    if money is None:
        return None
    if money.currency and priced and money.currency != priced[0]:
        said = f"the budget is in {money.currency}, the prices of llm are in {priced[0]}"
        return (
            ("budget", "cost_per_day"),
            said,
            f"write it in {priced[0]}: amounts of two currencies cannot be compared",
        )
    if llm.provider == "openai" and llm.prices is None:
        said = "what a call costs is not known, so that nothing would be counted"
        return ("budget", "cost_per_day"), said, "give `llm.prices`, or limit calls_per_day or tokens_per_day"
    return None


def check_budget(profile: Profile) -> None:
    """Check what ``budget_problem`` finds, for a profile that was made by a program.

    Raises:
        ProfileError: the day's budget cannot work.
    """
    if problem := budget_problem(profile):
        loc, said, hint = problem
        raise ProfileError(f"{'.'.join(map(str, loc))}: {said}", file=str(profile.source or "") or None, hint=hint)


def currency_of(profile: Profile) -> str:
    """Return what the profile's money is in."""
    money = profile.budget.cost_per_day
    if money is not None and money.currency:
        return money.currency
    llm: LLM | None = profile.llm
    return llm.currencies[0] if llm is not None and llm.currencies else "USD"


def make_account(
    profile: Profile, clock: Clock, *, ledger: Ledger | None, counters: SupportsCounters | None, tell: Tell
) -> Account:
    """Make the account of an engine for ``profile``.

    Args:
        counters: Where budgets are counted; only where the profile limits something by the day.
    """
    zone, currency = ZoneInfo(profile.timezone), currency_of(profile)
    day = None
    if counters is not None and profile.budget.daily:
        day = DayBudget(
            profile.budget,
            tenant=profile.tenant,
            currency=currency,
            zone=zone,
            clock=clock,
            counters=counters,
            tell=tell,
        )
    return Account(profile.tenant, zone, clock, currency=currency, ledger=ledger, day=day)
