"""The rows of a condition on disk: a line each, added as they come, whole after a crash at any moment."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qx.errors import DatasetError
from qx.eval.index_state import IndexState
from qx.eval.values import Row
from qx.serial import empty, from_json, to_compact, to_json, value

_HALF = re.compile("[\ud800-\udfff]")
FRESH = "remove the file, or run with --fresh"


@value
class Header:
    """What the rows beside it are of.

    Attributes:
        indexes: The states of the indexes that were searched.
        seen: When they were in that state last, in seconds of the epoch.
        warning: What was wrong with those indexes: that many documents that are judged relevant are not in them.
    """

    condition: str
    fingerprint: str
    qx: str
    indexes: Mapping[str, IndexState] = field(default_factory=empty)
    seen: float = 0.0
    warning: str = ""


class RowFile:
    """One condition's rows.

    Args:
        path: ``CONDITION.jsonl``; beside it ``CONDITION.json`` says what they are.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def _header(self) -> Path:
        return self.path.with_suffix(".json")

    @property
    def is_begun(self) -> bool:
        """Whether there is anything in it."""
        return self.path.exists() and self.path.stat().st_size > 0

    def header(self) -> Header | None:
        """Return what the rows are of; None where that is not known, and so they do not count."""
        try:
            return from_json(Header, self._header.read_bytes())
        except (OSError, ValidationError, RecursionError):
            return None

    def begin(self, header: Header) -> None:
        """Say what the rows are of."""
        write_whole(self._header, to_json(header, indent=1) + "\n")

    def clear(self) -> None:
        """Remove rows and header."""
        self.close()
        self.path.unlink(missing_ok=True)
        self._header.unlink(missing_ok=True)

    def mend(self) -> set[str]:
        """Drop a last line that a crash cut short, and rows without a whole result, which are to be asked again.

        Returns:
            The ids of the queries whose rows are there.

        Raises:
            DatasetError: another line is no row.
        """
        if not self.path.exists():
            return set()
        self._cut()
        there: set[str] = set()
        failed = False
        for number, line in self._lines():
            try:
                plain = json.loads(line)
                id, lacks = plain["query"], _lacks(plain)
            except (ValueError, KeyError, TypeError, RecursionError) as problem:
                raise self._damaged(number) from problem
            if lacks:
                failed = True
            else:
                there.add(str(id))
        if failed:
            kept = (line for _, line in self._lines() if not _lacks(json.loads(line)))
            self._replace(kept)
        return there

    def rows(self, queries: Collection[str] | None = None) -> Iterator[Row]:
        """Yield the rows in the order in which they came; one that is being written is not there yet.

        Args:
            queries: The ids of the dataset's queries; None: any.

        Raises:
            DatasetError: a line is no row, is of another query, or of one that came before.
        """
        if not self.path.exists():
            return
        seen: dict[str, int] = {}
        for number, line in self._lines():
            if not line.endswith(b"\n"):
                return
            try:
                row = from_json(Row, line)
            except (ValidationError, RecursionError) as error:
                raise self._damaged(number) from error
            if queries is not None and row.query not in queries:
                raise self._damaged(number, f"the dataset has no query {row.query!r}: the row is of another one")
            if (first := seen.setdefault(row.query, number)) != number:
                raise self._damaged(number, f"the query {row.query!r} has a row already, in line {first}")
            yield row

    def add(self, line: bytes) -> None:
        """Add a row that ``line_of`` made."""
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        while line:
            line = line[os.write(self._descriptor, line) :]

    def close(self) -> None:
        """Close the file; the next row opens it again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        with self.path.open("rb") as file:
            yield from enumerate(file, 1)

    def _cut(self) -> None:
        """Cut off what follows the last whole line."""
        with self.path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            place = end
            while place:
                start = max(0, place - 65536)
                file.seek(start)
                found = file.read(place - start).rfind(b"\n")
                if found >= 0:
                    place = start + found + 1
                    break
                place = start
            if place < end:
                file.truncate(place)

    def _replace(self, lines: Iterator[bytes]) -> None:
        fresh = self.path.with_name(f"{self.path.name}.new")
        with open(fresh, "wb", opener=_private) as file:
            file.writelines(lines)
        fresh.replace(self.path)

    def _damaged(self, number: int, reason: str = "not a row of a run") -> DatasetError:
        return DatasetError(reason, file=str(self.path), line=number, hint=FRESH)


def _lacks(row: Mapping[str, Any]) -> bool:
    return bool(row["error"] or row.get("incomplete"))


@value
class Line:
    """A row as its line, with what a run needs to know of it: as worker processes send it."""

    data: bytes
    error: str

    @classmethod
    def of(cls, row: Row) -> Line:
        """Return the line of a row."""
        return cls(data=line_of(row), error=row.error)


def line_of(row: Row) -> bytes:
    """Return a row as its line; half a surrogate pair, which no file takes, spelt out, so that two ids stay two."""
    try:
        return to_compact(row) + b"\n"
    except ValueError:
        return _HALF.sub(lambda half: f"\ufffd{ord(half[0]):x}", to_json(row)).encode() + b"\n"


def exported(row: Row) -> bytes:
    """Return a row as the line of a file for others: without titles and texts where the run kept none."""
    plain = json.loads(line_of(row))
    for listed in plain["found"]:
        for name in ("title", "text"):
            if not listed[name]:
                del listed[name]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def write_whole(path: Path, text: str) -> None:
    """Replace a file at once, for its owner's eyes alone: a reader sees the old one or the new one."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with open(fresh, "w", encoding="utf-8", opener=_private) as file:
        file.write(text)
    fresh.replace(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
