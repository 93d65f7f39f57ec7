"""A tenant's budget of one day: counted before a call, across processes, with alerts at 80 and at 100 %.

A call sets aside what it may cost at most and gives back what it did not need.  One that is cancelled, or whose process
is killed, leaves it set aside: the budget may end early by that much, and never late.  Only an estimate that was too low
(tokens sent are estimated before they are counted) goes over the limit, by the difference.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from qx.budget import Cost
from qx.cache import Key, SupportsCounters
from qx.clock import Clock
from qx.errors import BudgetExceeded, DayBudgetSpent, QxError
from qx.ledger import written
from qx.limits import Limits
from qx.spending.ledger_file import ALERT, BUDGET, UNIT, alert, units

Tell = Callable[[str, Mapping[str, Any]], None]

ALERTS = (80, 100)
"""Per cent of a limit at which observers are told, once a day each, whichever process comes there first."""
SOON = 5.0
"""Seconds after which to ask again where only what other calls have set aside is in the way."""
KEPT = 3 * 86400.0
"""Seconds that a day's counters are kept."""
SPENT = "spent"
"""The kind of the keys under which is counted what calls have spent that have ended: what alerts go by."""
_LOOKED = 1.0
"""Seconds for which what is left is not looked up again."""

_log = logging.getLogger("qx")


class Reservation:
    """What one call has set aside of its day: it counts for that day, also when it ends after midnight."""

    def __init__(self, budget: DayBudget, day: date, taken: dict[str, int]) -> None:
        self._budget = budget
        self._day = day
        self._taken: dict[str, int] | None = taken

    async def settle(self, actual: Cost) -> None:
        """Replace what was set aside by what was really spent; a second call does nothing."""
        taken, self._taken = self._taken, None
        if taken is not None:
            await self._budget.settle(self._day, taken, actual)


