"""Files of records: JSON lines, CSV, Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from qx.indexing.library import library
from qx.indexing.record import MOST_BYTES, Bad, Read, Record, document_of, too_long


def json_lines(path: Path) -> Iterator[Record]:
    """Read one object a line; empty lines do not count as records."""
    with path.open("rb") as file:
        for number, line in enumerate(_lines(file), 1):
            place = f"{path}:{number}"
            try:
                if line is None:
                    raise too_long("longer")
                if not line.strip():
                    continue
                fields = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number)
                if not isinstance(fields, dict):
                    raise ValueError("not an object")
                yield Read(document=document_of(cast("dict[str, Any]", fields)), place=place, number=number)
            except json.JSONDecodeError as error:
                yield Bad(place=place, reason=f"not JSON: {error.msg} (column {error.colno})")
            except UnicodeDecodeError:
                yield Bad(place=place, reason="not UTF-8")
            except RecursionError:
                yield Bad(place=place, reason="too many levels of lists and objects")
            except ValueError as error:
                yield Bad(place=place, reason=str(error))


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long, of which no more than that is held in memory."""
    while line := file.readline(MOST_BYTES + 1):
        if len(line) <= MOST_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MOST_BYTES)
        yield None


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number that JSON knows")


def csv_rows(path: Path) -> Iterator[Record]:
    """Read a row as a record whose fields are named by the first row; empty cells are left out.

    Cells are text: a field map's ``type: number`` reads them as numbers.
    """
    csv.field_size_limit(MOST_BYTES)  # the library's own is 128 kB
    with path.open(encoding="utf-8-sig", newline="", errors="surrogateescape") as lines:
        rows = csv.DictReader(lines)
        number = 0
        while True:
            number += 1
            try:
                row = next(rows)
                if None in row:
                    raise ValueError("more cells than the header has")
                fields = {name: cell for name, cell in row.items() if cell not in (None, "")}
                if any(_is_broken(cell) for pair in fields.items() for cell in pair):
                    raise ValueError("not UTF-8")
                yield Read(document=document_of(fields), place=f"{path}:{rows.line_num}", number=number)
            except StopIteration:
                return
            except csv.Error as error:
                yield Bad(place=f"{path}:{rows.line_num}", reason=f"not CSV: {error}")
            except ValueError as error:
                yield Bad(place=f"{path}:{rows.line_num}", reason=str(error))


def _is_broken(cell: object) -> bool:
    """Whether a cell holds bytes that are not UTF-8."""
    return isinstance(cell, str) and any("\udc80" <= character <= "\udcff" for character in cell)


def parquet_rows(path: Path) -> Iterator[Record]:
    """Read a row as a record.

    Raises:
        UsageError: the library that reads Parquet is not installed.
    """
    parquet = library("pyarrow.parquet", "parquet", path)
    number = 0
    try:
        for batch in parquet.ParquetFile(path).iter_batches(batch_size=1000):
            for fields in batch.to_pylist():
                number += 1
                place = f"{path}:{number}"
                try:
                    yield Read(document=document_of(fields), place=place, number=number)
                except ValueError as error:
                    yield Bad(place=place, reason=str(error))
    except (library("pyarrow", "parquet", path).ArrowException, OSError) as error:
        yield Bad(place=str(path), reason=f"not Parquet that can be read: {str(error).splitlines()[0]}")
