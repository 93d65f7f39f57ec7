"""Vectors by brute force: rows of float32 in a file that is mapped into memory, for up to 100,000 documents.

A document names its row in tantivy, so that rows become valid with the commit that names them: a crash before it
leaves rows that nothing names, which the next writing uses again.  Vectors of another embedder lie in another file
(``generation``) and are never compared.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from qx.builtin.local.schema import tantivy
from qx.builtin.local.snapshot import Snapshot
from qx.errors import PluginError

MOST = 100_000
_SHIFT = 32


def numpy() -> Any:
    """Return numpy, imported at first use.

    Raises:
        PluginError: it is not installed.
    """
    try:
        return import_module("numpy")
    except ImportError as error:
        raise PluginError("vector search in the local backend needs numpy: pip install 'qx-query[vectors]'") from error


def file_of(folder: Path, generation: int) -> Path:
    """Return the file of a generation."""
    return folder / f"vectors-{generation}.f32"


def place(generation: int, row: int) -> int:
    """Return what stands in a document's column ``vector``."""
    return generation << _SHIFT | row


def _having(snapshot: Snapshot) -> tuple[list[Any], list[int]]:
    """Return the addresses of the documents that have a vector of this generation, and its rows."""
    library = tantivy()
    generation = snapshot.marker.generation
    query = library.Query.range_query(
        snapshot.schema,
        "vector",
        library.FieldType.Unsigned,
        lower_bound=place(generation, 0),
        upper_bound=place(generation + 1, 0) - 1,
    )
    if not snapshot.documents:
        return [], []
    addresses = [address for _, address in snapshot.searcher.search(query, snapshot.documents, count=False).hits]
    places: list[int] = snapshot.searcher.fast_field_values("vector", addresses) if addresses else []
    return addresses, [at & ((1 << _SHIFT) - 1) for at in places]


def write_rows(folder: Path, snapshot: Snapshot, vectors: Sequence[bytes]) -> list[int]:
    """Put vectors into rows that no document names, and return the rows."""
    path = file_of(folder, snapshot.marker.generation)
    width = 4 * snapshot.marker.dimensions
    used = set(_having(snapshot)[1])
    free = (row for row in range(len(used) + len(vectors)) if row not in used)
    rows = [next(free) for _ in vectors]
    with path.open("r+b" if path.exists() else "w+b") as file:
        for row, vector in zip(rows, vectors, strict=True):
            file.seek(row * width)
            file.write(vector)
        file.flush()
        os.fsync(file.fileno())
    return rows


def count(snapshot: Snapshot) -> int:
    """Return how many documents have a vector."""
    return len(_having(snapshot)[0])


class VectorTable:
    """The vectors of one state of the index.

    Attributes:
        keys: The document of each vector.
    """

    def __init__(self, folder: Path, snapshot: Snapshot) -> None:
        np = numpy()
        addresses, rows = _having(snapshot)
        self.keys: Any = np.asarray(snapshot.keys(addresses), dtype=np.int64)
        self._rows: Any = np.asarray(rows, dtype=np.int64)
        if not rows:
            return
        flat = np.memmap(file_of(folder, snapshot.marker.generation), dtype="<f4", mode="r")
        width = snapshot.marker.dimensions
        self._matrix: Any = flat[: len(flat) // width * width].reshape(-1, width)
        lengths = np.sqrt(np.einsum("ij,ij->i", self._matrix, self._matrix))[self._rows]
        self._scale: Any = 1.0 / np.where(lengths > 0, lengths, 1.0)

    def __len__(self) -> int:
        return len(self.keys)

    def nearest(self, vector: bytes, limit: int, among: Sequence[int] | None) -> tuple[list[int], list[float]]:
        """Return the keys nearest by cosine, best first, and their similarities; ``among``: keys that may come."""
        np = numpy()
        if not len(self.keys) or limit < 1:
            return [], []
        asked = np.frombuffer(vector, dtype="<f4")
        length = float(np.linalg.norm(asked)) or 1.0
        scores = (self._matrix @ asked)[self._rows] * self._scale / length
        candidates = np.arange(len(scores)) if among is None else np.nonzero(np.isin(self.keys, list(among)))[0]
        order = candidates[np.lexsort((self.keys[candidates], -scores[candidates]))[:limit]]
        return [int(key) for key in self.keys[order]], [float(score) for score in scores[order]]
