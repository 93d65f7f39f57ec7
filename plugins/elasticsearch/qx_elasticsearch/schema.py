"""The mapping of an index that qx makes, and the marker by which it knows its own.

A document's ``_source`` holds what was indexed: ``title``, ``text``, ``url``, ``metadata`` (not parsed, so that any keys
will do), ``vector``, and ``id`` where Elasticsearch cannot hold it.  What is searched besides is written beside it and
kept out of ``_source``: declared fields under ``typed``, all other attributes under ``open``, the parts of the url.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from qx.filters.fieldmap import FieldMap, FieldType
from qx.filters.worded import worded
from qx_elasticsearch.settings import Settings

MARKER = "qx"
"""The key under the mapping's ``_meta``."""

OWN = "own"
FOREIGN = "foreign"
VALUES = "values"
"""The field of what is searched besides: the words of keyword fields, and Traditional Chinese in Simplified."""
SIMPLIFIED = "simplified"
"""The field of title and text that are in Traditional Chinese, in Simplified, where keyword fields weigh otherwise than the
text: their boost says nothing of it.  Elsewhere ``VALUES`` has it, since each field costs clauses of every query."""
DERIVED = ("open", "typed", "host", "path", "extension", VALUES)
"""Written for searching only."""

WORDS = "qx_words"
"""The analyzer of a query's words: that of queries, without function words."""

FUNCTION_WORDS = frozenset(
    [
        "a",
        "about",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "me",
        "might",
        "my",
        "of",
        "on",
        "or",
        "our",
        "should",
        "so",
        "some",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "i'd",
        "i'll",
        "i'm",
        "i've",
        "it's",
        "that's",
        "there's",
        "what's",
        "where's",
        "who's",
        "how's",
    ]
)
"""English words that rank documents worse when they are looked for; a query of nothing else is looked for as it is."""

_VERSION = 1
_KEYWORD: Mapping[str, Any] = {"type": "keyword", "ignore_above": 8000}
_ANALYSIS: Mapping[str, Any] = {
    "analyzer": {
        "qx_index": {
            "type": "custom",
            "tokenizer": "standard",
            "filter": ["cjk_width", "lowercase", "qx_characters_and_bigrams", "asciifolding", "porter_stem"],
        },
        "qx_query": {
            "type": "custom",
            "tokenizer": "standard",
            "filter": ["cjk_width", "lowercase", "qx_bigrams", "asciifolding", "porter_stem"],
        },
        WORDS: {
            "type": "custom",
            "tokenizer": "standard",
            "filter": [
                "cjk_width",
                "lowercase",
                "qx_function_words",
                "qx_bigrams",
                "asciifolding",
                "porter_stem",
            ],
        },
    },
    "filter": {
        "qx_function_words": {"type": "stop", "stopwords": sorted(FUNCTION_WORDS)},
        # characters besides bigrams: a query of one character finds words that it is part of
        "qx_characters_and_bigrams": {"type": "cjk_bigram", "output_unigrams": True},
        "qx_bigrams": {"type": "cjk_bigram"},
    },
}
_TYPES: Mapping[FieldType, Mapping[str, Any]] = {
    "number": {"type": "double"},
    "date": {"type": "date", "format": "strict_date_optional_time"},
    "bool": {"type": "boolean"},
    "keyword": {"type": "keyword"},
}


def stored_path(name: str) -> str | None:
    """Return the attribute's path within ``metadata`` for a stored name; None for the document's own parts."""
    if name in ("id", "title", "text", "url"):
        return None
    return name.removeprefix("metadata.")


def column(path: str) -> str:
    """Return the field of a declared attribute; dots would nest it under one that may be a value itself."""
    return f"typed.{path.replace('.', '/')}"


def declared(fields: FieldMap) -> dict[str, FieldType]:
    """Return path -> type of the attributes whose type the profile gives."""
    found = {stored_path(stored.name): stored.type for stored in fields.values() if stored.type is not None}
    return {path: type for path, type in found.items() if path is not None}


def untyped(fields: FieldMap) -> list[str]:
    """Return the paths whose words are searched and whose type the profile leaves out: no mapping tells of them."""
    names = {stored.name for stored in fields.values() if stored.type is None}
    return sorted(path for name in worded(fields) if name in names and (path := stored_path(name)) is not None)


def index_body(settings: Settings, *, fingerprint: str | None, dimensions: int) -> dict[str, Any]:
    """Return the body that makes an index."""
    index, query = _analyzers(settings)
    text = {"type": "text", "analyzer": index, "search_analyzer": query}
    derived = list(DERIVED)
    properties: dict[str, Any] = {
        "id": {"type": "keyword", "index": False, "doc_values": False},
        # with offsets: highlighting need not analyse each text again
        "title": {**text, "index_options": "offsets", "copy_to": "all", "fields": {"raw": dict(_KEYWORD)}},
        "text": {**text, "index_options": "offsets", "copy_to": "all"},
        "all": {**text, "norms": False, "index_options": "docs"},
        VALUES: {**text, "copy_to": "all"},
        "url": dict(_KEYWORD),
        "host": dict(_KEYWORD),
        "path": dict(_KEYWORD),
        "extension": dict(_KEYWORD),
        "metadata": {"type": "object", "enabled": False},
        "open": {"type": "flattened"},
        "typed": {"properties": {}},
    }
    if any(boost != _text_boost(settings.fields) for boost in worded(settings.fields).values()):
        properties[SIMPLIFIED] = {**text, "copy_to": "all"}
        derived.append(SIMPLIFIED)
    for path, type in declared(settings.fields).items():
        field = dict(_TYPES[type]) if type != "text" else {**text, "fields": {"raw": dict(_KEYWORD)}}
        properties["typed"]["properties"][column(path).removeprefix("typed.")] = field
    if dimensions:
        properties["vector"] = {"type": "dense_vector", "dims": dimensions, "index": True, "similarity": "cosine"}
    analysis = _merged(_ANALYSIS, settings.analysis)
    body: dict[str, Any] = {
        "settings": {**settings.index_settings, "analysis": analysis},
        "mappings": {"dynamic": False, "_source": {"excludes": derived}, "properties": properties},
    }
    loose = untyped(settings.fields)
    signed = [_VERSION, body, *([loose] if loose else [])]
    signature = hashlib.sha256(json.dumps(signed, sort_keys=True).encode()).hexdigest()[:16]
    marker: dict[str, Any] = {"layout": OWN, "alias": settings.index, "signature": signature}
    if loose:
        marker["worded"] = loose
    if settings.analyzer is None:
        marker["words"] = WORDS
    body["mappings"]["_meta"] = {MARKER: {**marker, **vector_marker(fingerprint, dimensions)}}
    return body


def _text_boost(fields: FieldMap) -> float:
    return fields["text"].boost if "text" in fields else 1.0


def vector_marker(fingerprint: str | None, dimensions: int) -> dict[str, Any]:
    """Return what the marker says of the vectors."""
    return {"fingerprint": fingerprint, "dimensions": dimensions} if dimensions else {}


def _analyzers(settings: Settings) -> tuple[str, str]:
    if settings.analyzer is None:
        return "qx_index", "qx_query"
    return settings.analyzer, settings.search_analyzer or settings.analyzer


def _merged(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    kinds = dict.fromkeys([*ours, *theirs])
    return {kind: {**ours.get(kind, {}), **theirs.get(kind, {})} for kind in kinds}
