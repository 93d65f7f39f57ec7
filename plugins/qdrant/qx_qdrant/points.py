"""Documents as Qdrant's points, and points as hits.

A point's payload holds what the document holds (``title``, ``text``, ``url``, ``metadata``), so that it can be read and
filtered by anybody, and beside it ``_qx``: the id as it was and what words and sites are looked up by.
"""

from __future__ import annotations

import array
import json
import math
import re
import sys
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from qdrant_client import models

from qx.backend import Document
from qx.filters.conversion import too_large
from qx.filters.fieldmap import FieldMap
from qx.filters.worded import worded, words_of
from qx.types import Hit
from qx_qdrant.analysis import Analysis
from qx_qdrant.bm25 import document_vector, weighted, with_id

OWN = "_qx"
"""The payload's key for what qx keeps beside the document."""
TITLE_WORDS, TEXT_WORDS = f"{OWN}.title", f"{OWN}.text"
SITES, FILE_TYPE, ID = f"{OWN}.sites", f"{OWN}.filetype", f"{OWN}.id"

_NAMESPACE = uuid.UUID("6f0c7a52-2f5b-5d0e-9a61-5b1d6c1b8a4e")
_EXTENSION = re.compile(r"\.([A-Za-z0-9]{1,8})$")
_DEPTH = 4


class Unfit(ValueError):
    """A document that cannot be stored; the text is the reason."""


def point_id(id: str) -> str:
    """Return the UUID that stands for a document's id: version 5, made from its name."""
    return str(uuid.uuid5(_NAMESPACE, id.encode("utf-8", "surrogatepass").hex()))


def floats(vector: bytes) -> list[float]:
    """Return the numbers of a float32 little-endian vector.

    Raises:
        Unfit: the bytes are none, or not all numbers are finite.
    """
    if len(vector) % 4:
        raise Unfit(f"a vector of {len(vector)} bytes is not float32")
    found = array.array("f")
    found.frombytes(vector)
    if sys.byteorder == "big":
        found.byteswap()
    if not all(map(math.isfinite, found)):
        raise Unfit("its vector has numbers that are not finite")
    return found.tolist()


