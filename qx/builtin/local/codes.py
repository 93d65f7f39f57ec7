"""Metadata as exact tokens: one for each value, so that equality in a filter is equality in ``qx.filters.matching``.

A token is ``path``, a separator, a letter for the kind, and the value: ``s`` text, ``n`` number, ``b`` truth, ``d`` a
moment (besides the text that says it), ``e`` any value at all; ``N``, ``S``, ``B``, ``D`` and ``P`` (text that names no
moment) mark the kinds that a path has.  Part of a date (``p``: 2021, 2021-05) stands in the column of moments alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import cast
from urllib.parse import urlsplit

from qx.filters.conversion import number_text
from qx.filters.matching import beginning, moment

SEPARATOR = "\ue001"
_SPACE = "\ue000"
_HASHED = "\ue002"
_LONGEST_TERM = 200
_LONGEST_REMEMBERED = 32
_BROKEN = re.compile("[\ud800-\udfff]")
_UNFIT = re.compile("[\t\n\r\x0b\x0c\ue000-\ue002\ud800-\udfff]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_OWN = frozenset(("id", "title", "text", "url"))
INDEXED = ("metadata.", "url")
"""How the paths begin that have tokens; ``id`` has a field of its own, what is left is compared on the documents."""


def resolved(field: str) -> str:
    """Return the path of a stored name: ``brand`` is ``metadata.brand``."""
    return field if field in _OWN or field.startswith("metadata.") else f"metadata.{field}"


def text_code(text: str) -> str:
    """Return ``text`` as a token without white space; long ones, and those with marks of ours, are hashed."""
    if len(text) > _LONGEST_TERM or _UNFIT.search(text):
        return _HASHED + hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return text.replace(" ", _SPACE)


def text_of(code: str) -> str | None:
    """Return the text of a token; None where it was hashed."""
    return None if code.startswith(_HASHED) else code.replace(_SPACE, " ")


def microseconds(at: datetime) -> int:
    """Return microseconds since 1970."""
    return (at - _EPOCH) // _MICROSECOND


def token(path: str, kind: str, code: str = "") -> str:
    """Return a token of a path."""
    return _prefix(path, kind) + code


@lru_cache(maxsize=8192)
def _prefix(path: str, kind: str) -> str:
    return f"{text_code(path)}{SEPARATOR}{kind}"


Found = tuple[str, str, object]
"""Path, kind (``s n b d p e M P``), value."""


def walk(record: Mapping[str, object], prefix: str = "") -> list[Found]:
    """Return every value of a record, those of nested mappings under dotted paths.

    ``e`` stands once for each path, ``M`` once for each with several values.
    """
    return coded(record, prefix)[0]


def coded(record: Mapping[str, object], prefix: str = "") -> tuple[list[Found], list[str]]:
    """Return what ``walk`` does, and the tokens of it all, several in one text apart by spaces."""
    found: list[Found] = []
    tokens: list[str] = []
    _walk(record, prefix, found, tokens)
    return found, tokens


def _walk(record: Mapping[str, object], prefix: str, found: list[Found], tokens: list[str]) -> None:
    for key, item in record.items():
        if item is None:
            continue
        path = prefix + key
        if isinstance(item, (int, float)) and not isinstance(item, bool) and item == item:
            there, number, numeric = _of_number(path)
            found += ((path, "e", None), (path, "n", item))
            tokens.append(f"{there} {number}{number_text(item)} {numeric}")
        elif isinstance(item, (str, bool)) and (item is True or item is False or len(item) <= _LONGEST_REMEMBERED):
            values, said = _remembered(path, item)  # the same words come back in document after document
            found += values
            tokens.append(said)
        else:
            values, said = _other(path, item)
            found += values
            tokens.append(said)
            if isinstance(item, Mapping):
                _walk(cast("Mapping[str, object]", item), f"{path}.", found, tokens)


@lru_cache(maxsize=8192)
def _of_number(path: str) -> tuple[str, str, str]:
    """The tokens of a path with a number, of which the second lacks the number."""
    return token(path, "e"), token(path, "n"), token(path, "N")


@lru_cache(maxsize=65_536)
def _remembered(path: str, item: str | bool) -> tuple[Sequence[Found], str]:
    return _other(path, item)


def _other(path: str, item: object) -> tuple[Sequence[Found], str]:
    """The values of a path, and their tokens; of a mapping only that it is there."""
    found: list[Found] = []
    if not isinstance(item, list):
        found.append((path, "e", None))
        if not isinstance(item, Mapping):
            _value(path, item, found)
    elif parts := [part for part in cast("list[object]", item) if part is not None]:
        found.append((path, "e", None))
        if len(parts) > 1:
            found.append((path, "M", None))
        for part in parts:
            _value(path, part, found)
    return found, " ".join([code for one in found for code in codes(one)])


def _value(path: str, part: object, found: list[Found]) -> None:
    if isinstance(part, str):
        found.append((path, "s", part))
        at = moment(part) if len(part) >= 10 and part[:4].isdigit() else None
        found.append((path, "P", None) if at is None else (path, "d", microseconds(at)))
        if at is None and len(part) in (4, 7) and (at := beginning(part)) is not None:
            found.append((path, "p", microseconds(at)))
    elif isinstance(part, bool):
        found.append((path, "b", part))
    elif isinstance(part, (int, float)) and part == part:
        found.append((path, "n", part))


def codes(found: Found) -> tuple[str, ...]:
    """Return the tokens of one value."""
    path, kind, item = found
    if kind == "p":
        return ()
    if kind in ("e", "M", "P"):
        return (token(path, kind),)
    if kind == "b":
        return (token(path, "b", "1" if item else "0"), token(path, "B"))
    if kind == "n":
        return (token(path, "n", number_text(cast(float, item))), token(path, "N"))
    if kind == "d":
        return (token(path, "d", str(item)), token(path, "D"))
    return (token(path, "s", text_code(cast(str, item))), token(path, "S"))


def site_tokens(url: str) -> Iterator[str]:
    """Yield the tokens of a page's host, its parent domains, and the first parts of its path."""
    host, path = _parts(url)
    labels = host.split(".") if host else []
    for at in range(len(labels)):
        yield site_token(".".join(labels[at:]))
    for at, part in enumerate([part for part in path.split("/") if part][:4]):
        host += f"/{part}"
        for level in range(max(len(labels) - 1, 1)):
            yield site_token(host.split(".", level)[-1] if level else host)
        if at == 3:
            break


def site_token(host: str) -> str:
    """Return the token of ``site:HOST`` (with or without a path)."""
    return f"{SEPARATOR}h{text_code(host.casefold().removeprefix('www.').strip('/'))}"


def extension_token(extension: str) -> str:
    """Return the token of ``filetype:EXTENSION``."""
    return f"{SEPARATOR}x{text_code(extension.casefold().removeprefix('.'))}"


def extension_tokens(url: str) -> Iterator[str]:
    """Yield the token of the file type that a url names, if it does."""
    _, path = _parts(url)
    name, dot, extension = path.rpartition("/")[2].rpartition(".")
    if name and dot and extension.isalnum() and len(extension) <= 8:
        yield extension_token(extension)


def _parts(url: str) -> tuple[str, str]:
    try:
        split = urlsplit(url)
        return (split.hostname or "").removeprefix("www."), split.path.casefold()
    except ValueError:
        return "", ""


def encodable(text: str) -> bool:
    """Return whether ``text`` has no lone surrogates."""
    return _BROKEN.search(text) is None
