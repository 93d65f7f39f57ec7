"""A folder of profiles, one per tenant: which file is whose, and whether what a profile is made of has changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from qx import yaml
from qx.errors import ProfileError, UsageError
from qx.packs import is_folder
from qx.profiles import Loaded
from qx.registry import suggest

ENDINGS = (".yaml", ".yml")
_READ = (*ENDINGS, ".txt")
Stamp = tuple[int, int, int, int] | None
"""What tells two states of a file apart; None: it is not there."""


def stamp(path: Path) -> Stamp:
    """Return the state of a file: when it was written, its size, and which file it is."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def stamps(paths: Iterable[Path]) -> dict[Path, Stamp]:
    """Return the state of each file, and of what a folder holds that is written by people: not of indexes and caches."""
    found: dict[Path, Stamp] = {}
    for path in paths:
        if os.path.isdir(path):  # `Path.is_dir` raises where it may not look
            found |= {inner: stamp(inner) for inner in path.rglob("*") if inner.suffix in _READ}
        else:
            found[path] = stamp(path)
    return found


def changed_since(moment: int, paths: Iterable[Path]) -> bool:
    """Whether a file, or what its folder holds, may have changed since ``moment`` (ns since the epoch).

    By the time at which the file system saw it: a file that is put in another's place brings its time of writing along.
    """
    found = map(stamp, {near for path in paths for near in (path, path.parent)})
    return any(state is not None and state[1] >= moment for state in found)


def sources_of(loaded: Loaded) -> tuple[Path, ...]:
    """Return the files that a profile was made of: its own, those that it extends, its packs' with their folders, ``.env``."""
    files = [layer.place(()).file for layer in loaded.layers.layers if layer.folder is not None]
    profile = loaded.profile
    packs = [profile.folder / name for name in profile.domains if is_folder(name)]
    packs += [file for read in loaded.packs.values() for file in read.files]
    words = [profile.folder / one.file for one in profile.synonyms if one.file is not None]
    return tuple(dict.fromkeys([*(Path(file) for file in files if file), *packs, *words, Path.cwd() / ".env"]))


class TenantFolder:
    """The profiles of a folder.  A file whose name begins with ``_`` is nobody's: others extend it.

    Args:
        folder: Where they lie; folders in it are not looked into.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[Path, tuple[Stamp, str]] = {}
        self._names: Mapping[str, tuple[Path, ...]] = {}

    def look(self) -> None:
        """Read who the profiles are for, where they have changed since.

        A file that cannot be read stays whose it was; a new one is its name's.

        Raises:
            ProfileError: the folder is not there.
        """
        try:
            with os.scandir(self.folder) as entries:
                files = sorted(entry.path for entry in entries if _is_profile(entry))
        except OSError as error:
            raise ProfileError(
                f"the folder of profiles cannot be read: {error.strerror or error}",
                file=str(self.folder),
                hint="make it, with a NAME.yaml for each tenant",
            ) from error
        read: dict[Path, tuple[Stamp, str]] = {}
        names: dict[str, list[Path]] = {}
        for path in map(Path, files):
            now, known = stamp(path), self._read.get(path)
            read[path] = known if known is not None and known[0] == now else (now, _tenant(path, known and known[1]))
            names.setdefault(read[path][1], []).append(path)
        self._read = read
        self._names = {name: tuple(paths) for name, paths in names.items()}

    @property
    def tenants(self) -> tuple[str, ...]:
        """Everybody whom a profile is for."""
        return tuple(sorted(self._names))

    @property
    def profiles(self) -> tuple[Path, ...]:
        """The files of all tenants."""
        return tuple(self._read)

    def tenant(self, path: Path) -> str:
        """Return whom a profile is for."""
        return self._read[path][1]

    def holds(self, path: Path) -> bool:
        """Whether the profile was there when it was last looked."""
        return path in self._read

    def find(self, name: str) -> Path:
        """Return the profile of a tenant; of one who has several, that of his name; else the profile of that name.

        Raises:
            ProfileError: there is none.
            UsageError: the tenant has several profiles, none of his own name.
        """
        paths = self._names.get(name, ())
        if len(paths) == 1:
            return paths[0]
        named = [path for path in paths or self._read if path.stem == name]
        if named:
            return named[0]
        if paths:
            listed = ", ".join(path.stem for path in paths)
            raise UsageError(f"the tenant {name!r} has several profiles: name one of them ({listed})")
        known = sorted({*self._names, *(path.stem for path in self._read)})
        near = suggest(name, known) or f"{len(known)} are there, such as {', '.join(known[:5])}"
        raise ProfileError(f"there is no tenant {name!r} in {self.folder}", hint=near if known else "it is empty")


def _is_profile(entry: os.DirEntry[str]) -> bool:
    if not entry.name.endswith(ENDINGS) or entry.name.startswith(("_", ".")):
        return False
    try:
        return entry.is_file()
    except OSError:  # a link that leads nowhere: one tenant's trouble, said where it is read
        return True


def _tenant(path: Path, known: str | None) -> str:
    try:
        data = yaml.load(path).data
    except ProfileError:
        return known or path.stem
    said = cast("dict[str, object]", data).get("tenant") if isinstance(data, dict) else None
    return said if isinstance(said, str) else path.stem