class Points:
    """Makes the points of one collection.

    Args:
        fields: Boosts of ``title`` and ``text``, and further fields whose words count too: texts, and values.
        dense, sparse: Names of the vectors.
    """

    def __init__(self, fields: FieldMap, analysis: Analysis, *, dense: str, sparse: str) -> None:
        self._analysis = analysis
        self._dense, self._sparse = dense, sparse
        title, text = fields.get("title"), fields.get("text")
        self._boosts = (title.boost if title else 1.0, text.boost if text else 1.0)
        self._others = tuple(
            (field.name, field.boost)
            for name, field in fields.items()
            if field.type == "text" and name not in ("title", "text")
        )
        self._worded = worded(fields)

    @property
    def worded(self) -> tuple[str, ...]:
        """The stored names of the keyword fields whose words count."""
        return tuple(self._worded)

    def length(self, document: Document) -> float:
        """Return a document's weighted number of words."""
        return weighted(self._texts(document), self._analysis)[1]

    def words(self, document: Document, average: float) -> dict[str, models.SparseVector]:
        """Return the vector of a document's words and its id under its name."""
        frequencies, length = weighted(self._texts(document), self._analysis)
        indices, values = with_id(document_vector(frequencies, length, average), document.id)
        return {self._sparse: models.SparseVector(indices=indices, values=values)}

    def make(self, document: Document, *, dimensions: int, average: float) -> models.PointStruct:
        """Return the point of ``document``.

        Raises:
            Unfit: it cannot be stored, and why.
        """
        vectors: dict[str, Any] = dict(self.words(document, average))
        if document.vector is not None and dimensions:
            dense = floats(document.vector)
            if len(dense) != dimensions:
                raise Unfit(f"its vector has {len(dense)} numbers, the collection's have {dimensions}")
            vectors[self._dense] = dense
        return models.PointStruct(id=point_id(document.id), vector=vectors, payload=self._payload(document))

    def _texts(self, document: Document) -> list[tuple[str, float]]:
        return [(document.title, self._boosts[0]), (document.text, self._boosts[1]), *self._further(document)]

    def _further(self, document: Document) -> list[tuple[str, float]]:
        """What is searched beside title and text, each with its weight."""
        texts = [(text, boost) for name, boost in self._others for text in _strings(looked_up(document, name))]
        record = {"metadata": document.metadata, **document.metadata}
        return texts + [(text, boost) for name, boost in self._worded.items() for text in words_of(record, name)]

    def own(self, document: Document) -> dict[str, Any]:
        """Return what qx keeps of a document beside it."""
        others = [text for text, _ in self._further(document)]
        own: dict[str, Any] = {
            "id": document.id,
            "title": " ".join(self._analysis.stream(document.title)),
            "text": " ".join((*self._analysis.stream(document.text), *(_gap(self._analysis, text) for text in others))),
        }
        if document.url:
            own |= {"sites": sites(document.url), "filetype": file_type(document.url)}
        return own

    def _payload(self, document: Document) -> dict[str, Any]:
        payload: dict[str, Any] = {"title": document.title, "text": document.text, "url": document.url}
        payload |= {"metadata": dict(document.metadata), OWN: self.own(document)}
        if too_large(payload["metadata"]):
            raise Unfit("its metadata has a whole number greater than 1.8e308, which nothing could compare")
        try:
            json.dumps(payload, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError as error:
            raise Unfit("it holds halves of characters (lone surrogates), which are no text") from error
        except (TypeError, ValueError, RecursionError) as error:
            raise Unfit(f"it cannot be written as JSON: {error}") from error
        return payload


def document_of(payload: Mapping[str, Any]) -> Document:
    """Return the document, without its vector, of a payload that qx wrote."""
    return Document(
        id=str(payload[OWN]["id"]),
        title=payload.get("title") or "",
        text=payload.get("text") or "",
        url=payload.get("url"),
        metadata=payload.get("metadata") or {},
    )


def _gap(analysis: Analysis, text: str) -> str:
    """Return another field's words after a token that no text has, so that no phrase reaches across."""
    return " ".join(("xgapx", *analysis.stream(text)))


def looked_up(document: Document, name: str) -> object:
    """Return what a document has under a stored name such as ``metadata.brand``."""
    return value_at({"title": document.title, "text": document.text, "metadata": document.metadata}, name)


def value_at(payload: Mapping[str, Any], name: str) -> object:
    """Return the value under a dotted name, None where there is none."""
    found: object = payload
    for part in name.split("."):
        if not isinstance(found, Mapping):
            return None
        found = cast("Mapping[str, Any]", found).get(part)
    return found


def values_at(payload: Mapping[str, Any], name: str) -> list[object]:
    """Return the values under a dotted name: those of a list one by one, without nulls."""
    found = value_at(payload, name)
    items = cast("Sequence[object]", found) if isinstance(found, list) else [found]
    return [item for item in items if item is not None]


def _strings(found: object) -> list[str]:
    items = cast("Sequence[object]", found) if isinstance(found, (list, tuple)) else [found]
    return [item for item in items if isinstance(item, str)]


def sites(url: str) -> list[str]:
    """Return every name under which ``site:`` finds a page: its host, the domains above it, the folders below it."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return []
    if not host:
        return []
    labels = host.split(".")
    found = [".".join(labels[i:]) for i in range(max(0, len(labels) - 6), len(labels))]
    domains = found[: max(1, len(found) - 1)]
    folders = [part for part in parts.path.split("/") if part]
    for depth in range(1, min(len(folders), _DEPTH) + 1):
        found += [f"{domain}/{'/'.join(folders[:depth])}".casefold() for domain in domains]
    return found


def file_type(url: str) -> str:
    """Return the extension of a page's file, in small letters; "" where it has none."""
    try:
        match = _EXTENSION.search(urlsplit(url).path)
    except ValueError:
        return ""
    return match[1].lower() if match else ""


def document_id(point: Any) -> str:
    """Return the document's own id: the stored one, of points that qx did not write the point's."""
    own = (point.payload or {}).get(OWN)
    return str(own["id"]) if isinstance(own, Mapping) and "id" in own else str(point.id)


def hit(payload: Mapping[str, Any], *, id: str, backend: str, score: float, fields: FieldMap) -> Hit:
    """Return the hit of a point; a payload that qx did not write is the hit's metadata as a whole."""

    def text_of(canonical: str) -> str | None:
        stored = None if ours else fields.get(canonical)
        found = value_at(payload, stored.name if stored else canonical)
        return None if found is None else str(found)

    ours = OWN in payload
    metadata = payload.get("metadata") if ours else payload
    return Hit(
        id=id,
        backend=backend,
        title=text_of("title") or "",
        text=text_of("text") or "",
        url=text_of("url"),
        metadata=dict(cast("Mapping[str, object]", metadata)) if isinstance(metadata, Mapping) else {},
        score=score,
    )
