"""Profile files: where they are looked for, what there is, and the chain that ``extends`` makes of them."""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from qx import yaml
from qx.errors import NotAllowed, PathNotAllowed, ProfileError
from qx.paths import confine, home, profile_folders
from qx.profiles.layers import Layer
from qx.registry import suggest
from qx.serial import value
from qx.yaml import Document

DEFAULT = Path(__file__).parents[1] / "builtin" / "default.yaml"
"""The built-in profile at the bottom of every other."""

_ENDINGS = (".yaml", ".yml")
_NAME = re.compile(r"\w[\w .@+-]*")
_NOT_WRITTEN = ("name", "source", "folder")
_LONGEST_CHAIN = 16
_TOLD = 20
"""Profiles that a message names at most."""


@value
class ProfileFile:
    """A profile that can be named.  ``shadowed``: another of the same name is found first."""

    name: str
    path: Path
    origin: str
    shadowed: bool = False


def folders(env: Mapping[str, str] | None = None) -> tuple[tuple[str, Path], ...]:
    """Return where profiles are looked for by name, in order, each with what it is called."""
    return (
        ("project", Path.cwd() / "profiles"),
        ("home", home(env) / "profiles"),
        ("built in", DEFAULT.parent),
    )


def list_profiles(env: Mapping[str, str] | None = None) -> tuple[ProfileFile, ...]:
    """Return every profile that can be named, in the order in which they are looked for."""
    found: list[ProfileFile] = []
    seen: set[str] = set()
    for origin, folder in folders(env):
        for path in _in_folder(folder):
            found.append(ProfileFile(name=path.stem, path=path, origin=origin, shadowed=path.stem in seen))
            seen.add(path.stem)
    return tuple(found)


def _in_folder(folder: Path) -> list[Path]:
    items = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in items if path.suffix in _ENDINGS and _is_file(path)]


def is_path(name: str | Path) -> bool:
    """Whether ``name`` names a file, and not a profile to look for: it has a separator or ends in ``.yaml``."""
    return isinstance(name, Path) or name.endswith(_ENDINGS) or "/" in name or "\\" in name


def find(
    name: str | Path,
    *,
    beside: Path | None = None,
    env: Mapping[str, str] | None = None,
    besides: Path | None = None,
) -> Path:
    """Return the file of a profile.

    Args:
        name: A name, looked for beside another file, in ``./profiles``, in ``$QX_HOME/profiles`` and among the built-in
            ones; or the path of a file.
        beside: The folder to look in first.
        env: The environment; None: the process's.
        besides: A file that does not count: ``default`` may extend the next ``default``.

    Raises:
        ProfileError: there is none.
    """
    if is_path(name):
        path = Path(name)
        if not _is_file(path):
            message, hint = _missing(path)
            raise ProfileError(message, file=str(name), hint=hint or _nearby(path, env))
        return path
    where = [folder for _, folder in folders(env)]
    if _NAME.fullmatch(str(name)):
        for folder in [*([beside] if beside else []), *where]:
            for path in (folder / f"{name}{ending}" for ending in _ENDINGS):
                if _is_file(path) and not _is_same(path, besides):
                    return path
    known = [entry.name for entry in list_profiles(env)]
    if beside is not None:
        where = list(dict.fromkeys((beside, *where)))
        known = [*(path.stem for path in _in_folder(beside) if not _is_same(path, besides)), *known]
    known = list(dict.fromkeys(known))
    told = ", ".join(known[:_TOLD]) + (", …" if len(known) > _TOLD else "")
    near = suggest(name, known) or f"known: {told}; looked in {', '.join(map(str, where))}"
    raise ProfileError(f"there is no profile {str(name)!r}", hint=near)


def _is_same(path: Path, other: Path | None) -> bool:
    """Whether two paths lead to one file, by links or not."""
    return other is not None and path.resolve() == other.resolve()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a folder that may not be entered, a name that is too long, a zero byte
        return False


