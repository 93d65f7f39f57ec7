"""Writing: the index and its settings, documents in batches, and what a task has to say about each document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qx.backend import Document, IndexReport
from qx.clock import Clock
from qx.errors import NotAllowed, ProviderTimeout
from qx.filters.fieldmap import FieldMap
from qx.filters.worded import worded
from qx_meilisearch.connection import Connection
from qx_meilisearch.documents import Layout, unsendable
from qx_meilisearch.settings import Settings
from qx_meilisearch.state import ADOPTED, FINGERPRINT, MADE, State

CALL = 60.0
"""Seconds for one request that writes."""
MAX_TOTAL_HITS = 100_000
MAX_VALUES = 1000
_BYTES = 16 * 1024 * 1024


class Writer:
    """Writes to one index."""

    def __init__(self, settings: Settings, connection: Connection, clock: Clock) -> None:
        self._settings = settings
        self._connection = connection
        self._clock = clock

    async def prepare(
        self, state: State, fields: FieldMap, *, fingerprint: str | None, dimensions: int, adopt: bool
    ) -> None:
        """Make the index, or bring its settings up to date.

        Settings sent to an index that is not there make it, so that it is never without the mark that qx made it.

        Raises:
            NotAllowed: qx did not make it, or it holds vectors of another embedder.
        """
        if state.made == "foreign" and not adopt:
            raise not_ours(self._connection.endpoint)
        if state.fingerprint not in (None, fingerprint) and state.documents:
            raise NotAllowed(
                f"the index at {self._connection.endpoint} holds vectors of the embedder '{state.fingerprint}', "
                f"which are not to be mixed with those of '{fingerprint}': make another index"
            )
        wanted = self._wanted(state, fields, fingerprint if dimensions else None, dimensions)
        if wanted:
            await self._update(wanted)
        if state.made == "missing":
            settings = await self._connection.call(self._connection.index.get_settings, CALL)
            rules = [rule for rule in settings.ranking_rules or () if rule != "sort"]
            await self._update({"ranking_rules": ["sort", *rules]})

    async def upsert(self, documents: Sequence[Document], layout: Layout, state: State) -> IndexReport:
        """Write documents and wait until they are findable.

        Raises:
            ProviderError: Meilisearch cannot be written to.
        """
        embedder = self._settings.embedder if self._settings.embedder in state.dimensions else None
        dimensions = state.dimensions.get(self._settings.embedder, 0)
        good: dict[str, tuple[Document, dict[str, Any]]] = {}
        failed: list[tuple[str, str]] = []
        for document in documents:  # of one id the last counts
            try:
                stored = layout.stored(document, embedder)
            except (TypeError, ValueError, RecursionError) as error:
                failed.append((document.id, f"it cannot be stored: {error}"))
                continue
            reason = unsendable(stored, dimensions if embedder else 0, document.vector)
            if reason:
                failed.append((document.id, reason))
            else:
                good[stored[layout.key]] = (document, stored)
        pairs = list(good.values())
        enqueued = [(batch, await self._send([s for _, s in batch], layout)) for batch in self._batches(pairs)]
        for batch, uid in enqueued:
            failed += await self._settled(batch, uid, layout)
        return IndexReport(
            indexed=len(pairs) - sum(1 for id, _ in failed if stored_in(id, pairs)), failed=tuple(failed)
        )

    async def delete(self, keys: Sequence[str]) -> int:
        """Remove documents by the ids that Meilisearch knows them by."""
        gone = 0
        for start in range(0, len(keys), self._settings.batch):
            part = list(keys[start : start + self._settings.batch])
            task = await self._wait(await self._enqueued(lambda ids=part: self._connection.index.delete_documents(ids)))
            self._check(task)
            gone += int((task.details or {}).get("deletedDocuments") or 0)
        return gone

    def _wanted(self, state: State, fields: FieldMap, fingerprint: str | None, dimensions: int) -> dict[str, Any]:
        """The settings that are not yet as they should be."""
        own = state.made in ("own", "missing")
        layout = state.layout(fields) if state.made != "missing" else Layout.of(fields, key="id", own=True)
        mark = [FINGERPRINT + fingerprint.encode().hex()] if fingerprint else []
        kept = [name for name in state.filterable if not name.startswith(FINGERPRINT)] if not own else []
        named = [] if own else [f.name for f in fields.values() if f.type != "text" and f.name != layout.text]
        filterable = ["qx", MADE, *mark] if own else [*kept, *named, "qx", ADOPTED, *mark]
        wanted: dict[str, Any] = {}
        if set(filterable) != set(state.filterable):
            wanted["filterable_attributes"] = list(dict.fromkeys(filterable))
        if own:
            searchable = searched(fields, layout)
            if tuple(searchable) != state.searchable:
                wanted["searchable_attributes"] = searchable
            if state.made == "missing":
                wanted |= {
                    "sortable_attributes": ["qx"],
                    "pagination": {"max_total_hits": MAX_TOTAL_HITS},
                    "faceting": {"max_values_per_facet": MAX_VALUES, "sort_facet_values_by": {"*": "count"}},
                }
        if self._settings.locales and own and state.made == "missing":
            wanted["localized_attributes"] = [{"attribute_patterns": ["*"], "locales": list(self._settings.locales)}]
        if dimensions and state.dimensions.get(self._settings.embedder) != dimensions:
            made = {"source": "userProvided", "dimensions": dimensions}
            wanted["embedders"] = {self._settings.embedder: made}
        return wanted

    async def _update(self, wanted: dict[str, Any]) -> None:
        from meilisearch_python_sdk.models.settings import MeilisearchSettings

        index, body = self._connection.index, MeilisearchSettings.model_validate(wanted)
        self._check(await self._wait(await self._enqueued(lambda: index.update_settings(body))))

    def _batches(self, pairs: Sequence[tuple[Document, dict[str, Any]]]) -> list[list[tuple[Document, dict[str, Any]]]]:
        batches: list[list[tuple[Document, dict[str, Any]]]] = []
        room = 0
        for document, stored in pairs:
            size = 4 * (len(document.text) + len(document.title)) + 2000
            if not batches or room < size or len(batches[-1]) >= self._settings.batch:
                batches.append([])
                room = _BYTES
            batches[-1].append((document, stored))
            room -= size
        return batches

    async def _send(self, stored: Sequence[dict[str, Any]], layout: Layout) -> int:
        return await self._enqueued(lambda: self._connection.index.add_documents(stored, layout.key))

    async def _settled(
        self, batch: Sequence[tuple[Document, dict[str, Any]]], uid: int, layout: Layout
    ) -> list[tuple[str, str]]:
        """Wait for a batch; if its task failed, halve it until the documents that are to blame stand alone."""
        task = await self._wait(uid)
        error = task.error or {}
        if task.status == "succeeded":
            return []
        if not _blames_documents(str(error.get("code", ""))):
            self._check(task)
        if len(batch) == 1:
            return [(batch[0][0].id, str(error.get("message") or task.status))]
        middle = len(batch) // 2
        failed: list[tuple[str, str]] = []
        for half in (batch[:middle], batch[middle:]):
            failed += await self._settled(half, await self._send([s for _, s in half], layout), layout)
        return failed

    async def _enqueued(self, work: Any) -> int:
        info = await self._connection.call(work, CALL)
        return int(info.task_uid)

    async def _wait(self, uid: int) -> Any:
        """Return the task when it is done: asked at once, then at growing intervals."""
        client, pause, waited = self._connection.client, 0.01, 0.0
        while True:
            task = await self._connection.call(lambda: client.get_task(uid), CALL)
            if task.status in ("succeeded", "failed", "canceled"):
                return task
            if waited >= self._settings.task_timeout:
                raise ProviderTimeout(
                    f"the backend '{self._settings.name}' at {self._connection.endpoint}: task {uid} is not done after "
                    f"{waited:.0f} s; it goes on, ask Meilisearch for /tasks/{uid}",
                    plugin="meilisearch",
                )
            await self._clock.sleep(pause)
            waited += pause
            pause = min(pause * 1.5, 0.5)

    def _check(self, task: Any) -> None:
        if task.status != "succeeded":
            error = task.error or {}
            message = str(error.get("message") or f"its task {task.uid} was {task.status}")
            raise self._connection.refused(f"{message} ({error.get('code', task.status)})")


def not_ours(endpoint: str) -> NotAllowed:
    """Return the error for writing to, or deleting from, an index of others."""
    return NotAllowed(
        f"the index at {endpoint} was not made by qx, so it is left alone: index with --adopt to write to it all the same"
    )


def searched(fields: FieldMap, layout: Layout) -> list[str]:
    """Return the attributes that words are looked for in, the weightiest first: title, text, and what a profile names.

    Those of values come behind the others of their weight.
    """
    weights = {layout.title: 1.0, layout.text: 1.0}
    for stored in fields.values():
        if stored.name in weights or stored.type == "text" or (stored.type is None and stored.boost != 1.0):
            weights[stored.name] = stored.boost
    for name, boost in worded(fields).items():
        weights.setdefault(name, boost)
    return sorted(weights, key=lambda name: -weights[name])


def stored_in(id: str, pairs: Sequence[tuple[Document, dict[str, Any]]]) -> bool:
    """Return whether a document of this id was sent."""
    return any(document.id == id for document, _ in pairs)


def _blames_documents(code: str) -> bool:
    return "document" in code or "vector" in code or code in ("missing_document_id", "primary_key_inference_failed")
