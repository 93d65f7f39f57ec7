"""What installed distributions bring: packs and taxonomies as data files or as objects of a module, read once."""

from __future__ import annotations

from pathlib import Path

from qx.domain import DomainPack, Taxonomy
from qx.errors import PackError, PluginError
from qx.packs.files import Stamp, main_file, stamp
from qx.packs.loading import load_taxonomy, read_pack
from qx.registry import Entry, import_target
from qx.serial import value


@value
class _Kept:
    item: DomainPack | Taxonomy
    files: tuple[Path, ...]
    stamp: Stamp


_installed: dict[tuple[str, str], _Kept] = {}


def read_entry(kind: str, entry: Entry) -> DomainPack | Taxonomy:
    """Read what a ``packs`` or ``taxonomies`` entry names: a data file, or an object of a module.

    Installed data is read once by a process, until its files change: engines of one pack share one frozen object.

    Raises:
        PackError: the data is wrong.
        PluginError: the object is not of that kind.
    """
    if entry.target.endswith((".yaml", ".yml")):
        try:
            main = main_file(entry.target)
            known = _installed.get((kind, entry.target))
            if known is None or known.stamp != stamp(main, known.files):
                known = _installed[kind, entry.target] = _read(kind, main)
            return known.item
        except PackError as exc:
            exc.plugin = entry.name
            raise
    wanted = DomainPack if kind == "packs" else Taxonomy
    found = import_target(entry)
    if not isinstance(found, wanted):
        raise PluginError(
            f"{entry.origin}: {entry.target!r} is no {wanted.__name__} but {type(found).__name__}", plugin=entry.name
        )
    return found


def _read(kind: str, main: Path) -> _Kept:
    before = stamp(main)
    read = read_pack(main) if kind == "packs" else None
    item, files = (load_taxonomy(main), ()) if read is None else (read.pack, read.files)
    after = stamp(main, files)
    return _Kept(item=item, files=files, stamp=after if {*before} <= {*after} else ())  # (): changed while it was read
