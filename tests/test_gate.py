"""What stands before an endpoint: no call is made that has no time left."""

from __future__ import annotations

import pytest

from qx.calls.gate import Gate
from qx.clock import SystemClock
from qx.errors import ProviderTimeout
from qx.testing.loop import run_virtual


@pytest.mark.parametrize("left", [0.0, -8.5e-06, -3.0])
def test_a_request_without_time_asks_nobody(left: float):
    asked: list[float] = []

    async def call(seconds: float) -> str:
        asked.append(seconds)
        return "answer"

    async def ask() -> None:
        with pytest.raises(ProviderTimeout, match="m was not asked: the request's time was over"):
            await Gate("m", SystemClock()).run(call, timeout=2.0, within=left)

    run_virtual(ask())
    assert not asked
