"""A document made ready for the index: checked, its metadata as plain JSON, its values found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from qx.backend import Document
from qx.builtin.local import codes
from qx.builtin.local.analysis import Analysis
from qx.builtin.local.marker import Marker
from qx.builtin.local.schema import VALUES, Columns, Kind, tantivy
from qx.filters.conversion import too_large
from qx.serial import to_plain, value

_LONGEST_ID = 60_000  # bytes; tantivy leaves longer terms out
_COLUMNS: Mapping[str, Kind] = {"n": "n", "d": "d", "p": "d"}


@value
class Record:
    """``found`` are the values of the whole document, ``exact`` their tokens; ``ordered`` the paths that want a column."""

    document: Document
    metadata: Mapping[str, object]
    found: Sequence[codes.Found]
    exact: Sequence[str]
    ordered: tuple[tuple[str, Kind], ...]


class Unfit(ValueError):
    """A document that cannot be indexed; the text is the reason."""


def read(document: Document, *, dimensions: int) -> Record:
    """Make a document ready.

    Raises:
        Unfit: its id, metadata or vector cannot be stored.
    """
    try:
        if len(document.id.encode("utf-8")) > _LONGEST_ID:
            raise Unfit(f"the id is longer than {_LONGEST_ID} bytes")
        (document.url or "").encode("utf-8")
    except UnicodeEncodeError as error:
        raise Unfit("the id or url is broken text (a lone surrogate)") from error
    try:
        metadata: dict[str, object] = to_plain(document.metadata) if document.metadata else {}
    except TypeError as error:
        raise Unfit(f"metadata: {error}") from error
    except RecursionError as error:
        raise Unfit("metadata: it has too many levels") from error
    if too_large(metadata):
        raise Unfit("metadata: a whole number is greater than 1.8e308, which nothing could compare")
    if document.vector is not None and (not dimensions or len(document.vector) != 4 * dimensions):
        raise Unfit(f"the vector has {len(document.vector)} bytes, not 4 for each of {dimensions} dimensions")
    found, exact = codes.coded(metadata, "metadata.") if metadata else ([], [])
    if document.url is not None:
        more, tokens = codes.coded({"url": document.url})
        found += more
        exact += tokens
    ordered: dict[tuple[str, Kind], None] = {}
    for path, kind, _ in found:
        if kind in _COLUMNS:
            ordered[(path, _COLUMNS[kind])] = None
    return Record(document=document, metadata=metadata, found=found, exact=exact, ordered=tuple(ordered))


def fill(record: Record, key: int, place: int | None, marker: Marker, columns: Columns, analysis: Analysis) -> Any:
    """Return tantivy's document."""
    document = record.document
    made = tantivy().Document()
    made.add_text("id", document.id)
    made.add_unsigned("key", key)
    if place is not None:
        made.add_unsigned("vector", place)
    for at, path in enumerate(marker.texts):
        if text := _text(record, path):
            made.add_text(f"t{at}", analysis.indexed(text))
    for path, kind, item in record.found if marker.worded else ():
        if kind == "s" and path in (marker.worded or ()) and (text := analysis.indexed_value(str(item))):
            made.add_text(VALUES, text)
    exact = [*record.exact]
    for path, kind, item in record.found if record.ordered else ():
        if kind in _COLUMNS and (column := columns.name(path, _COLUMNS[kind])) is not None:
            _add(made, column, item)
    if document.url:
        exact += codes.site_tokens(document.url)
        exact += codes.extension_tokens(document.url)
    if exact:
        made.add_text("exact", " ".join(exact))
    return made


def _add(made: Any, column: str, item: Any) -> None:
    if column.startswith("d"):
        made.add_integer(column, item)
        return
    try:
        number = float(item)
    except OverflowError:
        number = math.inf if item > 0 else -math.inf
    made.add_float(column, number)


def _text(record: Record, path: str) -> str:
    if path in ("id", "title", "text"):
        return getattr(record.document, path)
    return " ".join(str(item) for at, kind, item in record.found if at == path and kind == "s")
