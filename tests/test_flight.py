import asyncio

import pytest

from qx.bounding import bounded
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


async def test_a_run_within_a_run_is_shared_and_kept_and_costs_no_turn_of_the_loop():
    kept: dict[object, str] = {}

    async def keep(key: object, result: str) -> None:
        kept[key] = result

    flights: Flights[str] = Flights(keep)
    tasks: list[asyncio.Task[object] | None] = []

    async def inner() -> str:
        tasks.append(asyncio.current_task())
        await asyncio.sleep(0)
        return "inner"

    async def outer() -> str:
        tasks.append(asyncio.current_task())
        result, led = await flights.join("inner", inner)
        assert led
        return f"outer of {result}"

    leading = asyncio.create_task(flights.join("outer", outer))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert await flights.join("inner", inner) == ("inner", False)
    assert await leading == ("outer of inner", True)
    await flights.aclose()
    assert kept == {"inner": "inner", "outer": "outer of inner"}
    assert tasks[0] is tasks[1]


@pytest.mark.parametrize("closing", [False, True])
async def test_a_run_within_a_run_fails_and_ends_for_all_its_callers(closing: bool):
    flights: Flights[str] = Flights()
    gate = asyncio.Event()

    async def inner() -> str:
        await gate.wait()
        raise ValueError("no")

    async def outer() -> str:
        return (await flights.join("inner", inner))[0]

    callers = [asyncio.create_task(flights.join("outer", outer))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    callers.append(asyncio.create_task(flights.join("inner", inner)))
    await asyncio.sleep(0)
    if closing:
        await flights.aclose()
    gate.set()
    ends = await asyncio.gather(*callers, return_exceptions=True)
    assert [type(end) for end in ends] == [asyncio.CancelledError if closing else ValueError] * 2
    await flights.aclose()

    async def again() -> str:
        return "again"

    assert await flights.join("inner", again) == ("again", True)


async def test_a_run_within_a_run_that_is_out_of_time_cancels_no_other_caller():
    flights: Flights[str] = Flights()

    async def inner() -> str:
        await asyncio.sleep(5)
        return "inner"

    async def outer() -> str:
        return (await bounded(flights.join("inner", inner), 1))[0]

    leading = asyncio.create_task(flights.join("outer", outer))
    await asyncio.sleep(0.5)
    other = asyncio.create_task(flights.join("inner", inner))
    ends = await asyncio.gather(leading, other, return_exceptions=True)
    assert [type(end) for end in ends] == [TimeoutError, TimeoutError]
    await flights.aclose()


async def test_closing_ends_where_a_task_is_done_and_has_not_left_yet() -> None:
    kept: list[object] = []

    async def keep(key: object, result: object) -> None:
        kept.append(result)

    async def work() -> int:
        return 1

    flights: Flights[int] = Flights(keep)
    assert await flights.alone("key", work) == 1
    (task,) = flights._tasks
    await asyncio.wait([task])
    flights._tasks[task] = None  # as in the turn between its end and its leave
    asyncio.get_running_loop().call_soon(flights._tasks.pop, task)
    async with asyncio.timeout(5):
        await flights.aclose()
    assert kept == [1]
