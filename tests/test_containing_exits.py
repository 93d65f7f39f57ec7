"""What would end the process stays with the plugin that raised it; a person's Ctrl-C does not."""

from __future__ import annotations

import asyncio
import signal
import threading

import pytest

from qx.containment import contained, described, watching_interrupts
from qx.errors import PluginError


class Own(BaseException):
    """Neither an Exception nor one of Python's."""


@pytest.mark.parametrize(
    "error", [SystemExit(3), SystemExit("bye"), GeneratorExit(), Own("odd"), asyncio.CancelledError()]
)
def test_what_ends_a_process_becomes_an_error_that_names_the_plugin(error: BaseException):
    with pytest.raises(PluginError, match=f"strategy house tried to end the program: {type(error).__name__}") as caught:  # noqa: SIM117 the line would be too long
        with contained("strategy house"):
            raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [ValueError("x"), MemoryError(), RecursionError()])
def test_ordinary_exceptions_pass(error: Exception):
    with pytest.raises(type(error)), contained("x"):
        raise error


def test_an_interrupt_without_a_signal_is_the_plugins_own():
    with watching_interrupts(), pytest.raises(PluginError), contained("x"):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), contained("x"):  # nobody watches: it may be a person's
        raise KeyboardInterrupt


def test_a_persons_interrupt_passes_and_the_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), watching_interrupts(), contained("x"):
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    with watching_interrupts(), pytest.raises(PluginError), contained("x"):  # the next watch starts afresh
        raise KeyboardInterrupt


def test_a_handler_that_the_body_installs_stays():
    before = signal.getsignal(signal.SIGINT)
    try:
        with watching_interrupts():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_off_the_main_thread_an_interrupt_is_never_a_persons():
    found: list[BaseException] = []

    def work() -> None:
        try:
            with watching_interrupts(), contained("x"):
                raise KeyboardInterrupt
        except BaseException as error:  # noqa: BLE001 nothing may get lost in a thread or a callback
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert isinstance(found[0], PluginError)


async def test_a_cancellation_of_the_task_passes():
    async def work() -> None:
        with contained("x"):
            await asyncio.Event().wait()

    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_deadline_passes():
    async def late() -> None:
        async with asyncio.timeout(0.001):
            with contained("x"):
                await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await late()


async def test_a_cancellation_that_a_plugin_raises_is_its_own():
    with pytest.raises(PluginError, match="CancelledError"), contained("x"):
        raise asyncio.CancelledError


async def test_a_coroutine_that_is_closed_from_outside_is_closed():
    errors: list[BaseException] = []

    async def work() -> None:
        with contained("x"):
            await asyncio.Event().wait()

    def close() -> None:
        try:
            task.get_coro().close()  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        except BaseException as error:  # noqa: BLE001 nothing may get lost in a thread or a callback
            errors.append(error)

    task = asyncio.ensure_future(work())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(close)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert errors == []


def test_an_exception_whose_text_raises():
    class Broken(Exception):
        def __str__(self) -> str:
            raise SystemExit(4)

    assert described(Broken()) == "Broken: without a text that can be read"
    assert described(ValueError("a\nb")) == "ValueError: a b"
    assert described(ValueError()) == "ValueError"
