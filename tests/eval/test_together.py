import asyncio

import pytest

from qx.errors import AuthError, UsageError
from qx.eval.together import together


async def slowly(result: int, seconds: float = 0.0) -> int:
    await asyncio.sleep(seconds)
    return result


async def failing(error: Exception) -> int:
    raise error


@pytest.mark.virtual_time
async def test_results_are_in_order():
    assert await together(slowly(n, 3 - n) for n in range(3)) == [0, 1, 2]
    assert await together([]) == []


@pytest.mark.virtual_time
async def test_the_first_error_comes_as_it_is_and_ends_the_others():
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(AuthError, match="wrong key"):
        await together([slowly(1, 60), failing(AuthError("wrong key")), failing(UsageError("x"))])
    assert loop.time() - began < 1


async def test_a_bug_is_no_error_of_qx():
    with pytest.raises(ExceptionGroup):
        await together([failing(KeyError("x"))])
