"""Whether the files of an index are whole: tantivy writes a checksum behind each of its files, SQLite checks itself.

tantivy does not look at its checksums when it reads: a damaged file is found out by luck, by an error or a crash of its
own, or never.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from contextlib import suppress
from pathlib import Path

_MAGIC = 1337
_LONGEST_FOOTER = 10_000
_BLOCK = 1 << 20
SECONDS = 3.0
"""For which is looked at most: a gigabyte or so."""


def damage(words: Path, documents: Path) -> str | None:
    """Return what is wrong with the files of an index; None where all that could be looked at is whole.

    Args:
        words: tantivy's folder.
        documents: The file of documents.
    """
    end = time.monotonic() + SECONDS
    for path in _committed(words):
        if time.monotonic() > end:
            break
        try:
            whole = _is_whole(path, end)
        except FileNotFoundError:
            whole = False
        if not whole and path in _committed(words):  # else another process has merged it away meanwhile
            return f"{words.name}/{path.name} is not what was written"
    return _inconsistent(documents, end)


def _committed(words: Path) -> list[Path]:
    """The files of the last commit, small ones first: what is being written is nobody's to judge.

    tantivy's ``meta.json`` names the segments; a file is called by its segment's id, without the hyphens, and more.
    """
    try:
        meta = json.loads((words / "meta.json").read_bytes())
        segments = frozenset(str(one["segment_id"]).replace("-", "") for one in meta["segments"])
    except (OSError, ValueError, KeyError, TypeError):
        return []
    sizes: dict[Path, int] = {}
    for path in words.iterdir():
        if path.name.partition(".")[0] in segments:
            with suppress(FileNotFoundError):
                sizes[path] = path.stat().st_size
    return sorted(sizes, key=sizes.__getitem__)


def _is_whole(path: Path, end: float) -> bool:
    """Whether a file's content has the checksum that stands in its footer."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size < 8:
            return False
        file.seek(size - 8)
        tail = file.read(8)
        length, magic = int.from_bytes(tail[:4], "little"), int.from_bytes(tail[4:], "little")
        left = size - 8 - length
        if magic != _MAGIC or length > _LONGEST_FOOTER or left < 0:
            return False
        file.seek(left)
        try:
            wanted = json.loads(file.read(length))["crc"]
        except (ValueError, KeyError, TypeError):
            return False
        file.seek(0)
        found = 0
        while left and time.monotonic() < end:
            block = file.read(min(_BLOCK, left))
            found = zlib.crc32(block, found)
            left -= len(block)
    return bool(left) or found == wanted  # too big for the time: nobody knows


def _inconsistent(documents: Path, end: float) -> str | None:
    if not documents.exists():
        return None
    link = sqlite3.connect(documents, timeout=1.0)
    try:
        link.set_progress_handler(lambda: time.monotonic() > end, 10_000)
        said = link.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:  # the time is over, or somebody writes
        return None
    except sqlite3.DatabaseError as error:
        return f"{documents.name}: {error}"
    finally:
        link.close()
    return None if said is None or said[0] == "ok" else f"{documents.name}: {' '.join(str(said[0]).split())[:200]}"


__all__ = ["damage"]
