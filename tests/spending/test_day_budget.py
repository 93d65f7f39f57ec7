"""The budget of a day: never passed, told at 80 and 100 %, over at midnight where the tenant is."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from qx.budget import Cost
from qx.cache import Key
from qx.clock import SystemClock
from qx.errors import BudgetExceeded, DayBudgetSpent, Unavailable
from qx.limits import Limits
from qx.spending.day_budget import SPENT, DayBudget
from qx.spending.sqlite_ledger import SqliteLedger

CALL = Cost(calls=1, tokens=100, money=0.01)


class ManualClock(SystemClock):
    """A wall clock that stands where it is put."""

    def __init__(self, now: str = "2026-11-30T12:00+00:00") -> None:
        self.at(now)

    def at(self, now: str) -> None:
        self._now = datetime.fromisoformat(now).astimezone(UTC)

    def now(self) -> datetime:
        return self._now


class Days:
    """Budgets over one file, and what they told."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock()
        self.ledger = SqliteLedger(folder / "ledger.db", self.clock)
        self.told: list[tuple[str, Mapping[str, Any]]] = []

    def budget(self, zone: str = "UTC", tenant: str = "acme", **limits: Any) -> DayBudget:
        return DayBudget(
            Limits.model_validate(limits),
            tenant=tenant,
            currency="USD",
            zone=ZoneInfo(zone),
            clock=self.clock,
            counters=self.ledger,
            tell=lambda name, attributes: self.told.append((name, attributes)),
        )

    async def spent(self, day: date = date(2026, 11, 30)) -> dict[str, float]:
        return {limit.of: limit.spent for limit in await self.ledger.limits(day)}

    @property
    def percents(self) -> list[tuple[str, int]]:
        return [(str(attributes["of"]), int(attributes["percent"])) for _, attributes in self.told]


@pytest_asyncio.fixture
async def days(tmp_path: Path) -> AsyncIterator[Days]:
    made = Days(tmp_path)
    yield made
    await made.ledger.aclose()


async def test_what_is_set_aside_is_settled(days: Days) -> None:
    budget = days.budget(calls_per_day=10, tokens_per_day=1000, cost_per_day="1 USD")
    held = await budget.reserve(CALL)
    assert await days.spent() == {"calls": 1, "tokens": 100, "cost": 0.01}
    await held.settle(Cost(calls=1, tokens=40, money=0.004))
    assert await days.spent() == {"calls": 1, "tokens": 40, "cost": 0.004}
    await held.settle(Cost(calls=9))
    assert await days.spent() == {"calls": 1, "tokens": 40, "cost": 0.004}


class Failing:
    """Counters that cannot count some things."""

    def __init__(self, ledger: SqliteLedger, *failing: str) -> None:
        self.ledger = ledger
        self.failing: tuple[str, ...] = failing

    async def add(self, key: Key, amount: int, /, *, ttl: float, ceiling: int | None = None) -> int | None:
        if self.failing and (key.digest.endswith(self.failing) or key.kind in self.failing):
            raise Unavailable("the counter is away")
        return await self.ledger.add(key, amount, ttl=ttl, ceiling=ceiling)


def over(counters: Failing, days: Days, **limits: Any) -> DayBudget:
    budget = days.budget(**limits)
    budget._counters = counters
    return budget


async def test_what_cannot_all_be_counted_leaves_nothing_set_aside(days: Days) -> None:
    budget = over(Failing(days.ledger, "tokens"), days, calls_per_day=3, tokens_per_day=1000)
    for _ in range(4):
        with pytest.raises(BudgetExceeded, match="cannot be counted"):
            await budget.reserve(CALL)
    assert await days.spent() == {"calls": 0}
    assert days.told == []


async def test_what_is_refused_is_given_back_as_far_as_it_can_be_counted(
    days: Days, caplog: pytest.LogCaptureFixture
) -> None:
    counters = Failing(days.ledger)
    budget = over(counters, days, calls_per_day=3, tokens_per_day=500, cost_per_day="0.001 USD")
    days_add = days.ledger.add

    async def add(key: Key, amount: int, **options: Any) -> int | None:
        if amount < 0 and key.digest.endswith("calls"):
            raise Unavailable("the counter is away")
        return await days_add(key, amount, **options)

    days.ledger.add = add  # type: ignore[method-assign]
    with pytest.raises(BudgetExceeded, match="budget of cost does not allow"):
        await budget.reserve(CALL)
    assert await days.spent() == {"calls": 1, "tokens": 0, "cost": 0}
    assert "keeps what no call has spent" in caplog.text


