"""What two profiles of the same settings need not share: the folders in which raw queries find their documents and packs.

A path in a profile is relative to the profile's folder, and an index without a path lies in its tenant's own.
"""

from __future__ import annotations

from pathlib import Path

from qx.settings import Profile


def places(profile: Profile) -> tuple[str, ...]:
    """Return where a raw query looks: absolute paths, and ``tenant NAME`` for what lies in the tenant's own folder.

    An engine elsewhere is known by its settings alone.
    """
    found: list[str] = []
    for name, block in profile.search.backends.items():
        path = block.settings.get("path")
        if isinstance(path, str) and path:
            found.append(f"{name} {_absolute(path, profile)}")
        elif block.type == "local":
            found.append(f"{name} tenant {profile.tenant}")
    found += [_absolute(pack, profile) for pack in profile.domains if pack.startswith(".")]
    return tuple(found)


def only_in_places(profile: Profile) -> bool:
    """Whether a raw query looks nowhere but in ``places``: the same there is the same for every profile."""
    backends = profile.search.backends.values()
    return profile.embedder is None and not profile.search.processors and all(b.type == "local" for b in backends)


def _absolute(path: str, profile: Profile) -> str:
    return str((profile.folder / Path(path).expanduser()).resolve())


__all__ = ["only_in_places", "places"]
