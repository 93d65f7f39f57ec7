"""The engine for code without ``async``: typed one-liners over one daemon loop.

::

    import qx.sync

    expansion = qx.sync.expand("cheap linen shirt, not white")

Each call opens the profile's engine on first use and keeps it; ``close()`` closes them all.  Threads may share it, and
a process that is forked off opens engines of its own.  For more than one-liners use ``qx.Engine`` in your own loop.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any, TypeVar

from qx.engine import Engine
from qx.errors import Closed, UsageError
from qx.operation import Principal
from qx.serial import EMPTY
from qx.types import Expansion, Query, SearchResult, Understanding

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None
_engines: dict[str, asyncio.Task[Engine]] = {}


_of_parents: list[object] = []
"""What a forked process has of its parent's loop.  It is kept, since tearing it down would disturb the parent, with
which it shares the loop's file descriptors."""


def _forked() -> None:
    """Begin anew in a child process: the loop's thread stayed behind in the parent, and so did whoever held the lock."""
    global _lock, _loop, _thread, _engines
    _of_parents.append((_loop, _thread, _engines))
    _lock = threading.Lock()
    _loop = _thread = None
    _engines = {}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def understand(query: Query | str, *, profile: str | Path | None = None) -> Understanding:
    """``Engine.understand`` on the profile's engine (None: the default profile)."""
    return _run(_understand(query, profile))


def expand(query: Query | str, *, profile: str | Path | None = None) -> Expansion:
    """``Engine.expand`` on the profile's engine."""
    return _run(_expand(query, profile))


def expand_many(queries: Sequence[Query | str], *, profile: str | Path | None = None) -> tuple[Expansion, ...]:
    """``Engine.expand_many`` on the profile's engine."""
    return _run(_expand_many(queries, profile))


def search(query: Query | str, *, limit: int = 10, offset: int = 0, profile: str | Path | None = None) -> SearchResult:
    """``Engine.search`` on the profile's engine; the profile names the backends."""
    return _run(_search(query, limit, offset, profile))


def call(
    operation: str,
    request: object = EMPTY,
    *,
    principal: Principal | None = None,
    profile: str | Path | None = None,
) -> Any:
    """``Engine.result`` on the profile's engine: the result of an operation of a plugin."""
    return _run(_call(operation, request, principal, profile))


def close() -> None:
    """Close every engine and end the loop's thread; the next call starts anew."""
    global _loop, _thread
    with _lock:
        loop, thread = _loop, _thread
        _loop = _thread = None
    if loop is None or thread is None:
        return
    asyncio.run_coroutine_threadsafe(_close_all(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def _engine(profile: str | Path | None) -> Engine:
    key = str(profile)
    if key not in _engines:
        _engines[key] = asyncio.ensure_future(Engine.open(profile))
    try:
        return await asyncio.shield(_engines[key])
    except BaseException:
        if _engines[key].done():
            _engines.pop(key, None)
        raise


async def _understand(query: Query | str, profile: str | Path | None) -> Understanding:
    return await (await _engine(profile)).understand(query)


async def _expand(query: Query | str, profile: str | Path | None) -> Expansion:
    return await (await _engine(profile)).expand(query)


async def _expand_many(queries: Sequence[Query | str], profile: str | Path | None) -> tuple[Expansion, ...]:
    return await (await _engine(profile)).expand_many(queries)


async def _search(query: Query | str, limit: int, offset: int, profile: str | Path | None) -> SearchResult:
    return await (await _engine(profile)).search(query, limit=limit, offset=offset)


async def _call(operation: str, request: object, principal: Principal | None, profile: str | Path | None) -> Any:
    return await (await _engine(profile)).result(operation, request, principal=principal)


async def _close_all() -> None:
    tasks = list(_engines.values())
    _engines.clear()
    for opened in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(opened, Engine):
            await opened.aclose()
    late = asyncio.all_tasks() - {asyncio.current_task()}  # calls that came while this was going on
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def _run(work: Coroutine[Any, Any, T]) -> T:
    loop = _running()
    if threading.current_thread() is _thread:
        work.close()
        raise UsageError("qx.sync was called from its own loop: use qx.Engine there")
    call = asyncio.run_coroutine_threadsafe(work, loop)
    try:
        return call.result()
    except CancelledError:
        raise Closed("qx.sync was closed while this call was under way: call again to begin anew") from None
    except KeyboardInterrupt:
        call.cancel()  # nobody waits for its answer
        raise


def _running() -> asyncio.AbstractEventLoop:
    global _loop, _thread
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _thread = threading.Thread(target=_loop.run_forever, name="qx.sync", daemon=True)
            _thread.start()
        return _loop
