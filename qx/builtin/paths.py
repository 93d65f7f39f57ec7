"""Where the files that a profile names may lie: a profile is data, and must not write anywhere it likes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from qx.errors import ProfileError

if TYPE_CHECKING:
    from qx.hookspecs import Services


def resolve(path: Path, services: Services, *, setting: str) -> Path:
    """Return the absolute path that a setting means, if it is allowed.

    A relative path starts at the profile's folder.  Allowed are that folder, the tenant's data folder, and the
    folders that the operator lists in ``QX_PATHS`` (separated as ``PATH`` is).

    Raises:
        ProfileError: the path leads elsewhere, by ``..`` or a symbolic link too.
    """
    target = (services.folder / path.expanduser()).resolve()
    allowed = [
        services.folder,
        services.data,
        *map(Path, filter(None, os.environ.get("QX_PATHS", "").split(os.pathsep))),
    ]
    if any(target.is_relative_to(root.expanduser().resolve()) for root in allowed):
        return target
    raise ProfileError(
        f"{setting}: {path} lies outside the profile's folder {services.folder}",
        hint="use a path inside it, or let the operator add the folder to QX_PATHS",
    )


def create_private(path: Path) -> None:
    """Make the file ``path`` (and its folder) if need be, readable and writable by its owner alone.

    Raises:
        OSError: it cannot be made.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    try:
        details = os.fstat(descriptor)
        if hasattr(os, "fchmod") and details.st_mode & 0o077 and details.st_uid == os.getuid():
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)
