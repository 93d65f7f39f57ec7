"""Documents -> what Elasticsearch stores, and back again."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from qx.backend import Document
from qx.filters.conversion import too_large
from qx.filters.fieldmap import StoredField
from qx.filters.worded import worded, words_of
from qx.serial import to_plain
from qx.text.normalise import simplified
from qx.types import Hit
from qx_elasticsearch import schema
from qx_elasticsearch.catalog import Catalog, Column
from qx_elasticsearch.values import LONGEST_PATH, LONGEST_VALUE, beginning_of, encoded, leaves, moment_of, readable

FOREIGN_ID = "qx_id"
"""Holds the id in an index of somebody else's, where Elasticsearch cannot."""

FOREIGN_VECTOR = "qx_vector"
_MAPPED = "qx:sha256:"
_LONGEST_ID = 512
_LONGEST_URL = 8000
_DEEPEST_HOST = 8


def mapped_id(id: str) -> str:
    """Return the id under which Elasticsearch keeps a document: its own, or a digest where that cannot be one."""
    try:
        fits = 0 < len(id.encode()) <= _LONGEST_ID
    except UnicodeEncodeError:
        fits = False
    if fits and not id.startswith(_MAPPED):
        return id
    return _MAPPED + hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()


def source_of(document: Document, catalog: Catalog, fields: Mapping[str, StoredField]) -> dict[str, Any]:
    """Return the ``_source`` of a document: in qx's layout, or in that of the index that it goes into."""
    if not catalog.own:
        return _foreign(document, catalog, fields)
    metadata = cast("dict[str, Any]", to_plain(document.metadata))
    source: dict[str, Any] = {"title": document.title, "text": document.text, "metadata": metadata}
    if mapped_id(document.id) != document.id:
        source["id"] = document.id
    if document.url is not None:
        source.update(url=document.url, **_parts(document.url))
    if catalog.dimensions and (vector := floats(document.vector)):
        source["vector"] = vector
    source.update(_columns(metadata, catalog))
    values, plain = _words(metadata, fields), _simplified((document.title, document.text))
    if schema.SIMPLIFIED not in catalog.mapped:
        values, plain = [*values, *plain], []
    if values and schema.VALUES in catalog.mapped:
        source[schema.VALUES] = values
    if plain:
        source[schema.SIMPLIFIED] = plain
    return source


