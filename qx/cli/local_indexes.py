"""The indexes in folders that a profile names, looked into without opening anything else of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from qx.plugins import Plugins
    from qx.settings import Profile

_OF_AN_INDEX = ("name", "tenant", "timezone", "language", "plugins", "source", "folder")
"""What of a profile says where its indexes are and how they are read."""


def local_mismatches(profile: Profile, ctx: click.Context) -> tuple[str, ...]:
    """Return where the fields of a profile and its indexes in folders do not go together; none of one that is not there.

    Raises:
        ProfileError: an index is damaged.
    """
    there = {
        name: block
        for name, block in profile.search.backends.items()
        if block.type == "local" and _is_there((block.model_extra or {}).get("path"), profile)
    }
    if not there:
        return ()
    from qx.cli.doctor import declared_fields
    from qx.cli.session import open_engine, run
    from qx.indexing.mismatches import mismatches
    from qx.settings import CacheSettings, Profile, Search

    # nothing but the indexes: a mode, a tier or a pack that needs what is not opened here would be refused as wrong
    own: dict[str, Any] = {name: getattr(profile, name) for name in _OF_AN_INDEX}
    own |= {"cache": CacheSettings(type="none"), "search": Search(backends=there)}
    alone = Profile().model_copy(update=own)

    async def look() -> tuple[str, ...]:
        found: list[str] = []
        async with open_engine(alone, ctx) as engine:
            for name, block in there.items():
                said = await mismatches(engine.backend(name), declared_fields(block))
                found += [f"backend {name}: {one}" for one in said]
        return tuple(found)

    return run(look())


def _is_there(path: object, profile: Profile) -> bool:
    """Whether qx made an index at a path that the profile names."""
    if not isinstance(path, str):
        return False
    folder = profile.source.parent if profile.source is not None else Path()
    return (folder / Path(path).expanduser() / "qx.json").is_file()


def misnamed_fields(profile: Profile, plugins: Plugins) -> tuple[str, ...]:
    """Return which fields of a profile's backends no query's words speak of, since they go by another canonical name."""
    from qx.cli.doctor import declared_fields
    from qx.gathering import gather_knowledge
    from qx.indexing.mismatches import misnamed

    declared = {name: declared_fields(block) for name, block in profile.search.backends.items()}
    if not any(declared.values()):
        return ()
    known = gather_knowledge(profile, plugins.only(profile.plugins)).taxonomy.fields
    return tuple(f"backend {name}: {said}" for name, fields in declared.items() for said in misnamed(fields, known))


__all__ = ["local_mismatches", "misnamed_fields"]
