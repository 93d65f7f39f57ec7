"""The engine for code without ``async``: typed one-liners over one daemon loop.

::

    import qx.sync

    expansion = qx.sync.expand("cheap linen shirt, not white")

Each call opens the profile's engine on first use and keeps it; ``close()`` closes them all.  For more than one-liners
use ``qx.Engine`` in your own loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from qx.engine import Engine
from qx.errors import UsageError
from qx.types import Expansion, Query, Understanding

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None
_engines: dict[str, asyncio.Task[Engine]] = {}


def understand(query: Query | str, *, profile: str | Path | None = None) -> Understanding:
    """``Engine.understand`` on the profile's engine (None: the default profile)."""
    return _run(_understand(query, profile))


def expand(query: Query | str, *, profile: str | Path | None = None) -> Expansion:
    """``Engine.expand`` on the profile's engine."""
    return _run(_expand(query, profile))


def expand_many(queries: Sequence[Query | str], *, profile: str | Path | None = None) -> tuple[Expansion, ...]:
    """``Engine.expand_many`` on the profile's engine."""
    return _run(_expand_many(queries, profile))


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


async def _close_all() -> None:
    tasks = list(_engines.values())
    _engines.clear()
    for opened in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(opened, Engine):
            await opened.aclose()


def _run(work: Coroutine[Any, Any, T]) -> T:
    loop = _running()
    if threading.current_thread() is _thread:
        work.close()
        raise UsageError("qx.sync was called from its own loop: use qx.Engine there")
    return asyncio.run_coroutine_threadsafe(work, loop).result()


def _running() -> asyncio.AbstractEventLoop:
    global _loop, _thread
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _thread = threading.Thread(target=_loop.run_forever, name="qx.sync", daemon=True)
            _thread.start()
        return _loop
