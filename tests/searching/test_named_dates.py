"""A time beside the name of a declared date is a condition on that one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine, Profile, Query
from qx.backend import Document, SupportsIndexing

DATES = ("listed", "due_date", "updated")
DOCUMENTS = (
    ("lamp", "Desk lamp", {"listed": "2026-11-20", "due_date": "2026-12-24", "updated": "2026-01-05"}),
    ("chair", "Office chair", {"listed": "2026-06-01", "due_date": "2027-02-01", "updated": "2026-11-25"}),
    ("灯", "书桌台灯", {"listed": "2026-11-22", "due_date": "2026-12-01", "updated": "2026-03-03"}),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("listed after 10 November 2026", {"lamp", "灯"}),
        ("lamp listed before 21 November 2026", {"lamp"}),
        ("due before 25 December 2026", {"lamp", "灯"}),
        ("due date: before 2026-12-10", {"灯"}),
        ("updated after 2026-11-01", {"chair"}),
        ("2026年11月10日之后上架的", {"lamp", "灯"}),
        ("2026年12月10日之前到期的", {"灯"}),
        ("2026年12月10日之前截止的台灯", {"灯"}),
        ("updated before 2026-02-01, listed after 2026-11-01", {"lamp"}),
    ],
)
async def test_the_date_that_is_named(text: str, found: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    fields = {name: {"name": f"metadata.{name}", "type": "date"} for name in DATES}
    block = {"type": "local", "path": str(tmp_path / "index"), "fields": {"title": "title", "text": "text", **fields}}
    settings = {"understand": {"mode": "rules"}, "search": {"backends": {"own": block}, "rerank": "never"}}
    async with Engine.opened(Profile.model_validate({"tenant": "own", **settings}), plugins=PLUGINS) as engine:
        writable = engine.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert([Document(id=id, title=title, metadata=dates) for id, title, dates in DOCUMENTS])
        result = await engine.search(Query(text=text, now=datetime(2026, 11, 30, 12, tzinfo=UTC)))
    assert {hit.id for hit in result.hits} == found
