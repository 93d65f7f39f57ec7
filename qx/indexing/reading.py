"""Documents from files: JSON lines, CSV, Parquet, and folders of text, Markdown, HTML and PDF.

A record that cannot be read is a ``Bad`` with its place; the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from qx.errors import UsageError
from qx.indexing.pages import html, markdown, page, pdf, plain
from qx.indexing.record import Bad, Read, Record
from qx.indexing.tables import csv_rows, json_lines, parquet_rows

READERS: Mapping[str, Callable[[Path], Iterator[Record]]] = {
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    ".csv": csv_rows,
    ".parquet": parquet_rows,
    ".txt": page(plain),
    ".md": page(markdown),
    ".html": page(html),
    ".htm": page(html),
    ".pdf": page(pdf),
}


def files_of(paths: tuple[Path, ...]) -> list[Path]:
    """Return the files to read: those named, and of folders all that can be read, sorted; each once.

    Raises:
        UsageError: a path is not there, or of a kind that is not read.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.suffix.lower() in READERS and p.is_file())
        elif not path.is_file():
            raise UsageError(f"{path} is not there")
        elif path.suffix.lower() not in READERS:
            raise UsageError(f"{path}: files of this kind are not read; known: {', '.join(sorted(READERS))}")
        else:
            found.append(path)
    return list({path.resolve(): path for path in reversed(found)}.values())[::-1]


def read(path: Path) -> Iterator[Record]:
    """Yield the records of one file in order.

    Raises:
        UsageError: a library that reads this kind of file is not installed.
    """
    try:
        yield from READERS[path.suffix.lower()](path)
    except OSError as error:
        yield Bad(place=str(path), reason=f"cannot be read: {error.strerror or error}")


__all__ = ["READERS", "Bad", "Read", "Record", "files_of", "read"]
