"""Reading the files of a dataset line by line: what is wrong with one is said with its place, and ends the reading."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from qx.errors import DatasetError
from qx.indexing.record import MOST_BYTES

_GRADE = re.compile(r"[+-]?[0-9]{1,6}(?:\.0{0,9})?")
"""A whole number below a million as files have it; ``1_0`` is Python's."""
Line = tuple[int, str]
"""The number of a line, from 1, and its text without the end."""


def wrong(path: Path, number: int | None, reason: str, hint: str | None = None) -> NoReturn:
    """Refuse a file.

    Raises:
        DatasetError: always; names file and line.
    """
    raise DatasetError(reason, file=str(path), line=number, hint=hint)


def lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a UTF-8 file that hold something.

    Raises:
        DatasetError: the file cannot be read or is none (a folder, a pipe, a device, which may have no end), a line is not
            UTF-8 or longer than 10 MB.
    """
    try:
        if path.exists() and not path.is_file():
            raise DatasetError("is no file", file=str(path), hint="a dataset is made of files")
        with path.open("rb") as file:
            number = 0
            while data := file.readline(MOST_BYTES + 1):
                number += 1
                if len(data) > MOST_BYTES:
                    wrong(path, number, f"a line longer than {MOST_BYTES // 1_000_000} MB")
                try:
                    text = data.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    wrong(path, number, "not UTF-8", "save the file as UTF-8")
                if text.strip():
                    yield number, text.rstrip("\r\n")
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", file=str(path)) from error


def objects(path: Path, such_as: str = '{"_id": "q1", "text": "..."}') -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a file of JSON lines.

    Args:
        path: The file.
        such_as: What an object of it looks like, for who wrote another.

    Raises:
        DatasetError: as ``lines``; or a line is no JSON object.
    """
    for number, text in lines(path):
        try:
            found = json.loads(text, object_pairs_hook=_once)
        except _Twice as error:
            wrong(path, number, f"the key {error.args[0][:40]!r} stands twice in one object", "keep one of them")
        except json.JSONDecodeError as error:
            wrong(path, number, f"not JSON: {error.msg} (column {error.colno})", "one object a line")
        except (RecursionError, ValueError) as error:  # lists in lists; a number of thousands of digits
            wrong(path, number, f"not JSON that can be read: {error}")
        _check_pairs(found, text, path, number)
        if not isinstance(found, dict):
            wrong(path, number, "not an object", f"one object a line: {such_as}")
        yield number, cast("Mapping[str, Any]", found)


class _Twice(Exception):
    """A key stands twice: readers differ in which one counts."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return made


def _check_pairs(found: object, text: str, path: Path, number: int) -> None:
    """Refuse an escape that is no character: no file and no engine takes it."""
    if "\\ud" in text.casefold():
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            wrong(path, number, "half a surrogate pair, which is no character")


def rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield the rows of a CSV or (by its name) TSV file by the names in its first row; empty cells are left out.

    Raises:
        DatasetError: as ``lines``; or a row has more cells than the first.
    """
    cells = table(path)
    header = next(cells, None)
    if header is None:
        return
    names = [name.strip() for name in header[1]]
    if double := next((name for name in names if name and names.count(name) > 1), None):
        wrong(path, header[0], f"two columns are called {double[:40]!r}", "give each column a name of its own")
    for number, row in cells:
        if len(row) > len(names):
            wrong(
                path, number, f"{len(row)} cells, the first row has {len(names)}", "quote cells that hold the separator"
            )
        yield number, {name: cell for name, cell in zip(names, row, strict=False) if cell.strip()}


def table(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows of a CSV or TSV file as they stand; in TSV quotes mean nothing.

    Raises:
        DatasetError: as ``lines``; or the CSV is broken.
    """
    if path.suffix.lower() == ".tsv":
        yield from ((number, text.split("\t")) for number, text in lines(path))
        return
    csv.field_size_limit(MOST_BYTES)
    place = [0]

    def texts() -> Iterator[str]:
        for place[0], text in lines(path):
            yield text + "\n"

    reader = csv.reader(texts(), strict=True)
    try:
        for row in reader:
            if row:
                yield place[0], row
    except csv.Error as error:
        raise DatasetError(f"not CSV: {error}", file=str(path), line=place[0]) from error


def text_of(fields: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first of ``names`` that holds text or a number, as text; None where none does."""
    for name in names:
        item = fields.get(name)
        if isinstance(item, bool) or (isinstance(item, float) and not math.isfinite(item)):
            continue
        if isinstance(item, (str, int, float)) and str(item).strip():
            return str(item).strip()
    return None


def whole(text: str, path: Path, number: int) -> int:
    """Read a grade: a whole number, also written as ``2.0``.

    Raises:
        DatasetError: it is none.
    """
    if _GRADE.fullmatch(text):
        return int(text.partition(".")[0])
    return wrong(path, number, f"the grade {text[:40]!r} is no whole number", "grades are 0 (not relevant), 1, 2, …")
