"""Files that are one document each: text, Markdown, HTML, PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from qx.indexing.library import library
from qx.indexing.record import MOST_BYTES, Bad, Read, Record, document_of, too_long

Extract = Callable[[Path], tuple[str, str]]
"""Title (empty where there is none) and text of a file."""


def page(extract: Extract) -> Callable[[Path], Iterator[Record]]:
    """Return the reader of a kind of file: its path is the document's id, its first heading or name the title."""

    def read(path: Path) -> Iterator[Record]:
        where = path.as_posix()
        try:
            if path.stat().st_size > MOST_BYTES:
                raise too_long("larger")
            title, text = extract(path)
            if not text.strip():
                raise ValueError("no text in it")
            fields = {"_id": where, "title": title or path.stem, "text": text, "metadata": {"path": where}}
            record: Record = Read(document=document_of(fields), place=str(path), number=1)
        except ValueError as error:
            record = Bad(place=str(path), reason=str(error))
        yield record

    return read


def plain(path: Path) -> tuple[str, str]:
    """Read a text file.

    Raises:
        ValueError: it is not UTF-8.
    """
    try:
        return "", path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None


def markdown(path: Path) -> tuple[str, str]:
    """Read a Markdown file, whose first heading is its title."""
    _, text = plain(path)
    heading = next((line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")), "")
    return heading, text


def html(path: Path) -> tuple[str, str]:
    """Read the main text of a page, without what stands around it.

    Raises:
        UsageError: the library that does it is not installed.
    """
    made = library("trafilatura", "html", path).bare_extraction(path.read_bytes(), with_metadata=True)
    return ("", "") if made is None else (str(made.title or ""), str(made.text or ""))


def pdf(path: Path) -> tuple[str, str]:
    """Read the text of a PDF, page after page.

    Raises:
        UsageError: the library that does it is not installed.
        ValueError: the file is broken, or locked by a password.
    """
    pypdf = library("pypdf", "pdf", path)
    try:
        reader = pypdf.PdfReader(path)
        about: Any = reader.metadata
        title = str(about.get("/Title") or "") if about else ""
        return title, "\n".join(str(sheet.extract_text() or "") for sheet in reader.pages)
    except Exception as error:  # pypdf raises many kinds on a broken file
        raise ValueError(f"not a PDF that can be read: {type(error).__name__}: {error}") from error
