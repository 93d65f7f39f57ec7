"""The folder of a tenant under ``$QX_HOME/data``, and whose it is: of the profiles of one folder, no others.

A tenant's name is only a name: it is that of the profile's file where the profile says nothing.  Two profiles of one name
in two folders are two tenants that do not know of each other, and what lies here would pass from one to the other.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from qx.errors import NotAllowed, ProfileError
from qx.paths import allowed_folders, confine, file_name, home, make_private

if TYPE_CHECKING:
    from qx.hookspecs import Services

OWNER = "owner.json"
_log = logging.getLogger("qx")


def tenant_folder(tenant: str, profiles: Path | None) -> Path:
    """Return the folder of ``tenant``, made if need be, closed to other users, and bound to ``profiles``.

    Whoever uses it first is its owner, which ``owner.json`` in it says; so is a folder of an earlier version, which has
    none yet.

    Args:
        profiles: The folder of the tenant's profile; None: a program's own profile, of no file.

    Raises:
        NotAllowed: it belongs to the profiles of another folder.
        ProfileError: it cannot be made or read.
    """
    folder = home() / "data" / file_name(tenant)
    mine = "" if profiles is None else str(profiles.resolve())
    try:
        make_private(folder)
        owner = _owner(folder) if (folder / OWNER).exists() else _claim(folder, mine)
    except OSError as exc:
        raise ProfileError(
            f"the folder {folder} cannot be made: {exc.strerror or exc}",
            hint="let QX_HOME name a folder that can be written, or give `path:`",
        ) from exc
    if owner != mine:
        raise NotAllowed(
            f"the folder {folder} of the tenant {tenant!r} belongs to {_named(owner)}, this profile to {_named(mine)}: "
            "give this profile's indexes, caches and files a `path:` of their own, or the profile another `tenant:` "
            f"(were the profiles moved, correct {folder / OWNER})"
        )
    return folder


def own_path(path: str | Path, services: Services, *, allowed: tuple[Path, ...] = ()) -> Path:
    """Return the absolute path of what a profile names: in its folder, its tenant's, or one that the operator allows.

    Args:
        allowed: Further folders.

    Raises:
        NotAllowed: it lies elsewhere (``qx.paths.confine``).
    """
    allowed = (*allowed, *allowed_folders())
    try:
        return confine(path, services.folder, allowed=allowed)
    except NotAllowed as refused:
        try:
            return confine(path, services.folder, allowed=(services.data.resolve(), *allowed))
        except (NotAllowed, ProfileError):
            raise refused from None


def _owner(folder: Path) -> str:
    try:
        found: object = json.loads((folder / OWNER).read_text(encoding="utf-8"))
    except ValueError:
        found = None
    said = cast("dict[str, object]", found).get("profiles") if isinstance(found, dict) else None
    if not isinstance(said, str):
        raise ProfileError(
            "does not say whose folder this is",
            file=str(folder / OWNER),
            hint='write {"profiles": "FOLDER"}, where the profiles of this tenant lie',
        )
    return said


def _claim(folder: Path, mine: str) -> str:
    """Write down whose the folder is, whole or not at all; returns who was first."""
    old = sorted(item.name for item in folder.iterdir())
    handle, part = tempfile.mkstemp(prefix=".owner.", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"profiles": mine}, file, ensure_ascii=False)
        _put(part, folder / OWNER)
    except FileExistsError:
        return _owner(folder)
    finally:
        Path(part).unlink(missing_ok=True)
    if kept := [name for name in old if not name.startswith(".owner.")]:
        _log.warning("%s (%s) belongs to %s from now on", folder, ", ".join(kept[:5]), _named(mine))
    return mine


def _put(part: str, place: Path) -> None:
    """Give the file ``part`` its name, unless another has it (``FileExistsError``)."""
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with place.open("x", encoding="utf-8") as file:
            file.write(Path(part).read_text(encoding="utf-8"))


def _named(folder: str) -> str:
    return f"the profiles in {folder}" if folder else "a program's own profile"
