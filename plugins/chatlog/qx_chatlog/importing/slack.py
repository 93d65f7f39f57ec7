"""Exports of Slack: a zip file or its unpacked folder, with ``users.json`` and a folder of days for each channel.

A channel is a session.  Names stand for the ids of people, as Slack shows them.
"""

from __future__ import annotations

import html
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from qx.errors import UsageError
from qx_chatlog.importing import fields
from qx_chatlog.importing.entry import Entry, Given, Read, Refused
from qx_chatlog.message import Attachment

_LARGEST = 200_000_000
"""Bytes of one file of an archive, unpacked: more is a trap."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError)
"""What an archive raises that is cut off, changed, encrypted, or packed in a way that nobody knows here."""
_PEOPLE = ("users.json", "org_users.json")
_OTHER = frozenset((*_PEOPLE, "channels.json", "groups.json", "dms.json", "mpims.json", "integration_logs.json"))
_REFERENCE = re.compile(r"<(@|#|!)([^>|]*)(?:\|([^>]*))?>|<(https?://[^>|]*|mailto:[^>|]*)(?:\|([^>]*))?>")


def is_slack(path: Path) -> bool:
    """Whether a folder or archive is an export of Slack."""
    if path.is_dir():
        return any((path / name).exists() for name in _PEOPLE)
    if not zipfile.is_zipfile(path):
        return False
    with _opened(path) as archive:
        return any(PurePosixPath(name).name in _PEOPLE for name in archive.namelist())


def read(path: Path, given: Given) -> Iterator[Read]:
    """Yield the messages of all channels, each channel's in the order of its days."""
    files = dict(_folder(path) if path.is_dir() else _archive(path))
    try:
        names = _names(files)
    except (ValueError, RecursionError) as error:
        names = dict[str, str]()
        yield Refused(place=f"{path.name}/users.json", reason=f"people keep their ids: {error}")
    for name in sorted(files):
        parts = PurePosixPath(name)
        if parts.name in _OTHER or len(parts.parts) < 2:
            continue
        place = f"{path.name}/{name}"
        try:
            rows = fields.sequence(json.loads(files[name]()))
        except (ValueError, RecursionError) as error:
            yield Refused(place=place, reason=str(error))
            continue
        for number, row in enumerate(rows, 1):
            try:
                entry = _entry(fields.mapping(row), f"{place}[{number}]", parts.parent.name, names)
            except ValueError as error:
                yield Refused(place=f"{place}[{number}]", reason=str(error))
                continue
            if entry is not None:
                yield entry


def _folder(path: Path) -> Iterator[tuple[str, Any]]:
    for file in path.rglob("*.json"):
        if not file.is_symlink():
            yield file.relative_to(path).as_posix(), file.read_bytes


def _archive(path: Path) -> Iterator[tuple[str, Any]]:
    archive = _opened(path)
    for info in archive.infolist():
        if info.filename.endswith(".json") and not info.is_dir():
            yield info.filename, lambda info=info: _unpacked(archive, info)


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _DAMAGED as error:
        raise UsageError(
            f"{path} is a damaged archive: {error}; unpack what can be unpacked, and name the folder"
        ) from error


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(info) as stream:
            data = stream.read(_LARGEST + 1)
    except _DAMAGED as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error
    if len(data) > _LARGEST:
        raise ValueError(f"more than {_LARGEST:,} bytes once unpacked")
    return data


def _names(files: Mapping[str, Any]) -> dict[str, str]:
    names: dict[str, str] = {}
    for name, load in files.items():
        if PurePosixPath(name).name in _PEOPLE:
            for row in fields.sequence(json.loads(load())):
                person = fields.mapping(row)
                profile = fields.mapping(person.get("profile") or {})
                names[fields.text(person.get("id"))] = next(
                    filter(
                        None,
                        (
                            fields.text(profile.get("display_name")),
                            fields.text(profile.get("real_name") or person.get("real_name")),
                            fields.text(person.get("name")),
                        ),
                    ),
                    "",
                )
    return names


def _entry(row: Mapping[str, Any], place: str, channel: str, names: Mapping[str, str]) -> Entry | None:
    if row.get("type") != "message" or row.get("hidden"):
        return None
    moment = fields.text(row.get("ts"))
    person = fields.text(row.get("user") or row.get("bot_id"))
    kind = fields.text(row.get("subtype"))
    files = [fields.mapping(file) for file in fields.sequence(row.get("files"))]
    spoken = kind in ("", "thread_broadcast", "me_message", "file_share", "bot_message")
    bot = kind == "bot_message" or "bot_id" in row
    thread = fields.text(row.get("thread_ts"))
    return Entry(
        place=place,
        id=f"{channel}-{moment}-{person}" if moment else None,
        session=channel,
        role="assistant" if bot else "user" if spoken else "system",
        speaker=names.get(person) or fields.text(row.get("username")) or person,
        time=fields.time(moment),
        content=shown(fields.text(row.get("text")), names),
        type="text" if spoken else "system",
        attachments=tuple(
            Attachment(
                kind=fields.text(file.get("mimetype")).partition("/")[0] or "file",
                name=fields.text(file.get("title") or file.get("name")),
                url=fields.text(file.get("permalink")),
            )
            for file in files
        ),
        metadata={"thread": thread} if thread and thread != moment else {},
    )


def shown(text: str, names: Mapping[str, str]) -> str:
    """Return a text as Slack shows it: ``<@U1>`` is a name, ``<https://…|words>`` the words and the address."""

    def show(match: re.Match[str]) -> str:
        mark, what, label, url, words = match.groups()
        if url:
            return f"{words} ({url})" if words and words != url else url.removeprefix("mailto:")
        if mark == "@":
            return "@" + (label or names.get(what) or what)
        return ("#" if mark == "#" else "@") + (label or what)

    return html.unescape(_REFERENCE.sub(show, text))
