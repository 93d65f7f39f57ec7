"""The files that built-in caches and observers write: where they may lie, and for whose eyes they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from qx.paths import file_name, make_private
from qx.tenant_folder import own_path

if TYPE_CHECKING:
    from qx.hookspecs import Services


def place(path: Path | None, services: Services, *, default: str) -> Path:
    """Return the absolute path of a file that a profile names; unnamed, it is ``default`` in the tenant's data folder.

    Raises:
        NotAllowed: the path leads out of the profile's folder (``qx.paths.confine``), or the tenant's data folder
            belongs to the profiles of another folder.
    """
    if path is None:
        return services.data / file_name(default)
    return own_path(path.expanduser(), services)


def append(path: Path, data: bytes) -> None:
    """Write whole lines at the end of a file of one's own (``create_private``).

    A line that a crash or a full disk cut short costs itself alone: what follows begins a line of its own.

    Raises:
        OSError: it cannot be written.
    """
    create_private(path)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
    try:
        end = os.lseek(descriptor, 0, os.SEEK_END)
        os.lseek(descriptor, max(0, end - 1), os.SEEK_SET)
        if end and os.read(descriptor, 1) != b"\n":
            data = b"\n" + data
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
    finally:
        os.close(descriptor)


def create_private(path: Path) -> None:
    """Make the file ``path`` (and its folder) if need be, readable and writable by its owner alone.

    Raises:
        OSError: it cannot be made.
    """
    make_private(path.parent)
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    try:
        details = os.fstat(descriptor)
        if hasattr(os, "fchmod") and details.st_mode & 0o077 and details.st_uid == os.getuid():
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)
