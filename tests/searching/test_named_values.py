"""A library by the words of its readers: who wrote a book, in which language, and books of which nothing more is said."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from library import EVERYTHING, LibrarySuite, found_by, library

from qx import Query
from qx.filters import Compare


@pytest.fixture(autouse=True)
def beside_the_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the folder of a profile without a file is the one where one works


class TestLibrary(LibrarySuite):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Mapping[str, Any]:
        return {"type": "local", "path": str(tmp_path / "index")}


async def test_words_that_every_book_goes_without_are_told(tmp_path: Path):
    async with library(tmp_path) as engine:
        result = await engine.search("books published before 1970")
        assert [note for note in result.notes if "“books published”" in note and "all are shown" in note]
        assert result.total == 4
        page = await engine.search("books published before 1970", limit=2, offset=2)
        assert len(page.hits) == 2
        assert not {hit.id for hit in page.hits} & {hit.id for hit in result.hits[:2]}
        given = Query(text="books", filters=Compare(field="year", op="lt", value=1970))
        assert len((await engine.search(given)).hits) == 4


async def test_a_word_that_says_something_is_not_left_out(tmp_path: Path):
    async with library(tmp_path) as engine:
        for text in ("unicorn published before 1970", "books", "小说"):
            assert await found_by(engine, text) == set(), text
        assert await found_by(engine, "Dune by Andy Weir before 1800") <= {"martian"}


async def test_what_is_no_condition_stays_words(tmp_path: Path):
    async with library(tmp_path) as engine:
        for text in WORDS:
            result = await engine.search(text)
            assert all(ranking.filter is None for ranking in result.rankings), text


async def test_a_condition_that_nothing_meets_is_given_up_and_told(tmp_path: Path):
    async with library(tmp_path) as engine:
        result = await engine.search("books by Andy Weir published before 1950")
        assert {hit.id for hit in result.hits} < EVERYTHING
        assert any("relaxed" in note for note in result.notes)


WORDS = (
    "the problem by the ring is andy",
    "why does Andy Weir not write fantasy?",
    "learn English",
    "how to say hello in English",
    "type English here",
    "side by side",
    "the author of Ringworld",
    "by",
    "的",
    "author",
    "作者",
    "语言",
)


async def test_where_conditions_leave_nothing_the_values_are_words_again_and_amounts_are_not(tmp_path: Path):
    async with library(tmp_path) as engine:
        result = await engine.search("mystery novels by Andy Weir")
        assert {hit.id for hit in result.hits} == {"martian"}
        assert await found_by(engine, "dragons published before 1970") == set()