async def test_what_can_be_counted_is_settled_although_another_thing_cannot(days: Days) -> None:
    counters = Failing(days.ledger)
    budget = over(counters, days, calls_per_day=10, tokens_per_day=1000)
    held = await budget.reserve(CALL)
    counters.failing = ("calls",)
    await held.settle(Cost(calls=1, tokens=40))
    assert await days.spent() == {"calls": 1, "tokens": 40}


async def test_what_only_alerts_do_not_know_of_is_said_so(days: Days, caplog: pytest.LogCaptureFixture) -> None:
    counters = Failing(days.ledger)
    budget = over(counters, days, tokens_per_day=1000)
    held = await budget.reserve(CALL)
    counters.failing = (SPENT,)
    await held.settle(Cost(calls=1, tokens=40))
    assert await days.spent() == {"tokens": 40}
    assert "alerts of the day's budget do not know of what a call has spent" in caplog.text
    assert "set aside" not in caplog.text


@pytest.mark.parametrize(
    ("limits", "cost", "said", "alerted"),
    [
        (
            {"cost_per_day": "0.01 USD"},
            Cost(calls=1, tokens=100, money=0.25),
            "the day's budget of cost does not allow this call, which may need 0.25 USD: 0 USD of 0.01 USD are spent; no day "
            "has as much: raise budget.cost_per_day, or let a call write less (llm.max_tokens)",
            "a call did not fit into what is left of the day's budget of cost: 0 USD of 0.01 USD",
        ),
        (
            {"tokens_per_day": 1000},
            Cost(calls=1, tokens=4000),
            "the day's budget of tokens does not allow this call, which may need 4000: 0 of 1000 are spent; no day has as "
            "much: raise budget.tokens_per_day, or let a call write less (llm.max_tokens)",
            "a call did not fit into what is left of the day's budget of tokens: 0 of 1000",
        ),
    ],
)
async def test_a_call_that_no_day_has_room_for_is_told_so(
    days: Days, caplog: pytest.LogCaptureFixture, limits: Any, cost: Cost, said: str, alerted: str
) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        await days.budget(**limits).reserve(cost)
    assert str(caught.value) == said
    assert f"tenant acme: {alerted}" in caplog.text


async def test_a_call_that_today_has_no_room_for_says_what_it_may_need(
    days: Days, caplog: pytest.LogCaptureFixture
) -> None:
    budget = days.budget(tokens_per_day=1000, calls_per_day=9)
    held = await budget.reserve(Cost(calls=1, tokens=700))
    await held.settle(Cost(calls=1, tokens=700))
    with pytest.raises(BudgetExceeded, match=r"which may need 400: 700 of 1000 are spent; it begins anew at midnight"):
        await budget.reserve(Cost(calls=1, tokens=400))
    assert "a call did not fit into what is left of the day's budget of tokens: 700 of 1000" in caplog.text


async def test_what_does_not_fit_is_refused_and_leaves_nothing_set_aside(days: Days) -> None:
    budget = days.budget(calls_per_day=10, tokens_per_day=150)
    await budget.reserve(CALL)
    with pytest.raises(
        BudgetExceeded, match=r"of tokens .* 0 of 150 are spent, 100 set .* midnight, UTC, in 12.0 h"
    ) as no:
        await budget.reserve(CALL)
    assert no.value.retry_after == 5
    with pytest.raises(BudgetExceeded, match=r"may need 151: .* no day has as much") as no:
        await budget.reserve(Cost(calls=1, tokens=151))
    assert no.value.retry_after == 12 * 3600
    assert await days.spent() == {"calls": 1, "tokens": 100}
    await budget.reserve(Cost(calls=1, tokens=50))


