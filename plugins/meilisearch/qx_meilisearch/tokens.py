"""What an index that qx made keeps beside each document, so that filters mean what ``qx.filters.matching`` says.

Meilisearch compares text without case and width, takes null and ``""`` for values of their own kind, and knows no dates.
So ``qx.is.FIELD`` holds one token for every value (its type and its UTF-8 in hexadecimal: nothing that Meilisearch would
fold), ``qx.number.FIELD`` the numbers and ``qx.at.FIELD`` the dates as seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from typing import cast
from urllib.parse import urlsplit

from qx.filters.conversion import number_text
from qx.filters.matching import beginning

_THERE = "o"
"""The token of what is a value but none that anything equals: an object, a list in a list."""
_MOST_BYTES = 200  # bytes of text that a token spells out: Meilisearch cuts facet values at 468 bytes


def token(item: str | int | float | bool) -> str:
    """Return the token of a value: equal exactly where ``qx.filters.matching`` says that two values are."""
    if isinstance(item, bool):
        return "b1" if item else "b0"
    if isinstance(item, (int, float)):
        return f"n{number_text(item)}"
    data = item.encode("utf-8", "surrogatepass")
    return f"s{data.hex()}" if len(data) <= _MOST_BYTES else f"h{blake2b(data, digest_size=20).hexdigest()}"


def spelt(found: str) -> str | None:
    """Return the value that a token stands for, as text; None where it was too long to be spelt out."""
    kind, rest = found[:1], found[1:]
    if kind == "s":
        return bytes.fromhex(rest).decode("utf-8", "replace")
    if kind == "b":
        return "true" if rest == "1" else "false"
    return rest if kind == "n" else None


def moment(item: object) -> float | None:
    """Return a date or time as seconds since 1970 (UTC where it names no zone); None where it is none."""
    if not isinstance(item, str) or len(item) < 10 or not item[:4].isdigit():
        return None
    try:
        found = datetime.fromisoformat(item)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _begun(item: object) -> float | None:
    """Return ``moment``; of 2021 and 2021-05 that of their beginning."""
    at = beginning(item) if isinstance(item, str) and len(item) < 10 else None
    return moment(item) if at is None else at.timestamp()


def flattened(record: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, list[str | int | float | bool]]]:
    """Yield each path of ``record`` with its values: mappings are opened, lists are several values."""
    for name, item in record.items():
        path = f"{prefix}{name}"
        if isinstance(item, Mapping):
            yield from flattened(cast("Mapping[str, object]", item), f"{path}.")
            continue
        items = cast("Sequence[object]", item) if isinstance(item, (list, tuple)) else (item,)
        if values := [value for value in items if isinstance(value, (str, int, float, bool))]:
            yield path, values


def structures(record: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    """Yield each path of ``record`` that holds an object, or a list with one or with a list in it."""
    for name, item in record.items():
        path = f"{prefix}{name}"
        if isinstance(item, Mapping):
            yield path
            yield from structures(cast("Mapping[str, object]", item), f"{path}.")
        elif isinstance(item, (list, tuple)):
            items = cast("Sequence[object]", item)
            if any(isinstance(inner, (Mapping, list, tuple)) for inner in items):
                yield path


def shadow(record: Mapping[str, object], url: str | None) -> dict[str, object]:
    """Return the fields under ``qx`` for a document's record (its own names and values)."""
    equal: dict[str, list[str]] = {}
    numbers: dict[str, list[int | float]] = {}
    dates: dict[str, list[float]] = {}
    for path, values in flattened(record):
        equal[path] = sorted({token(item) for item in values})
        if known := [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]:
            numbers[path] = [number or 0 for number in known]  # -0.0 too: Meilisearch takes it for less than 0
        if times := [at for v in values if (at := _begun(v)) is not None]:
            dates[path] = times
    for path in structures(record):
        equal[path] = [*equal.get(path, ()), _THERE]
    return {"is": equal, "number": numbers, "at": dates, "site": sites(url), "type": extensions(url)}


def sites(url: str | None) -> list[str]:
    """Return the tokens of all ``site:`` values that take in ``url``: each domain above its host, with each path."""
    try:
        parts = urlsplit(url or "")
        labels = (parts.hostname or "").split(".")
    except ValueError:
        return []
    steps = [step for step in parts.path.split("/") if step][:4]
    paths = ["/".join(("", *steps[:depth])) for depth in range(len(steps) + 1)]
    domains = [".".join(labels[at:]) for at in range(len(labels))][-6:]
    return [token(domain + path) for domain in domains if domain for path in paths]


def extensions(url: str | None) -> list[str]:
    """Return the token of the file type that ``url`` ends in."""
    try:
        name = urlsplit(url or "").path.rpartition("/")[2]
    except ValueError:
        return []
    stem, dot, ending = name.rpartition(".")
    return [token(ending.lower())] if dot and stem and ending.isalnum() and len(ending) <= 8 else []
