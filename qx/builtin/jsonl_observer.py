"""Events as JSON lines in a file: ``observers: [{type: jsonl, path: events.jsonl}]``.

A request only ever puts an event into a bounded queue; a thread writes.  What does not fit is dropped, counted, and
reported in the file itself and in the log.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from qx.builtin.own_file import append, place
from qx.observer import Event
from qx.serial import to_json, to_plain

if TYPE_CHECKING:
    import logging

    from qx.hookspecs import Services

_BATCH = 200


class JsonlObserverSettings(BaseModel):
    """``path`` is relative to the profile's folder; without it the file lies in the tenant's data folder.

    ``wants_content`` writes the text of queries and answers too.
    """

    model_config = ConfigDict(extra="forbid")
    path: Path | None = None
    wants_content: bool = False
    max_pending: Annotated[int, Field(ge=1)] = 10_000


class JsonlObserver:
    """Appends one JSON object a line: the fields of ``Event``.

    Args:
        path: The file; made, for its owner alone, when the first event is written.
        wants_content: Whether the engine hands over the text of queries.
        max_pending: Events that may wait to be written.
        log: Told of drops and of a file that cannot be written.
    """

    Settings = JsonlObserverSettings

    def __init__(self, path: Path, *, wants_content: bool, max_pending: int, log: logging.Logger) -> None:
        self.wants_content = wants_content
        self.dropped = 0
        self._path = path
        self._log = log
        self._queue: queue.Queue[Event | None] = queue.Queue(max_pending)
        self._reported = 0
        self._warned = False
        self._last: Event | None = None
        self._closed = False
        self._finished: Callable[[], object] | None = None
        self._thread = threading.Thread(target=self._write_all, name="qx-jsonl", daemon=True)
        self._thread.start()

    @classmethod
    async def create(cls, settings: JsonlObserverSettings, services: Services, /) -> JsonlObserver:
        """Start the writer.

        Raises:
            NotAllowed: ``path`` is not allowed.
        """
        path = place(settings.path, services, default="events.jsonl")
        return cls(path, wants_content=settings.wants_content, max_pending=settings.max_pending, log=services.log)

    def on_event(self, event: Event, /) -> None:
        if self._closed:
            return
        try:
            self._queue.put_nowait(event)
        except queue.Full:
            self.dropped += 1

    async def aclose(self) -> None:
        """Write what waits, then end the thread."""
        if self._closed:
            return
        self._closed = True
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._finished = lambda: loop.call_soon_threadsafe(_settle, written)
        with suppress(queue.Full):  # then the writer is at work, and sees that it is the end when the queue is empty
            self._queue.put_nowait(None)
        await written
        self._thread.join()

    def _write_all(self) -> None:
        """The thread: take what there is, write it in one go, until the end."""
        while not (self._finished and self._queue.empty()):
            batch = [self._queue.get()]
            while len(batch) < _BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            events = [event for event in batch if event is not None]
            self._write([*map(_line, events), *self._drops(events)])
        self._finished()

    def _drops(self, events: list[Event]) -> list[str]:
        """A line that says how many events are missing here."""
        if events:
            self._last = events[-1]
        lost = self.dropped - self._reported
        if not lost or self._last is None:
            return []
        self._reported += lost
        self._log.warning("%s: %d events dropped: they come faster than the disk takes them", self._path, lost)
        note = Event(
            name="observer.dropped", tenant=self._last.tenant, trace="", at=self._last.at, attributes={"count": lost}
        )
        return [_line(note)]

    def _write(self, lines: list[str]) -> None:
        if not lines:
            return
        try:
            # opened anew for each batch, so that a rotated file is followed
            append(self._path, "".join(lines).encode("utf-8", "replace"))
            self._warned = False
        except OSError as error:
            self.dropped += len(lines)
            if not self._warned:  # once, not for every event
                self._log.warning("%s: events cannot be written: %s", self._path, error)
            self._warned = True


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():  # whoever closed may have given up
        future.set_result(None)


def _line(event: Event) -> str:
    try:
        return to_json(event) + "\n"
    except TypeError:  # an attribute without a JSON form: its text will do
        plain = {name: _readable(item) for name, item in event.attributes.items()}
        content = {name: _readable(item) for name, item in event.content.items()}
        return to_json({**to_plain(_bare(event)), "attributes": plain, "content": content}) + "\n"


def _bare(event: Event) -> Event:
    return Event(name=event.name, tenant=event.tenant, trace=event.trace, at=event.at)


def _readable(item: object) -> object:
    try:
        return to_plain(item)
    except TypeError:
        return repr(item)
