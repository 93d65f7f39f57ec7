"""Engines over scripted backends, for the tests of searching."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from engines import engine
from qx import Engine
from qx.backend import Document
from qx.testing import ScriptedLLM
from qx.testing.backend import ScriptedBackend
from qx.types import SearchResult

TEXT = "how to fix a squeaky bicycle brake"
PRICE = {"price": {"name": "metadata.price", "type": "number", "unit": "USD"}}
BRAND = {"brand": {"name": "metadata.brand", "type": "keyword"}}
_names = count()


def block(backend: ScriptedBackend, **settings: Any) -> dict[str, Any]:
    name = f"backend-{next(_names)}"
    backend.named(name)
    return {"type": "scripted", "instance": name} | settings


@asynccontextmanager
async def searching(
    *backends: ScriptedBackend, llm: ScriptedLLM | None = None, search: dict[str, Any] | None = None, **settings: Any
) -> AsyncGenerator[Engine]:
    """An engine over backends that are named a, b, c …"""
    blocks = {chr(ord("a") + n): block(b) for n, b in enumerate(backends)}
    fields = (search or {}).pop("fields", None)
    if fields:
        blocks = {name: one | {"fields": fields} for name, one in blocks.items()}
    options = {"backends": blocks, "min_results": 0, "rerank": "never"} | (search or {})
    async with engine(llm, search=options, **settings) as opened:
        yield opened


def ids(result: SearchResult) -> list[str]:
    return [hit.id for hit in result.hits]


def docs(*ids: str, **metadata: Any) -> tuple[Document, ...]:
    return tuple(Document(id=id, title=f"title {id}", metadata=metadata) for id in ids)


class Knowing(ScriptedBackend):
    """A scripted backend that says what it holds (``SupportsVocabulary``).

    Args:
        held: Word -> number of documents.
        stored: Stored field -> its values.
        slow: Seconds before it says so.
        broken: What it raises instead.
    """

    def __init__(
        self,
        *args: Any,
        held: Mapping[str, int] | None = None,
        stored: Mapping[str, Sequence[str]] | None = None,
        slow: float = 0.0,
        broken: Exception | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.held, self.stored, self.slow, self.broken = held or {}, stored or {}, slow, broken
        self.counted: list[tuple[str, ...]] = []
        self.listed: list[str] = []

    async def frequencies(self, terms: Sequence[str], /) -> Mapping[str, int]:
        self.counted.append(tuple(terms))
        await asyncio.sleep(self.slow)
        if self.broken is not None:
            raise self.broken
        return {term: self.held.get(term, 0) for term in terms}

    async def values(self, field: str, /, *, limit: int) -> Sequence[tuple[str, int]]:
        self.listed.append(field)
        await asyncio.sleep(self.slow)
        if self.broken is not None:
            raise self.broken
        return [(item, 1) for item in self.stored.get(field, ())][:limit]


class Near(ScriptedBackend):
    """A scripted backend with vectors (``SupportsVectors``) of the embedder ``fingerprint``; None: without any yet."""

    def __init__(self, *args: Any, fingerprint: str | None = None, **options: Any) -> None:
        super().__init__(*args, accepts=frozenset(("any", "lexical", "vector")), **options)
        self.fingerprint = fingerprint

    async def stored_fingerprint(self) -> str | None:
        return self.fingerprint
