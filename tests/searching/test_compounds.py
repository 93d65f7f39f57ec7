"""A value beside its field's name, or a flag before a noun, that may name something else hides nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, SupportsIndexing
from qx.steps.grounding.field_words import stands_alone

DOCUMENTS = (
    ("handbook", "Exercise handbook for guards", {"team": "blue", "public": False}),
    ("sprint", "Weekly notes", {"team": "red", "public": True}),
    ("zh-handbook", "演练手册", {"department": "安全", "public": False}),
    ("zh-notes", "每周记录", {"department": "销售", "public": True}),
    ("law", "Which public documents anyone may ask for", {"public": False}),
    ("archive", "Old minutes of meetings", {"department": "Archive", "open": True}),
    ("leave", "Leave policies", {"department": "Sales", "open": False}),
)


@asynccontextmanager
async def office(folder: Path) -> AsyncGenerator[Engine]:
    fields = {name: {"name": f"metadata.{name}", "type": "keyword"} for name in ("team", "department")}
    fields |= {name: {"name": f"metadata.{name}", "type": "bool"} for name in ("public", "open")}
    block = {"type": "local", "path": str(folder / "index"), "fields": {"title": "title", "text": "text", **fields}}
    settings = {"understand": {"mode": "rules"}, "search": {"backends": {"own": block}, "rerank": "never"}}
    async with Engine.opened(Profile.model_validate({"tenant": "own", **settings}), plugins=PLUGINS) as engine:
        writable = engine.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert([Document(id=i, title=t, text="", metadata=m) for i, t, m in DOCUMENTS])
        yield engine


@pytest.mark.parametrize(
    ("text", "found", "filtered"),
    [
        ("red team exercise", "handbook", False),
        ("team red exercise", "handbook", False),
        ("red team 演练", "zh-handbook", False),
        ("销售部门演练", "zh-handbook", False),
        ("sales department leave policies", "leave", False),
        ("public documents", "law", False),
        ("red team", "sprint", True),
        ("red team notes", "sprint", True),
        ("销售部门", "zh-notes", True),
        ("销售部门的文档", "zh-notes", True),
        ("department: 销售", "zh-notes", True),
        ("open files", "archive", True),
    ],
)
async def test_a_compound_hides_nothing(
    text: str, found: str, filtered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    async with office(tmp_path) as engine:
        result = await engine.search(text)
    assert found in {hit.id for hit in result.hits}
    assert any(ranking.filter is not None for ranking in result.rankings) is filtered
    assert any("public = true" in note for note in result.notes) is (text == "public documents")


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("red team", True),
        ("red team books", True),
        ("red team, exercise", True),
        ("red team since 2020", True),
        ("red team exercise", False),
        ("red team 演练", False),
        ("red team 的文档", True),
        ("red team-building", False),
        ("销售部门", True),
        ("销售部门 请假", True),
        ("销售部门的文件", True),
        ("销售部门的演练", False),
        ("销售部门演练", False),
    ],
)
def test_a_phrase_that_stands_alone(text: str, alone: bool):
    at = text.index("team") + 4 if "team" in text else text.index("部门") + 2
    assert stands_alone(text, at) is alone
