"""Loads domain packs: YAML with includes -> a validated ``DomainPack``, or an error that says where and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict, cast

from qx import yaml
from qx.domain import DomainPack, Taxonomy, lint
from qx.errors import NotAllowed, PackError, PathNotAllowed, PluginError, ProfileError
from qx.installed import data_file
from qx.pack_checks import check, check_strategies
from qx.paths import confine, profile_folders
from qx.plugins import Plugins
from qx.registry import Entry, Registry, import_target
from qx.settings import Profile
from qx.synonym_files import expanded
from qx.validation import failure, validate
from qx.yaml import Document, Loc, Place

PACK_LIMIT = 16_000_000
"""Bytes of each file of a pack."""

SCHEMA_VERSION = 1
"""Of packs, that this qx reads."""


class _Where(TypedDict):
    file: str | None
    line: int | None
    column: int | None


_Part = tuple[Document, Any, Loc]
_Stamp = tuple[tuple[str, int, int, int], ...]


class Joined:
    """The files of a pack as one mapping: mappings merge, lists follow one another, in the order of ``include``.

    Attributes:
        data: The joined mapping.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self.data: dict[str, Any] = {}
        for document in documents:
            self._join(self.data, document.data, document, ())

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
        return tuple(Path(file) for one in self._documents if (file := one.place(()).file))

    def place(self, loc: Sequence[str | int]) -> Place:
        """Return where ``loc`` of the joined mapping is written."""
        parts: list[_Part] = [(d, d.data, ()) for d in self._documents]
        for step in loc:
            parts = _below(parts, step) or parts  # a part that is missing: stay with what is around it
        document, _, at = parts[0]
        return document.place(at)


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


def _path(source: str | Path) -> Path:
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


def _read(source: str | Path, limit: int) -> Joined:
    path = _path(source)
    main = _mapping(path, limit)
    names: Any = main.data.pop("include", None) or []
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


def load_pack(source: str | Path, *, limit: int = PACK_LIMIT, strategies: Registry | None = None) -> DomainPack:
    """Load a domain pack.

    Args:
        source: A file, a folder with ``pack.yaml``, or ``package:file.yaml`` of an installed package.
        limit: The greatest number of bytes of each of its files.
        strategies: Those that templates may be for; None: any.

    Raises:
        PackError: with file, line, column and a hint: not YAML, an unknown key, a wrong type, a pattern that RE2
            refuses, an intent that nobody defines, defaults that a pack may not set ...
    """
    joined = _read(source, limit)
    version = joined.data.get("schema_version")
    if isinstance(version, int) and not isinstance(version, bool) and version > SCHEMA_VERSION:
        raise PackError(
            f"schema_version: {version} is newer than what this qx reads, which is {SCHEMA_VERSION}",
            **_at(joined.place(("schema_version",))),
            hint="install a newer qx, or write the pack for version 1",
        )
    pack = validate(DomainPack, joined.data, locate=joined.place, error=PackError)
    known = () if pack.name == "general" else general_intents
    if problems := check(pack, joined.place, known=known, strategies=strategies):
        raise failure(problems, PackError)
    if all(one.file is None for one in pack.synonyms):
        return pack
    for index, one in enumerate(pack.synonyms):
        if one.file is not None:
            place = joined.place(("synonyms", index, "file"))
            try:
                confine(Path(one.file), _path(source).parent)
            except NotAllowed as exc:
                raise PathNotAllowed(f"synonyms.{index}.file: {exc}", **_at(place)) from exc
    return pack.model_copy(update={"synonyms": expanded(pack.synonyms, _path(source).parent, error=PackError)})


def _at(place: Place) -> _Where:
    return {"file": place.file, "line": place.line, "column": place.column}


def pack_files(source: Path) -> tuple[Path, ...]:
    """Return the files that a pack is made of: ``pack.yaml``, what it includes, its files of synonyms.

    Of one that cannot be read it is the first alone.
    """
    try:
        main = _path(source)
        return _made_of(main, _stamp(main))
    except (ProfileError, OSError):
        return (source,)


@lru_cache(maxsize=64)
def _made_of(main: Path, _: _Stamp) -> tuple[Path, ...]:
    joined = _read(main, PACK_LIMIT)
    sets: object = joined.data.get("synonyms")
    items = cast("list[object]", sets) if isinstance(sets, list) else []
    named = [cast("Mapping[str, object]", one).get("file") for one in items if isinstance(one, Mapping)]
    return (*joined.files, *(main.parent / name for name in named if isinstance(name, str)))


