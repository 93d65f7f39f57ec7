"""Writing: points in batches, each bad one named, and nothing lost when a collection is rebuilt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from qdrant_client import models

from qx.backend import Document, IndexReport
from qx.errors import BadRequest, ProfileError
from qx.filters.fieldmap import FieldMap, StoredField
from qx_qdrant.analysis import VERSION, Analysis
from qx_qdrant.collection import SECONDS, Collection, Mark, State, refuse
from qx_qdrant.connection import Connection
from qx_qdrant.filters import common, kind
from qx_qdrant.points import ID, OWN, Points, Unfit, document_id, document_of, point_id, values_at

BATCH = 256
AVERAGE = 64.0
"""Length of a document, in weighted words, as long as too few are known to take their average."""
ENOUGH = 32
DRIFT = 1.2
"""How far the average may move before the stored vectors are made anew."""
FIELDS = 32
"""Payload fields that are indexed without being declared, at most."""


Made = list[tuple[str, models.PointStruct]]
Failure = tuple[str, str]


class Indexing:
    """The writing side of one collection.

    Args:
        declared: Whether the profile has a field map: else the fields of ``metadata`` are indexed as they come.
        run_cpu: Runs what takes time beside the event loop.
    """

    def __init__(
        self,
        connection: Connection,
        collection: Collection,
        fields: FieldMap,
        analysis: Analysis,
        *,
        dense: str,
        sparse: str,
        declared: bool,
        run_cpu: Callable[[Callable[[], Any]], Awaitable[Any]],
    ) -> None:
        self._connection = connection
        self._collection = collection
        self._fields = fields
        self._declared = declared
        self._run_cpu = run_cpu
        self._points = Points(fields, analysis, dense=dense, sparse=sparse)

    async def prepare(self, state: State | None, *, fingerprint: str | None, dimensions: int, adopt: bool) -> State:
        """Return the collection, ready to be written.

        Raises:
            NotAllowed: there is one that qx did not make.
            ProfileError: it must be rebuilt, but stands under its own name.
        """
        worded = self._points.worded
        wanted = Mark(fingerprint=fingerprint if dimensions else None, dimensions=dimensions, worded=worded)
        if state is None:
            return await self._collection.switch(await self._collection.begin(wanted, self._fields))
        if state.mark is None:
            if not adopt:
                raise refuse(self._connection.name, self._connection.endpoint, self._collection.name)
            return await self._collection.adopt(state, wanted, self._fields)
        same_vectors = not dimensions or (state.dense, state.mark.fingerprint) == (dimensions, wanted.fingerprint)
        if same_vectors and state.mark.analysis == VERSION:
            await self._collection.index(state.physical, self._fields)
            return await self._reworded(await self._collection.keep(state))
        return await self._rebuilt(state, wanted)

    async def upsert(self, state: State, documents: Sequence[Document]) -> tuple[State, IndexReport]:
        """Write documents; the last one of an id wins.

        Raises:
            NotAllowed: the collection is not qx's.
        """
        mark = self._writable(state)
        latest = {document.id: document for document in documents}
        lengths = await self._run_cpu(lambda: sum(map(self._points.length, latest.values())))
        mark = replace(mark, seen=mark.seen + len(latest), words=mark.words + lengths)
        mark = await self._averaged(state, mark)
        types = await self._index_types(state, latest.values())
        state = replace(state, mark=mark, types=types)
        failed: list[tuple[str, str]] = []
        ordered = list(latest.values())
        for at in range(0, len(ordered), BATCH):
            batch = ordered[at : at + BATCH]
            points, unfit = await self._run_cpu(partial(self._made, batch, state.dense, mark.average or AVERAGE))
            failed += unfit
            if points:
                failed += await self._write(state, points)
        return state, IndexReport(indexed=len(latest) - len(failed), failed=tuple(failed))

    async def _averaged(self, state: State, mark: Mark) -> Mark:
        """Return the mark with the average that new vectors are to be made with, the old ones made anew where it moved.

        A collection that grows from short documents to long ones would else rank by a length that nothing has any more.
        """
        average = max(mark.words / mark.seen, 1.0)
        if mark.seen < ENOUGH or (mark.average is not None and 1 / DRIFT < average / mark.average < DRIFT):
            return mark
        mark = replace(mark, average=average)
        batch: list[models.PointVectors] = []
        async for point in self._all(state, True):
            if OWN in (point.payload or {}):
                words = await self._run_cpu(partial(self._points.words, document_of(point.payload), average))
                batch.append(models.PointVectors(id=point.id, vector=words))
            if len(batch) == BATCH:
                await self._call("update_vectors", collection_name=state.physical, points=batch, wait=True)
                batch = []
        if batch:
            await self._call("update_vectors", collection_name=state.physical, points=batch, wait=True)
        await self._collection.remember(state.physical, mark)
        return mark

    async def _reworded(self, state: State) -> State:
        """Make what the words of each document are searched by anew where a keyword field was declared since.

        The mark is written last: a run that is cut off leaves the rest to the next one.
        """
        known, worded = (state.mark.worded if state.mark is not None else None), self._points.worded
        if state.mark is None or set(worded) <= set(known or ()):
            return state
        batch: list[Document] = []
        async for point in self._all(state, True):
            if OWN in (point.payload or {}):
                batch.append(document_of(point.payload))
            if len(batch) == BATCH:
                await self._write_words(state, state.mark, batch)
                batch = []
        if batch:
            await self._write_words(state, state.mark, batch)
        mark = replace(state.mark, worded=tuple(dict.fromkeys((*(known or ()), *worded))))
        await self._collection.remember(state.physical, mark)
        return replace(state, mark=mark)

    async def _write_words(self, state: State, mark: Mark, documents: Sequence[Document]) -> None:
        def made() -> list[Any]:
            vectors: list[models.PointVectors] = []
            payloads: list[Any] = []
            for document in documents:
                id = point_id(document.id)
                vectors.append(models.PointVectors(id=id, vector=self._points.words(document, mark.average or AVERAGE)))
                payload = models.SetPayload(payload={OWN: self._points.own(document)}, points=[id])
                payloads.append(models.SetPayloadOperation(set_payload=payload))
            return [models.UpdateVectorsOperation(update_vectors=models.UpdateVectors(points=vectors)), *payloads]

        changes = await self._run_cpu(made)
        await self._call("batch_update_points", collection_name=state.physical, update_operations=changes, wait=True)

    def _made(self, documents: Sequence[Document], dimensions: int, average: float) -> tuple[Made, list[Failure]]:
        """Return the points of documents, and those that have none with the reason."""
        made: Made = []
        failed: list[Failure] = []
        for document in documents:
            try:
                made.append((document.id, self._points.make(document, dimensions=dimensions, average=average)))
            except Unfit as error:
                failed.append((document.id, str(error)))
        return made, failed

    async def delete(self, state: State, ids: Sequence[str]) -> int:
        """Remove points and return how many there were."""
        self._writable(state)
        removed = 0
        wanted = list(dict.fromkeys(map(point_id, ids)))
        for at in range(0, len(wanted), BATCH):
            some = wanted[at : at + BATCH]
            there = await self._call("retrieve", collection_name=state.physical, ids=some, with_payload=False)
            if not there:
                continue
            selector = models.PointIdsList(points=[point.id for point in there])
            await self._call("delete", collection_name=state.physical, points_selector=selector, wait=True)
            removed += len(there)
        return removed

    async def ids(self, state: State) -> list[str]:
        """Return all documents' ids."""
        return [document_id(point) async for point in self._all(state, [ID])]

    async def _all(self, state: State, payload: Any) -> Any:
        offset = None
        while True:
            points, offset = await self._call(
                "scroll", collection_name=state.physical, limit=1000, offset=offset, with_payload=payload
            )
            for point in points:
                yield point
            if offset is None:
                return

    async def _write(self, state: State, points: Made) -> list[Failure]:
        """Write points; Qdrant refuses all for one bad one, so halve until it is found."""
        try:
            await self._call("upsert", collection_name=state.physical, points=[point for _, point in points], wait=True)
        except BadRequest as error:
            if len(points) == 1:
                return [(points[0][0], str(error))]
            half = len(points) // 2
            return [*await self._write(state, points[:half]), *await self._write(state, points[half:])]
        return []

    async def _index_types(self, state: State, documents: Any) -> Mapping[str, str]:
        """Index the payload fields whose type shows in the data, and return all types that are known."""
        known = dict(state.types)
        wanted = [field.name for field in self._fields.values() if field.type is None]
        read: dict[str, set[str | None]] = {}
        for document in documents:
            payload = {"metadata": document.metadata}
            names = wanted if self._declared else [f"metadata.{key}" for key in document.metadata if "." not in key]
            for name in names:
                if name not in known:
                    read.setdefault(name, set()).update(map(kind, values_at(payload, name)))
        new: dict[str, StoredField] = {}
        for name, kinds in read.items():
            one = common(kinds)  # other mixtures are left to a full scan
            if one is not None and '"' not in name and len(known) < FIELDS + len(self._fields):
                new[name] = StoredField.model_validate({"name": name, "type": one})
                known[name] = one
        await self._collection.index(state.physical, new)
        return known

    async def _rebuilt(self, old: State, mark: Mark) -> State:
        """Fill a second collection from the payloads of the first and let the alias switch."""
        if not old.aliased:
            raise ProfileError(
                f"backend '{self._connection.name}': collection '{self._collection.name}' was adopted with other vectors"
                " or an older analysis and cannot be rebuilt under its own name",
                hint="choose another `collection:` and index again",
            )
        new = await self._collection.begin(mark, self._fields)
        batch: list[Document] = []
        async for point in self._all(old, True):
            if OWN in (point.payload or {}):
                batch.append(document_of(point.payload))
            if len(batch) == BATCH:
                new, _ = await self.upsert(new, batch)
                batch = []
        if batch:
            new, _ = await self.upsert(new, batch)
        return await self._collection.switch(new, old=old)

    def _writable(self, state: State) -> Mark:
        if state.mark is None:
            raise refuse(self._connection.name, self._connection.endpoint, self._collection.name)
        return state.mark

    async def _call(self, method: str, **arguments: Any) -> Any:
        return await self._connection.call(method, seconds=SECONDS, **arguments)
