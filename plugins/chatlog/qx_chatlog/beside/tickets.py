"""A sample handler: opens a ticket in a file for trouble that comes back, and updates it when it comes again.

::

    observers: [{type: chat-tickets, path: tickets.jsonl}]

A handler for a tracker of one's own has the same shape: an observer that asks for content and takes note of
``chat.recurrence``.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qx.model import Model
from qx.observer import Event
from qx.tenant_folder import own_path

if TYPE_CHECKING:
    from qx.hookspecs import Services


class Settings(Model):
    """``path``: the file, relative to the profile's folder; a line of JSON for each ticket opened or updated."""

    path: Path = Path("tickets.jsonl")


class TicketFile:
    """Implements ``Observer``.  A ticket is known by its user and the oldest report; what is written stays."""

    Settings = Settings
    wants_content = True

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chat-tickets")
        self._roots: dict[tuple[str, str], str] | None = None

    @classmethod
    async def create(cls, settings: Settings, services: Services, /) -> TicketFile:
        """Make one.

        Raises:
            NotAllowed: its path leads out of the profile's folder.
        """
        return cls(own_path(settings.path.expanduser(), services))

    def on_event(self, event: Event, /) -> None:
        """Take note of trouble that came back; the file is written beside."""
        if event.name == "chat.recurrence" and event.content:
            self._writer.submit(self._write, dict(event.content), event.at)

    async def aclose(self) -> None:
        """Write what is left."""
        await asyncio.to_thread(self._writer.shutdown)

    def _write(self, content: dict[str, Any], at: float) -> None:
        user, report, earlier = str(content["user"]), str(content["report"]), str(content["earlier"])
        roots = self._known()
        ticket = roots.get((user, earlier)) or f"{user}/{earlier}"
        opened = ticket not in roots.values()
        roots[user, earlier] = roots[user, report] = ticket
        line = {
            "ticket": ticket,
            "action": "opened" if opened else "updated",
            "at": datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds"),
            **content,
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            self._path.chmod(0o600)
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _known(self) -> dict[tuple[str, str], str]:
        """Which ticket each report belongs to, by user and id; read once."""
        if self._roots is None:
            self._roots = {}
            lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
            for written in lines:
                one = json.loads(written)
                for id_ in (one["earlier"], one["report"]):
                    self._roots[one["user"], id_] = one["ticket"]
        return self._roots
