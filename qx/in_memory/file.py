"""A search backend over one file, in a format that a subclass reads and writes."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Self
from uuid import uuid4

from qx.backend import BackendSettings, Document
from qx.errors import BadResponse, NotAllowed, QxError, Unavailable
from qx.hookspecs import Services
from qx.in_memory.backend import InMemoryBackend
from qx.in_memory.entry import Entry
from qx.in_memory.writing import Written
from qx.paths import allowed_folders, confine

try:
    import fcntl
except ImportError:  # Windows: processes that write one file at once are not kept apart
    fcntl = None

PATIENCE = 30.0
"""Seconds that a writer waits for another one of the same file."""
_TICK = 20_000_000
"""Nanoseconds within which a file system may give two states of a file one time."""

_Stamp = tuple[int, int, int, int] | None


class FileSettings(BackendSettings):
    """What a backend over a file is told."""

    path: Path
    """The file, relative to the profile's folder."""


class FileBackend(InMemoryBackend):
    """Searches the documents of one file; a subclass says in ``read`` what they are.

    The file is read when the engine opens, and again by the first search after it has changed.
    """

    Settings: ClassVar[type[FileSettings]] = FileSettings

    def __init__(self, settings: FileSettings, path: Path) -> None:
        super().__init__(settings, endpoint=str(path))
        self.path = path
        self._stamp: _Stamp = None
        self._sure = False  # whether another state of the file would have another stamp
        self._failure: QxError | None = None
        self._reading = threading.Lock()

    @classmethod
    async def create(cls, settings: FileSettings, services: Services, /) -> Self:
        """Make the backend and read its file.  One that is missing or wrong is told by the first search.

        Raises:
            NotAllowed: the path leads out of the profile's folder.
        """
        made = cls(settings, confine(settings.path, services.folder, allowed=allowed_folders()))
        await services.run_cpu(made.refresh)
        return made

    def read(self, path: Path) -> Iterable[Document]:
        """Return the documents of a file: yours to write.

        What it raises (``OSError``, ``ValueError``, ``KeyError`` ...) is told with the file's name.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how to `read`")

    def refresh(self) -> None:
        """Read the file if it is not as it was; called in a thread.  What is wrong with it is kept for ``current``."""
        with self._reading:
            stamp = self._stamped()
            if stamp is not None and stamp == self._stamp and self._sure:
                return
            self._sure = _settled(stamp)
            try:
                self.hold(self.read(self.path))
            except FileNotFoundError:
                self._failure = Unavailable(f"backend {self.name}: there is no file {self.endpoint}")
            except Exception as error:  # noqa: BLE001 - a format's own reader may raise anything
                said = f"{type(error).__name__}: {error}"
                self._failure = BadResponse(f"backend {self.name}: {self.endpoint} cannot be read: {said}")
                self._failure.__cause__ = error
            else:
                self._failure = None
            self._stamp = stamp

    def current(self) -> Mapping[str, Entry]:
        """Return what the file holds now.

        Raises:
            Unavailable: there is no file.
            BadResponse: it cannot be read.
        """
        self.refresh()
        if self._failure is not None:
            raise type(self._failure)(str(self._failure)) from self._failure.__cause__
        return self._held

    def _stamped(self) -> _Stamp:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _settled(stamp: _Stamp) -> bool:
    return stamp is None or not 0 <= time.time_ns() - stamp[1] < _TICK


class WritableFileBackend(FileBackend, Written):
    """A ``FileBackend`` that ``qx index`` can write; a subclass says in ``write`` how.

    A file beside it, ``NAME.qx.json``, tells that qx made it: one without is left alone unless it is adopted.
    """

    def write(self, path: Path, documents: Collection[Document]) -> None:
        """Write documents into a new file at ``path``, so that ``read`` gives them back: yours to write."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to `write`")

    @property
    def _mark(self) -> Path:
        return self.path.with_name(f"{self.path.name}.qx.json")

    def make(self, adopt: bool) -> None:
        """Make an empty file if there is none.

        Raises:
            NotAllowed: there is one that qx did not make, and ``adopt`` is False.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.alone():
            self._make(adopt)

    def _make(self, adopt: bool) -> None:
        if not adopt:
            self.check()
        if not self.path.exists():
            self.keep({})
        self._mark.write_text(json.dumps({"made by": "qx", "for": type(self).__qualname__}) + "\n", encoding="utf-8")

    @contextmanager
    def alone(self) -> Generator[None]:
        """Hold ``NAME.lock`` beside the file: other processes and other engines of this one wait.

        Raises:
            Unavailable: another writer does not end, or the lock cannot be made.
        """
        until = time.monotonic() + PATIENCE
        with self._writing:
            try:
                descriptor = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                raise self._unwritable(error.strerror) from error
            try:
                while not _locked(descriptor):
                    if time.monotonic() > until:
                        raise self._unwritable(f"another writer has held it for {PATIENCE:g} s")
                    time.sleep(0.005)
                yield
            finally:
                os.close(descriptor)  # unlocks too

    def _unwritable(self, reason: str | None) -> Unavailable:
        return Unavailable(f"backend {self.name}: {self.endpoint} cannot be written: {reason}")

    def check(self) -> None:
        """Raise ``NotAllowed`` where there is a file that qx did not make."""
        if self.path.exists() and not self._mark.exists():
            raise NotAllowed(
                f"backend {self.name}: qx did not make {self.endpoint}: adopt it (qx index --adopt), or name another file"
            )

    def keep(self, held: Mapping[str, Entry]) -> None:
        """Write all that is held: readers see the old file or the new one, never half of it."""
        fresh = self.path.with_name(f"{self.path.name}.{uuid4().hex}.part")
        try:
            self.write(fresh, [entry.document for entry in held.values()])
            fresh.replace(self.path)
        except OSError as error:
            raise self._unwritable(error.strerror) from error
        finally:
            fresh.unlink(missing_ok=True)
        self._stamp, self._failure = self._stamped(), None
        self._sure = _settled(self._stamp)


def _locked(descriptor: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
