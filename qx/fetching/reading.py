"""From the bytes of a page to what it says: HTML by trafilatura, PDF by pypdf (the extras ``html`` and ``pdf``)."""

from __future__ import annotations

import codecs
import html
import importlib
import io
import logging
import re
from contextlib import suppress
from datetime import datetime
from typing import Any

from qx.errors import ScrapeError
from qx.fetch import Page
from qx.http import place

_HTML = ("text/html", "application/xhtml+xml")
_PDF = "application/pdf"
_PYTHONS_OWN = frozenset({"unicode_escape", "raw_unicode_escape", "idna", "punycode"})
_UNSEEN = "|".join(rf"<{tag}\b.*?</{tag}\s*>" for tag in ("script", "style", "template", "noscript", "title"))
_SILENT = logging.NullHandler()
_LIBRARIES = {"trafilatura": "html", "pypdf": "pdf"}


def media_type_of(header: str, start: bytes) -> str:
    """Return the media type of a body, by its header; where that is silent, by its first bytes."""
    named = header.partition(";")[0].strip().lower()
    if named and named != "application/octet-stream":
        return named
    if start.startswith(b"%PDF-"):
        return _PDF
    if re.match(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b", start, re.IGNORECASE):
        return "text/html"
    return named or ("text/plain" if b"\0" not in start else "application/octet-stream")


def load() -> None:
    """Import what reads pages, as far as it is installed: it takes its time."""
    for name in _LIBRARIES:
        with suppress(ScrapeError):
            _library(name)


def page_of(body: bytes, *, url: str, media_type: str, charset: str | None) -> Page:
    """Return what a page says.

    Args:
        body: Decompressed.
        charset: What its header says.

    Raises:
        ScrapeError: it cannot be read.
    """
    try:
        if media_type in _HTML:
            return _html(body, url, media_type, charset)
        if media_type == _PDF:
            return _pdf(body, url)
    except ScrapeError:
        raise
    except Exception as error:  # noqa: BLE001 what these libraries raise on a broken file is of many kinds
        raise ScrapeError(
            f"{place(url)}: not a page that can be read: {type(error).__name__}", kind="unreadable"
        ) from None
    return Page(url=url, text=decoded(body, charset), media_type=media_type)


def decoded(body: bytes, charset: str | None) -> str:
    """Return plain text, by its mark, else as its header says, else as UTF-8 or (what only it fits) GB 18030."""
    marked = next((e for mark, e in ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"),
                                     (codecs.BOM_UTF16_BE, "utf-16")) if body.startswith(mark)), None)  # fmt: skip
    for encoding in (marked, _known(charset), "utf-8", "gb18030"):
        if encoding is not None:
            try:
                return body.decode(encoding)
            except UnicodeError:
                continue
    return body.decode("utf-8", "replace")


def _known(charset: str | None) -> str | None:
    """The encoding of that name, if it is one of text: ``zlib_codec`` is none, ``unicode_escape`` is Python's own."""
    if not charset:
        return None
    try:
        name = codecs.lookup(charset).name
        with suppress(UnicodeError):  # one letter may be half of one
            b"a".decode(name)
    except (LookupError, ValueError):
        return None
    return None if name.replace("-", "_") in _PYTHONS_OWN else name


def _html(body: bytes, url: str, media_type: str, charset: str | None) -> Page:
    text: bytes | str = decoded(body, charset) if _known(charset) else body
    made: Any = _library("trafilatura").bare_extraction(text, url=url, with_metadata=True)
    said = "" if made is None else str(made.text or "")
    if not said.strip():
        said = _untagged(decoded(body, charset))
    if made is None:
        return Page(url=url, text=said, media_type=media_type)
    return Page(
        url=url,
        text=said,
        title=str(made.title or ""),
        author=str(made.author or ""),
        published=_day(str(made.date or "")),
        media_type=media_type,
    )


def _untagged(text: str) -> str:
    """What is left of HTML without its tags: for what is no document (bare words), or nested too deeply for one."""
    library: Any = importlib.import_module("re2")  # in time that goes by the length, also where nothing is closed
    seen = library.sub(rf"(?is)<!--.*?-->|{_UNSEEN}", " ", text)
    lines = html.unescape(library.sub(r"<[^<>]*>", "\n", seen)).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def _pdf(body: bytes, url: str) -> Page:
    reader: Any = _library("pypdf").PdfReader(io.BytesIO(body))
    about: Any = reader.metadata
    made: Any = getattr(about, "creation_date", None)
    return Page(
        url=url,
        text="\n".join(str(sheet.extract_text() or "") for sheet in reader.pages),
        title=str(getattr(about, "title", None) or ""),
        author=str(getattr(about, "author", None) or ""),
        published=made.date().isoformat() if isinstance(made, datetime) else "",
        media_type=_PDF,
    )


def _day(text: str) -> str:
    return text if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else ""


def _library(name: str) -> Any:
    logging.getLogger(name).addHandler(_SILENT)  # else what they say of broken pages goes to standard error
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ScrapeError(
            f"reading this kind of page needs an extra: pip install 'qx-query[{_LIBRARIES[name]}]' ({error})",
            kind="unreadable",
        ) from error
