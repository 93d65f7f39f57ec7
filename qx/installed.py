"""What is installed beside qx: entry points, the distributions they belong to, and data files of packages."""

from __future__ import annotations

import importlib.util
import logging
from importlib import metadata, resources
from pathlib import Path

from qx.containment import contained, watching_interrupts

_log = logging.getLogger("qx")


def entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """Return the entry points of ``group``, past distributions whose metadata is damaged."""
    try:
        return tuple(metadata.entry_points(group=group))
    except Exception as exc:  # noqa: BLE001 - one distribution's damaged metadata must not hide the others
        _log.warning("the metadata of an installed distribution is damaged (%s); reading each by itself", exc)
    found: list[metadata.EntryPoint] = []
    for dist in metadata.distributions():
        try:
            found += [point for point in dist.entry_points if point.group == group]
        except Exception:  # noqa: BLE001 - as above
            _log.warning("skipped a distribution whose entry points cannot be read: %s", getattr(dist, "_path", dist))
    return tuple(found)


def distribution(point: metadata.EntryPoint) -> tuple[str, str]:
    """Return name and version of the distribution of ``point``; ("unknown", "") where the metadata does not say."""
    try:
        about = point.dist.metadata if point.dist else None
        return ("unknown", "") if about is None else (about["Name"] or "unknown", about["Version"] or "")
    except Exception:  # noqa: BLE001 - damaged metadata: the plugin itself may be fine
        return "unknown", ""


def version(name: str) -> str:
    """Return the version of the distribution ``name``, "" where it is not installed as one."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def data_file(target: str) -> Path | None:
    """Return the path of ``package:folder/file.yaml``, without importing the package where that can be helped.

    None: there is no such package or file, or the file would lie outside of the package.
    """
    package, _, name = target.partition(":")
    package, name = package.strip(), name.strip()
    if not package or not name or name.startswith(("/", "\\")) or ".." in Path(name).parts:
        return None
    top, *inner = package.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):  # a parent that is broken, a module without a spec
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        found = Path(place, *inner, name)
        if found.is_file():
            return found
    return _from_archive(package, name) if spec else None


def _from_archive(package: str, name: str) -> Path | None:
    """A package whose files are not plain files (a zip, an import hook) must be imported to be asked."""
    try:
        with watching_interrupts(), contained(f"package {package}"):
            found = resources.files(package).joinpath(name)
            return found if isinstance(found, Path) and found.is_file() else None
    except Exception:  # noqa: BLE001 - whatever a package's module raises, there is no file
        return None