class DayBudget:
    """The limits of one tenant's days.

    Args:
        limits: The profile's ``budget``.
        currency: What ``llm.prices`` are in.
        zone: Where midnight is.
        counters: Shared by every process that serves this tenant.
        tell: Told of ``budget.alert``.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        tenant: str,
        currency: str,
        zone: ZoneInfo,
        clock: Clock,
        counters: SupportsCounters,
        tell: Tell,
    ) -> None:
        self.when_exhausted = limits.when_exhausted
        self._tenant = tenant
        self._zone = zone
        self._clock = clock
        self._counters = counters
        self._tell = tell
        self._alerted: set[tuple[date, str, int]] = set()
        self._left: tuple[float, float] | None = None
        money = limits.cost_per_day
        self._currency = currency if money is None else money.currency or currency
        given = {
            "calls": limits.calls_per_day,
            "tokens": limits.tokens_per_day,
            "cost": None if money is None else units(money.amount),
        }
        self._limits = {of: limit for of, limit in given.items() if limit is not None}

    async def reserve(self, cost: Cost, *, bounded: bool = True) -> Reservation:
        """Set ``cost`` aside.

        Args:
            bounded: False counts it without a limit: the fallbacks of ``when_exhausted: fallback``.

        Raises:
            BudgetExceeded: not enough is left of something, or it cannot be counted now.
            DayBudgetSpent: the same, where the profile says ``refuse``.
        """
        day, taken = self._today(), dict[str, int]()
        for of, limit in self._limits.items():
            amount = self._amount(of, cost, unknown=1)
            try:
                total = await self._add(day, of, amount, limit if bounded else None)
            except QxError:
                await self._give_back(day, taken)
                raise
            if total is None:
                await self._give_back(day, taken)
                raise await self._exhausted(day, of, amount)
            taken[of] = amount
        return Reservation(self, day, taken)

    async def settle(self, day: date, taken: Mapping[str, int], actual: Cost) -> None:
        """See ``Reservation.settle``."""
        for of, reserved in taken.items():
            amount = self._amount(of, actual)
            try:
                total = await self._add(day, of, amount - reserved, None) or 0
            except QxError as error:
                _log.warning("the day's budget counts what a call had set aside, not what it spent: %s", error)
                continue
            try:
                spent = await self._add(day, of, amount, None, kind=SPENT) or 0
            except QxError as error:
                _log.warning("alerts of the day's budget do not know of what a call has spent: %s", error)
                continue
            await self._alert(day, of, spent, total)

    async def left(self) -> float:
        """Return the share (0 to 1) that is left of the limit that is spent the most; 0 where it cannot be known."""
        now = self._clock.monotonic()
        if self._left is None or now - self._left[0] >= _LOOKED:
            day = self._today()
            try:
                spent = [(await self._add(day, of, 0, None) or 0) / max(limit, 1) for of, limit in self._limits.items()]
            except QxError as error:
                _log.warning("what is left of the day's budget is taken for nothing: %s", error)
                spent = [1.0]
            self._left = now, max(0.0, 1 - max(spent, default=0.0))
        return self._left[1]

    def _today(self) -> date:
        return self._clock.now().astimezone(self._zone).date()

    def _amount(self, of: str, cost: Cost, *, unknown: int = 0) -> int:
        """What ``cost`` has of something, in whole units; what is known to cost nothing fits into a spent budget too."""
        said = {"calls": cost.calls, "tokens": cost.tokens, "cost": cost.money}[of]
        return unknown if said is None else units(said) if of == "cost" else int(said)

    async def _add(self, day: date, of: str, amount: int, ceiling: int | None, *, kind: str = BUDGET) -> int | None:
        named = f"{of} {self._currency}" if of == "cost" else of
        key = Key(tenant=self._tenant, kind=kind, digest=f"{day.isoformat()} {named}")
        try:
            return await self._counters.add(key, amount, ttl=KEPT, ceiling=ceiling)
        except QxError as error:
            raise BudgetExceeded(f"the day's budget cannot be counted, so that nothing is spent: {error}") from error

    async def _give_back(self, day: date, taken: Mapping[str, int]) -> None:
        for of, amount in taken.items():
            try:
                await self._add(day, of, -amount, None)
            except QxError as error:
                _log.warning("the day's budget keeps what no call has spent: %s", error)

    async def _exhausted(self, day: date, of: str, amount: int) -> QxError:
        total = await self._add(day, of, 0, None) or 0
        spent = await self._add(day, of, 0, None, kind=SPENT) or 0
        await self._alert(day, of, spent, total, at=100)
        limit, seconds = self._limits[of], self._to_midnight(day)
        when = f"it begins anew at midnight, {self._zone.key}, in {seconds / 3600:.1f} h"
        if spent + amount <= limit < total + amount:  # only what others hold is in the way, and most of it comes back
            seconds = min(seconds, SOON)
            when = f"what those calls do not need comes free when they end: ask again in {seconds:.0f} s; else {when}"
        if amount > limit:
            when = f"no day has as much: raise budget.{of}_per_day, or let a call write less (llm.max_tokens)"
        said = (
            f"the day's budget of {of} does not allow this call{self._needs(of, amount)}: {self._shown(of, spent)} of "
            f"{self._shown(of, limit)} are spent{self._aside(of, total - spent)}; {when}"
        )
        kind = DayBudgetSpent if self.when_exhausted == "refuse" else BudgetExceeded
        return kind(said, retry_after=seconds)

    def _needs(self, of: str, amount: int) -> str:
        return f", which may need {self._shown(of, amount)}" if amount > 1 else ""

    def _aside(self, of: str, amount: int) -> str:
        return f", {self._shown(of, amount)} set aside by calls under way or cut off" if amount > 0 else ""

    def _to_midnight(self, day: date) -> float:
        midnight = datetime.combine(day + timedelta(days=1), time.min, self._zone)
        return max(0.0, midnight.timestamp() - self._clock.now().timestamp())

    def _shown(self, of: str, amount: float) -> str:
        return f"{written(amount / UNIT)} {self._currency}" if of == "cost" else f"{amount:g}"

    async def _alert(self, day: date, of: str, spent: int, total: int, at: int | None = None) -> None:
        """Tell, once a day and across processes, that a limit is spent by 80 or 100 % (or, ``at``, refuses a call).

        A limit that was changed is another one.

        Args:
            spent: By calls that have ended.
            total: With what is set aside.
        """
        limit = self._limits[of]
        for percent in ALERTS:
            if percent < 100 and (day, of, 100) in self._alerted:
                continue  # nobody needs to hear that it is nearly spent after a call did not fit
            if (day, of, percent) in self._alerted or (spent * 100 < percent * limit and percent != at):
                continue
            self._alerted = {known for known in self._alerted if known[0] == day} | {(day, of, percent)}
            key = Key(tenant=self._tenant, kind=ALERT, digest=alert(day, of, percent, limit))
            try:
                first = await self._counters.add(key, 1, ttl=KEPT, ceiling=1) is not None
            except QxError as error:
                _log.warning("whether another process has told of the day's budget is not known: %s", error)
                first = True
            if first:
                self._say(day, of, percent, spent, max(0, total - spent))

    def _say(self, day: date, of: str, percent: int, spent: int, aside: int) -> None:
        shown, limit = self._shown(of, spent), self._shown(of, self._limits[of])
        more = f", and {self._shown(of, aside)} set aside by other calls" if aside else ""
        if percent < 100:
            said = f"{percent} % of the day's budget of {of} is spent"
        elif spent < self._limits[of]:
            said = f"a call did not fit into what is left of the day's budget of {of}"
        else:
            said = f"the day's budget of {of} is spent"
        _log.warning("tenant %s: %s: %s of %s%s", self._tenant, said, shown, limit, more)
        scale = UNIT if of == "cost" else 1
        attributes: dict[str, Any] = {
            "percent": percent,
            "of": of,
            "spent": spent / scale,
            "set_aside": aside / scale,
            "limit": self._limits[of] / scale,
            "day": day.isoformat(),
            "when_exhausted": self.when_exhausted,
        }
        self._tell("budget.alert", attributes | ({"currency": self._currency} if of == "cost" else {}))
