import asyncio
import threading
import time

import pytest

from qx.testing import ModelServer, VirtualLoop, run_virtual


def test_sleeping_takes_no_time_and_keeps_the_order() -> None:
    seen: list[tuple[str, float]] = []

    async def sleeper(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        seen.append((name, asyncio.get_running_loop().time()))

    async def work() -> None:
        await asyncio.gather(sleeper("year", 3.2e7), sleeper("minute", 60), sleeper("hour", 3600))

    began = time.monotonic()
    run_virtual(work())
    assert time.monotonic() - began < 5
    assert seen == [("minute", 60.0), ("hour", 3600.0), ("year", 3.2e7)]


@pytest.mark.virtual_time
async def test_the_marker_gives_virtual_time() -> None:
    assert isinstance(asyncio.get_running_loop(), VirtualLoop)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(100):
            await asyncio.Event().wait()
    assert asyncio.get_running_loop().time() == pytest.approx(100)


async def test_without_the_marker_time_is_real() -> None:
    assert not isinstance(asyncio.get_running_loop(), VirtualLoop)


@pytest.mark.virtual_time
async def test_time_stands_still_while_a_thread_works() -> None:
    go = threading.Event()

    async def let_go() -> None:
        go.set()

    job = asyncio.get_running_loop().run_in_executor(None, go.wait, 10)
    async with asyncio.timeout(0.5):  # the job takes longer in real time than no time at all
        await let_go()
        assert await job
    assert asyncio.get_running_loop().time() == 0.0
    await asyncio.get_running_loop().shutdown_default_executor()


@pytest.mark.virtual_time
async def test_real_sockets_work_in_virtual_time(model_server: ModelServer) -> None:
    from qx.http import Http
    from qx.testing import Reaction

    model_server.react(Reaction(delay=5.0))
    http = Http()
    reply = await http.send("POST", f"{model_server.url}/chat/completions", json={"model": "m"}, timeout=60)
    assert reply.status == 200
    assert asyncio.get_running_loop().time() >= 5.0
    await http.aclose()
