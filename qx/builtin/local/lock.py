"""One writer at a time, in this process and among processes: whoever comes second waits a while, then says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qx.builtin.local.snapshot import Snapshot
from qx.errors import Unavailable

_PAUSE = 0.02
_HEAP = 64_000_000


@contextmanager
def writer(
    index: Any,
    own: threading.Lock,
    snapshot: Callable[[], Snapshot],
    *,
    name: str,
    place: Path,
    wait: float,
) -> Generator[tuple[Any, Snapshot]]:
    """Give tantivy's writer and the state that it starts from; what is not committed is gone afterwards.

    tantivy's lock is a lock of the system on a file: it dies with its process.

    Raises:
        Unavailable: another writer was at it for all of ``wait`` seconds.
    """
    deadline = time.monotonic() + wait
    if not own.acquire(timeout=wait):
        raise _busy(name, place, wait)
    try:
        handle = _acquired(index, deadline, name=name, place=place, wait=wait)
        try:
            yield handle, snapshot()
        finally:
            handle.wait_merging_threads()  # ends it, committed or not, and lets go of the lock
    finally:
        own.release()


def _acquired(index: Any, deadline: float, *, name: str, place: Path, wait: float) -> Any:
    while True:
        try:
            return index.writer(_HEAP, 1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise
            if time.monotonic() >= deadline:
                raise _busy(name, place, wait) from error
        time.sleep(_PAUSE)


def _busy(name: str, place: Path, wait: float) -> Unavailable:
    error = Unavailable(
        f"backend {name}: another process has been writing to {place} for {wait:g} s (LockBusy): "
        "try again when it has ended, or set `wait`"
    )
    error.retryable = False  # it has been waited for as long as the profile says
    return error
