"""Which format a file has: said by name, or told from what is in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from qx.errors import UsageError
from qx_chatlog.importing import chatgpt, fields, jsonl, locomo, message_lists, slack, whatsapp
from qx_chatlog.importing.entry import Given, Read, Refused

LARGEST: Final = 2_000_000_000
"""Bytes of a JSON document, which is read as a whole."""

Document = Callable[[object, str, Given], Iterator[Read]]
_DOCUMENTS: Final[Mapping[str, Document]] = {
    "messages": message_lists.read,
    "chatgpt": chatgpt.read,
    "claude": chatgpt.read,
    "locomo": locomo.read,
    "group-chat": locomo.read_group_chat,
}
FORMATS: Final = ("jsonl", *_DOCUMENTS, "slack", "whatsapp")


def read(path: Path, given: Given, format: str | None = None) -> Iterator[Read]:
    """Yield what is in a file, as entries and refused records.

    Args:
        format: One of ``FORMATS``; None: told from the file.

    Raises:
        UsageError: there is no such file, it cannot be read, or it is none of the formats.
    """
    if not path.exists():
        raise UsageError(f"there is no file {path}")
    try:
        chosen = format or _guessed(path)
        if chosen == "slack":
            yield from slack.read(path, given)
        elif chosen == "whatsapp":
            yield from whatsapp.read(path, given)
        elif chosen == "jsonl":
            yield from jsonl.read(path, given)
        elif chosen in ("documents", *_DOCUMENTS):
            yield from _documents(path, given, None if chosen == "documents" else chosen)
        else:
            raise UsageError(f"no format is called {chosen!r}: it is one of {', '.join(FORMATS)}")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error


def _guessed(path: Path) -> str:
    if slack.is_slack(path):
        return "slack"
    if path.is_dir():
        raise UsageError(f"{path} is a folder, and no export of Slack (that has a users.json): name a file")
    with path.open("rb") as stream:
        head = stream.read(65_536).lstrip(b"\xef\xbb\xbf \t\r\n")
    if whatsapp.is_whatsapp(path):
        return "whatsapp"
    if head.startswith(b"{") and b"\n" not in head and _has_lines(path):
        return "jsonl"
    first = head.split(b"\n", 1)[0].rstrip()
    if first.startswith(b"{") and first.endswith(b"}"):
        try:
            row = json.loads(first)
        except ValueError:
            return "jsonl"
        return "documents" if _kind(row) else "jsonl"
    if head[:1] in (b"[", b"{"):
        return "documents"
    raise UsageError(f"what {path} is cannot be told: give --format ({', '.join(FORMATS)})")


def _has_lines(path: Path) -> bool:
    """Whether a second JSON object follows a long first line; a document of one line has none."""
    with path.open("rb") as stream:
        lines = jsonl.lines(stream)
        first = next(lines, None)
        second = next((line for line in lines if line is None or line.strip()), b"")
    if second is not None and not second.lstrip().startswith(b"{"):
        return False
    if first is None:
        return True
    try:
        return not _kind(json.loads(first.decode("utf-8-sig", "replace")))
    except (ValueError, RecursionError):
        return True


def _documents(path: Path, given: Given, format: str | None) -> Iterator[Read]:
    """Read a JSON document, or several, a line each."""
    if path.stat().st_size > LARGEST:
        raise UsageError(f"{path} has more than {LARGEST:,} bytes: split it, or write it as JSON lines")
    text = path.read_bytes().decode("utf-8-sig", "replace")
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise UsageError(f"{path}: lists within lists too deep") from error
    except ValueError as error:
        try:
            document = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            raise UsageError(f"{path} is not JSON: {error}") from error
    chosen = format or _kind(document)
    if chosen is None:
        raise UsageError(f"what {path} holds cannot be told: give --format ({', '.join(FORMATS)})")
    try:
        yield from _DOCUMENTS[chosen](document, path.name, given)
    except (ValueError, RecursionError) as error:
        yield Refused(place=path.name, reason=str(error))


def _kind(document: object) -> str | None:
    first = next(iter(fields.many(document)), None)
    if message_lists.is_list(document) or message_lists.is_conversation(first) or message_lists.is_list(first):
        return "messages"
    tests = {
        "chatgpt": chatgpt.is_chatgpt,
        "claude": chatgpt.is_claude,
        "locomo": locomo.is_locomo,
        "group-chat": locomo.is_group_chat,
    }
    return next((kind for kind, test in tests.items() if test(first)), None)
