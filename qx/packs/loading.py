"""Loads one pack, or its taxonomy: its files -> a validated ``DomainPack``, or an error that says where and what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict, cast

from qx.domain import DomainPack, Taxonomy
from qx.errors import NotAllowed, PackError, PathNotAllowed
from qx.packs.checks import check
from qx.packs.files import PACK_LIMIT, Joined, main_file, read_files
from qx.paths import confine
from qx.registry import Registry
from qx.serial import value
from qx.synonym_files import Sources, expanded
from qx.validation import failure, validate
from qx.yaml import Loc, Place

SCHEMA_VERSION = 1
"""Of packs, that this qx reads."""


@value
class ReadPack:
    """A pack, and the files that it was made of: ``pack.yaml``, what it includes, its files of synonyms.

    ``place`` says where a part of ``pack`` stands; None: an installed pack, of which only the name is told.
    """

    pack: DomainPack
    files: tuple[Path, ...] = ()
    place: Callable[[Loc], Place] | None = field(default=None, compare=False, repr=False)


class _Where(TypedDict):
    file: str | None
    line: int | None
    column: int | None


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
    return read_pack(source, limit=limit, strategies=strategies).pack


def read_pack(source: str | Path, *, limit: int = PACK_LIMIT, strategies: Registry | None = None) -> ReadPack:
    """As ``load_pack``; tells the pack's files as well."""
    main = main_file(source)
    joined = read_files(main, limit)
    _check_version(joined)
    pack = validate(DomainPack, joined.data, locate=joined.place, error=PackError, also=("include",))
    known = () if pack.name == "general" else general_intents
    if problems := check(pack, joined, known=known, strategies=strategies):
        raise failure(problems, PackError)
    named = [one.file for one in pack.synonyms if one.file is not None]
    if not named:
        return ReadPack(pack=pack, files=joined.files, place=joined.place)
    _check_paths(pack, joined, main.parent)
    whole = pack.model_copy(update={"synonyms": expanded(pack.synonyms, main.parent, error=PackError)})
    sources = Sources(pack.synonyms, main.parent, joined.place)
    place = partial(_place_in_whole, joined, sources)
    return ReadPack(pack=whole, files=(*joined.files, *(main.parent / file for file in named)), place=place)


def _place_in_whole(joined: Joined, sources: Sources, loc: Loc) -> Place:
    """Where ``loc`` of a pack stands in which the sets of files stand in their places."""
    if len(loc) > 1 and loc[0] == "synonyms" and isinstance(loc[1], int):
        return sources.place(loc[1], loc[2:])
    return joined.place(loc)


def _check_version(joined: Joined) -> None:
    version = joined.data.get("schema_version")
    if isinstance(version, int) and not isinstance(version, bool) and version > SCHEMA_VERSION:
        raise PackError(
            f"schema_version: {version} is newer than what this qx reads, which is {SCHEMA_VERSION}",
            **_at(joined.place(("schema_version",))),
            hint="install a newer qx, or write the pack for version 1",
        )


def _check_paths(pack: DomainPack, joined: Joined, folder: Path) -> None:
    for index, one in enumerate(pack.synonyms):
        if one.file is not None:
            try:
                there = confine(Path(one.file), folder).is_file()
            except NotAllowed as exc:
                place = joined.place(("synonyms", index, "file"))
                raise PathNotAllowed(f"synonyms.{index}.file: {exc}", **_at(place)) from exc
            if not there:
                place = joined.place(("synonyms", index, "file"))
                said = f"synonyms.{index}.file: there is no file {one.file!r}"
                raise PackError(said, **_at(place), hint="paths start beside the file that names them")


def _at(place: Place) -> _Where:
    return {"file": place.file, "line": place.line, "column": place.column}


def load_taxonomy(source: str | Path, *, limit: int = PACK_LIMIT) -> Taxonomy:
    """Load a taxonomy: a file of its own, or the taxonomy inside of a pack.

    Raises:
        PackError: as ``load_pack``.
    """
    joined = read_files(main_file(source), limit)
    inner = joined.data.get("taxonomy")
    if not isinstance(inner, dict):
        return validate(Taxonomy, joined.data, locate=joined.place, error=PackError)
    return validate(
        Taxonomy,
        cast("dict[str, Any]", inner),
        locate=lambda loc: joined.place(("taxonomy", *loc)),
        error=PackError,
    )


@cache
def general_intents() -> tuple[str, ...]:
    """Return the ids of the general taxonomy, which every pack may refer to."""
    found = read_files(main_file("qx.builtin:general/pack.yaml")).data.get("taxonomy", {})
    return tuple(str(intent["id"]) for intent in found.get("intents", ()))
