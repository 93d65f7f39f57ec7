"""A bound beside the name of a declared number is a condition on that one; a bare one beside any goods is a price."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, SupportsIndexing
from qx.filters import Compare, leaves

NUMBERS = ("pages", "rating", "seat_count", "price")
DOCUMENTS = (
    ("short", "Leave guide", {"pages": 4, "rating": 3.5, "price": 10, "type": "guide", "department": "Finance"}),
    ("long", "Incident guide", {"pages": 30, "rating": 4.5, "price": 40, "type": "guide", "department": "People"}),
    ("制度", "报销制度", {"pages": 12, "rating": 4, "price": 90, "type": "制度", "department": "财务"}),
    ("其他", "人事制度", {"pages": 8, "rating": 2, "price": 300, "type": "制度", "department": "人事"}),
)


@asynccontextmanager
async def office(folder: Path) -> AsyncGenerator[Engine]:
    fields = {name: {"name": f"metadata.{name}", "type": "number"} for name in NUMBERS}
    fields |= {name: {"name": f"metadata.{name}", "type": "keyword"} for name in ("type", "department")}
    block = {"type": "local", "path": str(folder / "index"), "fields": {"title": "title", "text": "text", **fields}}
    settings = {"understand": {"mode": "rules"}, "search": {"backends": {"own": block}, "rerank": "never"}}
    async with Engine.opened(Profile.model_validate({"tenant": "own", **settings}), plugins=PLUGINS) as engine:
        writable = engine.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert([Document(id=i, title=t, text="", metadata=m) for i, t, m in DOCUMENTS])
        yield engine


CASES: tuple[tuple[str, set[tuple[str, str, object]]], ...] = (
    ("guides with more than 20 pages", {("pages", "gt", 20)}),
    ("guide, at least 4 pages", {("pages", "ge", 4)}),
    ("guides no more than 10 pages", {("pages", "le", 10)}),
    ("guide with 20 pages or more", {("pages", "ge", 20)}),
    ("rating above 4", {("rating", "gt", 4)}),
    ("rating: >= 4.5", {("rating", "ge", 4.5)}),
    ("制度 页数超过10", {("pages", "gt", 10)}),
    ("超过10页的制度", {("pages", "gt", 10)}),
    ("10页以上的制度", {("pages", "ge", 10)}),
    ("评分不低于4的制度", {("rating", "ge", 4)}),
    ("documents under 40", {("price", "le", 40)}),
    ("documents by Ann Price under 40", {("price", "le", 40)}),
    ("100以下的文档", {("price", "le", 100)}),
    ("财务部门的制度", {("department", "eq", "财务")}),
    ("finance department guides", {("department", "eq", "Finance")}),
    ("how to write more than 20 pages", set()),
    ("the document isn't more than 20 pages", set()),
    ("20 pages", set()),
    ("above 4 ratings", {("rating", "gt", 4)}),
    ("under 40 winks", set()),
    ("rating above 4k monitors", set()),
)


async def test_what_is_named_is_a_condition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    wrong: dict[str, object] = {}
    async with office(tmp_path) as engine:
        for text, wanted in CASES:
            result = await engine.search(text)
            found = {
                (leaf.field.removeprefix("metadata."), leaf.op, leaf.value)
                for ranking in result.rankings
                for leaf in leaves(ranking.filter)
                if isinstance(leaf, Compare)
            }
            if found != wanted:
                wrong[text] = (found, result.notes)
    assert wrong == {}


async def test_it_finds_what_meets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    async with office(tmp_path) as engine:
        for text, wanted in (
            ("guides with more than 20 pages", {"long"}),
            ("超过10页的制度", {"制度"}),
            ("财务部门的制度", {"制度"}),
            ("documents under 40", {"short", "long"}),
        ):
            assert {hit.id for hit in (await engine.search(text)).hits} == wanted, text
