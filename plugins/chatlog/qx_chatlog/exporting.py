"""Messages as the lines that ``qx chat import`` reads."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from qx.errors import UsageError
from qx.serial import to_plain
from qx_chatlog.message import Message


def line(message: Message) -> str:
    """Return a message as a line of JSON, without what is empty."""
    row: dict[str, Any] = {
        "id": message.id,
        "user": message.user,
        "session": message.session,
        "role": message.role,
        "time": message.local_time.isoformat(),
        "content": message.content,
    }
    if message.speaker:
        row["speaker"] = message.speaker
    if message.zone != "UTC":
        row["zone"] = message.zone
    if message.type != "text":
        row["type"] = message.type
    if message.attachments:
        row["attachments"] = to_plain(message.attachments)
    if message.metadata:
        row["metadata"] = to_plain(message.metadata)
    return json.dumps(row, ensure_ascii=False)


@contextmanager
def private_file(path: Path) -> Generator[IO[str]]:
    """Write a file that only its owner reads.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        yield stream
