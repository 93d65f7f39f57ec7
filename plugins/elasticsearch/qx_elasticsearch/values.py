"""Attribute values as terms of a ``flattened`` field, so that they compare as ``qx.filters.matching`` says.

A flattened field keeps everything as text and orders it as text.  So each value is written with its kind before it and
in a form whose order as text is its own order::

    b1                                              true
    d2023-05-01T00:00:00.000000 2023-05-01          a text that is a date: its moment in UTC, then itself
    nc05edd2f1a9fbe77                               a number: its bits as float64, those of negative ones flipped
    p2023-05-01T00:00:00.000000 2023-05             beside a text that is part of a date: the moment at which it begins
    o                                               a mapping (for "has a value")
    sHP                                             any other text
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from qx.filters.matching import beginning

LONGEST_VALUE = 4000
"""Characters of a text that are kept; a longer one ends in its digest.  Lucene's terms have 32,766 bytes at most."""

LONGEST_PATH = 500
"""An attribute with a longer name cannot be filtered by."""

_SIGN = 1 << 63
_ALL = (1 << 64) - 1


def encoded(value: object) -> str | None:
    """Return the term of one value; None where it has none (null, NaN)."""
    if isinstance(value, bool):
        return "b1" if value else "b0"
    if isinstance(value, (int, float)):
        return number_term(value)
    if isinstance(value, str):
        moment = moment_of(value)
        return f"s{shortened(value)}" if moment is None else f"d{moment} {readable(value)}"
    return "o" if isinstance(value, Mapping) else None


def number_term(value: float) -> str | None:
    """Return the term of a number; None for NaN."""
    try:
        real = float(value) + 0.0  # -0.0 is 0.0
    except OverflowError:
        real = float("inf") if value > 0 else float("-inf")
    if real != real:
        return None
    bits: int = struct.unpack(">Q", struct.pack(">d", real))[0]
    return f"n{(bits ^ _ALL if bits & _SIGN else bits ^ _SIGN):016x}"


def decoded(term: str) -> str | None:
    """Return what people read for a term; None for one that stands for no value of its own."""
    kind, rest = term[:1], term[1:]
    if kind == "b":
        return "true" if rest == "1" else "false"
    if kind == "d":
        return rest.partition(" ")[2]
    if kind == "n":
        bits = int(rest, 16)
        real: float = struct.unpack(">d", struct.pack(">Q", bits ^ _SIGN if bits & _SIGN else bits ^ _ALL))[0]
        return plain_number(real)
    return rest if kind == "s" else None


def plain_number(real: float) -> str:
    """Return a number as people write it: 5, not 5.0."""
    return str(int(real)) if real.is_integer() else str(real)


def kind_of(term: str) -> str | None:
    """Return the type of field that a term's value belongs in."""
    return {"b": "bool", "d": "date", "n": "number", "s": "keyword"}.get(term[:1])


def moment_of(text: str) -> str | None:
    """Return the moment that an ISO date stands for, in UTC and of one length; None for other text."""
    if len(text) < 10 or not text[:4].isdigit():
        return None
    try:
        found = datetime.fromisoformat(text)
        found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return found.replace(tzinfo=None).isoformat(timespec="microseconds")


def beginning_of(item: object) -> str | None:
    """Return the moment at which ``2021`` or ``2021-05`` begins, as ``moment_of`` writes it; None for anything else."""
    found = beginning(item) if isinstance(item, str) and len(item) < 10 else None
    return None if found is None else moment_of(found.isoformat())


def shortened(text: str) -> str:
    """Return ``text``, of a long one its beginning and its digest."""
    text = readable(text)
    if len(text) <= LONGEST_VALUE:
        return text
    return f"{text[:LONGEST_VALUE]}\x1f{hashlib.sha256(text.encode()).hexdigest()}"


def readable(text: str) -> str:
    """Return ``text`` without broken surrogates, which UTF-8 has no bytes for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def leaves(metadata: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield (path, value) of all that is in ``metadata``, each element of a list by itself; mappings come too."""
    for name, item in metadata.items():
        path = f"{prefix}{name}"
        for element in cast("Sequence[Any]", item) if isinstance(item, (list, tuple)) else (item,):
            if element is not None:
                yield path, element
        if isinstance(item, Mapping):
            yield from leaves(cast("Mapping[str, Any]", item), f"{path}.")
