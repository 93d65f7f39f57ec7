"""One index: its settings, documents, and searches in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from servers.meilisearch.filtering import Facets, check, facet, passing
from servers.meilisearch.grammar import Refused, parse
from servers.meilisearch.matching import Words, matched, ordered
from servers.meilisearch.text import read, words

DEFAULTS: Mapping[str, Any] = {
    "displayedAttributes": ["*"],
    "searchableAttributes": ["*"],
    "filterableAttributes": [],
    "sortableAttributes": [],
    "rankingRules": ["words", "typo", "proximity", "attributeRank", "sort", "wordPosition", "exactness"],
    "stopWords": [],
    "nonSeparatorTokens": [],
    "separatorTokens": [],
    "dictionary": [],
    "synonyms": {},
    "distinctAttribute": None,
    "proximityPrecision": "byWord",
    "typoTolerance": {
        "enabled": True,
        "minWordSizeForTypos": {"oneTypo": 5, "twoTypos": 9},
        "disableOnWords": [],
        "disableOnAttributes": [],
        "disableOnNumbers": False,
    },
    "faceting": {"maxValuesPerFacet": 100, "sortFacetValuesBy": {"*": "alpha"}},
    "pagination": {"maxTotalHits": 1000},
    "embedders": {},
    "searchCutoffMs": None,
    "localizedAttributes": None,
    "facetSearch": True,
    "prefixSearch": "indexingTime",
}
_ID = re.compile(r"[A-Za-z0-9_-]{1,511}")


class Failure(Exception):
    """What Meilisearch says is wrong, with its code."""

    def __init__(self, message: str, code: str, kind: str = "invalid_request", status: int = 400) -> None:
        super().__init__(message)
        self.code, self.kind, self.status = code, kind, status


class Index:
    """Documents are numbered in the order in which they came."""

    def __init__(self, uid: str, key: str | None = None) -> None:
        self.uid, self.key = uid, key
        self.settings: dict[str, Any] = json.loads(json.dumps(DEFAULTS))
        self.documents: dict[int, dict[str, Any]] = {}
        self.vectors: dict[int, list[float]] = {}
        self._numbers: dict[str, int] = {}
        self._next = 0
        self._facets: dict[int, Facets] = {}
        self._words = Words()

    def configure(self, wanted: Mapping[str, Any]) -> None:
        for name, item in wanted.items():
            if item is None:
                self.settings[name] = DEFAULTS[name]
            elif isinstance(item, dict) and name in ("pagination", "faceting", "embedders", "typoTolerance"):
                self.settings[name] = {**self.settings[name], **item}
            else:
                self.settings[name] = item
        self._words = Words()
        for number, document in self.documents.items():
            self._words.add(number, self._texts(document))

    def add(self, documents: Sequence[Mapping[str, Any]], *, partial: bool = False) -> int:
        """Add a batch, all of it or nothing."""
        for document in documents:
            self._validate(document, partial=partial)
        for document in documents:
            key = str(document[self.key or "id"])
            old = self._numbers.get(key)
            merged = {**(self.documents[old] if partial and old is not None else {}), **document}
            vectors = merged.pop("_vectors", None)
            if old is None:
                number, self._next = self._next, self._next + 1
            else:
                number = old
                self._words.remove(old)
            self._numbers[key] = number
            self.documents[number] = merged
            self._facets[number] = Facets(merged)
            self._words.add(number, self._texts(merged))
            if vectors is not None or not partial:
                self.vectors.pop(number, None)
            for vector in (vectors or {}).values():
                if vector is not None:
                    self.vectors[number] = list(vector)
        return len(documents)

    def remove(self, keys: Sequence[str]) -> int:
        gone = [self._numbers.pop(key) for key in dict.fromkeys(keys) if key in self._numbers]
        for number in gone:
            self._words.remove(number)
            for store in (self.documents, self._facets, self.vectors):
                store.pop(number, None)
        return len(gone)

    def get(self, key: str) -> dict[str, Any] | None:
        number = self._numbers.get(key)
        return None if number is None else self.documents[number]

    def passing(self, found: Any) -> set[int]:
        try:
            tree = parse(found) if found is not None else None
            check(tree, self.uid, self.settings["filterableAttributes"])
        except Refused as error:
            raise Failure(str(error), error.code) from error
        return passing(tree, self._facets)

    def search(self, body: Mapping[str, Any]) -> dict[str, Any]:
        limit, offset = int(body.get("limit", 20)), int(body.get("offset") or 0)
        text, most = str(body.get("q") or ""), self.settings["pagination"]["maxTotalHits"]
        universe = self.passing(body.get("filter"))
        sort = self._sort(body.get("sort") or [])
        attributes = self._attributes(body.get("attributesToSearchOn"))
        wanted = max(0, min(offset + limit, most) - offset)
        if (hybrid := body.get("hybrid")) is not None:
            found, total, semantic = self._hybrid(body, hybrid, text, universe, min(offset + limit, most))
        else:
            found, total = self._by_words(text, body, universe, min(offset + limit, most), sort, attributes)
            semantic = None
        hits = [self._shown(number, body, place) for place, number in enumerate(found[offset : offset + wanted])]
        answer: dict[str, Any] = {"hits": hits, "query": text, "processingTimeMs": 0}
        answer |= {"limit": limit, "offset": offset, "estimatedTotalHits": total, "requestUid": "0"}
        if body.get("facets"):
            answer |= self._distribution(body["facets"], self._all(text, body, universe, attributes))
        if semantic is not None:
            answer["semanticHitCount"] = semantic
        return answer

    def _by_words(self, text, body, universe, most, sort, attributes) -> tuple[list[int], int]:  # type: ignore[no-untyped-def]
        query = read(text)
        buckets = matched(self._words, query, body.get("matchingStrategy", "last"), universe, attributes)
        total = sum(len(documents) for documents, _ in buckets)
        if sort and self.settings["rankingRules"][0] == "sort":
            buckets = [({d for documents, _ in buckets for d in documents}, [])]
        found: list[int] = []
        for documents, lists in buckets:
            room = most - len(found)
            if room <= 0:
                break
            if sort:
                found += sorted(sorted(documents), key=lambda d: self._order(d, sort))[:room]
            elif lists:
                found += ordered(self._words, documents, lists, room, query)
            else:
                found += sorted(documents)[:room]
        return found, total

    def _all(self, text, body, universe, attributes) -> set[int]:  # type: ignore[no-untyped-def]
        found = matched(self._words, read(text), body.get("matchingStrategy", "last"), universe, attributes)
        return {d for documents, _ in found for d in documents}

    def _hybrid(self, body, hybrid, text, universe, most) -> tuple[list[int], int, int]:  # type: ignore[no-untyped-def]
        name, vector = hybrid.get("embedder"), body.get("vector")
        if name not in self.settings["embedders"]:
            raise Failure(f"Cannot find embedder with name `{name}`.", "invalid_search_embedder")
        if vector is None:
            return *self._by_words(text, body, universe, most, [], None), 0
        size = self.settings["embedders"][name]["dimensions"]
        if len(vector) != size:
            raise Failure(
                f"Invalid vector dimensions: expected: `{size}`, found: `{len(vector)}`.", "invalid_vector_dimensions"
            )
        near = sorted((n for n in self.vectors if n in universe), key=lambda n: (-_cosine(vector, self.vectors[n]), n))
        rest = sorted(universe - set(near))
        ratio = hybrid.get("semanticRatio", 0.5)
        by_words, _ = self._by_words(text, body, universe, most, [], None) if text and ratio < 1 else ([], 0)
        found = list(dict.fromkeys([*by_words, *near, *rest]))
        return found[:most], len(universe), len(near)

    def _distribution(self, names: Sequence[str], documents: set[int]) -> dict[str, Any]:
        counts: dict[str, dict[str, int]] = {}
        stats: dict[str, dict[str, float]] = {}
        faceting = self.settings["faceting"]
        for name in names:
            if not any(name == f or name.startswith(f"{f}.") for f in self.settings["filterableAttributes"]):
                known = ", ".join(f"`{f}`" for f in sorted(self.settings["filterableAttributes"]))
                raise Failure(
                    f"Invalid facet distribution: Attribute `{name}` is not filterable. Available filterable attributes patterns are: {known}.",
                    "invalid_search_facets",
                )
            found: dict[str, tuple[str, int]] = {}
            for number in sorted(documents):
                items = self._facets[number].values.get(name, ())
                numbers = [float(i) for i in items if isinstance(i, (int, float)) and not isinstance(i, bool)]
                for item in numbers:
                    low, high = stats.get(name, {}).get("min", item), stats.get(name, {}).get("max", item)
                    stats[name] = {"min": min(low, item), "max": max(high, item)}
                for key in dict.fromkeys(_shown(i) for i in items):
                    same = facet(key)
                    found[same] = (found.get(same, (key, 0))[0], found.get(same, (key, 0))[1] + 1)
            by_count = faceting.get("sortFacetValuesBy", {}).get("*") == "count"
            order = sorted(found.values(), key=lambda pair: (-pair[1], pair[0]) if by_count else (0, facet(pair[0])))
            counts[name] = dict(order[: faceting["maxValuesPerFacet"]])
        return {"facetDistribution": counts, "facetStats": stats}

    def _sort(self, wanted: Sequence[str]) -> list[tuple[str, bool]]:
        sort = [(name.rpartition(":")[0], name.endswith(":desc")) for name in wanted]
        declared = self.settings["sortableAttributes"]
        for name, _ in sort:
            if not any(name == d or name.startswith(f"{d}.") for d in declared):
                raise Failure(
                    f"Index `{self.uid}`: Attribute `{name}` is not sortable. Available sortable attributes are: `{', '.join(sorted(declared))}`.",
                    "invalid_search_sort",
                )
        return sort

    def _order(self, number: int, sort: Sequence[tuple[str, bool]]) -> list[tuple[int, float, list[int]]]:
        keys: list[tuple[int, float, list[int]]] = []
        for name, descending in sort:
            values = self._facets[number].values.get(name, [])
            numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
            sign = -1 if descending else 1
            if numbers:
                keys.append((0, sign * (max(numbers) if descending else min(numbers)), []))
            elif values:
                texts = sorted((facet(str(v)) for v in values), reverse=descending)
                keys.append((1, 0.0, [sign * ord(c) for c in texts[0]]))
            else:
                keys.append((2, 0.0, []))
        return keys

    def _attributes(self, wanted: Sequence[str] | None) -> frozenset[int] | None:
        if wanted is None:
            return None
        known = self._searched()
        for name in wanted:
            if name not in known:
                raise Failure(
                    f"Index `{self.uid}`: Attribute `{name}` is not searchable. Available searchable attributes are: `{', '.join(sorted(known))}`.",
                    "invalid_search_attributes_to_search_on",
                )
        return frozenset(known.index(name) for name in wanted)

    def _searched(self) -> list[str]:
        names = list(self.settings["searchableAttributes"])
        if names == ["*"]:
            names = list(dict.fromkeys(name for document in self.documents.values() for name in document))
        return names

    def _texts(self, document: Mapping[str, Any]) -> list[list[str]]:
        names = self.settings["searchableAttributes"]
        texts = [_text(selected(document, [name])) for name in (document if names == ["*"] else names)]
        expanded: list[list[str]] = []
        for text in texts:  # a phrase does not reach across the values of a list
            parts = [words(part) for part in text.split(_BETWEEN)]
            expanded.append([word for at, part in enumerate(parts) for word in (*([""] if at else ()), *part)])
        return expanded

    def _shown(self, number: int, body: Mapping[str, Any], place: int) -> dict[str, Any]:
        wanted = body.get("attributesToRetrieve") or ["*"]
        shown = selected(self.documents[number], wanted)
        if body.get("showRankingScore"):
            shown["_rankingScore"] = 1.0 / (1 + place)
        return shown

    def _validate(self, document: Mapping[str, Any], *, partial: bool) -> None:
        key = self.key or "id"
        if key not in document:
            shown = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            raise Failure(f"Document doesn't have a `{key}` attribute: `{shown}`.", "missing_document_id")
        id = document[key]
        if isinstance(id, bool) or not (isinstance(id, int) or (isinstance(id, str) and _ID.fullmatch(id))):
            raise Failure(
                f"Document identifier `{json.dumps(id, ensure_ascii=False)}` is invalid. A document identifier can be of "
                "type integer or string, only composed of alphanumeric characters (a-z A-Z 0-9), hyphens (-) and "
                "underscores (_), and can not be more than 511 bytes.",
                "invalid_document_id",
            )
        self._validate_vectors(document, str(id), partial=partial)

    def _validate_vectors(self, document: Mapping[str, Any], id: str, *, partial: bool) -> None:
        given = document.get("_vectors") or {}
        for name, embedder in self.settings["embedders"].items():
            if name not in given and not (partial and id in self._numbers):
                raise Failure(
                    f"Index `{self.uid}`: While embedding documents for embedder `{name}`: no vectors provided for document "
                    f"`{id}`\n- Note: `{name}` has `source: userProvided`, so documents must provide embeddings as an array "
                    f"in `_vectors.{name}`.\n- Hint: opt-out for a document with `_vectors.{name}: null`",
                    "vector_embedding_error",
                )
            vector = given.get(name)
            if vector is not None and len(vector) != embedder["dimensions"]:
                raise Failure(
                    f"Index `{self.uid}`: Invalid vector dimensions in document with id `{id}` in `._vectors.{name}`.\n  - "
                    f"note: embedding #0 has dimensions {len(vector)}\n  - note: embedder `{name}` requires "
                    f"{embedder['dimensions']}",
                    "invalid_vector_dimensions",
                )


_BETWEEN = " . "


def selected(document: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, Any]:
    """Return the attributes that are asked for; dots lead into objects."""
    if "*" in wanted:
        return dict(document)
    found: dict[str, Any] = {}
    for name in wanted:
        if name in document:
            found[name] = document[name]
            continue
        head, dot, rest = name.partition(".")
        inner = document.get(head)
        if dot and isinstance(inner, dict) and (part := selected(inner, [rest])):
            found[head] = {**found.get(head, {}), **part}
    return found


def _text(item: Any) -> str:
    if isinstance(item, list):
        return _BETWEEN.join(_text(inner) for inner in item)
    if isinstance(item, dict):
        return _BETWEEN.join(_text(inner) for inner in item.values())
    return "" if item is None or isinstance(item, bool) else str(item)


def _shown(item: Any) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    size = (sum(x * x for x in left) * sum(x * x for x in right)) ** 0.5
    return sum(x * y for x, y in zip(left, right, strict=True)) / size if size else 0.0
