"""What a reader yields: a document with its place, or what is wrong with it and where."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

from qx.backend import Document
from qx.filters.conversion import too_large
from qx.serial import value

MOST_BYTES = 10_000_000
"""Bytes of one line or page; more is a mistake."""
DEEPEST = 64
"""Levels of lists and objects within one another in ``metadata``."""
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


def too_long(what: str) -> ValueError:
    """The error of a line or page above ``MOST_BYTES``."""
    return ValueError(f"{what} than {MOST_BYTES // 1_000_000} MB")


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
    texts = {key: _text(key, fields.get(key)) for key in ("title", "text", "url")}
    kept = {name: _plain(item, name) for name, item in metadata.items()}
    document = Document(id=str(id), title=texts["title"], text=texts["text"], url=texts["url"] or None, metadata=kept)
    _check_unicode(document.id, document.title, document.text, document.url or "")
    return document


def _text(key: str, item: object) -> str:
    if item is not None and not isinstance(item, (str, int, float)):
        raise ValueError(f"`{key}` is not text")
    return "" if item is None else str(item)


def _check_unicode(*texts: str) -> None:
    for text in texts:
        if not text.isascii():
            try:
                text.encode("utf-8")
            except UnicodeEncodeError as error:
                raise ValueError(
                    f"half a surrogate pair, which is no character: {error.object[error.start]!a}"
                ) from None


def _plain(item: object, name: str, depth: int = 0) -> object:
    """A value of the metadata as JSON has it; dates and the like become text.

    Raises:
        ValueError: JSON cannot hold it.
    """
    if isinstance(item, int) and too_large(item):
        raise ValueError(f"`{name}` is greater than any number that can be compared (1.8e308)")
    if item is None or isinstance(item, (bool, int)):
        return item
    if isinstance(item, str):
        _check_unicode(item)
        return item
    if isinstance(item, float):
        if not math.isfinite(item):
            raise ValueError(f"`{name}` is no finite number")
        return item
    if depth > DEEPEST:
        raise ValueError(f"`{name}` has more than {DEEPEST} levels")
    if isinstance(item, Mapping):
        pairs = cast("Mapping[object, object]", item).items()
        return {str(key): _plain(part, name, depth + 1) for key, part in pairs}
    if isinstance(item, (list, tuple)):
        return [_plain(part, name, depth + 1) for part in cast("list[object]", item)]
    return _foreign(item, name)


def _foreign(item: object, name: str) -> object:
    """What Parquet has beside JSON's types."""
    if isinstance(item, (datetime, date, time)):
        return item.isoformat()
    if isinstance(item, timedelta):
        return item.total_seconds()
    if isinstance(item, Decimal):
        return _plain(int(item) if item == item.to_integral_value() else float(item), name)
    if isinstance(item, UUID):
        return str(item)
    raise ValueError(f"`{name}` is of a type that JSON has not ({type(item).__name__})")
