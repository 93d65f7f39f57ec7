"""Keeps within a plugin what would end the process: ``sys.exit``, a ``KeyboardInterrupt`` of its own, and the like.

Ordinary exceptions pass: whoever calls a plugin handles those.  A person's Ctrl-C passes too.  Python raises the same
``KeyboardInterrupt`` for both, so while ``watching_interrupts`` runs, a SIGINT that arrives is noted: an interrupt
without a signal is the plugin's own.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar

from qx.errors import PluginError

T = TypeVar("T")

_LONGEST_MESSAGE = 500


class _Watch:
    """``depth`` counts the watches that are on; ``came`` says whether a signal arrived during the outermost one."""

    depth = 0
    came = False


@contextmanager
def watching_interrupts() -> Generator[None]:
    """Note every SIGINT while the body runs; the handler that was there before still gets it.

    Does nothing off the main thread, and where SIGINT is handled outside of Python.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return

    def note(number: int, frame: Any) -> None:
        _Watch.came = True
        if callable(before):
            before(number, frame)

    if _Watch.depth == 0:
        _Watch.came = False
    _Watch.depth += 1
    installed = callable(before)  # ignored, or deadly: then no KeyboardInterrupt is ever a person's
    if installed:
        signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        _Watch.depth -= 1
        if installed and signal.getsignal(signal.SIGINT) is note:  # unless the body installed one of its own
            signal.signal(signal.SIGINT, before)


class contained:
    """Turn what would end the process, raised by somebody else's code in the body, into a ``PluginError``.

    Works around plain calls and around ``await``.  A cancellation of the running task passes.

    Args:
        who: Whose code it is, for the message: ``strategy house``.
    """

    __slots__ = ("_task", "_who")

    def __init__(self, who: str) -> None:
        self._who = who
        self._task: asyncio.Task[Any] | None = None

    def __enter__(self) -> None:
        self._task = _current_task()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, Exception) or not _is_own(error, self._task):
            return
        raise PluginError(f"{self._who} tried to end the program: {described(error)}", plugin=self._who) from error


def within(seconds: float, who: str, function: Callable[[], T]) -> T:
    """Run somebody else's code for so long at most; one that takes longer is left behind in its (daemon) thread.

    Raises:
        PluginError: it took longer, or tried to end the program.
        Exception: what else it raises.
    """
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            with contained(who):
                found.append(function())
        except Exception as error:  # noqa: BLE001 raised again where it is waited for
            failed.append(error)

    thread = threading.Thread(target=run, name=f"qx: {who}", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not found:
        raise PluginError(f"{who}: no answer within {seconds:g} s; it hangs", plugin=who)
    return found[0]


def _is_own(error: BaseException, task: asyncio.Task[Any] | None) -> bool:
    """Whether somebody else's code raised ``error`` of its own accord."""
    if isinstance(error, asyncio.CancelledError):
        return task is None or not task.cancelling()
    if isinstance(error, GeneratorExit):  # else the coroutine is being closed from outside
        return _current_task() is task
    if isinstance(error, KeyboardInterrupt):
        if threading.current_thread() is not threading.main_thread():
            return True  # signals are handled on the main thread alone
        return _Watch.depth > 0 and not _Watch.came
    if isinstance(error, BaseExceptionGroup):
        return not _Watch.came
    return True


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None


def described(error: BaseException) -> str:
    """Return type and text of somebody else's exception on one line; also where its ``__str__`` raises."""
    try:
        said = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    except BaseException as worse:  # whatever its __str__ does is that exception's own fault
        if isinstance(worse, KeyboardInterrupt) and not _is_own(worse, None):
            raise
        said = "without a text that can be read"
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
