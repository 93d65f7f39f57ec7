"""Where qx keeps its files, and which files a profile may name."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from qx.errors import NotAllowed, ProfileError


def home(env: Mapping[str, str] | None = None) -> Path:
    """Return qx's own folder: ``$QX_HOME``, else the system's place for an application's data.

    Linux: ``$XDG_DATA_HOME/qx`` or ``~/.local/share/qx``; macOS: ``~/Library/Application Support/qx``; Windows:
    ``%LOCALAPPDATA%\\qx``.  It need not exist.
    """
    names = os.environ if env is None else env
    if named := names.get("QX_HOME"):
        return _expanded(named, "QX_HOME").absolute()
    if sys.platform == "win32":
        return _expanded(names.get("LOCALAPPDATA") or "~/AppData/Local", "LOCALAPPDATA") / "qx"
    if sys.platform == "darwin":
        return _expanded("~/Library/Application Support", "HOME") / "qx"
    return _expanded(names.get("XDG_DATA_HOME") or "~/.local/share", "XDG_DATA_HOME") / "qx"


def _expanded(path: str, variable: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError as exc:
        raise ProfileError(
            f"{variable}: nobody knows the home folder in {path!r}", hint="let QX_HOME name a folder"
        ) from exc


def make_private(folder: Path) -> Path:
    """Make ``folder`` and what is missing above it, closed to other users; returns it.

    Raises:
        OSError: it cannot be made.
    """
    missing: list[Path] = []
    here = folder
    while not here.exists():
        missing.append(here)
        here = here.parent
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    return folder


_SAFE = re.compile(r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\w-](?:[\w.-]*[\w-])?", re.ASCII)
_LONGEST = 80


def file_name(name: str) -> str:
    """Return a name of a file for ``name``, another for every other name, on every file system.

    Small letters without accents, digits, ``-``, ``_`` and ``.`` stay as they are (``acme-2``); so do scripts that know
    neither case nor composition (``客户``).  Any other name is spelt in them, with a digest of the name itself after
    ``~``, which no name that stays has: ``a b`` and ``Alpha`` never share a file with ``a_b`` and ``alpha``.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    plain = "".join("x" if c > "\x7f" and c.isalnum() and unicodedata.normalize("NFKD", c) == c else c for c in name)
    if folded == name and len(name.encode("utf-8", "replace")) <= _LONGEST and _SAFE.fullmatch(plain):
        return name
    slug = re.sub(r"[^a-z0-9-]+", "_", folded).strip("_")[:40]
    return f"{slug}~{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def allowed_folders(env: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Return the folders of ``QX_ALLOW_PATHS`` (apart by ``:``, on Windows ``;``), which any profile may name."""
    listed = (os.environ if env is None else env).get("QX_ALLOW_PATHS", "")
    return tuple(_expanded(part, "QX_ALLOW_PATHS").resolve() for part in listed.split(os.pathsep) if part.strip())


def profile_folders(folder: Path, env: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Return the folders that a profile in ``folder`` may name profiles and packs of, its own aside.

    They are those of ``QX_ALLOW_PATHS``; and, for one below ``./profiles`` or ``$QX_HOME/profiles``, all of that folder.
    """
    here = folder.resolve()
    roots = [root.resolve() for root in (Path.cwd() / "profiles", home(env) / "profiles")]
    return (*allowed_folders(env), *(root for root in roots if root == here or root in here.parents))


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
