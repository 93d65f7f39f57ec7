"""Where qx keeps its files, and which files a profile may name."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from qx.errors import NotAllowed


def home(env: Mapping[str, str] | None = None) -> Path:
    """Return qx's own folder: ``$QX_HOME``, else the system's place for an application's data.

    Linux: ``$XDG_DATA_HOME/qx`` or ``~/.local/share/qx``; macOS: ``~/Library/Application Support/qx``; Windows:
    ``%LOCALAPPDATA%\\qx``.  It need not exist.
    """
    names = os.environ if env is None else env
    if named := names.get("QX_HOME"):
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        return Path(names.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "qx"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "qx"
    return Path(names.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "qx"


def allowed_folders(env: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Return the folders of ``QX_ALLOW_PATHS`` (apart by ``:``, on Windows ``;``), which any profile may name."""
    listed = (os.environ if env is None else env).get("QX_ALLOW_PATHS", "")
    return tuple(Path(part).expanduser().resolve() for part in listed.split(os.pathsep) if part.strip())


def confine(path: str | Path, folder: Path, *, allowed: tuple[Path, ...] = ()) -> Path:
    """Return ``path``, which starts at ``folder``, as an absolute path with links followed.

    Raises:
        NotAllowed: it leads out of ``folder`` and is not under one of ``allowed``.
    """
    start = folder.resolve()
    try:
        found = (start / path).resolve()
    except (OSError, ValueError, RuntimeError) as exc:  # a loop of links, a NUL
        raise NotAllowed(f"the path {str(path)!r} cannot be followed") from exc
    if any(found == root or root in found.parents for root in (start, *allowed)):
        return found
    raise NotAllowed(
        f"the path {str(path)!r} leads out of the profile's folder {start}: keep it there, "
        "or let the operator name its folder in QX_ALLOW_PATHS"
    )
