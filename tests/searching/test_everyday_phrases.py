"""What people say every day is no condition, whatever values the index holds: nothing that they look for is hidden."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, SupportsIndexing

KEYWORDS = (
    "author",
    "type",
    "category",
    "state",
    "country",
    "project",
    "editor",
    "language",
    "genre",
    "topic",
    "feature",
)
FLAGS = ("new", "open", "read", "public")
TEMPTING = {
    "author": ("Hand, Julia", "Friday", "default", "the way", "鲁迅", "Price, Ann", "Larry Niven", "小米"),
    "type": ("error", "c", "b"),
    "category": ("theory", "phone"),
    "state": ("machine", "open", "管理"),
    "country": ("music", "France"),
    "project": ("管理", "manager"),
    "editor": ("text", "code"),
    "language": ("en", "zh", "English", "英文"),
    "genre": ("fantasy", "music"),
    "topic": ("visa", "car", "gardens"),
    "feature": ("hood", "laces"),
}
"""Values of documents that say nothing else."""
EVERYDAY = (
    "by the way",
    "how to learn by hand",
    "books by default",
    "books sorted by price",
    "books by Friday",
    "type error",
    "category theory",
    "phone category",
    "state machine",
    "country music",
    "project manager",
    "text editor",
    "状态管理",
    "项目管理",
    "鲁迅的小说赏析",
    "小米的产品经理",
    "英文文献怎么找",
    "movie isn't by Larry Niven",
    "nothing by Larry Niven",
    "Larry Niven's book review",
    "new product launch strategy",
    "open ticket count",
    "how to report open issues",
    "read books online",
    "public documents act",
    "travel without visa",
    "countries where no visa is wanted",
    "living without a car",
    "不吃早餐的危害",
    "shoes without laces",
)
ABOUT = {
    "travel without visa": {"topic": "visa"},
    "countries where no visa is wanted": {"topic": "visa"},
    "living without a car": {"topic": "car"},
    "不吃早餐的危害": {"topic": "早餐"},
    "shoes without laces": {"feature": "laces"},
}
"""What some of them have as a value that they are about."""
NAMED = (
    ("books by Larry Niven", {"Larry Niven"}),
    ("novels by Price", {"Price, Ann"}),
    ("books by niven", {"Larry Niven"}),
    ("鲁迅的小说推荐", {"鲁迅"}),
    ("鲁迅的小说作品", {"鲁迅"}),
    ("Larry Niven's books about rings", {"Larry Niven"}),
)


@asynccontextmanager
async def tempted(folder: Path) -> AsyncGenerator[Engine]:
    """An index of the everyday phrases, each a document's title, beside documents that have the values alone."""
    fields = {name: {"name": f"metadata.{name}", "type": "keyword"} for name in KEYWORDS}
    fields |= {name: {"name": f"metadata.{name}", "type": "bool"} for name in FLAGS}
    block = {"type": "local", "path": str(folder / "index"), "fields": {"title": "title", "text": "text", **fields}}
    settings = {"understand": {"mode": "rules"}, "search": {"backends": {"own": block}, "rerank": "never"}}
    documents = [
        Document(id=text, title=text, text="", metadata={"open": False, **ABOUT.get(text, {})}) for text in EVERYDAY
    ]
    for field, values in TEMPTING.items():
        documents += [Document(id=f"{field} {v}", title="", text="Rings.", metadata={field: v}) for v in values]
    documents += [Document(id=flag, title="", text="-", metadata={flag: True}) for flag in FLAGS]
    async with Engine.opened(Profile.model_validate({"tenant": "own", **settings}), plugins=PLUGINS) as engine:
        writable = engine.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert(documents)
        yield engine


@pytest.fixture(autouse=True)
def beside_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def test_what_is_said_every_day_hides_nothing(tmp_path: Path):
    async with tempted(tmp_path) as engine:
        hidden = [t for t in EVERYDAY if t not in {hit.id for hit in (await engine.search(t, limit=50)).hits}]
    assert hidden == []


async def test_who_is_named_is_a_condition_all_the_same(tmp_path: Path):
    async with tempted(tmp_path) as engine:
        for text, authors in NAMED:
            found = (await engine.search(text, limit=50)).hits
            assert {hit.metadata.get("author") for hit in found} == authors, text


async def test_what_is_not_wanted_is_a_condition_all_the_same(tmp_path: Path):
    async with tempted(tmp_path) as engine:
        for text, field in (("jackets without hood", "feature"), ("guides, except gardens", "topic")):
            assert any(field in str(ranking.filter) for ranking in (await engine.search(text)).rankings), text


async def test_what_is_told_in_passing_is_no_condition(tmp_path: Path):
    async with tempted(tmp_path) as engine:
        for text in ("my type is error but nothing fails", "state is machine made"):
            assert all(ranking.filter is None for ranking in (await engine.search(text)).rankings), text
        for text in ("type is error", "type is error, country is France"):
            assert any(ranking.filter is not None for ranking in (await engine.search(text)).rankings), text
