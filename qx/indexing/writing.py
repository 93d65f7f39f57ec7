"""Writing documents in batches: embedded where the backend keeps vectors, resumable, synchronised."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qx.backend import Document, SupportsIndexing, SupportsVectors
from qx.embedder import EmbedRequest
from qx.errors import UsageError
from qx.indexing.reading import Bad, Read, Record, files_of, read
from qx.request import RequestContext

BATCH = 500
EMBED_BATCH = 64


@dataclass(slots=True)
class Summary:
    """What a run did: documents findable now, records skipped, documents removed, and how many were there before."""

    indexed: int = 0
    skipped: list[Bad] = field(default_factory=lambda: list[Bad]())
    deleted: int = 0
    resumed: int = 0


Progress = Callable[[Summary, Path], None]


class Journal:
    """How far each file of a run has come, so that a run that was cut off goes on there.

    An entry counts only while the file is as it was (size and time of change).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[str, int] = {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            self._done = {str(k): int(v) for k, v in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            self._done = {}

    @staticmethod
    def key(path: Path) -> str:
        """What tells one state of a file from another."""
        about = path.stat()
        return hashlib.sha256(f"{path.resolve()}:{about.st_size}:{about.st_mtime_ns}".encode()).hexdigest()[:32]

    def done(self, path: Path) -> int:
        """The number of the last record of ``path`` that is indexed."""
        return self._done.get(self.key(path), 0)

    def note(self, path: Path, number: int) -> None:
        """Remember it, whatever happens next."""
        self._done[self.key(path)] = number
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(self._done), encoding="utf-8")
        part.replace(self._path)

    def clear(self) -> None:
        """The run came to its end: the next one begins anew."""
        self._path.unlink(missing_ok=True)


class Indexer:
    """Writes documents into one backend.

    Args:
        backend: Must support indexing.
        context: Of the engine, for embedding.
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

        Args:
            adopt: Write also to an index that qx did not make.
            sync: Remove what is indexed but not in ``paths``.
            strict: Raise at the first record that cannot be read.

        Raises:
            UsageError: strict, and a record is bad; or ``sync``, and one could not be read: nothing is removed then,
                since the document may be the one that is there.
            NotAllowed: the index is not ours.
            ProviderError: the engine failed.
        """
        files = files_of(paths)
        summary = Summary()
        await self._prepare(adopt=adopt)
        seen: set[str] = set()
        unread: list[Bad] = []
        for path in files:
            done = self._journal.done(path)
            for batch in _batches(read(path)):
                good = self._sorted_out(batch, summary, strict=strict)
                seen.update(record.document.id for record in good)
                unread += [record for record in batch if isinstance(record, Bad)]
                last = max((record.number for record in good), default=0)
                todo = [record for record in good if record.number > done]
                summary.resumed += len(good) - len(todo)
                if todo:
                    await self._write(todo, summary)
                    await asyncio.to_thread(self._journal.note, path, last)
                progress(summary, path)
        if sync and unread:
            raise UsageError(f"nothing was removed, since {len(unread)} records could not be read, such as {unread[0]}")
        if sync:
            gone = [id for id in await self._backend.ids() if id not in seen]
            summary.deleted += await self._backend.delete(gone) if gone else 0
        self._journal.clear()
        return summary

    async def delete(self, ids: Sequence[str]) -> int:
        """Remove documents by id."""
        return await self._backend.delete(ids)

    async def _prepare(self, *, adopt: bool) -> None:
        fingerprint, dimensions = None, 0
        if self._vectors:
            fingerprint, dimensions = await self._context.embedding_shape()
        await self._backend.prepare(fingerprint=fingerprint, dimensions=dimensions, adopt=adopt)

    def _sorted_out(self, batch: Sequence[Record], summary: Summary, *, strict: bool) -> list[Read]:
        good: list[Read] = []
        for record in batch:
            if isinstance(record, Read):
                good.append(record)
            elif strict:
                raise UsageError(str(record))
            else:
                summary.skipped.append(record)
        return good

    async def _write(self, records: Sequence[Read], summary: Summary) -> None:
        documents = [record.document for record in {r.document.id: r for r in records}.values()]
        if self._vectors:
            documents = await self._embedded(documents)
        report = await self._backend.upsert(documents)
        summary.indexed += report.indexed
        places = {record.document.id: record.place for record in records}
        summary.skipped += [Bad(place=places.get(id, id), reason=reason) for id, reason in report.failed]

    async def _embedded(self, documents: Sequence[Document]) -> list[Document]:
        made: list[Document] = []
        for start in range(0, len(documents), EMBED_BATCH):
            part = documents[start : start + EMBED_BATCH]
            texts = tuple(f"{document.title}\n{document.text}".strip() for document in part)
            vectors = (await self._context.embed(EmbedRequest(texts=texts, kind="document", timeout=120))).vectors
            made += [replace(document, vector=vector) for document, vector in zip(part, vectors, strict=True)]
        return made


def _batches(records: Iterator[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