async def test_a_limit_that_was_lowered_is_told_although_all_is_refused(days: Days) -> None:
    await days.budget(cost_per_day="1 USD").reserve(Cost(money=0.7))
    with pytest.raises(BudgetExceeded):
        await days.budget(cost_per_day="0.5 USD").reserve(Cost(money=0.1))
    [limit] = await days.ledger.limits(date(2026, 11, 30))
    assert (limit.spent, limit.limit) == (0.7, 0.5)


async def test_refusing_is_an_error_of_its_own(days: Days) -> None:
    budget = days.budget(calls_per_day=0, when_exhausted="refuse")
    with pytest.raises(DayBudgetSpent):
        await budget.reserve(CALL)


async def test_a_call_whose_cost_is_not_known_needs_something_left(days: Days) -> None:
    budget = days.budget(cost_per_day=0)
    with pytest.raises(BudgetExceeded, match="0 USD of 0 USD"):
        await budget.reserve(Cost(calls=1))


async def test_fallbacks_are_counted_without_a_limit(days: Days) -> None:
    budget = days.budget(calls_per_day=1, when_exhausted="fallback")
    for _ in range(3):
        await budget.reserve(CALL, bounded=False)
    assert await days.spent() == {}, "no limit has been counted on"
    with pytest.raises(BudgetExceeded, match="0 of 1 are spent, 3 set aside"):
        await budget.reserve(CALL)


async def test_a_day_begins_at_the_tenants_midnight(days: Days) -> None:
    budget = days.budget("Asia/Shanghai", calls_per_day=1)
    days.clock.at("2026-11-30T23:59:59+08:00")
    late = await budget.reserve(CALL)
    with pytest.raises(BudgetExceeded, match="Asia/Shanghai") as no:
        await budget.reserve(CALL)
    assert no.value.retry_after == 1
    days.clock.at("2026-12-01T00:00:01+08:00")
    await budget.reserve(CALL)
    await late.settle(Cost(calls=0))  # it belongs to yesterday
    assert await days.spent() == {"calls": 0}
    assert await days.spent(date(2026, 12, 1)) == {"calls": 1}


async def test_a_day_of_23_hours_ends_at_its_own_midnight(days: Days) -> None:
    days.clock.at("2027-03-28T00:30+01:00")  # the clocks of Berlin go forward at two
    budget = days.budget("Europe/Berlin", calls_per_day=0)
    with pytest.raises(BudgetExceeded) as no:
        await budget.reserve(CALL)
    assert no.value.retry_after == 22.5 * 3600


