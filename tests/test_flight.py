import asyncio

import pytest

from qx.flight import Flights


async def test_concurrent_callers_share_one_run():
    flights: Flights[int] = Flights()
    runs = 0

    async def work() -> int:
        nonlocal runs
        runs += 1
        await asyncio.sleep(0)
        return runs

    results = await asyncio.gather(*(flights.join("key", work) for _ in range(50)))
    assert runs == 1
    assert [led for _, led in results].count(True) == 1
    assert {result for result, _ in results} == {1}


async def test_unlike_keys_do_not_share():
    flights: Flights[str] = Flights()

    async def work(text: str) -> str:
        await asyncio.sleep(0)
        return text

    one, two = await asyncio.gather(flights.join("a", lambda: work("a")), flights.join("b", lambda: work("b")))
    assert (one[0], two[0]) == ("a", "b")


async def test_the_first_caller_leaving_does_not_cancel_the_others():
    flights: Flights[str] = Flights()
    gate = asyncio.Event()

    async def work() -> str:
        await gate.wait()
        return "done"

    first = asyncio.create_task(flights.join("key", work))
    await asyncio.sleep(0)
    others = [asyncio.create_task(flights.join("key", work)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    gate.set()
    assert [result for result, _ in await asyncio.gather(*others)] == ["done"] * 3


async def test_all_callers_get_the_same_error_and_the_next_one_tries_again():
    flights: Flights[str] = Flights()
    runs = 0

    async def work() -> str:
        nonlocal runs
        runs += 1
        await asyncio.sleep(0)
        if runs == 1:
            raise ValueError("first")
        return "second"

    failures = await asyncio.gather(*(flights.join("key", work) for _ in range(3)), return_exceptions=True)
    assert [str(f) for f in failures] == ["first"] * 3
    assert (await flights.join("key", work))[0] == "second"


async def test_closing_cancels_what_is_under_way():
    flights: Flights[str] = Flights()
    ended = asyncio.Event()

    async def work() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "never"

    caller = asyncio.create_task(flights.join("key", work))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await flights.aclose()
    assert ended.is_set()
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_while_a_result_is_being_kept_further_callers_are_given_it():
    kept = asyncio.Event()

    async def keep(key: object, result: int) -> None:
        await kept.wait()

    flights: Flights[int] = Flights(keep)
    runs = 0

    async def work() -> int:
        nonlocal runs
        runs += 1
        return runs

    assert await flights.join("key", work) == (1, True)
    assert await flights.join("key", work) == (1, False)
    kept.set()
    await flights.aclose()
    assert await flights.join("key", work) == (2, True)
