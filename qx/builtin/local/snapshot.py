"""One committed state of the index, as a search sees it from beginning to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qx.builtin.local import codes
from qx.builtin.local.marker import Marker
from qx.builtin.local.schema import Kind, tantivy

_MOST_VALUES = 100_000


class Snapshot:
    """A searcher with the marker that was in force, and what was worked out about this state so far.

    Attributes:
        schema, searcher: tantivy's.
        marker: How the index is made.
    """

    def __init__(self, schema: Any, searcher: Any, marker: Marker) -> None:
        self.schema = schema
        self.searcher = searcher
        self.marker = marker
        self.columns = marker.columns
        self._frequencies: dict[str, int] = {}
        self._values: dict[str, list[str]] = {}
        self.vectors: Any = None

    @property
    def documents(self) -> int:
        return int(self.searcher.num_docs)

    def having(self, path: str, kind: str) -> int:
        """Return in how many documents a path has a value of ``kind`` (``e M N S B D P``); deleted ones may count."""
        token = codes.token(path, kind)
        if token not in self._frequencies:
            self._frequencies[token] = int(self.searcher.doc_freq("exact", token))
        return self._frequencies[token]

    def is_behind(self, path: str) -> bool:
        """Return whether a document has values at ``path`` whose words were not searched when it was indexed."""
        if path not in (self.marker.worded or ()):
            return self.having(path, "P") > 0
        since = self.marker.since.get(path)
        if since is None or not self.having(path, "P"):
            return False
        library = tantivy()
        kind = library.FieldType.Unsigned
        older = library.Query.range_query(self.schema, "key", kind, upper_bound=since, include_upper=False)
        must = library.Occur.Must
        return self.number(library.Query.boolean_query([(must, self.exact(codes.token(path, "P"))), (must, older)])) > 0

    def column(self, path: str, kind: Kind) -> str | None:
        return self.columns.name(path, kind)

    def exact(self, token: str) -> Any:
        """Return the query for an exact token."""
        return tantivy().Query.term_query(self.schema, "exact", token, index_option="basic")

    def values(self, path: str, query: Any | None, limit: int | None) -> list[tuple[str, int]]:
        """Return the values of a path in the documents that ``query`` matches (None: all), most frequent first."""
        found: list[tuple[str, int]] = []
        everything = tantivy().Query.all_query() if query is None else query
        for kind in "snb":
            prefix = codes.token(path, kind)
            for token, count in self.searcher.terms_with_prefix("exact", prefix, filter_query=everything):
                text = codes.text_of(token[len(prefix) :])
                if text is not None and count:
                    found.append(({"1": "true", "0": "false"}[text] if kind == "b" else text, int(count)))
        found.sort(key=lambda item: (-item[1], item[0]))
        return found[:limit]

    def texts(self, path: str) -> list[str]:
        """Return the texts that a path has in any document (at most 100,000)."""
        if path not in self._values:
            prefix = codes.token(path, "s")
            terms = self.searcher.terms_with_prefix("exact", prefix, limit=_MOST_VALUES)
            known = (codes.text_of(token[len(prefix) :]) for token, _ in terms)
            self._values[path] = [text for text in known if text is not None]
        return self._values[path]

    def keys(self, addresses: Sequence[Any]) -> list[int]:
        """Return the keys of documents."""
        return self.searcher.fast_field_values("key", list(addresses)) if addresses else []

    def number(self, query: Any | None) -> int:
        """Return how many documents a query matches; None matches none."""
        return 0 if query is None else int(self.searcher.search(query, 1, count=True).count)

    def some(self, query: Any, limit: int) -> list[int]:
        """Return the keys of the best documents that a query matches."""
        return self.keys([address for _, address in self.searcher.search(query, limit, count=False).hits])

    def matching(self, query: Any) -> list[int]:
        """Return the keys of all documents that a query matches."""
        if not self.documents:
            return []
        return self.keys([address for _, address in self.searcher.search(query, self.documents, count=False).hits])
