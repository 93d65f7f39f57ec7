"""The files of a pack: ``pack.yaml`` and what it includes, read as one mapping of which every place is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from qx import yaml
from qx.errors import PackError
from qx.installed import data_file
from qx.yaml import Document, Loc, Place

PACK_LIMIT = 16_000_000
"""Bytes of each file of a pack."""

_Part = tuple[Document, Any, Loc]
Stamp = tuple[tuple[str, int, int, int], ...]
"""The states of a pack's files: what differs when one of them was changed."""


class Joined:
    """The files of a pack as one mapping: mappings merge, lists follow one another, in the order of ``include``.

    Attributes:
        data: The joined mapping, without ``include``.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self.data: dict[str, Any] = {}
        for document in documents:
            self._join(self.data, document.data, document, ())
        self.data.pop("include", None)  # it is said in one file alone

    def _join(self, target: dict[str, Any], more: Mapping[str, Any], document: Document, loc: Loc) -> None:
        for key, item in more.items():
            here = (*loc, key)
            if key not in target:
                target[key] = _copied(item)
            elif isinstance(target[key], dict) and isinstance(item, Mapping):
                self._join(target[key], cast("Mapping[str, Any]", item), document, here)
            elif isinstance(target[key], list) and isinstance(item, list):
                target[key].extend(item)
            elif target[key] != item:
                raise document.problem(
                    f"{'.'.join(map(str, here))} is already given in another file of the pack",
                    here,
                    hint="only lists and mappings may be spread over files",
                )

    @property
    def files(self) -> tuple[Path, ...]:
        """Where its parts are written."""
        return tuple(Path(one.file) for one in self._documents)

    def place(self, loc: Sequence[str | int]) -> Place:
        """Return where ``loc`` of the joined mapping is written.  Reads its file a second time, line by line."""
        document, at = self._find(loc)
        return document.place(at)

    def file(self, loc: Sequence[str | int]) -> str:
        """Return the file in which ``loc`` of the joined mapping is written."""
        return self._find(loc)[0].file

    def _find(self, loc: Sequence[str | int]) -> tuple[Document, Loc]:
        parts: list[_Part] = [(d, d.data, ()) for d in self._documents]
        for step in loc:
            parts = _below(parts, step) or parts  # a part that is missing: stay with what is around it
        document, _, at = parts[0]
        return document, at


def _copied(item: Any) -> Any:
    if isinstance(item, dict):
        return {k: _copied(v) for k, v in cast("dict[str, Any]", item).items()}
    return list(cast("list[Any]", item)) if isinstance(item, list) else item


def _below(parts: list[_Part], step: str | int) -> list[_Part]:
    found: list[_Part] = []
    for document, item, at in parts:
        if isinstance(item, Mapping) and step in item:
            found.append((document, cast("Mapping[Any, Any]", item)[step], (*at, step)))
        elif isinstance(item, list) and isinstance(step, int):
            listed = cast("list[Any]", item)
            if step < len(listed):
                return [(document, listed[step], (*at, step))]
            step -= len(listed)  # lists follow one another
    return found


def main_file(source: str | Path) -> Path:
    """Return the first file of a pack: of ``package:file.yaml``, of a folder, or the file itself.

    Raises:
        PackError: the installed package has no such file.
    """
    if isinstance(source, str) and ":" in source and not Path(source).exists():
        found = data_file(source)
        if found is None:
            raise PackError(
                f"there is no data file {source!r}", hint="write 'package:file.yaml'; is the package installed?"
            )
        return found
    path = Path(source)
    return pack_file(path) if path.is_dir() else path


def pack_file(folder: Path) -> Path:
    """Return the ``pack.yaml`` of a folder: its own, or where a distribution is written there, that of its package."""
    own = folder / "pack.yaml"
    if own.is_file() or not (folder / "pyproject.toml").is_file():
        return own
    found = [path for path in folder.glob("*/pack.yaml") if path.is_file()]
    return found[0] if len(found) == 1 else own


def read_files(path: Path, limit: int = PACK_LIMIT) -> Joined:
    """Read a pack's first file and what it includes.

    Raises:
        PackError: a file is not there, no YAML or no mapping, too large, or says again what another one has said.
    """
    main = _mapping(path, limit)
    names: Any = main.data.get("include") or []
    if not isinstance(names, list):
        raise main.problem("include is not a list of file names", ("include",), hint="write [words.yaml, sites.yaml]")
    documents = [main]
    for index, name in enumerate(cast("list[object]", names)):
        below = _included(path, name)
        if below is None:
            hint = "name .yaml files of the pack's own folder"
            raise main.problem(f"cannot include {str(name)!r}", ("include", index), hint=hint)
        document = _mapping(below, limit)
        if "include" in document.data:
            raise document.problem("an included file cannot include others", ("include",), hint="list all in pack.yaml")
        documents.append(document)
    return Joined(documents)


def _included(pack: Path, name: object) -> Path | None:
    if not isinstance(name, str) or Path(name).name != name or not name.endswith((".yaml", ".yml")):
        return None
    found = pack.parent / name
    if not found.is_file() or found.resolve().parent != pack.parent.resolve():
        return None
    return None if found.resolve() == pack.resolve() else found


def _mapping(path: Path, limit: int) -> Document:
    document = yaml.load(path, limit=limit, error=PackError)
    if not isinstance(document.data, dict):
        raise document.problem("a pack is a mapping", hint="begin with 'schema_version: 1' and 'name: ...'")
    return document


def stamp(pack: Path, more: Sequence[Path] = ()) -> Stamp:
    """Return the states of a pack's files: of the YAML in its folder, and of ``more``."""
    found = sorted({pack, *pack.parent.glob("*.yaml"), *pack.parent.glob("*.yml"), *filter(Path.exists, more)})
    return tuple((str(p), s.st_ino, s.st_size, s.st_mtime_ns) for p in found if (s := p.stat()))
