"""Claims and sources from files: what is wrong is told with file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from qx.errors import UsageError
from qx.indexing.reading import READERS, files_of, read
from qx.indexing.record import Bad, Record
from qx.indexing.tables import json_lines
from qx_answer.claims import Claim, Source

MOST_BYTES = 50_000_000
"""Bytes of a file of claims; more is a mistake."""
_SPACE = " \t\r\n"
_FORM = '{"claims": [{"statement": "…", "source_id": "…", "quote": "…"}]}'
_KEYS = ("statement", "source_id", "quote")


def read_claims(data: bytes, name: str) -> list[Claim]:
    """Return the claims of ``{"claims": […]}`` (what ``qx answer --json`` prints) or of a list of them alone.

    Args:
        name: The file, for messages.

    Raises:
        UsageError: it is no such file; says the line.
    """
    text = _decoded(data, name)
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{name}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from error
    except RecursionError:
        raise UsageError(f"{name}: too many levels of lists and objects") from None
    found = cast("dict[str, Any]", whole).get("claims") if isinstance(whole, dict) else whole
    if not isinstance(found, list):
        raise UsageError(f"{name}:1: there are no claims: it should be {_FORM}, or the list alone")
    lines = list(_lines(text, top=isinstance(whole, list)))
    listed = cast("list[object]", found)
    return [_claim(item, f"{name}:{line}", n) for n, (item, line) in enumerate(zip(listed, lines, strict=True), 1)]


def _decoded(data: bytes, name: str) -> str:
    if len(data) > MOST_BYTES:
        raise UsageError(f"{name}: longer than {MOST_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{name}:{line}: not UTF-8") from error


def _claim(item: object, place: str, number: int) -> Claim:
    if not isinstance(item, dict):
        raise UsageError(f"{place}: claim {number} is no object: it should be {_FORM[12:-2]}")
    fields = cast("dict[str, object]", item)
    values: dict[str, str] = {}
    for key in _KEYS:
        said = fields.get(key)
        if key == "source_id" and isinstance(said, int) and not isinstance(said, bool):
            said = str(said)
        if not isinstance(said, str):
            wrong = f"no `{key}`" if said is None else f"`{key}` is not text"
            raise UsageError(
                f"{place}: claim {number} has {wrong}" if said is None else f"{place}: claim {number}: {wrong}"
            )
        values[key] = said
    return Claim(statement=values["statement"], source_id=values["source_id"], quote=values["quote"])


def _lines(text: str, *, top: bool) -> Iterator[int]:
    """The line on which each claim begins, of text that is JSON with a list of claims."""
    scan = json.JSONDecoder().raw_decode
    at = _skipped(text, 0) if top else _list_of_claims(text)
    at = _skipped(text, at + 1)
    while text[at] != "]":
        yield text.count("\n", 0, at) + 1
        _, at = scan(text, at)
        at = _skipped(text, at)
        if text[at] == ",":
            at = _skipped(text, at + 1)


def _list_of_claims(text: str) -> int:
    """Where the value of the last ``claims`` of an object begins: JSON's last key counts."""
    scan = json.JSONDecoder().raw_decode
    at, found = _skipped(text, _skipped(text, 0) + 1), 0
    while text[at] != "}":
        key, at = scan(text, at)
        at = _skipped(text, _skipped(text, at) + 1)
        found = at if key == "claims" else found
        _, at = scan(text, at)
        at = _skipped(text, at)
        if text[at] == ",":
            at = _skipped(text, at + 1)
    return found


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def read_sources(path: Path) -> list[Source]:
    """Return the sources of a file or a folder as for ``qx index``: JSON lines (``_id`` or ``id``, ``title``, ``text``, ``url``) …

    Raises:
        UsageError: a record is wrong, or an id is there twice; says the line.
    """
    if not path.exists():
        raise UsageError(f"{path} is not there")
    found: dict[str, Source] = {}
    places: dict[str, str] = {}
    for record in _records(path):
        if isinstance(record, Bad):
            raise UsageError(str(record))
        one = record.document
        if one.id in found:
            raise UsageError(f"{record.place}: the id {one.id!r} is there already: {places[one.id]}")
        published = one.metadata.get("published")
        found[one.id] = Source(
            id=one.id,
            title=one.title or None,
            url=one.url,
            text=one.text,
            published=str(published) if published is not None else None,
        )
        places[one.id] = record.place
    return list(found.values())


def _records(path: Path) -> Iterator[Record]:
    """The records of a file, or of all files of a folder, with the ids that ``qx index`` gives them."""
    if path.is_file():
        yield from read(path) if path.suffix.lower() in READERS else json_lines(path)
        return
    files = files_of((path,))
    if not files:
        raise UsageError(f"{path} has no file of sources; read are: {', '.join(sorted(READERS))}")
    for file in files:
        yield from read(file)
