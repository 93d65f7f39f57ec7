"""The arithmetic of one request's budget: it is never overspent, and a reserve stays a reserve."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.budget import Cost, RequestBudget
from qx.errors import BudgetExceeded


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def budget(time: Time | None = None, **limits: float) -> RequestBudget:
    return RequestBudget(Cost(**limits), time or Time())  # type: ignore[arg-type]


async def test_without_limits_everything_is_allowed() -> None:
    unlimited = budget()
    await unlimited.reserve(Cost(calls=10**6, tokens=10**9, money=1e6, seconds=1e6))
    assert unlimited.remaining() == Cost()
    assert unlimited.deadline is None


async def test_what_is_reserved_is_gone_and_settling_gives_back() -> None:
    account = budget(calls=2, tokens=1000, money=1.0)
    lease = await account.reserve(Cost(calls=1, tokens=600, money=0.5))
    assert account.remaining() == Cost(calls=1, tokens=400, money=0.5)
    lease.settle(Cost(calls=1, tokens=100, money=0.25))
    assert account.remaining() == Cost(calls=1, tokens=900, money=0.75)
    lease.settle(Cost())
    assert account.remaining() == Cost(calls=1, tokens=900, money=0.75)


async def test_a_lease_that_is_never_settled_stays_spent() -> None:
    account = budget(calls=1)
    await account.reserve(Cost(calls=1))
    with pytest.raises(BudgetExceeded, match="budget of calls"):
        await account.reserve(Cost(calls=1))


async def test_costing_more_than_was_reserved_counts() -> None:
    account = budget(tokens=100)
    (await account.reserve(Cost(tokens=10))).settle(Cost(tokens=500))
    assert account.remaining().tokens == 0
    with pytest.raises(BudgetExceeded, match="0 left"):
        await account.reserve(Cost(tokens=1))


@pytest.mark.parametrize(
    ("limits", "cost", "name"),
    [
        ({"calls": 1}, Cost(calls=2), "calls"),
        ({"tokens": 10}, Cost(tokens=11), "tokens"),
        ({"money": 0.1}, Cost(money=0.2), "money"),
        ({"seconds": 1.0}, Cost(seconds=1.5), "seconds"),
        ({"calls": 0}, Cost(), "calls"),
        ({"seconds": 0.0}, Cost(), "seconds"),
    ],
)
async def test_the_error_names_what_is_short(limits: dict[str, float], cost: Cost, name: str) -> None:
    account = budget(**limits)
    before = account.remaining()
    with pytest.raises(BudgetExceeded, match=f"budget of {name}") as short:
        await account.reserve(cost)
    assert short.value.of == name
    assert account.remaining() == before


async def test_time_passes() -> None:
    time = Time()
    account = budget(time, seconds=2.0)
    assert account.deadline == 102.0
    await account.reserve(Cost(seconds=2.0))
    time.now += 1.5
    assert account.remaining().seconds == 0.5
    time.now += 5
    assert account.remaining().seconds == 0
    with pytest.raises(BudgetExceeded, match="seconds"):
        await account.reserve(Cost(calls=1))


async def test_a_child_leaves_the_reserve_untouched() -> None:
    time = Time()
    parent = budget(time, seconds=10.0, calls=3, tokens=1000)
    child = parent.child(keep=Cost(seconds=1.0, calls=1, tokens=200))
    assert child.remaining() == Cost(seconds=9.0, calls=2, tokens=800)
    assert (parent.deadline, child.deadline) == (110.0, 109.0)
    await child.reserve(Cost(calls=2, tokens=800))
    with pytest.raises(BudgetExceeded):
        await child.reserve(Cost(calls=1))
    assert parent.remaining() == Cost(seconds=10.0, calls=1, tokens=200)
    await parent.reserve(Cost(calls=1, tokens=200))
    time.now += 9.0
    assert (child.remaining().seconds, parent.remaining().seconds) == (0.0, 1.0)


def test_reserves_of_nested_children_add_up() -> None:
    grandchild = budget(seconds=10.0, calls=5).child(keep=Cost(seconds=1.0, calls=1)).child(keep=Cost(seconds=2.0))
    assert grandchild.remaining() == Cost(seconds=7.0, calls=4)


spending = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 50), st.booleans(), st.integers(0, 50)), max_size=30)


@settings(max_examples=80, deadline=None)
@given(spending, st.integers(0, 20), st.integers(0, 200))
def test_what_is_allowed_never_exceeds_the_limits(
    steps: list[tuple[int, int, bool, int]], calls: int, tokens: int
) -> None:
    async def run() -> None:
        account = budget(calls=calls, tokens=tokens)
        spent_calls = spent_tokens = 0
        for want_calls, want_tokens, settled, really in steps:
            left = account.remaining()
            assert left == Cost(calls=max(0, calls - spent_calls), tokens=max(0, tokens - spent_tokens))
            try:
                lease = await account.reserve(Cost(calls=want_calls, tokens=want_tokens))
            except BudgetExceeded:
                assert (
                    want_calls > (left.calls or 0) or want_tokens > (left.tokens or 0) or 0 in (left.calls, left.tokens)
                )
                continue
            assert spent_calls + want_calls <= calls
            assert spent_tokens + want_tokens <= tokens
            if settled:
                lease.settle(Cost(calls=want_calls, tokens=really))
            spent_calls += want_calls
            spent_tokens += really if settled else want_tokens

    asyncio.run(run())
