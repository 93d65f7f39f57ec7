"""Documents from files: JSON lines, CSV, Parquet, and folders of text, Markdown, HTML and PDF.

A record that cannot be read is a ``Bad`` with its place; the rest goes on.
"""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from qx.backend import Document
from qx.errors import UsageError
from qx.serial import value

LONGEST = 10_000_000
"""Bytes of one line or page; more is a mistake."""
KEYS = ("_id", "id", "title", "text", "url", "metadata")


@value
class Bad:
    """A record that was skipped: ``docs.jsonl:8: not JSON``."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@value
class Read:
    """A document and where it stands; ``number`` counts the records of its file from 1."""

    document: Document
    place: str
    number: int


Record = Read | Bad


def files_of(paths: tuple[Path, ...]) -> list[Path]:
    """Return the files to read: those named, and of folders all that can be read, sorted.

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
    return found


def read(path: Path) -> Iterator[Record]:
    """Yield the records of one file in order."""
    yield from READERS[path.suffix.lower()](path)


def document_of(fields: Mapping[str, Any]) -> Document:
    """Make a document of a record's fields; what is not one of ``KEYS`` goes into its metadata.

    Raises:
        ValueError: there is no id, or a field is of the wrong type; says which.
    """
    id = fields.get("_id", fields.get("id"))
    if id is None or id == "" or isinstance(id, (bool, dict, list)):
        raise ValueError("no `_id`")
    metadata: dict[str, object] = {k: v for k, v in fields.items() if k not in KEYS and v is not None}
    own = fields.get("metadata")
    if own is not None:
        if not isinstance(own, Mapping):
            raise ValueError("`metadata` is not an object")
        metadata |= cast("Mapping[str, object]", own)
    texts: dict[str, str] = {}
    for key in ("title", "text", "url"):
        item = fields.get(key)
        if item is not None and not isinstance(item, (str, int, float)):
            raise ValueError(f"`{key}` is not text")
        texts[key] = "" if item is None else str(item)
    return Document(id=str(id), title=texts["title"], text=texts["text"], url=texts["url"] or None, metadata=metadata)


def _json_lines(path: Path) -> Iterator[Record]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            try:
                if len(line) > LONGEST:
                    raise ValueError(f"longer than {LONGEST // 1_000_000} MB")
                fields = json.loads(line.decode("utf-8-sig"))
                if not isinstance(fields, dict):
                    raise ValueError("not an object")
                yield Read(document=document_of(cast("dict[str, Any]", fields)), place=place, number=number)
            except json.JSONDecodeError as error:
                yield Bad(place=place, reason=f"not JSON: {error.msg} (column {error.colno})")
            except UnicodeDecodeError:
                yield Bad(place=place, reason="not UTF-8")
            except (ValueError, RecursionError) as error:
                yield Bad(place=place, reason=str(error))


def _csv(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8-sig", newline="", errors="replace") as lines:
        rows = csv.DictReader(lines)
        try:
            for number, row in enumerate(rows, 2):
                place = f"{path}:{rows.line_num}"
                try:
                    if None in row:
                        raise ValueError("more cells than the header has")
                    fields = {k: v for k, v in row.items() if v not in (None, "")}
                    yield Read(document=document_of(fields), place=place, number=number)
                except ValueError as error:
                    yield Bad(place=place, reason=str(error))
        except csv.Error as error:
            yield Bad(place=f"{path}:{rows.line_num}", reason=f"not CSV: {error}")


def _parquet(path: Path) -> Iterator[Record]:
    parquet = _library("pyarrow.parquet", "parquet", path)
    number = 0
    for batch in parquet.ParquetFile(path).iter_batches(batch_size=1000):
        for fields in batch.to_pylist():
            number += 1
            place = f"{path}:{number}"
            try:
                yield Read(document=document_of(fields), place=place, number=number)
            except ValueError as error:
                yield Bad(place=place, reason=str(error))


def _library(name: str, extra: str, path: Path) -> Any:
    """Import a reader that comes with an extra."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UsageError(
            f"{path}: reading this kind of file needs an extra: pip install 'qx-query[{extra}]'"
        ) from error


def _page(path: Path, extract: Callable[[Path], tuple[str, str]]) -> Iterator[Record]:
    """One document a file: its path is its id, its first heading or name its title."""
    try:
        if path.stat().st_size > LONGEST:
            raise ValueError(f"larger than {LONGEST // 1_000_000} MB")
        title, text = extract(path)
        if not text.strip():
            raise ValueError("no text in it")
    except (ValueError, OSError) as error:
        yield Bad(place=str(path), reason=str(error))
        return
    document = Document(
        id=path.as_posix(), title=title or path.stem, text=text, url=None, metadata={"path": path.as_posix()}
    )
    yield Read(document=document, place=str(path), number=1)


def _plain(path: Path) -> tuple[str, str]:
    return "", path.read_bytes().decode("utf-8-sig", "replace")


def _markdown(path: Path) -> tuple[str, str]:
    text = path.read_bytes().decode("utf-8-sig", "replace")
    heading = next((line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")), "")
    return heading, text


def _html(path: Path) -> tuple[str, str]:
    made = _library("trafilatura", "html", path).bare_extraction(path.read_bytes(), with_metadata=True)
    if made is None:
        return "", ""
    return str(made.title or ""), str(made.text or "")


def _pdf(path: Path) -> tuple[str, str]:
    pypdf = _library("pypdf", "pdf", path)
    try:
        reader = pypdf.PdfReader(path)
        about: Any = reader.metadata
        title = str(about.get("/Title") or "") if about else ""
        return title, "\n".join(str(page.extract_text() or "") for page in reader.pages)
    except Exception as error:  # pypdf raises many kinds on a broken file
        raise ValueError(f"not a PDF that can be read: {type(error).__name__}") from error


READERS: Mapping[str, Callable[[Path], Iterator[Record]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".parquet": _parquet,
    ".txt": lambda path: _page(path, _plain),
    ".md": lambda path: _page(path, _markdown),
    ".html": lambda path: _page(path, _html),
    ".htm": lambda path: _page(path, _html),
    ".pdf": lambda path: _page(path, _pdf),
}