def load_taxonomy(source: str | Path, *, limit: int = PACK_LIMIT) -> Taxonomy:
    """Load a taxonomy: a file of its own, or the taxonomy inside of a pack.

    Raises:
        PackError: as ``load_pack``.
    """
    joined = _read(source, limit)
    inner = joined.data.get("taxonomy")
    if not isinstance(inner, dict):
        return validate(Taxonomy, joined.data, locate=joined.place, error=PackError)
    return validate(
        Taxonomy,
        cast("dict[str, Any]", inner),
        locate=lambda loc: joined.place(("taxonomy", *loc)),
        error=PackError,
    )


def general_intents() -> tuple[str, ...]:
    """Return the ids of the general taxonomy, which every pack may refer to."""
    found = _read("qx.builtin:general/pack.yaml", PACK_LIMIT).data.get("taxonomy", {})
    return tuple(str(intent["id"]) for intent in found.get("intents", ()))


_installed: dict[tuple[str, str], tuple[_Stamp, DomainPack | Taxonomy]] = {}


def read_entry(kind: str, entry: Entry) -> DomainPack | Taxonomy:
    """Read what a ``packs`` or ``taxonomies`` entry names: a data file, or an object of a module.

    Installed data is read once by a process, until its files change: engines of one pack share one frozen object.

    Raises:
        PackError: the data is wrong.
        PluginError: the object is not of that kind.
    """
    wanted = DomainPack if kind == "packs" else Taxonomy
    if entry.target.endswith((".yaml", ".yml")):
        try:
            main = _path(entry.target)
            stamp = _stamp(main, *pack_files(main))
            known = _installed.get((kind, entry.target))
            if known is None or known[0] != stamp:
                made = load_pack(entry.target) if kind == "packs" else load_taxonomy(entry.target)
                known = _installed[kind, entry.target] = (stamp, made)
            return known[1]
        except PackError as exc:
            exc.plugin = entry.name
            raise
    found = import_target(entry)
    if not isinstance(found, wanted):
        raise PluginError(
            f"{entry.origin}: {entry.target!r} is no {wanted.__name__} but {type(found).__name__}", plugin=entry.name
        )
    return found


def _stamp(pack: Path, *more: Path) -> _Stamp:
    """What changes when a file of the pack does."""
    found = sorted({pack, *pack.parent.glob("*.yaml"), *pack.parent.glob("*.yml"), *filter(Path.exists, more)})
    return tuple((str(p), s.st_ino, s.st_size, s.st_mtime_ns) for p in found if (s := p.stat()))


def is_folder(name: str) -> bool:
    """Whether an item of ``domains:`` is a path (``./folder``) and not an installed pack's name."""
    return name.startswith((".", "/", "\\")) or "/" in name or "\\" in name or ":" in name


def load_domain(name: str, folder: Path, plugins: Plugins) -> DomainPack:
    """Load one item of ``domains:``: an installed pack's name, or a folder that starts at ``folder``.

    A pack that names its taxonomy instead of bringing it gets the one of that name.

    Raises:
        PackError, PluginError: the pack, or the taxonomy that it names, is wrong or not there.
        NotAllowed: the folder lies outside of ``folder`` and of what the operator allows.
    """
    strategies = plugins.registry("strategies")
    if is_folder(name):
        try:
            found = confine(name, folder, allowed=profile_folders(folder))
        except NotAllowed as exc:
            raise NotAllowed(f"domains: {exc}") from exc
        pack = load_pack(found, strategies=strategies)
    else:
        pack = cast("DomainPack", plugins.registry("packs").get(name))
        for loc, said, hint in check_strategies(pack, strategies):
            raise PackError(f"{'.'.join(map(str, loc))}: {said}", file=f"pack {name}", hint=hint)
    if isinstance(pack.taxonomy, str):
        return pack.model_copy(update={"taxonomy": plugins.registry("taxonomies").get(pack.taxonomy)})
    return pack


def lint_domains(profile: Profile, plugins: Plugins) -> tuple[str, ...]:
    """Return what does not tell intents apart in the packs of ``profile``, each beside those after it.

    Raises:
        PackError, PluginError, NotAllowed: as ``load_domain``.
    """
    packs = load_domains(profile, plugins)
    return tuple(
        f"pack {pack.name}: {said}" for at, pack in enumerate(packs[:-1]) for said in lint(pack, packs[at + 1 :])
    )


def load_domains(profile: Profile, plugins: Plugins) -> tuple[DomainPack, ...]:
    """Load the packs of ``profile`` in its order, the general one last.

    Raises:
        PackError, PluginError, NotAllowed: as ``load_domain``.
    """
    names = [*(n for n in profile.domains if n != "general"), "general"]
    packs = [load_domain(name, profile.folder, plugins) for name in names]
    times = Counter(pack.name for pack in packs)
    for at, (name, pack) in enumerate(zip(names[:-1], packs[:-1], strict=True)):
        if times[pack.name] > 1 and name != pack.name:  # what is said of a clash is to say which of them
            packs[at] = pack.model_copy(update={"name": f"{pack.name} ({name})"})
    return tuple(packs)
