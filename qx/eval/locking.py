"""One process at a time in a folder: whoever comes second is told who is there."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from qx.errors import Unavailable

try:
    import fcntl
except ImportError:  # Windows: whoever runs the same twice at once is not told
    fcntl = None


@contextmanager
def locked(path: Path, what: str) -> Generator[None]:
    """Hold the lock of ``path`` while the body runs; it dies with its process.

    Raises:
        Unavailable: another process holds it; names it and ``what`` it works at.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(descriptor, 40).decode("ascii", "replace").strip() or "unknown"
                raise Unavailable(
                    f"another process ({holder}) is running {what}: wait until it has ended, "
                    f"or give this run a home of its own (QX_HOME)"
                ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)  # unlocks too