def _missing(path: Path) -> tuple[str, str | None]:
    """Why ``path`` is no profile, and what to do; None: give the nearest name."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return "there is no such profile file", None
    except (OSError, ValueError) as exc:
        return f"the file cannot be reached: {getattr(exc, 'strerror', None) or exc}", "give a file that can be read"
    if stat.S_ISLNK(mode):
        return "this link leads to no file", "let it point to a file"
    if stat.S_ISDIR(mode):
        return "this is a folder, not a profile", "name a file in it, or a profile"
    return "this is a pipe or a device, not a file", "save the profile to a file"


def _nearby(path: Path, env: Mapping[str, str] | None) -> str:
    folder = path.parent
    names = [p.name for p in folder.iterdir() if p.suffix in _ENDINGS] if folder.is_dir() else []
    known = [entry.name for entry in list_profiles(env)]
    return suggest(path.name, names) or suggest(path.stem, known) or "give a file that exists, or a profile's name"


def read_chain(start: Path, env: Mapping[str, str] | None = None) -> tuple[Layer, ...]:
    """Read ``start`` and what it extends, the profile itself first; the built-in default is not among them.

    Raises:
        ProfileError: a file is wrong or missing; ``extends`` goes in a circle, named with the whole chain.
    """
    chain: list[Layer] = []
    names: list[str] = []
    seen: list[Path] = []
    path = start
    while path.resolve() != DEFAULT.resolve():
        document = _document(path)
        seen.append(path.resolve())
        names.append(path.stem)
        chain.append(_layer(document, path))
        parent = document.data.get("extends")
        if parent is None:
            break
        path = _parent(parent, document, path, env)
        if path.resolve() in seen:
            circle = " -> ".join([*names[seen.index(path.resolve()) :], path.stem])
            raise document.problem(f"extends goes in a circle: {circle}", ("extends",), hint="remove one of the links")
        if len(chain) >= _LONGEST_CHAIN:
            raise document.problem(f"more than {_LONGEST_CHAIN} profiles extend one another", ("extends",))
    return tuple(chain)


def _document(path: Path) -> Document:
    document = yaml.load(path)
    if document.data is None:
        document.data = {}
    if not isinstance(cast("object", document.data), dict):
        raise document.problem("a profile is a mapping", hint="write 'key: value' lines")
    for key in _NOT_WRITTEN:
        if key in document.data:
            hint = "the name is the file's" if key == "name" else "it is known from the file's place"
            raise document.problem(f"{key}: unknown key", (key,), hint=hint)
    return document


def _parent(name: object, document: Document, path: Path, env: Mapping[str, str] | None) -> Path:
    if not isinstance(name, str) or not name:
        raise document.problem("extends names one profile or file", ("extends",), hint="write extends: default")
    try:
        if is_path(name):
            return find(confine(name, path.parent, allowed=profile_folders(path.parent, env)))
        return find(name, beside=path.parent, env=env, besides=path)
    except NotAllowed as exc:
        raise document.problem(f"extends: {exc}", ("extends",), error=PathNotAllowed) from exc
    except ProfileError as exc:
        if name == path.stem:
            message, hint = f"extends goes in a circle: {name} -> {name}", "name another profile, or remove it"
        else:
            message, hint = f"extends: there is no profile {name!r}", exc.hint
        raise document.problem(message, ("extends",), hint=hint) from exc


def _layer(document: Document, path: Path) -> Layer:
    data = cast("dict[str, Any]", document.data)
    return Layer(
        label=f"profile {path.stem}",
        data={key: item for key, item in data.items() if key != "extends"},
        place=document.place,
        folder=path.parent.absolute(),
    )


def default_layer() -> Layer:
    """Read the built-in default."""
    document = _document(DEFAULT)
    return Layer(label="default", data=cast("dict[str, Any]", document.data), place=document.place)
