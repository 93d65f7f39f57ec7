"""A backend that could not be opened, in an engine whose others could: every call of it fails with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from qx.backend import Document, Health, IndexReport, SearchRequest, SearchResponse
from qx.errors import BadResponse, ProviderError, QxError
from qx.filters import Filter
from qx.filters.fieldmap import FieldMap
from qx.types import Target


class Unopened:
    """Stands in the place of one, so that a search is partial and says why, as when an engine goes down later.

    Args:
        name: The profile's name for it.
        fields: The profile's field map.
        error: Why it could not be opened.
    """

    endpoint = "an engine that could not be opened"
    accepts: frozenset[Target] = frozenset(("any", "lexical", "vector"))
    bm25 = True

    def __init__(self, name: str, fields: FieldMap, error: QxError) -> None:
        self.name = name
        self.fields = fields
        self._kind = type(error) if isinstance(error, ProviderError) else BadResponse
        self._reason = str(error)

    def inexpressible(self, filter: Filter, /) -> Sequence[Filter]:
        """Return nothing: no reason of its own is to stand before the one that counts."""
        return ()

    async def search(self, request: SearchRequest, /) -> SearchResponse:
        """Raise the reason."""
        self._fail()

    async def prepare(self, *, fingerprint: str | None, dimensions: int, adopt: bool = False) -> None:
        """Raise the reason."""
        self._fail()

    async def upsert(self, documents: Sequence[Document], /) -> IndexReport:
        """Raise the reason."""
        self._fail()

    async def delete(self, ids: Sequence[str], /) -> int:
        """Raise the reason."""
        self._fail()

    async def ids(self) -> Sequence[str]:
        """Raise the reason."""
        self._fail()

    async def health(self) -> Health:
        """Return the reason."""
        return Health(ok=False, detail=self._reason)

    async def aclose(self) -> None:
        """Nothing was opened."""

    def _fail(self) -> NoReturn:
        raise self._kind(self._reason)