def serialised(source: Mapping[str, Any]) -> bytes:
    """Return one line of JSON; broken surrogates, which UTF-8 cannot hold, as escapes.

    Raises:
        ValueError: a number is not finite, or greater than any that compares.
    """
    if too_large(source):
        raise ValueError("a whole number in it is greater than 1.8e308")
    text = json.dumps(source, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(source, allow_nan=False, separators=(",", ":")).encode()


def document_of(found: Mapping[str, Any], *, vectors: bool = False) -> Document:
    """Return the document of a stored hit in qx's layout, with its vector if ``vectors``."""
    source: Mapping[str, Any] = found.get("_source") or {}
    return Document(
        id=id_of(found),
        title=source.get("title") or "",
        text=source.get("text") or "",
        url=source.get("url"),
        metadata=source.get("metadata") or {},
        vector=struct.pack(f"<{len(stored)}f", *stored) if vectors and (stored := source.get("vector")) else None,
    )


def id_of(found: Mapping[str, Any]) -> str:
    """Return the document's own id."""
    source: Mapping[str, Any] = found.get("_source") or {}
    own: str = found["_id"]
    return source.get("id", source.get(FOREIGN_ID, own)) if own.startswith(_MAPPED) else own


def hit_of(found: Mapping[str, Any], *, backend: str, catalog: Catalog, fields: Mapping[str, StoredField]) -> Hit:
    """Return the hit of a found document, without its highlights."""
    source: Mapping[str, Any] = found.get("_source") or {}
    score = float(found.get("_score") or 0.0)
    if catalog.own:
        stored = document_of(found)
        return Hit(
            id=stored.id, backend=backend, title=stored.title, text=stored.text, url=stored.url,
            metadata=stored.metadata, score=score,
        )  # fmt: skip
    title = _text(source, _name("title", catalog, fields))
    body = _text(source, _name("text", catalog, fields))
    if not title and not body:
        body = "\n".join(filter(None, (_text(source, name) for name, _ in catalog.searched(fields))))
    return Hit(
        id=id_of(found), backend=backend, title=title, text=body, url=url_of(found, catalog, fields),
        metadata=source, score=score,
    )  # fmt: skip


def url_of(found: Mapping[str, Any], catalog: Catalog, fields: Mapping[str, StoredField]) -> str | None:
    """Return the url of a found document."""
    source: Mapping[str, Any] = found.get("_source") or {}
    return source.get("url") if catalog.own else _text(source, _name("url", catalog, fields)) or None


def floats(vector: bytes | None) -> list[float]:
    """Return the numbers of a vector; empty for none and for one without a direction."""
    found = list(struct.unpack(f"<{len(vector) // 4}f", vector[: len(vector) // 4 * 4])) if vector else []
    return found if any(found) else []


def _foreign(document: Document, catalog: Catalog, fields: Mapping[str, StoredField]) -> dict[str, Any]:
    """In an index of somebody else's a document has their shape: attributes beside title, text and url."""
    source = cast("dict[str, Any]", to_plain(document.metadata))
    for name, item in (("title", document.title), ("text", document.text), ("url", document.url)):
        if item:
            _put(source, _name(name, catalog, fields), item)
    if mapped_id(document.id) != document.id:
        source[FOREIGN_ID] = document.id
    if catalog.dimensions and (vector := floats(document.vector)):
        source[catalog.vector] = vector
    return source


def _name(canonical: str, catalog: Catalog, fields: Mapping[str, StoredField]) -> str:
    """The path of a field in ``_source``: ``title`` for the mapping's ``title.en``."""
    name = fields[canonical].name if canonical in fields else canonical
    parent, _, _ = name.rpartition(".")
    return parent if parent in catalog.mapped else name


def _put(source: dict[str, Any], name: str, item: object) -> None:
    head, _, rest = name.partition(".")
    if not rest:
        source[head] = item
        return
    inner = source.get(head)
    inner = dict(cast("Mapping[str, Any]", inner)) if isinstance(inner, Mapping) else {}
    _put(inner, rest, item)
    source[head] = inner


def _text(source: Mapping[str, Any], name: str) -> str:
    """The text of a path in ``_source``; lists are joined."""
    found: Any = source.get(name)
    if found is None and "." in name:
        head, _, rest = name.partition(".")
        inner = source.get(head)
        return _text(cast("Mapping[str, Any]", inner), rest) if isinstance(inner, Mapping) else ""
    if isinstance(found, Sequence) and not isinstance(found, str):
        return " ".join(str(item) for item in cast("Sequence[object]", found))
    return "" if found is None else str(found)


def _words(metadata: Mapping[str, Any], fields: Mapping[str, StoredField]) -> list[str]:
    """The values of keyword fields, which are searched as words; Traditional Chinese in Simplified too."""
    paths = filter(None, map(schema.stored_path, worded(fields)))
    values = [text for path in paths for text in words_of(metadata, path)]
    return [*map(readable, values), *_simplified(values)]


def _simplified(texts: Iterable[str]) -> list[str]:
    """Those of ``texts`` that are in Traditional Chinese, in Simplified."""
    return [plain for text in map(readable, texts) if (plain := simplified(text)) != text]


def _columns(metadata: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """The attributes as they are filtered by: declared ones typed, all others (and what does not fit) open."""
    typed: dict[str, list[object]] = {}
    spare: dict[str, list[str]] = {}
    columns: dict[str, Column] = {}
    for path, item in leaves(metadata):
        if not path or len(path) > LONGEST_PATH or "\x00" in path:
            continue
        if path not in columns:
            columns[path] = catalog.column(f"metadata.{path}")
        fits, whole = _typed(columns[path], item)
        if fits is not None:
            typed.setdefault(columns[path].name.removeprefix("typed."), []).append(fits)
        if not whole and (term := encoded(item)) is not None:
            spare.setdefault(readable(path), []).append(term)
            if columns[path].kind == "open" and (begins := beginning_of(item)) is not None:
                spare[readable(path)].append(f"p{begins} {item}")
    return {"typed": typed, "open": spare} if typed or spare else {}


def _typed(column: Column, item: object) -> tuple[object, bool]:
    """The value for a typed field (None: it does not fit), and whether all that it means is in there."""
    kind = column.kind
    if kind == "bool":
        return (item, True) if isinstance(item, bool) else (None, False)
    if kind == "number":
        fits = isinstance(item, (int, float)) and not isinstance(item, bool) and abs(item) < 1e308
        return (item or 0, True) if fits else (None, False)  # -0.0, which Lucene takes for less than 0, too
    if kind == "date":
        moment = moment_of(item) if isinstance(item, str) else None
        return (moment, True) if moment is not None else (beginning_of(item), False)
    if kind in ("keyword", "text") and isinstance(item, str):
        short = len(item) <= LONGEST_VALUE
        return (readable(item) if short or kind == "text" else None), short
    return None, False


def _parts(url: str) -> dict[str, Any]:
    """What ``site:`` and ``filetype:`` look at: every domain that the host is in, the path, the extension."""
    try:
        parts = urlsplit(readable(url))
        host = parts.hostname or ""
    except ValueError:
        return {}
    labels = host.split(".")[-_DEEPEST_HOST:]
    found: dict[str, Any] = {"path": parts.path[:_LONGEST_URL]}
    if host:
        found["host"] = list(dict.fromkeys([host, *(".".join(labels[at:]) for at in range(len(labels)))]))
    _, dot, extension = parts.path.rpartition("/")[2].rpartition(".")
    if dot and extension:
        found["extension"] = extension.lower()[:20]
    return found


__all__ = [
    "FOREIGN_ID", "FOREIGN_VECTOR", "document_of", "floats", "hit_of", "id_of", "mapped_id", "serialised", "source_of",
    "url_of",
]  # fmt: skip
