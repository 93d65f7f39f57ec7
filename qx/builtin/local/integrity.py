"""Whether the files of an index are whole: tantivy writes a checksum behind each of its files, SQLite checks itself.

tantivy does not look at its checksums when it reads: a damaged file is found out by luck, by an error or a crash of its
own, or never.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
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
    for path in sorted(words.iterdir(), key=lambda path: path.stat().st_size):
        if path.suffix in (".json", ".lock") or path.name.startswith("."):
            continue
        if time.monotonic() > end:
            break
        if not _is_whole(path, end):
            return f"{words.name}/{path.name} is not what was written"
    return _inconsistent(documents, end)


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
