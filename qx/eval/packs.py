"""``qx eval pack``: a domain pack's own evaluation set, read with the pack and without it.

The set lies beside ``pack.yaml``, in the folder ``eval``: every file ``*.jsonl`` of it, rows as ``qx eval understand``
reads them.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from qx.errors import DatasetError, PackError
from qx.eval.understanding import Row, UnderstandingReport, read_rows
from qx.eval.values import Provenance
from qx.installed import data_file
from qx.packs import is_folder, pack_file
from qx.registry import suggest
from qx.serial import value
from qx.settings import Profile

if TYPE_CHECKING:
    from qx.plugins import Plugins

FOLDER = "eval"
GENERAL = "general"
"""The pack that every profile has: there is no reading without it."""


@value
class PackReport:
    """The result of ``qx eval pack``; ``without_pack`` is None for the pack ``general``, which is always there."""

    pack: str
    files: tuple[str, ...]
    rows: int
    with_pack: UnderstandingReport
    without_pack: UnderstandingReport | None = None
    notes: tuple[str, ...] = ()
    provenance: Provenance | None = None


def evaluation_files(name: str, plugins: Plugins, only: Collection[str] = ()) -> tuple[Path, ...]:
    """Return the files of a pack's evaluation set, sorted.

    Args:
        name: An installed pack's name, or a folder (``./bikes``) with a ``pack.yaml``.
        only: The files to take, without their ending; none: all.

    Raises:
        PackError, PluginError: there is no such pack.
        DatasetError: it has no evaluation set, or not those files.
    """
    pack = _place(name, plugins)
    place = pack / FOLDER
    if not place.is_dir() and (pack.parent / "pyproject.toml").is_file():
        place = pack.parent / FOLDER  # of a distribution as it is written, before it is built
    found = tuple(sorted(place.glob("*.jsonl"))) if place.is_dir() else ()
    if not found:
        raise DatasetError(
            f"the pack {name!r} has no evaluation set",
            file=str(place),
            hint="put rows of {text, intents, …} into *.jsonl there (docs/evaluating-understanding.md)",
        )
    known = {file.stem: file for file in found}
    if missing := [one for one in only if one not in known]:
        raise DatasetError(
            f"the pack {name!r} has no rows {missing[0]}.jsonl",
            file=str(place),
            hint=suggest(missing[0], known) or f"there are {', '.join(sorted(known))}",
        )
    return tuple(known[one] for one in dict.fromkeys(only)) or found


def _place(name: str, plugins: Plugins) -> Path:
    """The folder that a pack's ``pack.yaml`` is in."""
    if is_folder(name):
        path = Path(name).expanduser()
        found = pack_file(path if path.is_dir() else path.parent)
        if not found.is_file():
            raise PackError(
                "there is no pack",
                file=str(path / found.name if path != found else found),
                hint="name its folder, or an installed pack",
            )
        return found.resolve().parent
    target = plugins.registry("packs").target(name)
    found = data_file(target)
    if found is None:
        raise DatasetError(
            f"the pack {name!r} is no file but {target!r}, so no evaluation set can lie beside it",
            hint=f"run its rows with `qx eval understand FILE` and a profile with domains: [{name}]",
        )
    return found.parent


def read_set(files: tuple[Path, ...]) -> tuple[Row, ...]:
    """Read all rows of an evaluation set.

    Raises:
        DatasetError: as ``read_rows``.
    """
    return tuple(row for file in files for row in read_rows(file))


def with_pack(profile: Profile, name: str, *, own: bool) -> Profile:
    """Return ``profile`` with the pack, the most important one where it does not name it.

    Args:
        own: The profile was named by the caller: its folder stays what its paths start from.  Else a pack's folder is
            looked for where it lies.
    """
    if name == GENERAL or _named(profile, name):
        return profile
    if not is_folder(name):
        return profile.model_copy(update={"domains": (name, *profile.domains)})
    place = Path(name).expanduser().resolve()
    folder = profile.folder.resolve() if own else place.parent
    relative = f"./{os.path.relpath(place, folder)}"
    return profile.model_copy(update={"domains": (relative, *profile.domains), "folder": folder})


def without_pack(profile: Profile, name: str) -> Profile | None:
    """Return ``profile`` without the pack, None where there is no reading without it."""
    if name == GENERAL:
        return None
    left = tuple(domain for domain in profile.domains if domain not in _named(profile, name))
    return profile.model_copy(update={"domains": left})


def _named(profile: Profile, name: str) -> tuple[str, ...]:
    """The items of ``domains:`` that mean the pack."""
    if not is_folder(name):
        return tuple(domain for domain in profile.domains if domain == name)
    place = Path(name).expanduser().resolve()
    return tuple(d for d in profile.domains if is_folder(d) and (profile.folder / d).resolve() == place)
