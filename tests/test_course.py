"""The attempts of a call as a recording keeps them, and as its replay makes them again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qx.calls.course import Attempt, Course
from qx.calls.gate import Gate
from qx.calls.retrying import Retry
from qx.clock import SystemClock
from qx.errors import AuthError, ProviderTimeout, QxError, RateLimited, SearchFailed, Unavailable
from qx.testing.loop import run_virtual

ERRORS = (
    Unavailable("down"),
    RateLimited("slow down", retry_after=3.0),
    AuthError("wrong key"),
    SearchFailed("all of them"),
    ProviderTimeout("hangs"),
)


async def made(course: Course, script: Sequence[QxError | float | None], left: float, retries: int) -> list[str]:
    """What a call ends with, and what its endpoint was asked: an error, a delay in seconds, None for an answer at once."""
    clock, said = SystemClock(), list(script)
    gate = Gate("m", clock)
    end = clock.monotonic() + left

    async def ask(seconds: float) -> str:
        step = said.pop(0) if said else None
        if isinstance(step, QxError):
            raise step
        await asyncio.sleep(step or 0.0)
        return f"answer {len(said)}"

    retry = Retry(clock, retries, lambda: end - clock.monotonic(), course=course)
    try:
        result = await retry.run(
            lambda number: gate.run(ask, timeout=2.0, within=end - clock.monotonic(), course=course)
        )
    except QxError as error:
        result = f"{type(error).__name__}: {error}, {error.retry_after}, {error.retryable}"
    return [result, f"{len(script) - len(said)} asked"]


@given(
    st.lists(st.sampled_from((*ERRORS, None, 0.5, 100.0)), max_size=7),
    st.floats(0.5, 20.0),
    st.integers(0, 6),
)
@settings(max_examples=50, deadline=None)
def test_a_replay_makes_the_same_attempts_without_waiting(
    script: list[QxError | float | None], left: float, retries: int
):
    async def both() -> None:
        kept: list[tuple[Attempt, ...]] = []
        first = await made(Course(None, kept.append), script, left, retries)
        known = kept[0] if kept else (Attempt(asked=True),)
        instant = [ProviderTimeout("cut off") if step == 100.0 else step for step in script]
        began = SystemClock().monotonic()
        assert await made(Course(known), [None if step == 0.5 else step for step in instant], 20.0, retries) == first
        assert SystemClock().monotonic() == began

    run_virtual(both())


async def test_what_was_refused_before_it_was_asked_asks_nobody():
    error = Unavailable("m is left alone for 29 s")
    error.retryable = False
    course = Course((Attempt.of(False, error),))
    gate = Gate("m", SystemClock())

    async def never(seconds: float) -> str:
        raise AssertionError("asked")

    with pytest.raises(Unavailable, match="29 s") as raised:
        await Retry(SystemClock(), 3, lambda: None, course=course).run(
            lambda number: gate.run(never, timeout=1.0, within=None, course=course)
        )
    assert not raised.value.retryable


async def test_one_attempt_that_went_well_is_no_word_worth():
    kept: list[tuple[Attempt, ...]] = []
    assert (await made(Course(None, kept.append), [None], 5.0, 2))[0].startswith("answer")
    assert not kept
