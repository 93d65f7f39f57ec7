"""A small shop over a real local index, for the tests of searching."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engines import engine
from qx import Engine
from qx.backend import Document, SupportsIndexing
from qx.testing import ScriptedLLM

FIELDS: Mapping[str, Any] = {
    "title": "title",
    "text": "text",
    "price": {"name": "metadata.price_cents", "type": "number", "scale": 100, "unit": "EUR"},
    "brand": {"name": "metadata.brand", "type": "keyword"},
    "memory": {"name": "metadata.memory", "type": "number", "unit": "GB"},
}
GOODS = (
    ("hp-dear", "HP gaming laptop", "HP", 799, 16),
    ("hp-cheap", "HP laptop", "HP", 449, 8),
    ("dell-cheap", "Gaming laptop", "Dell", 479, 8),
    ("dell-small", "Light laptop", "Dell", 299, 4),
    ("dell-dear", "Dell laptop", "Dell", 1299, 8),
    ("screen-cheap", "27寸显示器", "HP", 199, 0),
    ("screen-dear", "4K 显示器", "Dell", 899, 0),
    ("printer", "Laser printer", "HP", 99, 0),
    ("charger", "Charger for HP laptop", "Anker", 29, 0),
)


def _document(id: str, title: str, brand: str, price: int, memory: int) -> Document:
    return Document(id=id, title=title, metadata={"brand": brand, "price_cents": price * 100, "memory": memory})


@asynccontextmanager
async def shop(
    folder: Path,
    fields: Mapping[str, Any] | None = FIELDS,
    llm: ScriptedLLM | None = None,
    goods: Sequence[tuple[str, str, str, int, int]] = GOODS,
) -> AsyncGenerator[Engine]:
    block = {"type": "local", "path": str(folder / "index")} | ({"fields": dict(fields)} if fields else {})
    search = {"backends": {"goods": block}, "min_results": 0, "rerank": "never"}
    expand = {"limit": 4, "abstain": "never" if llm else "auto"}
    async with engine(
        llm, search=search, expand=expand, understand={"mode": "llm-single" if llm else "rules"}
    ) as opened:
        writable = opened.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert([_document(*row) for row in goods])
        yield opened
