"""An engine for tests that keeps documents in memory, finds them by the store's words, and can be switched off."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from qx.backend import Document, IndexReport, SearchRequest, SearchResponse
from qx.errors import Unavailable
from qx.filters.fieldmap import StoredField
from qx_chatlog.index.analysis import query_terms, words

FIELDS: Any = {name: StoredField(name=name) for name in ("owner", "session", "role", "seconds")}


class ProposingEngine:
    """Attributes:
    down: Nobody is there.
    dying: What writes is killed.
    sent: Ids in the order in which they came.
    extra: Ids that are found whatever is asked.
    whatever: Documents of the owner are found without any word of the query.
    """

    name = "broken"
    endpoint = "nowhere"
    accepts = frozenset({"any"})
    bm25 = False

    def __init__(self, *, whatever: bool = True) -> None:
        self.fields = FIELDS
        self.down = False
        self.dying = False
        self.documents: dict[str, Document] = {}
        self.sent: list[str] = []
        self.extra: tuple[str, ...] = ()
        self.whatever = whatever

    async def prepare(self, **_: Any) -> None:
        self._check()

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        self._check()
        if self.dying:
            raise KeyboardInterrupt
        self.sent += [one.id for one in documents]
        self.documents |= {one.id: one for one in documents}
        return IndexReport(indexed=len(documents))

    async def delete(self, ids: Sequence[str], /) -> int:
        self._check()
        return len([self.documents.pop(one, None) for one in ids])

    async def ids(self) -> Sequence[str]:
        return list(self.documents)

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        self._check()
        given = getattr(request.filter, "filters", (request.filter,))
        owners = [one.value for one in given if one.field == "owner"]
        fitting = [one.id for one in self.documents.values() if self._fits(one, owners, request.text)]
        ids = (*self.extra, *fitting)[: request.limit]
        return SearchResponse(ids=ids, scores=tuple(1.0 for _ in ids), hit=lambda n: pytest.fail("no hit is made"))

    async def aclose(self) -> None:
        pass

    @property
    def messages(self) -> set[str]:
        """The ids of messages: the index's own mark is none."""
        return {one for one in self.documents if json.loads(one)[0]}

    def _fits(self, document: Document, owners: Sequence[object], text: str) -> bool:
        if document.metadata["owner"] not in owners:
            return False
        held = words(document.text)
        terms = query_terms(text)
        return self.whatever or any(
            any(word.startswith(term.text) if term.prefix else word == term.text for word in held) for term in terms
        )

    def _check(self) -> None:
        if self.down:
            raise Unavailable("connection refused")
