"""Finds what a test leaves behind: asyncio tasks, threads, sockets.

A ``conftest.py`` turns it on for its tests with ``from qx.testing.leaks import *``.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import threading
import time
from collections.abc import AsyncIterator, Generator

import pytest
import pytest_asyncio

__all__ = ["no_task_left", "pytest_runtest_setup", "pytest_runtest_teardown", "watch_tasks"]

ENDING_SECONDS = 2.0
"""Real seconds that a thread or socket gets to end after the test."""


@pytest_asyncio.fixture
async def no_task_left() -> AsyncIterator[None]:
    """Fails the test if a task that it started is still alive when its fixtures are closed."""
    before = asyncio.all_tasks()
    yield
    await asyncio.sleep(0)
    left = [task for task in asyncio.all_tasks() - before - {asyncio.current_task()} if not task.done()]
    if left:
        names = ", ".join(sorted(f"{task.get_name()} ({task.get_coro()!r})" for task in left))
        pytest.fail(f"asyncio tasks are left after the test: {names}", pytrace=False)


@pytest.fixture(autouse=True)
def watch_tasks(request: pytest.FixtureRequest) -> None:
    """Apply ``no_task_left`` to every async test."""
    function = getattr(request.node, "obj", None)
    function = getattr(getattr(function, "hypothesis", None), "inner_test", function)
    if inspect.iscoroutinefunction(function):
        request.getfixturevalue("no_task_left")


_before = pytest.StashKey[tuple[set[threading.Thread], set[str]]]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Note the threads and sockets that were there before the test's fixtures."""
    item.stash[_before] = (set(threading.enumerate()), open_sockets())
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Compare them with those that are there when every fixture of the test was torn down."""
    result = yield
    threads, sockets = item.stash[_before]
    deadline = time.monotonic() + ENDING_SECONDS
    while True:
        new_threads = sorted(t.name for t in threading.enumerate() if t not in threads)
        new_sockets = sorted(open_sockets() - sockets)
        if not (new_threads or new_sockets):
            return result
        if time.monotonic() > deadline:
            pytest.fail(f"left after the test: threads {new_threads}, sockets {new_sockets}", pytrace=False)
        gc.collect()
        time.sleep(0.01)


def open_sockets() -> set[str]:
    """Return the sockets that this process has open, as the system names them; none where it cannot be asked."""
    found: set[str] = set()
    try:
        names = os.listdir("/proc/self/fd")
    except OSError:
        return found
    for name in names:
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:"):
            found.add(target)
    return found
