import asyncio
from typing import Any

import pytest

from qx.combinators import fan_out, recover, then
from qx.errors import ProviderError, UsageError


class Recorder:
    """Stands for the context: takes note of degradations."""

    def __init__(self) -> None:
        self.degraded: list[tuple[str, str, str]] = []

    def degrade(self, step: str, rung: str, reason: str) -> None:
        self.degraded.append((step, rung, reason))


async def double(value: int, context: Any) -> int:
    await asyncio.sleep(0)
    return value * 2


async def text(value: int, context: Any) -> str:
    return f"<{value}>"


async def broken(value: int, context: Any) -> int:
    raise ProviderError("down")


async def test_then_passes_the_first_result_to_the_second():
    assert await then(then(double, double), text)(3, Recorder()) == "<12>"


async def test_fan_out_keeps_order_and_limit():
    running = most = 0

    async def step(value: int, context: Any) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(10 - value):
            await asyncio.sleep(0)
        running -= 1
        return value

    assert await fan_out(step, 3)(range(10), Recorder()) == tuple(range(10))
    assert most == 3


async def test_fan_out_raises_the_first_failure_and_cancels_the_rest():
    cancelled = asyncio.Event()

    async def step(value: int, context: Any) -> int:
        if value == 0:
            raise ProviderError("down")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return value

    with pytest.raises(ProviderError, match="down"):
        await fan_out(step, 2)([1, 0], Recorder())
    assert cancelled.is_set()


def test_fan_out_refuses_a_limit_below_one():
    with pytest.raises(UsageError, match="at least 1"):
        fan_out(double, 0)


async def test_recover_records_the_rung_and_goes_on():
    context = Recorder()
    step = recover(broken, double, name="expand", rung="rules")
    assert await step(4, context) == 8
    assert context.degraded == [("expand", "rules", "down")]


async def test_recover_lets_bugs_through():
    async def bug(value: int, context: Any) -> int:
        raise KeyError("bug")

    with pytest.raises(KeyError):
        await recover(bug, double)(1, Recorder())