async def test_each_alert_is_told_once_whichever_process_comes_there(
    days: Days, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = (days.budget(cost_per_day="10 CNY") for _ in range(2))
    for budget, amount in ((one, 7.9), (two, 0.1), (one, 1.0), (two, 1.0), (one, 0.0)):
        held = await budget.reserve(Cost(money=amount))
        await held.settle(Cost(money=amount))
        if budget is two and amount == 0.1:
            assert days.percents == [("cost", 80)]
    assert days.percents == [("cost", 80), ("cost", 100)]
    name, attributes = days.told[0]
    assert name == "budget.alert"
    assert attributes == {
        "percent": 80,
        "of": "cost",
        "spent": 8.0,
        "set_aside": 0.0,
        "limit": 10.0,
        "day": "2026-11-30",
        "when_exhausted": "rules",
        "currency": "CNY",
    }
    assert "tenant acme: 80 % of the day's budget of cost is spent: 8 CNY of 10 CNY" in caplog.text
    days.clock.at("2026-12-01T12:00+00:00")
    await (await one.reserve(Cost(money=8.0))).settle(Cost(money=8.0))
    assert days.percents[2:] == [("cost", 80)]


async def test_what_calls_under_way_have_set_aside_is_not_told_as_spent(
    days: Days, caplog: pytest.LogCaptureFixture
) -> None:
    budget = days.budget(cost_per_day="10 USD")
    long = await budget.reserve(Cost(money=8.5))
    await (await budget.reserve(Cost(money=1.0))).settle(Cost(money=0.000018))
    assert days.told == []
    with pytest.raises(
        BudgetExceeded, match=r"0\.000018 USD of 10 USD are spent, 8\.5 USD set aside by calls under way"
    ):
        await budget.reserve(Cost(money=2.0))
    [(_, told)] = days.told
    assert (told["percent"], told["spent"], told["set_aside"]) == (100, 0.000018, 8.5)
    assert "0.000018 USD of 10 USD, and 8.5 USD set aside by other calls" in caplog.text
    [limit] = await days.ledger.limits(date(2026, 11, 30))
    assert limit.exhausted
    await long.settle(Cost(money=1.0))
    assert days.percents == [("cost", 100)]


async def test_a_burst_is_told_from_a_day_that_is_spent(days: Days, caplog: pytest.LogCaptureFixture) -> None:
    budget = days.budget(cost_per_day="1 USD", when_exhausted="refuse")
    held = [await budget.reserve(Cost(money=0.4)) for _ in range(2)]
    with pytest.raises(
        DayBudgetSpent, match=r"0 USD of 1 USD are spent, 0\.8 USD set aside .* ask again in 5 s; else .* midnight"
    ) as no:
        await budget.reserve(Cost(money=0.4))
    assert no.value.retry_after == 5
    assert (
        "a call did not fit into what is left of the day's budget of cost: 0 USD of 1 USD, and 0.8 USD" in caplog.text
    )
    await held[0].settle(Cost(money=0.1))
    await (await budget.reserve(Cost(money=0.4))).settle(Cost(money=0.4))
    await held[1].settle(Cost(money=0.4))
    with pytest.raises(DayBudgetSpent, match=r"0\.9 USD of 1 USD are spent; it begins anew at midnight") as no:
        await budget.reserve(Cost(money=0.4))
    assert no.value.retry_after == 12 * 3600
    assert days.percents == [("cost", 100)]  # and none of 80 % after it


async def test_a_limit_that_was_raised_is_not_exhausted_and_is_told_of_anew(days: Days) -> None:
    await (await days.budget(calls_per_day=1).reserve(CALL)).settle(CALL)
    assert days.percents == [("calls", 80), ("calls", 100)]
    raised = days.budget(calls_per_day=5)
    await (await raised.reserve(CALL)).settle(CALL)
    [limit] = await days.ledger.limits(date(2026, 11, 30))
    assert (limit.spent, limit.limit, limit.exhausted) == (2, 5, False)
    for _ in range(2):
        await (await raised.reserve(CALL)).settle(CALL)
    assert days.percents[2:] == [("calls", 80)]


async def test_the_first_call_that_is_refused_is_the_alert_at_100(days: Days) -> None:
    budget = days.budget(tokens_per_day=150)
    await (await budget.reserve(CALL)).settle(CALL)
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            await budget.reserve(CALL)
    assert days.percents == [("tokens", 100)]


async def test_tenants_do_not_spend_each_others_day(days: Days) -> None:
    mine, theirs = days.budget(calls_per_day=1), days.budget(tenant="globex", calls_per_day=1)
    await mine.reserve(CALL)
    await theirs.reserve(CALL)
    with pytest.raises(BudgetExceeded):
        await mine.reserve(CALL)


async def test_what_is_left_is_that_of_the_limit_that_is_spent_the_most(days: Days) -> None:
    budget = days.budget(calls_per_day=10, tokens_per_day=200)
    assert await budget.left() == 1.0
    await budget.reserve(CALL)
    other = days.budget(calls_per_day=10, tokens_per_day=200)
    assert await other.left() == 0.5


class Broken:
    """Counters that are out of reach."""

    async def add(self, key: Key, amount: int, /, *, ttl: float, ceiling: int | None) -> int | None:
        raise Unavailable("no route to the store")


async def test_what_cannot_be_counted_is_not_spent(days: Days, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    budget = DayBudget(
        Limits(calls_per_day=5),
        tenant="acme",
        currency="USD",
        zone=ZoneInfo("UTC"),
        clock=days.clock,
        counters=Broken(),
        tell=lambda *_: None,
    )
    with pytest.raises(BudgetExceeded, match=r"cannot be counted.*no route"):
        await budget.reserve(CALL)
    assert await budget.left() == 0.0
    assert "no route" in caplog.text
