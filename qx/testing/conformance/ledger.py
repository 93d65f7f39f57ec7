# ruff: noqa: S101 - tests, though they lie in the package
"""The contracts of a ledger, and of the counters that budgets are kept with, as tests."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from qx.cache import Key, SupportsCounters
from qx.ledger import Ledger
from qx.types import Usage


class CountersConformance:
    """Subclass it, and override the fixture ``counters`` with empty ones.  Needs ``asyncio_mode = "auto"``.

    ``expires`` is False where time is measured by something other than the loop's clock.
    """

    expires = True

    @pytest.fixture
    def counters(self) -> SupportsCounters:
        raise NotImplementedError("override the fixture `counters`")

    @staticmethod
    def key(digest: str = "d", *, tenant: str = "acme", kind: str = "budget") -> Key:
        """A key."""
        return Key(tenant=tenant, kind=kind, digest=digest)

    async def test_it_has_the_shape_of_the_contract(self, counters: SupportsCounters) -> None:
        assert isinstance(counters, SupportsCounters)

    async def test_amounts_add_up_and_are_given_back(self, counters: SupportsCounters) -> None:
        found = [await counters.add(self.key(), amount, ttl=60, ceiling=None) for amount in (0, 3, 4, -2, 0)]
        assert found == [0, 3, 7, 5, 5]
        assert await counters.add(self.key(), -100, ttl=60, ceiling=None) == 0

    async def test_the_ceiling_is_reached_and_never_passed(self, counters: SupportsCounters) -> None:
        assert await counters.add(self.key(), 8, ttl=60, ceiling=10) == 8
        assert await counters.add(self.key(), 3, ttl=60, ceiling=10) is None
        assert await counters.add(self.key(), 2, ttl=60, ceiling=10) == 10
        assert await counters.add(self.key(), 1, ttl=60, ceiling=10) is None
        assert await counters.add(self.key(), 0, ttl=60, ceiling=10) == 10
        assert await counters.add(self.key(), -1, ttl=60, ceiling=5) == 9

    async def test_a_number_of_a_day_of_money_fits(self, counters: SupportsCounters) -> None:
        assert await counters.add(self.key(), 2**60, ttl=60, ceiling=2**61) == 2**60

    async def test_tenants_kinds_and_digests_are_apart(self, counters: SupportsCounters) -> None:
        await counters.add(self.key(), 1, ttl=60, ceiling=None)
        for other in (self.key(tenant="other"), self.key(kind="alert"), self.key("e")):
            assert await counters.add(other, 0, ttl=60, ceiling=None) == 0

    async def test_of_many_at_once_as_many_pass_as_there_is_room_for(self, counters: SupportsCounters) -> None:
        found = await asyncio.gather(*(counters.add(self.key(), 1, ttl=60, ceiling=20) for _ in range(50)))
        assert sorted(number for number in found if number is not None) == list(range(1, 21))

    @pytest.mark.virtual_time
    async def test_a_number_ends_with_its_time(self, counters: SupportsCounters) -> None:
        if not self.expires:
            pytest.skip("it does not measure time by the loop's clock")
        await counters.add(self.key(), 1, ttl=10, ceiling=None)
        await asyncio.sleep(6)
        assert await counters.add(self.key(), 1, ttl=10, ceiling=None) == 2  # which makes it no younger
        await asyncio.sleep(6)
        assert await counters.add(self.key(), 1, ttl=10, ceiling=None) == 1


class LedgerConformance:
    """Subclass it, and override the fixture ``ledger`` with an empty one.  Needs ``asyncio_mode = "auto"``."""

    at = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)

    @pytest.fixture
    def ledger(self) -> Ledger:
        raise NotImplementedError("override the fixture `ledger`")

    async def test_it_has_the_shape_of_the_contract(self, ledger: Ledger) -> None:
        assert isinstance(ledger, Ledger)

    async def test_a_day_of_a_model_is_a_row(self, ledger: Ledger) -> None:
        for model, cost in (("small", 0.1), ("small", 0.2), ("large", 1.0)):
            used = Usage(calls=1, input_tokens=100, output_tokens=10, cost=cost, currency="CNY")
            await ledger.record("acme", used, self.at, model=model)
        large, small = await ledger.report("acme", self.at)
        assert (large.tenant, large.day, large.model) == ("acme", date(2026, 11, 29), "large")
        assert large.usage == Usage(calls=1, input_tokens=100, output_tokens=10, cost=1.0, currency="CNY")
        assert small.usage == Usage(calls=2, input_tokens=200, output_tokens=20, cost=0.3, currency="CNY")

    async def test_the_day_is_that_of_the_zone(self, ledger: Ledger) -> None:
        shanghai = self.at.astimezone(timezone(timedelta(hours=8)))
        await ledger.record("acme", Usage(calls=1), shanghai)
        (row,) = await ledger.report("acme", shanghai)
        assert row.day == date(2026, 11, 30)

    async def test_tenants_and_days_are_apart(self, ledger: Ledger) -> None:
        for days, tenant in ((0, "acme"), (1, "acme"), (2, "acme"), (2, "globex")):
            await ledger.record(tenant, Usage(calls=1), self.at + timedelta(days=days))
        assert [row.day.day for row in await ledger.report("acme", self.at + timedelta(days=1))] == [30, 1]
        assert len(await ledger.report("globex", self.at)) == 1
        assert not await ledger.report("nobody", self.at)

    async def test_money_of_two_currencies_is_never_added(self, ledger: Ledger) -> None:
        await ledger.record("acme", Usage(calls=1, cost=1.5, currency="USD", other_costs={"CNY": 7.0}), self.at)
        await ledger.record("acme", Usage(calls=1, cost=2.0, currency="CNY"), self.at)
        rows = await ledger.report("acme", self.at)
        total = sum((row.usage for row in rows), Usage())
        costs = {total.currency: total.cost, **total.other_costs}
        assert (costs, total.calls) == ({"USD": 1.5, "CNY": 9.0}, 2)

    async def test_a_price_that_nobody_knows_is_not_nothing(self, ledger: Ledger) -> None:
        await ledger.record("acme", Usage(calls=2, input_tokens=10), self.at, model="local")
        (row,) = await ledger.report("acme", self.at)
        assert (row.usage.cost, row.unpriced) == (None, 2)

    async def test_closing_twice_is_harmless(self, ledger: Ledger) -> None:
        await ledger.aclose()
        await ledger.aclose()
