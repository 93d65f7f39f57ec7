"""The word lists that ship: what is in a file, and what is said of one that is wrong."""

from __future__ import annotations

from importlib.resources import files

import pytest

from qx.errors import PackError
from qx.text.lexicons import entries, load, load_set

NAMES = sorted(f.name.removesuffix(".txt") for f in (files("qx.text") / "data").iterdir() if f.name.endswith(".txt"))


def test_words_comments_and_entries_with_spaces():
    content = "# head\none two # said\n=picture book\n词 one\n".encode()
    assert entries(content, "list.txt") == ("one", "two", "picture book", "词")


@pytest.mark.parametrize(("content", "line"), [(b"one\n\xff\xfe\n", 2), (b"one\ntwo\n=\n", 3)])
def test_a_fault_is_told_with_file_and_line(content: bytes, line: int):
    with pytest.raises(PackError, match=f"list.txt:{line}"):
        entries(content, "list.txt")


def test_a_list_that_is_none_is_named():
    with pytest.raises(PackError, match=r"no_such_list\.txt"):
        load("no_such_list")


@pytest.mark.parametrize("name", NAMES)
def test_every_list_that_ships_is_read(name: str):
    assert load(name)
    assert load_set(name) == set(load(name))


@pytest.mark.parametrize(("part", "whole"), [("plurals_en", "happening_en"), ("tasks_or_nouns_en", "tasks_en")])
def test_what_a_verb_may_be_besides_is_said_of_verbs(part: str, whole: str):
    assert load_set(part) - load_set(whole) <= {"waterproof"}
