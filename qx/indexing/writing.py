"""Writing documents in batches: embedded where the backend keeps vectors, resumable, synchronised."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from qx.backend import Document, IndexReport, SupportsIndexing, SupportsVectors
from qx.calls.retrying import Retry
from qx.embedder import EmbedRequest
from qx.errors import BadRequest, QxError, UsageError
from qx.indexing.journal import Journal
from qx.indexing.reading import Bad, Read, Record, files_of, read
from qx.request import RequestContext

T = TypeVar("T")

BATCH = 500
EMBED_BATCH = 64
RETRIES = 5
"""Further attempts at a call that failed for a reason that may pass: some 10 seconds in all."""


@dataclass(slots=True)
class Summary:
    """What a run did: documents findable now, records skipped, documents removed, and how many were there before."""

    indexed: int = 0
    skipped: list[Bad] = field(default_factory=lambda: list[Bad]())
    deleted: int = 0
    resumed: int = 0


Progress = Callable[[Summary, Path], None]


class Indexer:
    """Writes documents into one backend.

    Args:
        backend: Must support indexing.
        context: Of the engine, for embedding and for its clock.
        journal: Where the progress is kept.
    """

    def __init__(self, backend: object, context: RequestContext, journal: Journal) -> None:
        if not isinstance(backend, SupportsIndexing):
            raise UsageError(
                "this backend cannot be written to: fill it with its engine's own tools, or name another one"
            )
        self._backend = backend
        self._context = context
        self._journal = journal
        self._vectors = context.has_embedder and isinstance(backend, SupportsVectors)

    async def run(
        self, paths: tuple[Path, ...], *, adopt: bool, sync: bool, strict: bool, progress: Progress
    ) -> Summary:
        """Index every document of ``paths``; when it returns all of them can be found.

        Where the last run was cut off and read the same files, it goes on there, past what is still indexed.

        Args:
            adopt: Write also to an index that qx did not make.
            sync: Remove what is indexed but not in ``paths``.
            strict: Raise at the first record that cannot be read.

        Raises:
            UsageError: strict, and a record is bad; or ``sync``, and one could not be read: nothing is removed then,
                since the document may be the one that is there.
            NotAllowed: the index is not ours.
            ProviderError: the engine failed, also when it was asked again.
        """
        files = files_of(paths)
        summary = Summary()
        vectors = await self._prepare(adopt=adopt)
        come = {path: self._journal.done(path, vectors) for path in files}
        present = frozenset(await self._again(self._backend.ids)) if any(come.values()) else frozenset[str]()
        seen: set[str] = set()
        fresh: set[str] = set()  # written by this run: a later file's record of that id has to come after it
        unread: list[Bad] = []
        for path in files:
            done = come[path]
            for batch in _batches(read(path)):
                good = _sorted_out(batch, summary, strict=strict)
                seen.update(record.document.id for record in good)
                unread += [record for record in batch if isinstance(record, Bad)]
                todo = [r for r in good if r.number > done or r.document.id not in present or r.document.id in fresh]
                summary.resumed += len(good) - len(todo)
                if todo:
                    await asyncio.to_thread(self._journal.begin)
                    await self._write(todo, summary)
                    fresh.update(record.document.id for record in todo)
                    await asyncio.to_thread(self._journal.note, path, max(done, good[-1].number), vectors)
                progress(summary, path)
        if sync and unread:
            raise UsageError(f"nothing was removed, since {len(unread)} records could not be read, such as {unread[0]}")
        if sync:
            gone = [id for id in await self._again(self._backend.ids) if id not in seen]
            summary.deleted += await self.delete(gone) if gone else 0
        self._journal.clear()
        return summary

    async def plan(self, paths: tuple[Path, ...], *, sync: bool, strict: bool) -> Summary:
        """Read every document of ``paths`` and return what ``run`` would do; nothing is written.

        Raises:
            UsageError: as ``run`` would.
        """
        summary = Summary()
        seen: set[str] = set()
        for path in files_of(paths):
            for batch in _batches(read(path)):
                seen.update(record.document.id for record in _sorted_out(batch, summary, strict=strict))
        summary.indexed = len(seen)
        if sync and summary.skipped:
            raise UsageError(
                f"nothing would be removed, since {len(summary.skipped)} records could not be read, such as "
                f"{summary.skipped[0]}"
            )
        if sync:
            summary.deleted = len([id for id in await self._there() if id not in seen])
        return summary

    async def delete(self, ids: Sequence[str]) -> int:
        """Remove documents by id, and return how many there were."""
        return await self._again(lambda: self._backend.delete(ids))

    async def plan_delete(self, ids: Sequence[str]) -> int:
        """Return how many documents ``delete`` would remove."""
        return len(set(ids) & set(await self._there()))

    async def _there(self) -> Sequence[str]:
        """The ids that are indexed; none where there is no index yet."""
        try:
            return await self._again(self._backend.ids)
        except BadRequest:
            return ()

    async def _prepare(self, *, adopt: bool) -> str:
        """Make the index ready and return the fingerprint of the vectors that go into it; empty where none do."""
        fingerprint, dimensions = None, 0
        if self._vectors:
            fingerprint, dimensions = await self._context.embedding_shape()
        await self._again(lambda: self._backend.prepare(fingerprint=fingerprint, dimensions=dimensions, adopt=adopt))
        return fingerprint or ""

    async def _write(self, records: Sequence[Read], summary: Summary) -> None:
        documents = [record.document for record in {r.document.id: r for r in records}.values()]
        if self._vectors:
            documents = await self._embedded(documents)
        report = await self._upserted(documents)
        summary.indexed += report.indexed
        places = {record.document.id: record.place for record in records}
        summary.skipped += [Bad(place=places.get(id, id), reason=reason) for id, reason in report.failed]

    async def _upserted(self, documents: Sequence[Document]) -> IndexReport:
        """Write, and write again what the engine was too busy for."""
        report = await self._again(lambda: self._backend.upsert(documents))
        for attempt in range(RETRIES):
            if not report.again:
                break
            await self._context.clock.sleep(0.25 * 2**attempt)
            more = [document for document in documents if document.id in report.again]
            then = await self._again(lambda more=more: self._backend.upsert(more))
            lasting = tuple(pair for pair in report.failed if pair[0] not in report.again)
            report = IndexReport(
                indexed=report.indexed + then.indexed, failed=(*lasting, *then.failed), again=then.again
            )
        return report

    async def _again(self, call: Callable[[], Awaitable[T]]) -> T:
        """Run ``call``, and again while its error may pass: writing the same documents twice changes nothing."""
        retry = Retry(self._context.clock, RETRIES, remaining=lambda: None, on_wait=self._waiting)
        return await retry.run(lambda number: call())

    def _waiting(self, seconds: float, error: QxError) -> None:
        self._context.emit("index.retry", content={"reason": str(error)}, seconds=seconds)

    async def _embedded(self, documents: Sequence[Document]) -> list[Document]:
        made: list[Document] = []
        for start in range(0, len(documents), EMBED_BATCH):
            part = documents[start : start + EMBED_BATCH]
            texts = tuple(f"{document.title}\n{document.text}".strip() for document in part)
            vectors = (await self._context.embed(EmbedRequest(texts=texts, kind="document", timeout=120))).vectors
            made += [replace(document, vector=vector) for document, vector in zip(part, vectors, strict=True)]
        return made


def _sorted_out(batch: Sequence[Record], summary: Summary, *, strict: bool) -> list[Read]:
    """The documents of a batch; what cannot be read goes into the summary.

    Raises:
        UsageError: ``strict``, and there is such a record.
    """
    good: list[Read] = []
    for record in batch:
        if isinstance(record, Read):
            good.append(record)
        elif strict:
            raise UsageError(str(record))
        else:
            summary.skipped.append(record)
    return good


def _batches(records: Iterator[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
