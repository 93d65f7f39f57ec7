"""Writing to documents that are held in memory (implements ``SupportsIndexing`` beside ``InMemoryBackend``)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from qx.backend import BackendSettings, Document, IndexReport
from qx.in_memory.backend import InMemoryBackend
from qx.in_memory.entry import Entry, refusal


class Written(InMemoryBackend):
    """An ``InMemoryBackend`` that can be written.  ``keep`` is where a subclass makes what is held outlive the process."""

    def __init__(self, settings: BackendSettings, documents: Iterable[Document] = (), *, endpoint: str) -> None:
        super().__init__(settings, documents, endpoint=endpoint)
        self._writing = threading.Lock()

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        """Nothing to make: there is room for documents, and none for vectors.

        Raises:
            NotAllowed: where a subclass keeps files, and there is one that qx did not make.
        """
        await asyncio.to_thread(self.make, adopt)

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        """Hold documents, each instead of the one with its id before; what cannot be kept is named."""
        return await asyncio.to_thread(self._upsert, documents)

    async def delete(self, ids: Sequence[str], /) -> int:
        """Let go of documents and return how many there were."""
        return await asyncio.to_thread(self._delete, ids)

    async def ids(self) -> Sequence[str]:
        """Return the ids of all documents."""
        return [entry.document.id for entry in await self._entries()]

    def alone(self) -> AbstractContextManager[object]:
        """Return what is held while it is read, changed and kept, so that no other writer comes between; in a thread."""
        return self._writing

    def make(self, adopt: bool) -> None:
        """Make the place where documents are kept, if there is none; called in a thread."""

    def keep(self, held: Mapping[str, Entry]) -> None:
        """Keep what is held from now on; called in a thread, before it can be found."""

    def check(self) -> None:
        """Raise ``NotAllowed`` where what is there was not made by qx; called in a thread, before each change."""

    def _upsert(self, documents: Sequence[Document]) -> IndexReport:
        failed = {d.id: reason for d in documents if (reason := refusal(d)) is not None}
        fresh = {d.id: self.entry(d) for d in documents if d.id not in failed}
        with self.alone():
            self.check()
            if fresh:
                self._keep_and_hold({**self._kept(), **fresh})
        return IndexReport(indexed=len(fresh), failed=tuple(failed.items()))

    def _delete(self, ids: Sequence[str]) -> int:
        with self.alone():
            self.check()
            held, gone = self._kept(), set(ids)
            left = {id: entry for id, entry in held.items() if id not in gone}
            if len(left) < len(held):
                self._keep_and_hold(left)
        return len(held) - len(left)

    def _kept(self) -> Mapping[str, Entry]:
        self._now()  # raises where it is closed
        return self.current()

    def _keep_and_hold(self, held: Mapping[str, Entry]) -> None:
        self.keep(held)
        self.replace(held)
