"""The folder of an index: ``qx.json`` (that qx made it, and how), tantivy's files, the documents, the vectors.

A writing is one commit of tantivy, which replaces one small file: a crash at any moment leaves the last commit whole.
Readers look at that file before each search and go over to the new state when it has changed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from qx.builtin.local import marker as markers
from qx.builtin.local import vectors
from qx.builtin.local.analysis import Analysis
from qx.builtin.local.integrity import damage
from qx.builtin.local.lock import writer
from qx.builtin.local.marker import Marker
from qx.builtin.local.mirror import Mirror, can_write
from qx.builtin.local.records import Record, fill
from qx.builtin.local.schema import EXACT, WORDS, Kind, analyzer, build_schema, exact_analyzer, tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.builtin.local.sources import Sources
from qx.builtin.local.vectors import VectorTable
from qx.clock import Clock
from qx.errors import BadRequest, NotAllowed, ProfileError

_WORDS, _DOCUMENTS = "words", "documents.db"


class Store:
    """Reads and writes one folder.  Methods block; they may be called from any thread.

    Args:
        folder: The folder.
        name: The backend's, for messages.
        lexicon, near: As of ``Analysis``.
        clock: For when a document was replaced.
        wait: Seconds to wait for another writer.
    """

    def __init__(
        self, folder: Path, *, name: str, lexicon: Sequence[str], near: bool, clock: Clock, wait: float
    ) -> None:
        self.folder = folder
        self.name = name
        self._lexicon = lexicon
        self._near = near
        self._clock = clock
        self._wait = wait
        self._lock = threading.RLock()
        self._writing = threading.Lock()
        self._index: Any = None
        self._seen: tuple[int, int, int] | None = None
        self._snapshot: Snapshot | None = None
        self._sources: Sources | None = None
        self._analysis: Analysis | None = None
        self._mirror: Mirror | None = None

    @property
    def analysis(self) -> Analysis:
        if self._analysis is None:
            raise self._absent()
        return self._analysis

    @property
    def sources(self) -> Sources:
        if self._sources is None:
            raise self._absent()
        return self._sources

    def opened(self) -> bool:
        """Open the index if it is there, and return whether it is.

        Raises:
            ProfileError: it is damaged.
        """
        with self._lock:
            if self._index is None:
                found = markers.read(self.folder)
                if found is None or not self._has_words():
                    return False
                self._open(found)
            return True

    def snapshot(self) -> Snapshot:
        """Return the last committed state.

        Raises:
            BadRequest: there is no index yet.
        """
        with self._lock:
            if not self.opened():
                raise self._absent()
            seen = self._state()
            if self._snapshot is None or seen != self._seen:
                self._reload()
                found = markers.read(self.folder)
                if found is None:
                    raise self._absent()
                self._snapshot = Snapshot(self._index.schema, self._index.searcher(), found)
                self._seen = seen
            return self._snapshot

    def table(self, snapshot: Snapshot) -> VectorTable:
        """Return the vectors of a state."""
        with self._lock:
            if snapshot.vectors is None:
                snapshot.vectors = VectorTable(self.folder, snapshot)
            return snapshot.vectors

    def prepare(
        self,
        *,
        texts: Sequence[str],
        worded: Sequence[str] = (),
        stemmer: str | None,
        fingerprint: str | None,
        dimensions: int,
        adopt: bool,
    ) -> None:
        """Make the index if there is none.

        Raises:
            NotAllowed: the folder holds something that qx did not make, or cannot be written to.
            ProfileError: the index searches other fields than ``texts``, or is damaged.
        """
        with self._lock:
            found = markers.read(self.folder)
            if found is not None and not can_write(self.folder):
                raise self._read_only()
            if found is None:
                self._check_foreign(adopt)
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                found = Marker(texts=tuple(texts), worded=tuple(worded), stemmer=stemmer)
                markers.write(self.folder, found)
            if found.stemmer != stemmer:
                raise ProfileError(f"backend {self.name}: {_other_stemmer(self.folder, found.stemmer, stemmer)}")
            missing = [text for text in texts if text not in found.texts]
            if missing:
                raise ProfileError(
                    f"backend {self.name}: the index {self.folder} was made without the text field {missing[0]!r}: "
                    "index again into an empty folder"
                )
            if found.worded is not None and not set(worded) <= set(found.worded):
                found = self._with_words(found, worded)
                markers.write(self.folder, found)
                self._snapshot = None
            if fingerprint is not None and (fingerprint, dimensions) != (found.fingerprint, found.dimensions):
                found = replace(found, fingerprint=fingerprint, dimensions=dimensions, generation=found.generation + 1)
                markers.write(self.folder, found)
                self._snapshot = None
            if not self._has_words():
                (self.folder / _WORDS).mkdir(exist_ok=True)
                tantivy().Index(build_schema(found.texts), path=str(self.folder / _WORDS))
            if self._index is None:
                self._open(found)

    def _with_words(self, found: Marker, worded: Sequence[str]) -> Marker:
        """The marker with further paths whose words are searched: in documents from now on, not in those that are there."""
        known = found.worded or ()
        if self._index is None and self._has_words():
            self._open(found)
        last = self.sources.last() if self._index is not None else 0
        new = {path: last + 1 for path in worded if path not in known} if last else {}
        return replace(found, worded=tuple(dict.fromkeys((*known, *worded))), since={**found.since, **new})

    def write(self, records: Sequence[Record], reserved: Sequence[tuple[str, Kind]] = ()) -> None:
        """Put documents into the index, each in place of the one with its id; all or none.

        Args:
            records: What to write, each id once.
            reserved: Paths that get a column before others.

        Raises:
            BadRequest: there is no index yet.
            Unavailable: another process is writing.
        """
        with self._written() as (handle, snapshot):
            found = self._with_columns(snapshot, records, reserved)
            self._repair(snapshot)
            old = self.sources.current([record.document.id for record in records])
            first = self.sources.add([(record.document, record.metadata) for record in records])
            places = self._place_vectors(snapshot, records)
            columns = found.columns
            for id in dict.fromkeys(old.values()):
                handle.delete_documents_by_term("id", id)
            for key, record in enumerate(records, first):
                place = places.get(record.document.id)
                handle.add_document(fill(record, key, place, found, columns, self.analysis))
            handle.commit()
            self.sources.retire(old, self._clock.now().timestamp())

    def delete(self, ids: Sequence[str]) -> int:
        """Remove documents and return how many there were."""
        if not ids:
            return 0
        with self._written() as (handle, snapshot):
            self._repair(snapshot)
            old = self.sources.current(dict.fromkeys(ids))
            if not old:
                return 0
            for id in dict.fromkeys(old.values()):
                handle.delete_documents_by_term("id", id)
            handle.commit()
            self.sources.retire(old, self._clock.now().timestamp())
            return len(old)

    def ids(self) -> list[str]:
        """Return the ids of all documents."""
        snapshot = self.snapshot()
        current = self.sources.all_current()
        if len(current) == snapshot.documents:
            return [id for _, id in current]
        return [id for id, _ in self.sources.names(live_keys(snapshot))]

    def damage(self) -> str | None:
        """Return what is wrong with the files; None where nothing is found."""
        found = damage(self.folder / _WORDS, self.folder / _DOCUMENTS)
        return None if found is None else f"the index {self.folder} is damaged: {found}"

    def other_stemmer(self, wanted: str | None) -> str:
        """Return what is to be said where the index was made with another stemmer than ``wanted``; else nothing."""
        made = self.snapshot().marker.stemmer
        return "" if made == wanted else _other_stemmer(self.folder, made, wanted)

    def close(self) -> None:
        with self._lock:
            if self._sources is not None:
                self._sources.close()
            self._index = self._snapshot = self._sources = None
            if self._mirror is not None:
                self._mirror.close()
                self._mirror = None

    def _has_words(self) -> bool:
        """Return whether tantivy's files are there; without them there must be no documents either (made after them)."""
        if (self.folder / _WORDS / "meta.json").exists():
            return True
        if (self.folder / _DOCUMENTS).exists():
            raise self._damaged(f"{_WORDS}/meta.json is missing")
        return False

    def _damaged(self, how: str) -> ProfileError:
        return ProfileError(
            f"backend {self.name}: the index {self.folder} is damaged: {how}",
            hint="restore the folder from a backup, or remove it and index all documents again",
        )

    def _open(self, found: Marker) -> None:
        built = analyzer(found.stemmer)
        words = self.folder / _WORDS
        if not (can_write(self.folder) and can_write(words)) and self._mirror is None:
            self._mirror = Mirror(words, self.folder / _DOCUMENTS)
        index = tantivy().Index.open(str(words if self._mirror is None else self._mirror.words))
        index.register_tokenizer(WORDS, built)
        index.register_tokenizer(EXACT, exact_analyzer())
        index.config_reader("manual")
        self._analysis = Analysis(built, self._lexicon, near=self._near)
        self._sources = self._opened_sources(int(index.searcher().num_docs))
        self._index = index

    def _opened_sources(self, documents: int) -> Sources:
        """Open the file of documents, which has a row for each that the index names (rows come first and leave last)."""
        if documents and not (self.folder / _DOCUMENTS).exists():
            raise self._damaged(f"{_DOCUMENTS} is missing, with {documents} documents in the index")
        path, fixed = (self.folder / _DOCUMENTS, False) if self._mirror is None else self._mirror.documents()
        opened = Sources(path, wait=self._wait, fixed=fixed)
        held = opened.rows() if documents else 0
        if held < documents:
            opened.close()
            raise self._damaged(f"{_DOCUMENTS} holds {held} of the {documents} documents in the index")
        return opened

    def _reload(self) -> None:
        """Go over to the last commit; where nothing can be written, the files are taken over anew."""
        if self._mirror is not None:
            self._mirror.refresh()
        self._index.reload()
        if self._mirror is not None and self._seen is not None:
            self.sources.close()
            self._sources = self._opened_sources(int(self._index.searcher().num_docs))

    def _state(self) -> tuple[int, int, int]:
        details = os.stat(self.folder / _WORDS / "meta.json")
        return details.st_mtime_ns, details.st_size, details.st_ino

    def _absent(self) -> BadRequest:
        return BadRequest(f"backend {self.name}: there is no index at {self.folder}: make it with `qx index`")

    def _check_foreign(self, adopt: bool) -> None:
        if adopt or not self.folder.exists():
            return
        if not self.folder.is_dir() or any(self.folder.iterdir()):
            raise NotAllowed(
                f"backend {self.name}: {self.folder} holds something that qx did not make: "
                "name an empty folder, or adopt it with --adopt"
            )

    def _read_only(self) -> NotAllowed:
        return NotAllowed(
            f"backend {self.name}: the index {self.folder} can be searched but not changed: nothing can be written there; "
            "index where it can be, or set another `path`"
        )

    def _written(self) -> Any:
        self.snapshot()
        if self._mirror is not None:
            raise self._read_only()
        return writer(self._index, self._writing, self.snapshot, name=self.name, place=self.folder, wait=self._wait)

    def _with_columns(
        self, snapshot: Snapshot, records: Sequence[Record], reserved: Sequence[tuple[str, Kind]]
    ) -> Marker:
        """Give columns to new paths; one whose values are already there without a column gets none."""
        seen = dict.fromkeys((*reserved, *(path for record in records for path in record.ordered)))
        marker = snapshot.marker
        columns = marker.columns
        new: list[tuple[str, Kind]] = [
            (path, kind)
            for path, kind in seen
            if columns.name(path, kind) is None and not snapshot.having(path, kind.upper())
        ]
        wider = columns.with_paths(new)
        if wider != columns:
            marker = replace(marker, numbers=wider.numbers, moments=wider.moments)
            markers.write(self.folder, marker)
            self._snapshot = None
        return marker

    def _place_vectors(self, snapshot: Snapshot, records: Sequence[Record]) -> Mapping[str, int]:
        held = [(r.document.id, r.document.vector) for r in records if r.document.vector is not None]
        if not held:
            return {}
        rows = vectors.write_rows(self.folder, snapshot, [vector for _, vector in held])
        generation = snapshot.marker.generation
        return {id: vectors.place(generation, row) for (id, _), row in zip(held, rows, strict=True)}

    def _repair(self, snapshot: Snapshot) -> None:
        """After a crash between the two files: let go of documents that the index does not name.

        Raises:
            ProfileError: documents that it names are not there.
        """
        if self.sources.number() != snapshot.documents:
            live = set(live_keys(snapshot))
            held = {key for key, _ in self.sources.all_current()}
            if not live <= held:
                raise self._damaged(f"{_DOCUMENTS} lacks {len(live - held)} of the {len(live)} documents in the index")
            self.sources.retire(held - live, self._clock.now().timestamp())


def _other_stemmer(folder: Path, made: str | None, wanted: str | None) -> str:
    return (
        f"the index {folder} was made with `stemmer: {made or 'null'}` and goes on with it, the profile says "
        f"{wanted or 'null'}: say the same, or index again into an empty folder"
    )


def live_keys(snapshot: Snapshot) -> list[int]:
    """Return the keys of all documents."""
    if not snapshot.documents:
        return []
    hits = snapshot.searcher.search(tantivy().Query.all_query(), snapshot.documents, count=False).hits
    return snapshot.keys([address for _, address in hits])
