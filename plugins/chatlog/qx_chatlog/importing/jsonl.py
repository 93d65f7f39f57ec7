"""Our own format: a message a line, ``{"id", "user", "session", "role", "time", "content"}`` and optionally ``speaker``,
``zone``, ``type``, ``attachments``, ``metadata``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from qx.serial import replace
from qx_chatlog.importing import fields
from qx_chatlog.importing.entry import Entry, Given, Read, Refused
from qx_chatlog.message import Attachment

KNOWN = frozenset(
    ("id", "tenant", "user", "session", "role", "time", "content", "speaker", "zone", "type", "attachments", "metadata")
)
LONGEST = 10_000_000
"""Bytes of one line."""


def read(path: Path, given: Given) -> Iterator[Read]:
    """Yield the messages of a file, a line each."""
    nth: Counter[str] = Counter()
    with path.open("rb") as stream:
        for number, line in enumerate(lines(stream), 1):
            place = f"{path.name}:{number}"
            if line is not None and not line.strip():
                continue
            try:
                if line is None:
                    raise ValueError(f"a line of more than {LONGEST:,} bytes")
                row = fields.mapping(json.loads(line.decode("utf-8-sig")))
                entry = _entry(row, place, given)
            except (ValueError, RecursionError) as error:
                yield Refused(place=place, reason=_reason(error))
                continue
            session = entry.session or ""
            yield entry if entry.id else _numbered(entry, nth[session])
            nth[session] += 1


def lines(stream: Any) -> Iterator[bytes | None]:
    """Yield lines; None stands for one that is too long, which is passed over."""
    while line := stream.readline(LONGEST + 1):
        if len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST)
        yield None


def _entry(row: Mapping[str, Any], place: str, given: Given) -> Entry:
    unknown = sorted(set(row) - KNOWN)
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}: what is your own belongs in `metadata`")
    tenant = fields.text(row.get("tenant"))
    if tenant and tenant != given.tenant:
        raise ValueError(f"it is another tenant's, and this profile's is {given.tenant!r}")
    missing = [name for name in ("role", "content") if row.get(name) is None]
    if missing:
        raise ValueError(f"it has no `{missing[0]}`")
    return Entry(
        place=place,
        id=fields.text(row.get("id")) or None,
        user=fields.text(row.get("user")) or None,
        session=fields.text(row.get("session")) or None,
        role=fields.text(row["role"]),
        speaker=fields.text(row.get("speaker")),
        time=fields.time(row.get("time")),
        zone=fields.text(row.get("zone")) or None,
        content=fields.text(row["content"]),
        type=fields.text(row.get("type")) or "text",
        attachments=tuple(map(_attachment, fields.sequence(row.get("attachments")))),
        metadata=fields.mapping(row.get("metadata") or {}),
    )


def _attachment(item: object) -> Attachment:
    found = fields.mapping(item)
    known = {name: fields.text(found.get(name)) for name in ("name", "url")}
    said = [fields.text(found.get(name)) for name in ("text", "caption", "transcript")]
    return Attachment(
        kind=fields.text(found.get("kind")) or "file",
        text="\n".join(filter(None, said)),
        derived=found.get("derived") is True,
        **known,
    )


def _numbered(entry: Entry, nth: int) -> Entry:
    return replace(entry, nth=nth)


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    return "lists within lists too deep" if isinstance(error, RecursionError) else str(error)
