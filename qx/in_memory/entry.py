"""A document as the in-memory backends hold it: its record for filters, its fields as tokens for words."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from qx.backend import Document
from qx.filters.conversion import too_large
from qx.filters.fieldmap import FieldMap
from qx.filters.matching import values
from qx.filters.worded import worded, words_of
from qx.in_memory.words import length, tokenised
from qx.serial import to_plain

_APART = "\x04"
"""Between the tokens of two values."""


class Entry:
    """A document, ready to be asked.

    Attributes:
        document: As it was written.
        record: Its stored fields, for ``qx.filters.matching`` and for hits.
        fields: The tokens of each searched field, in the order of ``searched``.
        lengths: How many tokens each has.

    Args:
        paths: The searched fields.
        apart: Those whose values are words each by itself.
    """

    __slots__ = ("document", "fields", "lengths", "record")

    def __init__(self, document: Document, paths: Sequence[str], apart: Collection[str] = ()) -> None:
        self.document = replace(document, vector=None)
        names = ("id", "title", "text", "url", "metadata")
        self.record: dict[str, Any] = {name: to_plain(getattr(document, name)) for name in names}
        self.fields = tuple(_tokens(self.record, path, split=path in apart) for path in paths)
        self.lengths = tuple(map(length, self.fields))


def searched(fields: FieldMap) -> tuple[tuple[str, float], ...]:
    """Return the stored fields whose words are searched, with their weights.

    Texts of the map, else title and text; and the fields whose values are words.
    """
    found = {f.name: f.boost for f in fields.values() if f.type == "text" or f.name in ("title", "text")}
    return (*(found.items() or (("title", 1.0), ("text", 1.0))), *worded(fields).items())


def _tokens(record: Mapping[str, Any], path: str, *, split: bool) -> str:
    """The tokens of a field; values are kept apart, so that no phrase reaches across them."""
    if split:
        return _APART.join(map(tokenised, words_of(record, path)))
    return tokenised(" ".join(map(str, values(record, path))))


def refusal(document: Document) -> str | None:
    """Return why a document cannot be kept; None where it can."""
    if too_large(document.metadata):
        return "a number in it is beyond the largest that can be compared"
    try:
        json.dumps(to_plain(replace(document, vector=None)), ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        return f"it has no JSON form: {error}"
    return None
