"""The file ``qx.json`` in an index folder: that qx made it, and how."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from qx.builtin.local.schema import Columns
from qx.errors import ProfileError
from qx.serial import empty, from_json, to_json, value

NAME = "qx.json"
FORMAT = 1


@value
class Marker:
    """What an index folder says of itself.

    Attributes:
        format: Changes when older versions of qx could not read the folder.
        texts: Paths of the searched text fields; the place in the list is the column.
        worded: Paths whose values are searched as words, all in one column; None: the index has no such column.
        since: Path of those -> the first key of a document that had its words; where there is none, all have.
        stemmer: The language of the stems; None: none.
        numbers, moments: Path -> column.
        fingerprint: Of the embedder whose vectors are there.
        dimensions: Length of a vector; 0: none.
        generation: Counts the embedders that there were: only vectors of the last are compared.
    """

    format: int = FORMAT
    texts: tuple[str, ...] = ("title", "text")
    worded: tuple[str, ...] | None = None
    since: Mapping[str, int] = field(default_factory=empty)
    stemmer: str | None = "english"
    numbers: Mapping[str, int] = field(default_factory=empty)
    moments: Mapping[str, int] = field(default_factory=empty)
    fingerprint: str | None = None
    dimensions: int = 0
    generation: int = 0

    @property
    def columns(self) -> Columns:
        return Columns(numbers=self.numbers, moments=self.moments)


def read(folder: Path) -> Marker | None:
    """Return the marker of a folder; None where qx did not make it.

    Raises:
        ProfileError: the marker cannot be read, or a newer qx wrote it.
    """
    try:
        data = (folder / NAME).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        found = from_json(Marker, data)
    except ValueError as error:
        raise ProfileError(
            f"{folder / NAME} is damaged: restore it, or index again into an empty folder", file=str(folder / NAME)
        ) from error
    if found.format != FORMAT:
        raise ProfileError(
            f"the index {folder} has format {found.format}, this qx reads {FORMAT}: index again into an empty folder"
        )
    return found


def write(folder: Path, marker: Marker) -> None:
    """Replace the marker at once: a reader sees the old one or the new one."""
    fresh = folder / f"{NAME}.{os.getpid()}"
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(json.loads(to_json(marker)), file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / NAME)
