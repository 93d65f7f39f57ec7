"""A library of ten books whose authors, genres and languages are keywords, for the tests of every engine."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import qx.testing.plugin
from engines import PLUGINS
from qx import Engine, Profile
from qx.backend import Document, SupportsIndexing
from qx.plugins import Plugins

FIELDS = {
    "title": "title^2",
    "text": "text",
    "author": {"name": "metadata.author", "type": "keyword"},
    "genre": {"name": "metadata.genre", "type": "keyword"},
    "language": {"name": "metadata.language", "type": "keyword"},
    "year": {"name": "metadata.year", "type": "number"},
}
BOOKS = {
    "hand": ("The Left Hand of Darkness", "An envoy on a winter world.", "Ursula K. Le Guin", "science fiction", "English", 1969),
    "earthsea": ("A Wizard of Earthsea", "A boy learns the names of things.", "Ursula K. Le Guin", "fantasy", "English", 1968),
    "martian": ("The Martian", "An astronaut alone on Mars.", "Andy Weir", "science fiction", "English", 2011),
    "三体": ("三体", "地球往事第一部。", "刘慈欣", "科幻", "中文", 2008),
    "three": ("The Three-Body Problem", "First contact, three suns.", "Liu Cixin", "science fiction", "English", 2014),
    "ocean": ("冰洋上的旅行", "一次漫长的航行。", "Liu Cixin", "科幻", "中文", 2019),
    "红高粱": ("红高粱家族", "高密东北乡的往事。", "莫言", "文学", "中文", 1987),
    "emma": ("Emma", "A matchmaker who errs.", "Austen, Jane", "romance", "English", 1815),
    "ringworld": ("Ringworld", "A ring around a star.", "Larry Niven", "science fiction", "English", 1970),
    "史记": ("史记", "纪传体通史。", "司马迁", "历史", "中文", 100),
}  # fmt: skip

EVERYTHING = set(BOOKS)
CASES: tuple[tuple[str, set[str]], ...] = (
    ("Ursula Le Guin", {"hand", "earthsea"}),
    ("books by Ursula Le Guin", {"hand", "earthsea"}),
    ("Le Guin", {"hand", "earthsea"}),
    ("novels by Austen", {"emma"}),
    ("jane austen", {"emma"}),
    ("author Andy Weir", {"martian"}),
    ("Andy Weir's books", {"martian"}),
    ("books not by Andy Weir", EVERYTHING - {"martian"}),
    ("莫言的小说", {"红高粱"}),
    ("作者：莫言", {"红高粱"}),
    ("莫言寫的", {"红高粱"}),
    ("books by Liu Cixin in English", {"three"}),
    ("books by Liu Cixin in Chinese", {"ocean"}),
    ("刘慈欣写的书", {"三体"}),
    ("除了莫言以外的文学", set()),
    ("历史类的书", {"史记"}),
    ("genre fantasy", {"earthsea"}),
    ("books published before 1970", {"hand", "earthsea", "emma", "史记"}),
    ("1970年以前出版的书", {"hand", "earthsea", "emma", "史记"}),
    ("文章 1900年以前", {"emma", "史记"}),
    ("published before 1970", {"hand", "earthsea", "emma", "史记"}),
    ("作者是莫言", {"红高粱"}),
)
"""A query, and what it finds: all of it, and nothing else."""


@asynccontextmanager
async def library(folder: Path, place: Mapping[str, Any] | None = None) -> AsyncGenerator[Engine]:
    """The library over a local index, or in the backend whose block is ``place``."""
    block = dict(place or {"type": "local", "path": str(folder / "index")}) | {"fields": FIELDS}
    profile = Profile.model_validate(
        {
            "tenant": "library",
            "understand": {"mode": "rules"},
            "search": {"backends": {"books": block}, "rerank": "never"},
        }
    )
    plugins = PLUGINS if place is None else Plugins.load(allow=[str(place["type"])], modules=[qx.testing.plugin])
    async with Engine.opened(profile, plugins=plugins) as opened:
        writable = opened.backend()
        assert isinstance(writable, SupportsIndexing)
        await writable.prepare(fingerprint=None, dimensions=0)
        await writable.upsert([_document(id, *row) for id, row in BOOKS.items()])
        yield opened


class LibrarySuite:
    """What readers ask of the library, for any engine: override ``place``."""

    @pytest.fixture
    def place(self) -> Mapping[str, Any]:
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def beside_the_profile(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    async def test_what_readers_ask_for(self, place: Mapping[str, Any], tmp_path: Path) -> None:
        wrong: dict[str, set[str]] = {}
        async with library(tmp_path, place) as engine:
            for text, wanted in CASES:
                if (found := await found_by(engine, text)) != wanted:
                    wrong[text] = found ^ wanted
        assert wrong == {}


async def found_by(engine: Engine, text: str) -> set[str]:
    """The ids that a query finds."""
    return {hit.id for hit in (await engine.search(text, limit=20)).hits}


def _document(id: str, title: str, text: str, author: str, genre: str, language: str, year: int) -> Document:
    return Document(
        id=id, title=title, text=text, metadata={"author": author, "genre": genre, "language": language, "year": year}
    )
